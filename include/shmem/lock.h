/* Distributed locks (9.13). */

/* set_lock, test_lock, clear_lock: locks that one PE holds at a time (9.13.1).
 *
 * shmem_set_lock waits until it has acquired the lock. shmem_test_lock acquires the lock if it is free.
 * shmem_clear_lock completes this PE's operations on SHMEM_CTX_DEFAULT and releases the lock: the next PE that acquires
 * the lock sees these operations.  A lock is not recursive, and does not exclude threads of one PE.
 *
 * lock: a symmetric variable, the same on all PEs, which is 0 before its first use and then belongs to the library
 *
 * On return: after shmem_set_lock, and after shmem_test_lock that returns 0, this PE holds the lock, and sees the
 * operations on SHMEM_CTX_DEFAULT of earlier holders.  After shmem_clear_lock, this PE's operations on
 * SHMEM_CTX_DEFAULT are complete, and the lock is free, or another PE holds it.
 *
 * Returns: shmem_test_lock, 0 if it has acquired the lock, and 1 if another PE holds it.
 *
 * Errors: Releasing a lock that no PE holds ends the job with a sentence.  With SHMEM_DEBUG, so does acquiring a lock
 * that this PE holds, and releasing a lock that another PE holds.
 *
 * Fortran: Locks of the module are integer(c_long); locks of shmem.fh are default integers.  A program must not use one
 * lock through both.
 *
 * Classic: shmem_set_lock, shmem_clear_lock(lock); integer function shmem_test_lock(lock) */
COPAL_DECL(void, set_lock, (long *lock))
COPAL_DECL(int, test_lock, (long *lock))
COPAL_DECL(void, clear_lock, (long *lock))
