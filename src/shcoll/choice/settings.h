/* The user's requests, and the tuning table in use. */
#pragma once

#include "table.h"

/* Takes the settings that PE 0 has written in area (shcoll_settings_write); no group may be in use. */
void shcoll_settings_take(const void *area, int sharing);

/* Whether SHCOLL_INFO requests a list of the choices. */
bool shcoll_info_wanted(void);

/* The table in use, of *n lines. */
const struct shcoll_rule *shcoll_table(int *n);

/* The request in the environment, or else the line of the tuning table that suits the shape; false if neither exists.
 * *same is narrowed to the range of bytes with the same result. */
bool shcoll_requested(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                      struct shcoll_choice *choice, struct shcoll_bounds *same);
bool shcoll_tuned(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                  struct shcoll_choice *choice, struct shcoll_bounds *same);
