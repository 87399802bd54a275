/* What the user has asked for, and the tuning table in use. */
#ifndef SHCOLL_SETTINGS_H
#define SHCOLL_SETTINGS_H

#include "table.h"

/* Takes what PE 0 has written in area (shcoll_settings_write); no group is in use. */
void shcoll_settings_take(const void *area, int sharing);

/* SHCOLL_INFO: the choices are to be printed. */
bool shcoll_info_wanted(void);

/* The table in use, of *n lines. */
const struct shcoll_rule *shcoll_table(int *n);

/* What the user asks for in the environment, and what the tuning table says that suits the shape; false if nothing.
 * *same is narrowed to the range of bytes for which the answer is the same. */
bool shcoll_requested(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                      struct shcoll_choice *choice, struct shcoll_bounds *same);
bool shcoll_tuned(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                  struct shcoll_choice *choice, struct shcoll_bounds *same);

#endif
