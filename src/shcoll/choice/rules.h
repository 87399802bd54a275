/* Rules, in requests and tuning tables alike: an algorithm for a range of bytes. */
#ifndef SHCOLL_RULES_H
#define SHCOLL_RULES_H

#include "needs.h"

/* The numbers of bytes for which an answer is the same. */
struct shcoll_bounds {
    size_t least, most;
};

/* An algorithm for least to most bytes; of a list of rules the first that holds decides.  A table's is for so many
 * members, on so many nodes, crowded or not; a request's for all.  The name is looked up when a choice is made: most
 * never are. */
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

/* Adds a rule, with the algorithm of so many characters.  If there is none of that name or no room the job ends with a
 * sentence that begins with where. */
void shcoll_rule_add(struct shcoll_rules *to, struct shcoll_rule rule, const char *algorithm, size_t length,
                     const char *where);

/* Whether bytes are in the rule's range.  *same is narrowed to the numbers of bytes of which the same is true. */
bool shcoll_rule_holds(const struct shcoll_rule *rule, uint64_t bytes, struct shcoll_bounds *same);

/* The rule's algorithm; of a name without a form, the first form that suits. */
struct shcoll_choice shcoll_rule_choice(const struct shcoll_rule *rule, const struct shcoll_shape *shape, size_t bytes);

/* "4096", "4k", "1M", "2g" of so many characters; false if it is something else. */
bool shcoll_size_of(const char *text, size_t length, uint64_t *bytes);

/* The other way round, into text, which is at least SHCOLL_SIZE_BYTES long; returns text. */
#define SHCOLL_SIZE_BYTES 24
const char *shcoll_size_text(uint64_t bytes, char *text);

#endif
