/* sources: src/shcoll/choice/table.c src/shcoll/choice/rules.c src/shcoll/choice/names.c */
/* sources: src/shcoll/choice/needs.c */
/* parser: src/shcoll/choice/table.c src/shcoll/choice/rules.c */
/* Tuning tables of collectives (SHCOLL_TABLE), and the choices that they cause. */
#include "given.h"

#include "shcoll/choice/table.h"
#include "shcoll/choice/names.h"

struct shcoll_parameters shcoll_parameters;

void shcoll_fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(format, args);
}

#define ROWS {{"dissemination", .form = 0}, {"binomial", .k = 2, .most_bytes = 4096}, {"parts", .needs = NEEDS_EVEN}, \
              {"recursive_doubling", .form = FORMS - 1, .needs = NEEDS_POWER_OF_TWO}, {"two_level"}, {"flat"}, {0}}
const struct shcoll_algorithm shcoll_sync_rows[] = ROWS, shcoll_broadcast_rows[] = ROWS, shcoll_fcollect_rows[] = ROWS,
    shcoll_collect_rows[] = ROWS, shcoll_alltoall_rows[] = ROWS, shcoll_alltoalls_rows[] = ROWS,
    shcoll_reduce_rows[] = ROWS, shcoll_scan_rows[] = ROWS;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    enum { ROOM = 9 };
    struct shcoll_rule rule[ROOM];
    struct shcoll_rules rules = {.rule = rule, .room = ROOM};
    struct shcoll_parameters parameters = {0};
    give(data, bytes);
    if (setjmp(refused))
        return 0;
    shcoll_table_read(GIVEN, &rules, &parameters);
    for (int c = 0; c < SHCOLL_COLLECTIVES; c++)
        for (int i = 0; i < 24; i++) {
            const struct shcoll_shape shape = {.size = 1 << i % 12, .nodes = i % 3 ? 1 : 1 << i % 12 / 2,
                                               .crowded = i > 12};
            struct shcoll_bounds same = {0, SIZE_MAX};
            struct shcoll_choice choice;
            shcoll_table_choice(rule, rules.n, (enum shcoll_collective)c, &shape, (size_t)1 << 2 * i, &choice, &same);
        }
    return 0;
}
