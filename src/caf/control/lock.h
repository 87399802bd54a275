/* The queues of locks. */
#ifndef COPAL_CAF_LOCK_H
#define COPAL_CAF_LOCK_H

/* Called once, by caf_init. */
void caf_locks_begin(void);

#endif
