/* The queues of locks. */
#ifndef COPAL_CAF_LOCK_H
#define COPAL_CAF_LOCK_H

/* How often the first in line may be passed by images that come later. */
enum { CAF_LOCK_PASSES = 10000 };

/* Called once, by caf_init. */
void caf_locks_begin(void);

#endif
