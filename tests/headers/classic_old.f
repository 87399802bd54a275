! Forms of programs for other implementations' shmem.fh: variables named as routines and intrinsics, routines that are
! declared external, functions that are declared with a type of their own.
      program old
      include 'shmem.fh'
      integer my_pe, num_pes, len, size
      external shmem_get, shmem_put, shmem_int4_sum_to_all
      external shmem_barrier, shmem_broadcast4, shmem_set_lock
      external start_pes, shmem_barrier_all
      integer shmem_my_pe, shmem_n_pes
      external shmem_my_pe, shmem_n_pes
      integer a(3), b(3), sync(SHMEM_REDUCE_SYNC_SIZE), lock
      integer work(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
      double precision x
      save

      call start_pes(0)
      my_pe = shmem_my_pe()
      num_pes = shmem_n_pes()
      len = 3
      size = 1
      call shmem_put(a, b, len, my_pe)
      call shmem_get(x, x, size, my_pe)
      call shmem_int4_sum_to_all(a, b, len, 0, 0, num_pes, work, sync)
      call shmem_broadcast4(a, b, len, 0, 0, 0, num_pes, sync)
      call shmem_set_lock(lock)
      call shmem_barrier(0, 0, num_pes, sync)
      call shmem_barrier_all
      end
