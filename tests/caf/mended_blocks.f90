! images: 1 3 4
! Coarrays that a BLOCK declares, accessed with subscripts that are not constant. gfortran 15 and 16 do not declare the
! data of their accessors; the plugin does.
program mended_blocks
    use check_m, only: check, check_end, neighbour
    implicit none
    integer :: i, k = 3, right
    right = neighbour(1)
    do i = 1, 3
        block
            integer, allocatable :: x(:)[:]
            integer :: n
            allocate (x(5)[*])
            x = this_image() + i
            n = 2
            sync all
            call check(x(k)[right], right + i, 'get')
            call check(x(n)[right] + x(k)[right], 2 * (right + i), 'gets in an expression')
            sync all
            x(n:k)[right] = [i, -i]
            sync all
            call check(all(x(2:3) == [i, -i]), 'put of a section')
            inner: block
                real, save :: y(4, 4)[*]
                y = real(i)
                sync all
                y(n, k)[right] = real(9 + i)
                sync all
                call check(nint(y(2, 3)), 9 + i, 'put within two blocks')
                call check(all(nint(y(1:n, k)[right]) == [i, 9 + i]), 'get of a section')
                sync all
            end block inner
            call within(2)
        end block
    end do
    call check_end
contains
    subroutine within(n)
        integer, intent(in) :: n
        block
            integer, save :: z(3)[*]
            z = 5
            sync all
            z(n)[neighbour(1)] = 6
            sync all
            call check(all(z == [5, 6, 5]), 'put in a block of an internal procedure')
            sync all
        end block
    end subroutine
end program
