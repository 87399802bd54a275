/* Symmetric memory (9.3).  All routines are called by all PEs, with the same arguments.  Those that allocate return the
 * same result everywhere, once the memory can be used on every PE; those that free first wait for all PEs. */

/* size bytes of symmetric memory, or NULL if not so much is left.  A size of 0 gives NULL and waits for nobody, here
 * and in the routines below (9.3.1). */
COPAL_DECL(void *, malloc, (size_t size))

/* The same, with hints on its use: an OR of SHMEM_MALLOC_..., or 0 (9.3.5). */
COPAL_DECL(void *, malloc_with_hints, (size_t size, long hints))

/* count * size bytes, set to zero (9.3.6). */
COPAL_DECL(void *, calloc, (size_t count, size_t size))

/* size bytes at a multiple of alignment, which is a power of two and a multiple of sizeof(void *) (9.3.4). */
COPAL_DECL(void *, align, (size_t alignment, size_t size))

/* Make the block at ptr size bytes long, moving it if need be; NULL if it cannot be done, and then the block stays as
 * it was.  A ptr of NULL allocates; a size of 0 frees (9.3.3). */
COPAL_DECL(void *, realloc, (void *ptr, size_t size))

/* Give the block back; NULL is ignored (9.3.2). */
COPAL_DECL(void, free, (void *ptr))
