/* sources: src/net/emu/fabric_read.c src/net/emu/topology.c src/job/settings.c */
/* parser: src/net/emu/fabric_read.c */
/* Fabric files (SHMEM_FABRIC): the first byte says for how many nodes, or that the input is a name. */
#include "given.h"

#include "net/emu/fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct fabric f;
    if (bytes == 0)
        return 0;
    give(data + 1, bytes - 1);
    char *name = as_text(data + 1, bytes - 1);
    const char *why = data[0] == 'n' ? fabric_read(&f, name, 4) : fabric_read(&f, GIVEN, 1 << data[0] % 12);
    if (why && strlen(why) >= FABRIC_WHY_BYTES)
        abort();
    free(name);
    return 0;
}
