/* Common parts of this folder's programs: rules, and a main that runs them.
 *
 *     program right|wrong [RULE...]
 *
 * A rule is a function. Called with right, it must not race; called with wrong, two of its lines race: those that end
 * in comments of one word (see verdicts.py). It begins and ends with a barrier. Every PE runs it once, so that static
 * variables are 0 at first. The order in which PEs arrive must not decide whether a wrong rule races. */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule {
    const char *name;
    void (*body)(bool right);
};

#define IN_RULES __attribute__((used, section("rules")))
#define RULE(name) static void name(bool right); \
    static struct rule name##_rule IN_RULES = { #name, name }; static void name(bool right)

extern struct rule __start_rules[], __stop_rules[];
static int me, pes;
static const char *checked; /* the rule whose results are checked; null: none, since it runs with wrong */
static bool failed;

/* Loads the argument; in a right program it has the known value. */
static void look(long value, long wanted)
{
    if (checked && value != wanted) {
        fprintf(stderr, "PE %d: %s: 1 check(s) failed: %ld, not %ld\n", me, checked, value, wanted);
        failed = true;
    }
}

static bool is_chosen(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    bool right = strcmp(argv[1], "right") == 0;
#ifdef THREADS
    int level;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
#else
    shmem_init();
#endif
    me = shmem_my_pe();
    pes = shmem_n_pes();
    for (struct rule *rule = __start_rules; rule < __stop_rules; rule++) {
        if (!is_chosen(rule->name, argc - 2, argv + 2))
            continue;
        checked = right ? rule->name : NULL;
        shmem_barrier_all();
        rule->body(right);
        shmem_barrier_all();
    }
    shmem_finalize();
    return failed;
}
