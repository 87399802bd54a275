#include "races/calls.h"

enum { GROUPS = 1 << 13 };
static struct {
    uint64_t key;
    uint32_t number;
} groups[GROUPS];

/* If no slot is free, the group shares the last one. */
static uint32_t *number_of(uint64_t group)
{
    for (uint64_t i = 0;; i++) {
        const uint64_t at = (group + i) % GROUPS;
        if (groups[at].key == 0)
            groups[at].key = group;
        if (groups[at].key == group || i == GROUPS)
            return &groups[at].number;
    }
}

uint32_t meeting_next(uint64_t group)
{
    return ++*number_of(group);
}

uint32_t meeting_last(uint64_t group)
{
    return *number_of(group);
}
