/* sources: tools/oshrun/hosts.c */
/* parser: tools/oshrun/hosts.c */
/* Lists of hosts, oshrun --hosts: on the command line if the first byte of the input is below 128, otherwise in a file.
 * The byte also gives the number of PEs. */
#include "given.h"

#include "target.h"

struct words words = {.unit = "PE"};

void die(int code, const char *format, ...)
{
    (void)code;
    va_list args;
    va_start(args, format);
    refuse(format, args);
}

void no_memory(void)
{
    abort();
}

void *enlarge(void *list, size_t bytes)
{
    return realloc(list, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0)
        return 0;
    struct hosts hosts = {0}, *h = &hosts;
    char *const text = as_text(data + 1, bytes - 1);
    give(data + 1, bytes - 1);
    if (setjmp(refused) == 0) {
        struct options opt = {.hosts = data[0] < 128 ? text : "@" GIVEN, .n_pes = 1 + data[0] % 128};
        if (data[0] % 2) {
            settle_own_hosts(&opt);
        } else {
            hosts_read(h, opt.hosts);
            hosts_share(h, opt.n_pes, data[0] % 3);
            long shared = 0;
            for (int i = 0; i < h->n; i++) {
                shared += h->host[i].n_pes;
                if (h->host[i].n_pes < 1 || !*h->host[i].name)
                    abort();
            }
            if (shared != opt.n_pes)
                abort();
        }
    }
    free(h->text);
    free(h->host);
    free(text);
    return 0;
}
