/* pes: 1 2 3 5 8 */
/* The lifetime of teams that FORM TEAM has made, and the memory of teams that have ended. */
#include "core.h"
#include "caf/control/formation.h"
#include "caf/memory/heap.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* new_index 0: the call passes none. */
static const struct caf_team *form(int64_t number, int new_index)
{
    caf_team_name variable = 0;
    ok(caf_form_team(number, new_index ? &new_index : NULL, &variable));
    return caf_team_named(variable);
}

static void change(const caf_team_name *variable)
{
    ok(caf_change_team(caf_team_in(variable)));
}

static void end(void)
{
    ok(caf_end_team());
}

static void check_error(int status, const char *part)
{
    CHECK(status == CAF_STAT_ERROR, "the status is %d, expected %d", status, CAF_STAT_ERROR);
    CHECK(strstr(caf_message(), part), "the sentence is \"%s\", without \"%s\"", caf_message(), part);
}

/* The lower end of the memory in use, which grows downwards; a block of this size fits into no hole. */
static char *end_of_memory(void)
{
    char *p = caf_heap_allocate((size_t)2 << 20);
    caf_heap_free(p);
    return p;
}

/* New team numbers: a team ends when no variable has its value. The last image uses two variables alternately, so it
 * releases each team one turn later than the others. */
static void form_fresh(int turns)
{
    static int64_t number = 1000;
    static caf_team_name variables[2];
    for (int i = 0; i < turns; i++) {
        caf_team_name *variable = &variables[me == n ? i % 2 : 0];
        number += 3;
        for (int twice = 0; twice < 2; twice++)
            ok(caf_form_team(number + me % 2, 0, variable));
        if (i % 16 == 0) {
            change(variable);
            CHECK(caf_team_number(NULL) == number + me % 2, "team %lld", (long long)caf_team_number(NULL));
            end();
        }
    }
}

/* More teams than the library keeps for copies of variables (formation.c). */
static void test(void)
{
    const int many = (int)(caf_heap_bytes / 64 / CAF_TEAM_BYTES) + 10;
    caf_team_name first, copy, lost;
    ok(caf_form_team(2, 0, &first));
    copy = form(3, 0)->name, lost = form(4, 0)->name;
    form(5, 0);
    change(&copy); /* form()'s variable gets another value; the copy keeps the team */
    end();
    form_fresh(many);
    const char *memory = end_of_memory();
    const size_t in_use = mallinfo2().uordblks;
    for (int round = 0; round < 2; round++) {
        form_fresh(many / 2);
        change(&copy);
        form_fresh(many / 2);
        end();
    }
    CHECK(memory - end_of_memory() <= 2 * CAF_TEAM_BYTES, "symmetric memory is used up: %td bytes",
          memory - end_of_memory());
    CHECK(mallinfo2().uordblks <= in_use + 2000 + 100 * (size_t)n, "memory is used up: %zu bytes, before %zu",
          mallinfo2().uordblks, in_use);
    CHECK(caf_team_named(first) && caf_team_named(first)->number == 2, "a team with a variable has ended");
    CHECK(!caf_team_named(lost), "a team without a variable lives");
    check_error(caf_change_team(caf_team_in(&lost)), "change team: the team was not formed");
}

int main(void)
{
    setenv("SHMEM_SYMMETRIC_SIZE", "64m", 1);
    start();
    test();
    caf_team_name outer;
    ok(caf_form_team(7, 0, &outer));
    change(&outer);
    test();
    end();
    ok(caf_sync_all());
    caf_stop(check_result());
}
