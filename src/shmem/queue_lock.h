/* Locks (9.13) of jobs that span nodes; lock.c has those of one node. */
#pragma once

/* home: the PE that has the tail of the lock's queue. */
void queue_lock_set(long *lock, int home, const char *routine);
int queue_lock_test(long *lock, int home, const char *routine); /* 0: this PE has acquired the lock */
void queue_lock_clear(long *lock, int home, const char *routine);
