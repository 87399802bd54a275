/* Rules, in requests and tuning tables: an algorithm for a range of bytes. */
#pragma once

#include "needs.h"

/* The range of bytes with the same result. */
struct shcoll_bounds {
    size_t least, most;
};

/* An algorithm for least to most bytes. In a list, the first rule that holds is used. A rule of a table applies to a
 * number of members and of nodes, oversubscribed or not; a rule of a request applies to all groups. The name is looked
 * up at a choice, because most rules are never used. */
struct shcoll_rule {
    uint64_t least, most;
    int32_t pes, nodes;
    uint8_t collective; /* enum shcoll_collective */
    bool crowded;
    char algorithm[38];
};

struct shcoll_rules {
    struct shcoll_rule *rule;
    int n, room;
};

/* Adds a rule, with the algorithm named by length characters. If the name is unknown or the list is full, the job ends
 * with a message that begins with `where`. */
void shcoll_rule_add(struct shcoll_rules *to, struct shcoll_rule rule, const char *algorithm, size_t length,
                     const char *where);

/* Whether bytes are in the rule's range. *same is narrowed to the numbers of bytes with the same result. */
bool shcoll_rule_holds(const struct shcoll_rule *rule, uint64_t bytes, struct shcoll_bounds *same);

/* The rule's algorithm; if its name has no form, the first form that suits. */
struct shcoll_choice shcoll_rule_choice(const struct shcoll_rule *rule, const struct shcoll_shape *shape, size_t bytes);

/* Parses length characters such as "4096", "4k", "1M", "2g"; false for anything else. */
bool shcoll_size_of(const char *text, size_t length, uint64_t *bytes);

/* Writes bytes in that form into text, which has SHCOLL_SIZE_BYTES bytes or more; returns text. */
#define SHCOLL_SIZE_BYTES 24
const char *shcoll_size_text(uint64_t bytes, char *text);
