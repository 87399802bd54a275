/* Rules, in requests and tuning tables. */
#include "names.h"
#include "rules.h"

#include <stdio.h>

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static const char units[] = "kMG";

/* 1 for k, 2 for m, 3 for g; 0 if the letter is no unit. */
static unsigned unit_of(char letter)
{
    for (unsigned i = 0; units[i]; i++)
        if ((letter | 0x20) == (units[i] | 0x20))
            return i + 1;
    return 0;
}

bool shcoll_size_of(const char *text, size_t length, uint64_t *bytes)
{
    const uint64_t limit = UINT64_MAX / 2;
    uint64_t number = 0;
    size_t digits = 0;
    for (; digits < length && text[digits] >= '0' && text[digits] <= '9'; digits++) {
        if (number > limit / 10 - 1)
            return false;
        number = number * 10 + (uint64_t)(text[digits] - '0');
    }
    const unsigned unit = digits < length ? unit_of(text[digits]) : 0;
    *bytes = number << 10 * unit;
    return digits > 0 && length == digits + (unit ? 1 : 0) && number <= limit >> 10 * unit;
}

const char *shcoll_size_text(uint64_t bytes, char *text)
{
    int unit = 0;
    while (unit < 3 && bytes && bytes % 1024 == 0)
        bytes /= 1024, unit++;
    snprintf(text, SHCOLL_SIZE_BYTES, unit ? "%llu%c" : "%llu", (unsigned long long)bytes, unit ? units[unit - 1] : 0);
    return text;
}

/* --- rules -------------------------------------------------------------------------------------------------------- */

bool shcoll_rule_holds(const struct shcoll_rule *rule, uint64_t bytes, struct shcoll_bounds *same)
{
    if (bytes < rule->least) {
        same->most = same->most < rule->least ? same->most : rule->least - 1;
        return false;
    }
    if (bytes > rule->most) {
        same->least = same->least > rule->most ? same->least : rule->most + 1;
        return false;
    }
    same->least = same->least > rule->least ? same->least : rule->least;
    same->most = same->most < rule->most ? same->most : rule->most;
    return true;
}

struct shcoll_choice shcoll_rule_choice(const struct shcoll_rule *rule, const struct shcoll_shape *shape, size_t bytes)
{
    struct shcoll_choice at;
    for (int i = 0; (at = shcoll_algorithm_number(rule->collective, i)).algorithm; i++)
        if (strcmp(at.algorithm->name, rule->algorithm) == 0 && shcoll_suits(at, shape, bytes))
            return at;
    return shcoll_find(rule->collective, rule->algorithm);
}

static void list_names(enum shcoll_collective collective, char *text, size_t room)
{
    struct shcoll_choice at;
    size_t used = 0;
    for (int i = 0; used < room && (at = shcoll_algorithm_number(collective, i)).algorithm; i++) {
        char name[SHCOLL_NAME_BYTES];
        used += (size_t)snprintf(text + used, room - used, "%s%s", i ? ", " : "", shcoll_name(at, name));
    }
}

void shcoll_rule_add(struct shcoll_rules *to, struct shcoll_rule rule, const char *algorithm, size_t length,
                     const char *where)
{
    const enum shcoll_collective collective = rule.collective;
    snprintf(rule.algorithm, sizeof rule.algorithm, "%.*s", (int)length, algorithm);
    if (length >= sizeof rule.algorithm || !shcoll_find(collective, rule.algorithm).algorithm) {
        char names[1024];
        list_names(collective, names, sizeof names);
        shcoll_fatal("%s: \"%.*s\" is no algorithm of %s; allowed are %s", where, (int)length, algorithm,
                     shcoll_collective_names[collective], names);
    }
    if (to->n == to->room) /* MUTANT a tuning table has an end */
        shcoll_fatal("%s: this is one rule too many; allowed are %d in requests and table together", where, to->room);
    to->rule[to->n++] = rule;
}
