! images: 1 2 4
! compilers: 15 16
! Real and imaginary parts of sections of complex coarrays. gfortran 16 describes a get of such parts with the span of
! the complex numbers.
program complex_parts
    use check_m, only: check, check_end, neighbour
    implicit none
    integer, parameter :: n = 10
    complex, save :: v(n)[*], at(n)[*]
    complex(8), save :: w(4, 3)[*]
    real, save :: x(n)[*]
    real, allocatable, target :: b(:)
    real, pointer :: p(:)
    real(8) :: c(4, 3)
    integer :: k, l, turn

    k = neighbour(1)
    v = [(cmplx(100 * this_image() + l, -l), l = 1, n)]
    w = reshape([(cmplx(100 * this_image() + l, -l, 8), l = 1, 12)], [4, 3])
    do turn = 1, 3    ! the library learns a get at its first execution
        at = 7
        x = 0
        sync all
        call check(nint(abs(v(:)[k]%re)), [(100 * k + l, l = 1, n)], 'real parts in an expression')
        call check(nint(abs(v(n:1:-3)[k]%im)), [(l, l = n, 1, -3)], 'imaginary parts, with a stride')
        b = v(:)[k]%re
        p => b(2:)
        call check(nint(p), [(100 * k + l, l = 2, n)], 'real parts, assigned')
        b(1:3) = v(2:8:3)[k]%im
        call check(nint(b(:4)), [-2, -5, -8, 100 * k + 4], 'imaginary parts, assigned to a section')
        c = w(:, :)[k]%re
        call check(nint(reshape(c, [12])), [(100 * k + l, l = 1, 12)], 'real parts of a matrix')
        call check(nint(abs(w(2, :)[k]%im)), [2, 6, 10], 'imaginary parts of a row')
        call check(nint(half(v(:)[k]%im) + half(v(:)[k]%re)), [(50 * k, l = 1, n)], 'both parts')
        at(:)[k]%im = v(:)%re
        x(:)[k] = v(:)[k]%im
        sync all
        call check(nint(at%re), [(7, l = 1, n)], 'parts beside those put')
        call check(nint(at%im), [(100 * neighbour(-1) + l, l = 1, n)], 'imaginary parts, put')
        call check(nint(x), [(-l, l = 1, n)], 'parts between images')
        sync all
    end do
    call check_end()
contains
    elemental real function half(a)
        real, intent(in) :: a
        half = a / 2
    end function
end program
