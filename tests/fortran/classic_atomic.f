! pes: 1 2 4 7
! The classic interface: atomics, waits, locks.
      program catom
      use checks
      implicit none
      include 'shmem.fh'
      integer my_pe, num_pes, me, npes, right, left, i, j
      integer i4, lock, seen(2)
      integer*8 i8, big
      parameter (big = 1234567890123_8)
      real*4 r4
      real*8 r8
      common /words/ r8, i8, r4, i4, lock, seen
      integer shmem_int4_swap, shmem_int4_cswap, shmem_int4_fadd
      integer shmem_int4_finc, shmem_int4_fetch, shmem_swap
      integer*8 shmem_int8_swap, shmem_int8_cswap, shmem_int8_fadd
      integer*8 shmem_int8_finc, shmem_int8_fetch
      real*4 shmem_real4_swap, shmem_real4_fetch
      real*8 shmem_real8_swap, shmem_real8_fetch
      integer shmem_test_lock
      integer now(2), tries

      call start_pes(0)
      me = my_pe()
      npes = num_pes()
      right = mod(me + 1, npes)
      left = mod(me + npes - 1, npes)

      i4 = -(me + 1) * 100000007
      i8 = -(me + 1) * big
      r4 = me + 0.25
      r8 = me + 0.125d0
      call shmem_barrier_all
      call check(shmem_int4_fetch(i4, right) .eq.                       &
     &   -(right + 1) * 100000007, 'int4 fetch')
      call check(shmem_int8_fetch(i8, right) .eq. -(right + 1) * big,   &
     &   'int8 fetch')
      call check(shmem_real4_fetch(r4, right) .eq. right + 0.25, 'r4')
      call check(shmem_real8_fetch(r8, right) .eq. right + 0.125d0, 'd')
      call check(shmem_int4_swap(i4, me - 5, right) .eq.                &
     &   -(right + 1) * 100000007, 'int4 swap')
      call check(shmem_swap(i4, me - 4, right) .eq. me - 5, 'swap')
      call check(shmem_int8_swap(i8, me - 5_8, right) .eq.              &
     &   -(right + 1) * big, 'int8 swap')
      call check(shmem_real4_swap(r4, me - 0.5, right) .eq.             &
     &   right + 0.25, 'real4 swap')
      call check(shmem_real8_swap(r8, me - 0.5d0, right) .eq.           &
     &   right + 0.125d0, 'real8 swap')
      call check(shmem_int4_cswap(i4, 77, 1, right) .eq. me - 4,        &
     &   'int4 cswap that fails')
      call check(shmem_int4_cswap(i4, me - 4, 2, right) .eq. me - 4,    &
     &   'int4 cswap')
      call check(shmem_int8_cswap(i8, me - 5_8, big, right) .eq.        &
     &   me - 5_8, 'int8 cswap')
      call check(shmem_int4_fadd(i4, me + 1, right) .eq. 2, 'i4 fadd')
      call check(shmem_int8_fadd(i8, me + 1_8, right) .eq. big, 'fadd')
      call check(shmem_int4_finc(i4, right) .eq. me + 3, 'int4 finc')
      call check(shmem_int8_finc(i8, right) .eq. big + me + 1, 'finc')
      call shmem_int4_inc(i4, right)
      call shmem_int8_inc(i8, right)
      call shmem_int4_add(i4, -10, right)
      call shmem_int8_add(i8, -big, right)
      call shmem_quiet
      call shmem_barrier_all
      call check(i4 .eq. left - 5, 'int4 inc, add')
      call check(i8 .eq. left + 3, 'int8 inc, add')
      call check(r4 .eq. left - 0.5 .and. r8 .eq. left - 0.5d0, 'swaps')
      call shmem_barrier_all
      call shmem_int4_set(i4, me + 70000, right)
      call shmem_int8_set(i8, me + big, right)
      call shmem_real4_set(r4, me + 0.75, right)
      call shmem_real8_set(r8, me + 0.875d0, right)
      call shmem_quiet
      call shmem_barrier_all
      call check(i4 .eq. left + 70000 .and. i8 .eq. left + big .and.    &
     &   r4 .eq. left + 0.75 .and. r8 .eq. left + 0.875d0, 'set')

! Sums of all.
      i4 = 0
      i8 = 0
      call shmem_barrier_all
      do i = 0, npes - 1
         do j = 1, 100
            call shmem_int4_add(i4, me + 1, i)
            call shmem_int8_add(i8, big, i)
         enddo
      enddo
      call shmem_barrier_all
      call check(i4 .eq. 50 * npes * (npes + 1), 'int4 adds of all')
      call check(i8 .eq. 100 * npes * big, 'int8 adds of all')

! Waits: a word that the left neighbour changes.
      call shmem_barrier_all
      i4 = -1
      i8 = -1
      call shmem_barrier_all
      call shmem_integer_put(i4, me + 1, 1, right)
      call shmem_int4_wait(i4, -1)
      call check(i4 .eq. left + 1, 'int4_wait')
      call shmem_wait(i4, -1)
      call shmem_int8_set(i8, big + me, right)
      call shmem_int8_wait(i8, -1_8)
      call check(i8 .eq. big + left, 'int8_wait')
      call shmem_barrier_all
      call shmem_int4_add(i4, 1000, right)
      call shmem_int4_wait_until(i4, SHMEM_CMP_GE, 1000)
      call check(i4 .eq. left + 1001, 'int4_wait_until')
      call shmem_wait_until(i4, SHMEM_CMP_EQ, left + 1001)
      call shmem_int8_add(i8, -2 * big, right)
      call shmem_int8_wait_until(i8, SHMEM_CMP_LT, 0_8)
      call check(i8 .eq. left - big, 'int8_wait_until')

! Two counters on PE 0 that only differ under the lock. It has been
! taken nearly 65536 times when it begins: tickets run over.
      lock = 0
      if (me .eq. 0) lock = ishft(65530, 16) + 65530
      seen = 0
      call shmem_barrier_all
      do i = 1, 40
         if (mod(i, 2) .eq. 0) then
            call shmem_set_lock(lock)
         else
            tries = 1
            do while (tries .eq. 1)
               tries = shmem_test_lock(lock)
            enddo
         endif
         call check(shmem_test_lock(lock) .eq. 1, 'a lock that I have')
         call shmem_get4(now, seen, 2, 0)
         call check(now(1) .eq. now(2), 'counters under the lock', i)
         call shmem_put4(seen, now(1) + 1, 1, 0)
         call shmem_put4(seen(2), now(2) + 1, 1, 0)
         call shmem_clear_lock(lock)
      enddo
      call shmem_barrier_all
      if (me .eq. 0) call check(seen(1) .eq. 40 * npes .and.            &
     &   seen(2) .eq. 40 * npes, 'counters at the end')
      call check_end
      end
