#pragma once

/* How many later images may take a lock before the first waiting image. */
enum { CAF_LOCK_PASSES = 10000 };

/* Called once, by caf_init. */
void caf_locks_begin(void);
