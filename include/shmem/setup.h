/* Library setup, exit and query (9.1), threads (9.2). */

/* init: start the library (9.1.1).
 *
 * Collective over all PEs of the job: each PE calls it before other routines of the library, except those that may be
 * called at any time.  It may be called again; each call needs a shmem_finalize, and the library ends with the last.
 * Only the calling thread may use the library, as with SHMEM_THREAD_SINGLE; programs with several threads call
 * shmem_init_thread.
 *
 * On return: all PEs have called it, and the symmetric variables and the symmetric heap of each PE can be accessed.
 *
 * Errors: If the library cannot be started, for instance because SHMEM_SYMMETRIC_SIZE is no number, the job ends with a
 * sentence.
 *
 * Classic: shmem_init() */
COPAL_DECL(void, init, (void))

/* init_thread: start the library for several threads (9.2.1; since 1.4).
 *
 * As shmem_init, with a thread level: SHMEM_THREAD_SINGLE, one thread in the process; SHMEM_THREAD_FUNNELED, only the
 * calling thread uses the library; SHMEM_THREAD_SERIALIZED, any thread, but one at a time; SHMEM_THREAD_MULTIPLE, any
 * thread at any time.  Copal grants the requested level.  All levels cost the same.
 *
 * requested: the level that the program wants, one of SHMEM_THREAD_...
 * provided: gets the level granted; any memory of the calling PE, in C also a null pointer
 *
 * On return: as after shmem_init, and provided has the level.
 *
 * Returns: 0.  If the library cannot be started, it does not return: the job ends with a sentence. */
COPAL_DECL(int, init_thread, (int requested, int *provided))

/* query_thread: the thread level granted at start (9.2.2; since 1.4).
 *
 * provided: any memory of the calling PE; gets the level, SHMEM_THREAD_SINGLE after shmem_init
 *
 * On return: no other PE has taken part, and earlier operations may still be pending. */
COPAL_DECL(void, query_thread, (int *provided))

/* query_initialized: whether the library is started (9.1.5; since 1.6).
 *
 * For libraries that use OpenSHMEM in programs that may use it, too.
 *
 * initialized: any memory of the calling PE; gets 1 between the first shmem_init and the last shmem_finalize, else 0
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Errors: None; it may be called at any time. */
COPAL_DECL(void, query_initialized, (int *initialized))

/* finalize: undo one init (9.1.4).
 *
 * Collective over all PEs of the job, and a barrier as shmem_barrier_all.  The last call, which matches the first
 * shmem_init, ends the library: contexts, teams and symmetric memory are gone.  If a program ends with status 0 without
 * this call, the library makes it; if the program ends with another status, the job ends.  A superfluous call does
 * nothing.
 *
 * On return: the operations of all PEs are complete.
 *
 * Classic: shmem_finalize() */
COPAL_DECL(void, finalize, (void))

/* global_exit: end the whole job from any PE (9.1.6).
 *
 * Ends all other PEs immediately, too.  It does not return.
 *
 * status: the exit status of this process, and of oshrun(1)
 *
 * On return: it does not return.  Pending operations may never arrive.
 *
 * Classic: shmem_global_exit(status) */
COPAL_DECL(COPAL_NORETURN void, global_exit, (int status))

/* my_pe, n_pes: number of this PE, and number of PEs (9.1.2, 9.1.3).
 *
 * PEs are counted from 0.  Neither changes between shmem_init and shmem_finalize.
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: shmem_my_pe, a number from 0 to one less than shmem_n_pes.
 *
 * Classic: integer function shmem_my_pe, my_pe, shmem_n_pes, num_pes() */
COPAL_DECL(int, my_pe, (void))
COPAL_DECL(int, n_pes, (void))

/* pe_accessible: whether a PE can be reached (9.1.7).
 *
 * All PEs of a job can be reached from all others.
 *
 * pe: any number
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: 1 if pe is the number of a PE of the job, else 0.
 *
 * Classic: logical function shmem_pe_accessible(pe) */
COPAL_DECL(int, pe_accessible, (int pe))

/* addr_accessible: whether an address is symmetric (9.1.8).
 *
 * addr: any address of the calling PE
 * pe: any number
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: 1 if addr is a symmetric address through which PE pe can be reached, else 0.  Static variables are
 * symmetric between PEs that run the same program, the symmetric heap between all.
 *
 * Classic: logical function shmem_addr_accessible(addr, pe) */
COPAL_DECL(int, addr_accessible, (const void *addr, int pe))

/* ptr, team_ptr: address at which another PE's memory can be loaded and stored (9.1.9, 9.1.10).
 *
 * PEs of one node map each other's symmetric memory: heap and static variables.  A PE loads and stores it as its own
 * memory; the accesses are ordered like accesses of threads, by atomics of the language, or by shmem_barrier_all and
 * other synchronizations. A PE that sleeps in shmem_wait_until may notice such a store late; shmem_atomic_set wakes it
 * immediately.
 *
 * dest: a symmetric address of the calling PE
 * pe: a PE, by its number in the job (shmem_ptr) or in the team (shmem_team_ptr)
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: the address, on the calling PE, of PE pe's dest; a null pointer if pe is on another node, dest is not
 * symmetric, or team is SHMEM_TEAM_INVALID.
 *
 * Classic: integer(8) function shmem_ptr(dest, pe) */
COPAL_DECL(void *, ptr, (const void *dest, int pe))
COPAL_DECL(void *, team_ptr, (shmem_team_t team, const void *dest, int pe))

/* info_get_version, info_get_name: version of the specification, and name of the library (9.1.11, 9.1.12).
 *
 * The version of the specification is SHMEM_MAJOR_VERSION and SHMEM_MINOR_VERSION, and the name SHMEM_VENDOR_STRING;
 * both belong to the library in use, which may be newer than the header.
 *
 * major, minor: any memory of the calling PE; they get 1 and 6
 * name: any memory of the calling PE; gets the name, in C at most SHMEM_MAX_NAME_LEN characters with the null at the
 * end, in Fortran padded with blanks
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Errors: None; they may be called at any time.
 *
 * Classic: shmem_info_get_version(major, minor); shmem_info_get_name(name) */
COPAL_DECL(void, info_get_version, (int *major, int *minor))
COPAL_DECL(void, info_get_name, (char *name))
