/* Data for the emulated network.  With SHMEM_NODES all PEs are in one job file, and this network maps all of it. */
#include "net/emulated.h"

#include "boot/boot.h"
#include "job/self.h"
#include "job/settings.h"
#include "time/virtual.h"
#include "net/choice.h"
#include "net/tune.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int number_nodes(int *node)
{
    int nodes = 0, first = -1;
    for (int pe = 0; pe < self.n_pes; pe++) {
        struct boot_layout layout = {.first = 0}; /* if the job has one node */
        boot_file_wanted(&layout, pe, self.n_pes);
        nodes += layout.first != first;
        first = layout.first;
        node[pe] = nodes - 1;
    }
    return nodes;
}

static char *map_all(void)
{
    const size_t bytes = self.file_end;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, self.fd, 0);
    if (memory == MAP_FAILED)
        job_fatal("shmem_init", "cannot map the %zu MiB of all %d PEs' memory for the emulated network: %s; set "
                  "SHMEM_SYMMETRIC_SIZE to less", bytes >> 20, self.n_pes, strerror(errno));
    madvise(memory, bytes, MADV_DONTFORK);
    madvise(memory, bytes, MADV_DONTDUMP);
    return memory;
}

static const struct provider_clock clock_of_job = {.start = virtual_begin, .clock = virtual_clock, .now = virtual_now,
                                                   .spend = virtual_spend, .wake = virtual_wake};

const struct provider_job *emulated_job(void)
{
    static struct provider_job job;
    if (boot && boot != &boot_file)
        return NULL;
    int *node = malloc((size_t)self.n_pes * sizeof *node);
    if (!node)
        job_fatal("shmem_init", "no memory for a table of %d PEs", self.n_pes);
    job = (struct provider_job){.fabric = setting_text(SETTING_SHMEM_FABRIC),
                                .pe = self.pe,
                                .n_pes = self.n_pes,
                                .n_nodes = number_nodes(node),
                                .node = node,
                                .memory = boot ? map_all() : NULL,
                                .share = job_share,
                                .clock = &clock_of_job,
                                .sends = &net_tune.sends};
    return &job;
}

bool emulated_node(void)
{
    const char *const fabric = setting_text(SETTING_SHMEM_FABRIC);
    return !boot && self.n_near == self.n_pes && fabric && strncmp(fabric, "disorder:", 9) != 0 &&
           setting_choice(SETTING_SHMEM_NET) == NET_EMU;
}

void emulated_report(void)
{
    fprintf(stderr, "copal: emulated node %s, %d PEs: %.9f s\n", setting_text(SETTING_SHMEM_FABRIC), self.n_pes,
            (double)virtual_clock() / (double)VIRTUAL_SECOND);
}
