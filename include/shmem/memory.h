/* Symmetric memory (9.3).
 *
 * For a size of 0 the routines that allocate return NULL, and do not wait for the other PEs.
 *
 * size: how many bytes; the same on all PEs
 * ptr: symmetric; what shmem_malloc or its like returned, the same block on all PEs
 *
 * Errors: PEs that pass different arguments, or call different routines, end the job with a sentence.
 *
 * Fortran: The address is a type(c_ptr), of which c_f_pointer of iso_c_binding makes an array.  Sizes are
 * integer(c_size_t): 8 * n * 1_c_size_t for n reals of 8 bytes. */

/* malloc, malloc_with_hints: allocate symmetric memory (9.3.1, 9.3.5).
 *
 * Collective over all PEs, which call it with the same arguments.  The memory is symmetric: its address here stands
 * for the block of any PE in puts, gets and atomics.  What is in it is undefined.  It is aligned for every type of C.
 *
 * The symmetric heap takes memory of the machine only as it is touched; SHMEM_SYMMETRIC_SIZE limits it.
 *
 * hints: how the memory will be used: 0, or an OR of SHMEM_MALLOC_ATOMICS_REMOTE (remote atomics) and
 * SHMEM_MALLOC_SIGNAL_REMOTE (signals).  Copal makes nothing of them.
 *
 * On return: all PEs have the block and may use it on every PE.
 *
 * Returns: the block, or on all PEs NULL if the symmetric heap has no room; the first time, PE 0 says so and how large
 * a SHMEM_SYMMETRIC_SIZE would do.
 *
 * Fortran: shpalloc of shmem.fh sets address, a Cray pointer, to a block of length words of 32 bits.  It sets errcode
 * to 0, or to -1 where length is not positive, -2 where there is no room; with abort other than 0, these end the job.
 *
 * Classic: shpalloc(address, length, errcode, abort) */
COPAL_DECL(void *, malloc, (size_t size))
COPAL_DECL(void *, malloc_with_hints, (size_t size, long hints))

/* calloc: allocate symmetric memory and set it to zero (9.3.6; since 1.4).
 *
 * Collective over all PEs, which call it with the same arguments.
 *
 * count: how many elements
 * size: bytes of each
 *
 * On return: the block of every PE is zero, and may be used.
 *
 * Returns: a block of count times size bytes, or on all PEs NULL if the symmetric heap has no room. */
COPAL_DECL(void *, calloc, (size_t count, size_t size))

/* align: allocate symmetric memory at a multiple of an alignment (9.3.4).
 *
 * Collective over all PEs, which call it with the same arguments.
 *
 * alignment: what the address is to be a multiple of: a power of two and a multiple of sizeof(void *); another number
 *     is rounded up to the next one
 *
 * On return: all PEs have the block and may use it on every PE.
 *
 * Returns: the block, or on all PEs NULL if the symmetric heap has no room, or alignment is more than an eighth of it,
 *     2 MiB or more, or more than 1 GiB. */
COPAL_DECL(void *, align, (size_t alignment, size_t size))

/* realloc: change the length of a block of symmetric memory (9.3.3).
 *
 * Collective over all PEs, which call it with the same arguments.  The block is moved if need be, and what was in it
 * goes along.  A ptr of NULL allocates, as shmem_malloc does; a size of 0 frees, as shmem_free does.
 *
 * On return: all PEs have the new block and may use it on every PE.
 *
 * Returns: the block, which may lie elsewhere, or on all PEs NULL if the symmetric heap has no room; then the block at
 * ptr stays as it was.
 *
 * Fortran: shpclmove of shmem.fh has the block at address, which shpalloc gave, hold length words of 32 bits.  It sets
 * status to 0, to 1 if the block has moved, or to an error as shpalloc and shpdeallc do; with abort other than 0,
 * errors end the job.
 *
 * Classic: shpclmove(address, length, status, abort) */
COPAL_DECL(void *, realloc, (void *ptr, size_t size))

/* free: give symmetric memory back (9.3.2).
 *
 * Collective over all PEs.  It waits for all of them first, so nobody frees what another PE still uses; what the
 * calling PE has sent on SHMEM_CTX_DEFAULT is complete then.
 *
 * ptr: symmetric; what shmem_malloc or its like returned, the same block on all PEs, or NULL, which does nothing
 *
 * On return: all PEs have called, and the block is gone on all of them.
 *
 * Errors: An address inside a block, one that was freed before or never allocated, ends the job with a sentence.
 *
 * Fortran: shpdeallc of shmem.fh frees what shpalloc gave.  It sets errcode to 0, or to -3 where address is not in the
 * symmetric heap, -4 where the block is free already, -5 where address is inside a block; with abort other than 0,
 * these end the job.
 *
 * Classic: shpdeallc(address, errcode, abort) */
COPAL_DECL(void, free, (void *ptr))
