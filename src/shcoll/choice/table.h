/* Tuning tables: files of lines, and the one that is built in. */
#ifndef SHCOLL_TABLE_H
#define SHCOLL_TABLE_H

#include "../algorithms/cost.h"
#include "rules.h"

/* Reads a tuning table from a file, and what it says about the cost model's parameters.  If something is wrong with it
 * the job ends with a sentence. */
void shcoll_table_read(const char *file, struct shcoll_rules *to, struct shcoll_parameters *parameters);

/* What a table of n lines says for the shape; as shcoll_tuned (settings.h). */
bool shcoll_table_choice(const struct shcoll_rule *table, int n, enum shcoll_collective collective,
                         const struct shcoll_shape *shape, size_t bytes, struct shcoll_choice *choice,
                         struct shcoll_bounds *same);

/* The name of parameter i of the cost model, and where its value is; NULL behind the last. */
const char *shcoll_parameter_name(int i);
double *shcoll_parameter(struct shcoll_parameters *parameters, int i);

/* tuned.c, which copal-tune writes */
extern const struct shcoll_rule shcoll_default_table[];
extern const int shcoll_default_lines;
extern const struct shcoll_parameters shcoll_default_parameters;

#endif
