/* Requests and tuning tables from the inside: both are lists of rules. */
#ifndef SHCOLL_SETTINGS_H
#define SHCOLL_SETTINGS_H

#include "choose.h"
#include "../algorithms/cost.h"

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

/* --- rules.c ------------------------------------------------------------------------------------------------------ */

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

/* --- table.c ------------------------------------------------------------------------------------------------------ */

/* Reads a tuning table from a file, and what it says about the cost model's parameters.  If something is wrong with it
 * the job ends with a sentence. */
void shcoll_table_read(const char *file, struct shcoll_rules *to, struct shcoll_parameters *parameters);

/* What a table of n lines says for the shape; as shcoll_tuned. */
bool shcoll_table_choice(const struct shcoll_rule *table, int n, enum shcoll_collective collective,
                         const struct shcoll_shape *shape, size_t bytes, struct shcoll_choice *choice,
                         struct shcoll_bounds *same);

/* The name of parameter i of the cost model, and where its value is; NULL behind the last. */
const char *shcoll_parameter_name(int i);
double *shcoll_parameter(struct shcoll_parameters *parameters, int i);

/* --- settings.c --------------------------------------------------------------------------------------------------- */

/* The table in use, of *n lines. */
const struct shcoll_rule *shcoll_table(int *n);

/* --- tuned.c, which copal-tune writes ----------------------------------------------------------------------------- */

extern const struct shcoll_rule shcoll_default_table[];
extern const int shcoll_default_lines;
extern const struct shcoll_parameters shcoll_default_parameters;

#endif
