/* What the user asks for and the tuning table, read by PE 0 and distributed, so that all PEs choose alike. */
#include "choose.h"
#include "flags.h"

struct settings {
    int node_size;
    bool crowded;
};

void shcoll_settings_write(void *area, int node_size, bool crowded)
{
    *(struct settings *)area = (struct settings){.node_size = node_size, .crowded = crowded};
}

void shcoll_settings_read(void *area)
{
    struct settings s;
    shcoll_plans_forget();
    shmem_getmem(&s, area, sizeof s, 0);
    shcoll_placement = (struct shcoll_placement){.node_size = s.node_size, .crowded = s.crowded};
}

bool shcoll_requested(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                      struct shcoll_choice *choice, struct shcoll_bounds *same)
{
    (void)collective, (void)shape, (void)bytes, (void)choice, (void)same;
    return false;
}

bool shcoll_tuned(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                  struct shcoll_choice *choice, struct shcoll_bounds *same)
{
    (void)shape;
    if (collective == SHCOLL_SYNC) {
        *choice = shcoll_find(collective, shape->crowded && shape->size > 2 ? "counter" : "dissemination");
        return true;
    }
    const size_t at = (size_t)(shape->crowded ? 256 : 16) << 10;
    switch (collective) {
    case SHCOLL_BROADCAST: *choice = shcoll_find(collective, bytes < at ? "kary:put" : "linear"); break;
    case SHCOLL_ALLTOALL: *choice = shcoll_find(collective, bytes < at ? "shift" : "pull"); break;
    case SHCOLL_REDUCE: *choice = shcoll_find(collective, bytes <= 496 && !shape->is_pSync ? "recursive_doubling:slots" : "parts");
        if (bytes > 496) same->least = 497; else same->most = 496;
        break;
    default: *choice = shcoll_find(collective, collective == SHCOLL_FCOLLECT || collective == SHCOLL_COLLECT ? "all_linear" : collective == SHCOLL_ALLTOALLS ? "shift" : "parts");
    }
    return true;
}
