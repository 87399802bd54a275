! pes: 1 2 4 7
! The classic interface, in fixed form, as in programs of its time: puts and gets to and from the right neighbour.
      program crma
      use checks
      implicit none
      include 'mpp/shmem.fh'
      integer n
      parameter (n = 10)
      integer me, npes, right, left, i, m
      character*8 word, words(4)
      complex z(n), zz(n), zh(n)
      double precision d(n), dd(n), dh(n)
      integer k(n), kk(n), kh(n)
      logical l(n), ll(n), lh(n)
      real r(n), rr(n), rh(n)
      integer*8 k8(n), kk8(n), kh8(n)
      real*16 q(n), qq(n), qh(n)
      complex*16 w(n), ww(n), wh(n)
      common /there/ word, z, d, k, l, r, k8, q, w
      integer my_pe, num_pes

      call start_pes(0)
      me = my_pe()
      npes = num_pes()
      right = mod(me + 1, npes)
      left = mod(me + npes - 1, npes)
      do i = 1, n
         zh(i) = cmplx(me + i, -i)
         dh(i) = me * 100 - i / 8d0
         kh(i) = -(me * 1000003 + i * 65537)
         lh(i) = mod(me + i, 3) .eq. 0
         rh(i) = me * 10 - i / 8.
         kh8(i) = -(me + 1_8) * 1000000000000_8 - i
         qh(i) = me + 1 / (i + 1q0)
         wh(i) = dcmplx(me * 3 + i / 8d0, -i)
      enddo

! Round 1: put and get; round 2: the nonblocking ones.
      do m = 1, 2
         call clear
         if (m .eq. 1) then
            call shmem_complex_put(z, zh, n - 1, right)
            call shmem_double_put(d, dh, n - 1, right)
            call shmem_integer_put(k, kh, n - 1, right)
            call shmem_logical_put(l, lh, n - 1, right)
            call shmem_real_put(r, rh, n - 1, right)
            call shmem_int8_put(k8, kh8, n - 1, right)
            call shmem_real16_put(q, qh, n - 1, right)
            call shmem_comp8_put(w, wh, n - 1, right)
            call shmem_character_put(word, 'ABCDEFGH', 5, right)
         else
            call shmem_complex_put_nbi(z, zh, n - 1, right)
            call shmem_double_put_nbi(d, dh, n - 1, right)
            call shmem_integer_put_nbi(k, kh, n - 1, right)
            call shmem_logical_put_nbi(l, lh, n - 1, right)
            call shmem_real_put_nbi(r, rh, n - 1, right)
            call shmem_int8_put_nbi(k8, kh8, n - 1, right)
            call shmem_real16_put_nbi(q, qh, n - 1, right)
            call shmem_comp8_put_nbi(w, wh, n - 1, right)
            call shmem_character_put_nbi(word, 'ABCDEFGH', 5, right)
            call shmem_quiet
         endif
         call shmem_barrier_all
         do i = 1, n - 1
            call check(z(i) .eq. cmplx(left + i, -i), 'complex put', i)
            call check(d(i) .eq. left * 100 - i / 8d0, 'double put', i)
            call check(k(i) .eq. -(left * 1000003 + i * 65537),         &
     &         'integer put', i)
            call check(l(i) .eqv. mod(left + i, 3) .eq. 0, 'logical', i)
            call check(r(i) .eq. left * 10 - i / 8., 'real put', i)
            call check(k8(i) .eq. -(left + 1_8) * 1000000000000_8 - i,  &
     &         'int8 put', i)
            call check(q(i) .eq. left + 1 / (i + 1q0), 'real16 put', i)
            call check(w(i) .eq. dcmplx(left * 3 + i / 8d0, -i), 'w', i)
         enddo
         call check(z(n) .eq. (-7., -7.), 'complex beyond')
         call check(d(n) .eq. -7 .and. k(n) .eq. -7 .and. r(n) .eq. -7  &
     &      .and. k8(n) .eq. -7 .and. q(n) .eq. -7, 'beyond the end')
         call check(word .eq. 'ABCDE---', 'character put')

         if (m .eq. 1) then
            call shmem_complex_get(zz, z, n, right)
            call shmem_double_get(dd, d, n, right)
            call shmem_integer_get(kk, k, n, right)
            call shmem_logical_get(ll, l, n, right)
            call shmem_real_get(rr, r, n, right)
            call shmem_int8_get(kk8, k8, n, right)
            call shmem_real16_get(qq, q, n, right)
            call shmem_comp8_get(ww, w, n, right)
            call shmem_character_get(words(2), word, 7, right)
         else
            call shmem_complex_get_nbi(zz, z, n, right)
            call shmem_double_get_nbi(dd, d, n, right)
            call shmem_integer_get_nbi(kk, k, n, right)
            call shmem_logical_get_nbi(ll, l, n, right)
            call shmem_real_get_nbi(rr, r, n, right)
            call shmem_int8_get_nbi(kk8, k8, n, right)
            call shmem_real16_get_nbi(qq, q, n, right)
            call shmem_comp8_get_nbi(ww, w, n, right)
            call shmem_character_get_nbi(words(2), word, 7, right)
            call shmem_quiet
         endif
         do i = 1, n - 1
            call check(zz(i) .eq. zh(i) .and. dd(i) .eq. dh(i) .and.    &
     &         kk(i) .eq. kh(i) .and. (ll(i) .eqv. lh(i)) .and.         &
     &         rr(i) .eq. rh(i) .and. kk8(i) .eq. kh8(i) .and.          &
     &         qq(i) .eq. qh(i) .and. ww(i) .eq. wh(i), 'get', i)
         enddo
         call check(kk(n) .eq. -7 .and. qq(n) .eq. -7, 'get of all')
         call check(words(2) .eq. 'ABCDE--*', 'character get')
      enddo

! Every third of mine to every second there, and back.
      call clear
      call shmem_complex_iput(z, zh, 2, 3, 3, right)
      call shmem_double_iput(d, dh, 2, 3, 3, right)
      call shmem_integer_iput(k, kh, 2, 3, 3, right)
      call shmem_logical_iput(l, lh, 2, 3, 3, right)
      call shmem_real_iput(r, rh, 2, 3, 3, right)
      call shmem_barrier_all
      do i = 1, 3
         m = 3 * i - 2
         call check(z(2 * i - 1) .eq. cmplx(left + m, -m), 'ziput', i)
         call check(d(2 * i - 1) .eq. left * 100 - m / 8d0, 'diput', i)
         call check(k(2 * i - 1) .eq. -(left * 1000003 + m * 65537),    &
     &      'integer iput', i)
         call check(l(2 * i - 1) .eqv. mod(left + m, 3) .eq. 0, 'l', i)
         call check(r(2 * i - 1) .eq. left * 10 - m / 8., 'riput', i)
         call check(z(2 * i) .eq. (-7., -7.) .and. d(2 * i) .eq. -7     &
     &      .and. k(2 * i) .eq. -7 .and. r(2 * i) .eq. -7, 'between', i)
      enddo
      call clear2
      call shmem_complex_iget(zz, z, 3, 2, 3, right)
      call shmem_double_iget(dd, d, 3, 2, 3, right)
      call shmem_integer_iget(kk, k, 3, 2, 3, right)
      call shmem_logical_iget(ll, l, 3, 2, 3, right)
      call shmem_real_iget(rr, r, 3, 2, 3, right)
      do i = 1, 7, 3
         call check(zz(i) .eq. zh(i) .and. dd(i) .eq. dh(i) .and.       &
     &      kk(i) .eq. kh(i) .and. (ll(i) .eqv. lh(i)) .and.            &
     &      rr(i) .eq. rh(i), 'iget', i)
         call check(kk(i + 1) .eq. -8 .and. dd(i + 1) .eq. -8,          &
     &      'iget between', i)
      enddo

! Sizes: in bytes below 32, in bits from 32 on.
      call clear
      call shmem_put4(k(2), kh(2), 2, right)
      call shmem_put32(r(2), rh(2), 2, right)
      call shmem_put8(d(2), dh(2), 2, right)
      call shmem_put64(k8(2), kh8(2), 2, right)
      call shmem_put(z(2), zh(2), 2, right)
      call shmem_put128(q(2), qh(2), 2, right)
      call shmem_put16(w(2), wh(2), 2, right)
      call shmem_putmem(k(5), kh(5), 8, right)
      call shmem_iput4(k(8), kh(8), 2, 1, 2, right)
      call shmem_iput64(d(8), dh(8), 2, 1, 2, right)
      call shmem_iput128(w(8), wh(8), 2, 1, 2, right)
      call shmem_barrier_all
      do i = 2, 3
         call check(k(i) .eq. -(left * 1000003 + i * 65537), 'put4', i)
         call check(r(i) .eq. left * 10 - i / 8., 'put32', i)
         call check(d(i) .eq. left * 100 - i / 8d0, 'put8', i)
         call check(k8(i) .eq. -(left + 1_8) * 1000000000000_8 - i,     &
     &      'put64', i)
         call check(z(i) .eq. cmplx(left + i, -i), 'put', i)
         call check(q(i) .eq. left + 1 / (i + 1q0), 'put128', i)
         call check(w(i) .eq. dcmplx(left * 3 + i / 8d0, -i), 'w', i)
         call check(k(i + 3) .eq. -(left * 1000003 + (i + 3) * 65537),  &
     &      'putmem', i)
      enddo
      call check(k(4) .eq. -7 .and. d(4) .eq. -7 .and. q(4) .eq. -7     &
     &   .and. k(7) .eq. -7 .and. k(9) .eq. -7, 'beyond sizes')
      call check(k(10) .eq. -(left * 1000003 + 9 * 65537), 'iput4')
      call check(d(10) .eq. left * 100 - 9 / 8d0, 'iput64')
      call check(w(10) .eq. dcmplx(left * 3 + 9 / 8d0, -9), 'iput128')
      call clear2
      call shmem_get4(kk(2), k(2), 2, right)
      call shmem_get64(dd(2), d(2), 2, right)
      call shmem_get128(qq(2), q(2), 2, right)
      call shmem_getmem(kk(5), k(5), 8, right)
      call shmem_iget32(kk(8), k(8), 1, 2, 2, right)
      do i = 2, 3
         call check(kk(i) .eq. kh(i) .and. dd(i) .eq. dh(i) .and.       &
     &      qq(i) .eq. qh(i) .and. kk(i + 3) .eq. kh(i + 3), 'get4', i)
      enddo
      call check(kk(8) .eq. kh(8) .and. kk(9) .eq. kh(9), 'iget32')
      call check_end
      call shmem_finalize

      contains

      subroutine clear
      call shmem_barrier_all
      word = '--------'
      z = (-7., -7.)
      d = -7
      k = -7
      l = .false.
      r = -7
      k8 = -7
      q = -7
      w = (-7d0, -7d0)
      call clear2
      call shmem_barrier_all
      end subroutine

      subroutine clear2
      words = '********'
      zz = -8
      dd = -8
      kk = -8
      ll = .false.
      rr = -8
      kk8 = -8
      qq = -8
      ww = -8
      end subroutine
      end
