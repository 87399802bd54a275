/* sources: src/net/emu/fabric_read.c src/net/emu/topology.c src/job/settings.c */
/* parser: src/net/emu/fabric_read.c */
/* Fabric files (SHMEM_FABRIC): the first byte is the number of nodes, or says that the input is a name. */
#include "given.h"

#include "net/emu/fabric.h"

/* Checks that accepted values are within the limits that the error messages state. */
static bool is_sound(const struct fabric *f)
{
    const uint64_t times[] = {f->send_overhead, f->receive_overhead, f->put_overhead, f->get_overhead, f->gap,
                              f->latency, f->hop_latency, f->atomic, f->near.node_latency};
    const struct topology *t = &f->topology;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] > 1000000000000)
            return false;
    return f->adapters >= 1 && f->adapters <= 64 && f->message_most >= 1024 && f->message_most <= 1 << 20 &&
           f->queue >= 1 && f->queue <= 65536 && f->near.compute >= 0 && f->near.compute <= 1e6 &&
           topology_room(t) >= t->ports && (t->kind != TOPOLOGY_FAT_TREE || (t->down > 0 && t->up > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct fabric f;
    if (bytes == 0)
        return 0;
    give(data + 1, bytes - 1);
    char *name = as_text(data + 1, bytes - 1);
    const char *why = data[0] == 'n' ? fabric_read(&f, name, 4) : fabric_read(&f, GIVEN, 1 << data[0] % 12);
    if (why ? strlen(why) >= FABRIC_WHY_BYTES : !is_sound(&f))
        abort();
    free(name);
    return 0;
}
