/* Symmetric memory (9.3).
 *
 * For a size of 0 the routines that allocate return NULL, and do not wait for the other PEs.
 *
 * size: number of bytes; the same on all PEs
 * ptr: symmetric; a block of shmem_malloc or a similar routine, the same on all PEs
 *
 * Errors: PEs that pass different arguments, or call different routines, end the job with a sentence.
 *
 * Fortran: The address is a type(c_ptr), of which c_f_pointer of iso_c_binding makes an array.  Sizes are
 * integer(c_size_t): 8 * n * 1_c_size_t for n reals of 8 bytes. */

/* malloc, malloc_with_hints: allocate symmetric memory (9.3.1, 9.3.5).
 *
 * Collective over all PEs, which call it with the same arguments.  The memory is symmetric: in puts, gets and atomics,
 * its address on this PE identifies the block of each PE.  Its contents are undefined.  It is aligned for each type of
 * C.
 *
 * A page of the symmetric heap uses the machine's memory only after the first access; SHMEM_SYMMETRIC_SIZE limits the
 * heap.
 *
 * hints: how the memory will be used: 0, or an OR of SHMEM_MALLOC_ATOMICS_REMOTE (remote atomics) and
 * SHMEM_MALLOC_SIGNAL_REMOTE (signals).  Copal ignores them.
 *
 * On return: all PEs have the block and may use it on every PE.
 *
 * Returns: the block, or on all PEs NULL if the symmetric heap has no space; the first time, PE 0 prints this, and a
 * sufficient SHMEM_SYMMETRIC_SIZE.
 *
 * Fortran: shpalloc of shmem.fh sets address, a Cray pointer, to a block of length words of 32 bits.  It sets errcode
 * to 0, to -1 if length is not positive, or to -2 if there is no space.  If abort is not 0, these errors end the job.
 *
 * Classic: shpalloc(address, length, errcode, abort) */
COPAL_DECL(void *, malloc, (size_t size))
COPAL_DECL(void *, malloc_with_hints, (size_t size, long hints))

/* calloc: allocate symmetric memory and set it to zero (9.3.6; since 1.4).
 *
 * Collective over all PEs, which call it with the same arguments.
 *
 * count: number of elements
 * size: bytes of each
 *
 * On return: the block of every PE is zero, and may be used.
 *
 * Returns: a block of count times size bytes, or on all PEs NULL if the symmetric heap has no space. */
COPAL_DECL(void *, calloc, (size_t count, size_t size))

/* align: allocate symmetric memory at a multiple of an alignment (9.3.4).
 *
 * Collective over all PEs, which call it with the same arguments.
 *
 * alignment: the address will be a multiple of it: a power of two and a multiple of sizeof(void *); another number is
 * rounded up to the next such number
 *
 * On return: all PEs have the block and may use it on every PE.
 *
 * Returns: the block, or on all PEs NULL if the symmetric heap has no space, or if alignment is too large (at most 1
 * GiB, and at most the greater of 2 MiB and an eighth of the heap). */
COPAL_DECL(void *, align, (size_t alignment, size_t size))

/* realloc: change the length of a block of symmetric memory (9.3.3).
 *
 * Collective over all PEs, which call it with the same arguments.  The block is moved with its contents if necessary.
 * A ptr of NULL allocates, as shmem_malloc does; a size of 0 frees, as shmem_free does.
 *
 * On return: all PEs have the new block and may use it on every PE.
 *
 * Returns: the block, which may have moved, or on all PEs NULL if the symmetric heap has no space; then the block at
 * ptr stays as it was.
 *
 * Fortran: shpclmove of shmem.fh resizes the block of shpalloc at address to length words of 32 bits.  It sets status
 * to 0, to 1 if the block has moved, or to an error as shpalloc and shpdeallc do.  If abort is not 0, errors end the
 * job.
 *
 * Classic: shpclmove(address, length, status, abort) */
COPAL_DECL(void *, realloc, (void *ptr, size_t size))

/* free: free symmetric memory (9.3.2).
 *
 * Collective over all PEs.  It first waits for all PEs, so no PE frees a block that another PE still uses, and
 * completes the calling PE's operations on SHMEM_CTX_DEFAULT.
 *
 * ptr: symmetric; a block of shmem_malloc or a similar routine, the same on all PEs, or NULL, which does nothing
 *
 * On return: all PEs have called, and the block is gone on all of them.
 *
 * Errors: An address inside a block, of a freed block, or of no block ends the job with a sentence.
 *
 * Fortran: shpdeallc of shmem.fh frees a block of shpalloc.  It sets errcode to 0, to -3 if address is not in the
 * symmetric heap, to -4 if the block is already free, or to -5 if address is inside a block.  If abort is not 0, these
 * errors end the job.
 *
 * Classic: shpdeallc(address, errcode, abort) */
COPAL_DECL(void, free, (void *ptr))
