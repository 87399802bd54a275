/* Tuning tables: files of lines, and the built-in table. */
#pragma once

#include "../algorithms/cost.h"
#include "rules.h"

/* Reads a tuning table, with its parameters of the cost model, from a file. If the file is wrong, the job ends with a
 * message. */
void shcoll_table_read(const char *file, struct shcoll_rules *to, struct shcoll_parameters *parameters);

/* The choice of a table of n lines for the shape; *same as for shcoll_requested (settings.h). */
bool shcoll_table_choice(const struct shcoll_rule *table, int n, enum shcoll_collective collective,
                         const struct shcoll_shape *shape, size_t bytes, struct shcoll_choice *choice,
                         struct shcoll_bounds *same);

/* The name of parameter i of the cost model, and the address of its value; NULL after the last. */
const char *shcoll_parameter_name(int i);
double *shcoll_parameter(struct shcoll_parameters *parameters, int i);

/* tuned.c, which copal-tune writes */
extern const struct shcoll_rule shcoll_default_table[];
extern const int shcoll_default_lines;
extern const struct shcoll_parameters shcoll_default_parameters;
