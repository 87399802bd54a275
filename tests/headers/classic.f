! A program of the classic interface in Fortran 77's form, which every standard has: scalars and arrays of several types
! in calls of one routine, a function that it declares itself and one that it does not. No warning, also for unused
! names.
      program classic
      implicit none
      include 'mpp/shmem.fh'
      integer my_pe, num_pes, me, one, several(2, 2)
      integer sync(SHMEM_REDUCE_SYNC_SIZE)
      double precision work(SHMEM_REDUCE_MIN_WRKDATA_SIZE), sum, part
      logical flag
      character(5) word
      save

      call start_pes(0)
      me = my_pe()
      call shmem_integer_put(one, several, 1, mod(me + 1, num_pes()))
      call shmem_integer_put(several(1, 2), 7, 1, me)
      call shmem_logical_get(flag, flag, 1, me)
      call shmem_character_put(word, word(2:2), 1, me)
      call shmem_get8(sum, several, 2, me)
      call shmem_iput4(several, several(1, 2), 1, 1, 2, me)
      call shmem_int4_add(one, 1, me)
      call shmem_wait_until(one, SHMEM_CMP_NE, 0)
      call shmem_set_lock(one)
      call shmem_barrier(0, 0, num_pes(), sync)
      call shmem_broadcast8(work, sum, 1, 0, 0, 0, num_pes(), sync)
      call shmem_real8_sum_to_all(sum, part, 1, 0, 0, num_pes(), work,  &
     &   sync)
      end
