! run: oshrun -n 4 ./classic
! The classic interface of OpenSHMEM 1.4: pi by the midpoint rule.
      program pi
      include 'shmem.fh'
      integer n, i, me, npes
      parameter (n = 100000)
      integer psync(SHMEM_REDUCE_SYNC_SIZE)
      double precision mine, all, x, pwrk(2)
      common /sums/ mine, all, pwrk, psync
      data psync /SHMEM_REDUCE_SYNC_SIZE*SHMEM_SYNC_VALUE/

      call start_pes(0)
      me = my_pe()
      npes = num_pes()
      mine = 0
      do i = me + 1, n, npes
         x = (i - 0.5d0) / n
         mine = mine + 4 / (1 + x * x) / n
      enddo
      call shmem_barrier_all
      call shmem_real8_sum_to_all(all, mine, 1, 0, 0, npes, pwrk, psync)
      if (abs(all - 4 * atan(1d0)) .gt. 1d-9) stop 1
      if (me .eq. 0) write (*, '(a, f12.10)') 'pi is about ', all
      call shmem_finalize
      end
