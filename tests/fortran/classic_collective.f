! pes: 1 2 4 7
! The classic interface: collectives, on all PEs and on every second one.
      program ccoll
      use checks
      implicit none
      include 'shmem.fh'
      integer nr, most
      parameter (nr = 3, most = 7)
      integer me, npes, half, b, d, m
      integer sync1(SHMEM_REDUCE_SYNC_SIZE)
      integer sync2(SHMEM_COLLECT_SYNC_SIZE)
      integer sync3(SHMEM_BARRIER_SYNC_SIZE), filler
! A work array that begins in the middle of 8 bytes.
      common /work/ filler, sync1, sync2, sync3
      data sync1 /SHMEM_REDUCE_SYNC_SIZE*SHMEM_SYNC_VALUE/
      data sync2 /SHMEM_COLLECT_SYNC_SIZE*SHMEM_SYNC_VALUE/
      data sync3 /SHMEM_BARRIER_SYNC_SIZE*SHMEM_SYNC_VALUE/

      call shmem_init
      me = shmem_my_pe()
      npes = shmem_n_pes()
      call test(0, 0, npes, me)
      half = (npes + 1) / 2
      if (mod(me, 2) .eq. 0) call test(0, 1, half, me / 2)
      call shmem_barrier_all
      call check_end
      call shmem_finalize

      contains

! Element i on PE p: of both signs, with bits near the top.
      integer function val(p, i)
      integer p, i
      val = (mod(p * 37 + i * 11, 241) - 120) * 16909060
      end function

      subroutine wait_for_all(start, stride, size)
      integer start, stride, size
      call shmem_barrier(start, stride, size, sync3)
      end subroutine

      subroutine test(start, stride, size, mine)
      integer start, stride, size, mine
      integer f(2*most*nr), t(4*most*nr), i, j, p, at
      integer*8 f8(2*most*nr), t8(4*most*nr)
      common /data/ f8, t8, f, t

      do i = 1, 2*most*nr
         f(i) = val(me, i)
         f8(i) = val(me, i) * 4294967297_8
      enddo
      do j = 0, size - 1
         p = start + j * 2**stride
         t = -7
         t8 = -7
         call wait_for_all(start, stride, size)
         call shmem_broadcast4(t, f, nr, j, start, stride, size, sync2)
         call wait_for_all(start, stride, size)
         call shmem_broadcast64(t8, f8, nr, j, start, stride, size,     &
     &      sync2)
         call wait_for_all(start, stride, size)
         do i = 1, nr
            if (mine .eq. j) then
               call check(t(i) .eq. -7 .and. t8(i) .eq. -7, 'root', i)
            else
               call check(t(i) .eq. val(p, i), 'broadcast4', i)
               call check(t8(i) .eq. val(p, i) * 4294967297_8,          &
     &            'broadcast64', i)
            endif
         enddo
         call check(t(nr+1) .eq. -7, 'broadcast4 beyond its end')
      enddo

      t = -7
      t8 = -7
      call wait_for_all(start, stride, size)
      call shmem_fcollect4(t, f, nr, start, stride, size, sync2)
      call wait_for_all(start, stride, size)
      call shmem_fcollect8(t8, f8, nr, start, stride, size, sync2)
      call wait_for_all(start, stride, size)
      do j = 0, size - 1
         p = start + j * 2**stride
         do i = 1, nr
            call check(t(j*nr+i) .eq. val(p, i), 'fcollect4', i)
            call check(t8(j*nr+i) .eq. val(p, i) * 4294967297_8,        &
     &         'fcollect8', i)
         enddo
      enddo
      call check(t(size*nr+1) .eq. -7, 'fcollect4 beyond its end')
      call shmem_collect32(t, f, mod(mine, 2)+1, start, stride, size,   &
     &   sync2)
      call wait_for_all(start, stride, size)
      call shmem_collect64(t8, f8, mod(mine, 2)+1, start, stride, size, &
     &   sync2)
      at = 0
      do j = 0, size - 1
         p = start + j * 2**stride
         do i = 1, mod(j, 2) + 1
            at = at + 1
            call check(t(at) .eq. val(p, i), 'collect32', at)
            call check(t8(at) .eq. val(p, i) * 4294967297_8,            &
     &         'collect64', at)
         enddo
      enddo

      call wait_for_all(start, stride, size)
      t = -7
      t8 = -7
      call wait_for_all(start, stride, size)
      call shmem_alltoall32(t, f, 2, start, stride, size, sync2)
      call wait_for_all(start, stride, size)
      call shmem_alltoalls64(t8, f8, 2, 1, 2, start, stride, size,      &
     &   sync2)
      call wait_for_all(start, stride, size)
      do j = 0, size - 1
         p = start + j * 2**stride
         do i = 1, 2
            call check(t(j*2+i) .eq. val(p, mine*2+i), 'alltoall32', i)
            call check(t8(j*4+2*i-1) .eq. val(p, mine*2+i) *            &
     &         4294967297_8, 'alltoalls64', i)
            call check(t8(j*4+2*i) .eq. -7, 'alltoalls64 between', i)
         enddo
      enddo
      b = start
      d = stride
      m = size
      call reduce
      end subroutine

! Reductions on the PEs b, b + 2**d, ..., m of them; real*16 and
! complex, too.
      subroutine reduce
      integer*2 f2(nr), t2(nr), w2(nr)
      integer*4 f4(nr), t4(nr), w4(nr)
      integer*8 f8(nr), t8(nr), w8(nr)
      real*4 fr(nr), tr(nr), wr(nr)
      real*8 fd(nr), td(nr), wd(nr)
      real*16 fq(nr), tq(nr), wq(nr)
      complex*8 fc(nr), tc(nr), wc(nr)
      complex*16 fz(nr), tz(nr), wz(nr)
      common /reds/ wq, fq, tq, fz, tz, wz, fc, tc, wc, fd, td, wd, f8, &
     &   t8, w8, fr, tr, wr, f4, t4, w4, f2, t2, w2
      integer*8 s, pr, mx, mn, a, o, x
      integer i, j, k

      do i = 1, nr
         k = num(me, i)
         f2(i) = int(k, 2)
         f4(i) = k
         f8(i) = k
         fr(i) = k / 4.
         fd(i) = k / 4d0
         fq(i) = real(k, 16) / 3
         fc(i) = cmplx(k, -k)
         fz(i) = dcmplx(k, 2 * k)
      enddo
      call wait_for_all(b, d, m)
      do i = 1, nr
         s = 0
         pr = 1
         mx = -huge(mx)
         mn = huge(mn)
         a = -1
         o = 0
         x = 0
         do j = 0, m - 1
            k = num(b + j * 2**d, i)
            s = s + k
            pr = pr * k
            mx = max(mx, int(k, 8))
            mn = min(mn, int(k, 8))
            a = iand(a, int(k, 8))
            o = ior(o, int(k, 8))
            x = ieor(x, int(k, 8))
         enddo
         call shmem_int2_sum_to_all(t2, f2, nr, b, d, m, w2, sync1)
         call done(t2(i) .eq. s, 'int2 sum', i)
         call shmem_int4_sum_to_all(t4, f4, nr, b, d, m, w4, sync1)
         call done(t4(i) .eq. s, 'int4 sum', i)
         call shmem_int8_sum_to_all(t8, f8, nr, b, d, m, w8, sync1)
         call done(t8(i) .eq. s, 'int8 sum', i)
         call shmem_real4_sum_to_all(tr, fr, nr, b, d, m, wr, sync1)
         call done(tr(i) .eq. s / 4., 'real4 sum', i)
         call shmem_real8_sum_to_all(td, fd, nr, b, d, m, wd, sync1)
         call done(td(i) .eq. s / 4d0, 'real8 sum', i)
         call shmem_real16_sum_to_all(tq, fq, nr, b, d, m, wq, sync1)
         call done(abs(tq(i) - real(s, 16) / 3) .lt. 1q-29, 'q sum', i)
         call shmem_comp4_sum_to_all(tc, fc, nr, b, d, m, wc, sync1)
         call done(tc(i) .eq. cmplx(s, -s), 'comp4 sum', i)
         call shmem_comp8_sum_to_all(tz, fz, nr, b, d, m, wz, sync1)
         call done(tz(i) .eq. dcmplx(s, 2 * s), 'comp8 sum', i)
         call shmem_int8_prod_to_all(t8, f8, nr, b, d, m, w8, sync1)
         call done(t8(i) .eq. pr, 'int8 prod', i)
         call shmem_real16_prod_to_all(tq, fq, nr, b, d, m, wq, sync1)
         call done(abs(tq(i) / (pr / 3q0**m) - 1) .lt. 1q-29,           &
     &      'real16 prod', i)
         call shmem_int2_max_to_all(t2, f2, nr, b, d, m, w2, sync1)
         call done(t2(i) .eq. mx, 'int2 max', i)
         call shmem_real8_max_to_all(td, fd, nr, b, d, m, wd, sync1)
         call done(td(i) .eq. mx / 4d0, 'real8 max', i)
         call shmem_real16_max_to_all(tq, fq, nr, b, d, m, wq, sync1)
         call done(tq(i) .eq. real(mx, 16) / 3, 'real16 max', i)
         call shmem_int4_min_to_all(t4, f4, nr, b, d, m, w4, sync1)
         call done(t4(i) .eq. mn, 'int4 min', i)
         call shmem_real4_min_to_all(tr, fr, nr, b, d, m, wr, sync1)
         call done(tr(i) .eq. mn / 4., 'real4 min', i)
         call shmem_real16_min_to_all(tq, fq, nr, b, d, m, wq, sync1)
         call done(tq(i) .eq. real(mn, 16) / 3, 'real16 min', i)
         call shmem_int2_and_to_all(t2, f2, nr, b, d, m, w2, sync1)
         call done(t2(i) .eq. a, 'int2 and', i)
         call shmem_int4_or_to_all(t4, f4, nr, b, d, m, w4, sync1)
         call done(t4(i) .eq. o, 'int4 or', i)
         call shmem_int8_xor_to_all(t8, f8, nr, b, d, m, w8, sync1)
         call done(t8(i) .eq. x, 'int8 xor', i)
         call shmem_comp4_xor_to_all(t8, f8, nr, b, d, m, w8, sync1)
         call done(t8(i) .eq. x, 'comp4 xor', i)
! In place, last: two longs are as many bits as one complex.
         if (i .eq. nr) then
            call shmem_comp8_xor_to_all(f8, f8, 1, b, d, m, w8, sync1)
            call check(f8(nr) .eq. num(me, nr), 'comp8 beyond its end')
         endif
         call wait_for_all(b, d, m)
      enddo
      end subroutine

      subroutine done(ok, what, i)
      logical ok
      character*(*) what
      integer i
      call check(ok, what, i)
      call wait_for_all(b, d, m)
      end subroutine

      integer function num(p, i)
      integer p, i
      num = mod(p * 5 + i * 3, 9) - 4
      if (num .eq. 0) num = 5
      end function
      end
