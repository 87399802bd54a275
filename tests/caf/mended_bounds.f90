! images: 1 2 3
! compilers: 15 16
! flags: -O2
! Associate names for coindexed arrays with bounds of another kind than 8 (src/caf/plugin/mend.cc).
module mended_bounds_m
    use check_m, only: check
    implicit none
    integer, allocatable :: a(:)[:]
contains
    subroutine named(image, n, m)
        integer, intent(in) :: image, n
        integer(2), intent(in) :: m
        associate (b => (a(1:n)[image]))
            call check(size(b), n, 'a size')
            call check(all(b == image * [10, 20, 30]), 'values')
        end associate
        associate (b => (a(m:n)[image]))
            call check(size(b), 2, 'a size of two kinds')
            call check(all(b == image * [20, 30]), 'values of two kinds')
        end associate
    end subroutine

    ! A subscript that gfortran computes in a block of its own, before the access: it stays as it is.
    subroutine computed(image, i)
        integer, intent(in) :: image, i
        integer :: j
        j = i
        call check(a(transfer(j, 1))[image] + a(transfer(i, 1))[image], 20 * image * i, 'a computed subscript')
    end subroutine
end module

program mended_bounds
    use mended_bounds_m
    use check_m, only: check_end, neighbour
    implicit none
    integer :: i
    allocate (a(4)[*])
    a = this_image() * [(10 * i, i = 1, 4)]
    sync all
    call named(neighbour(1), 3, 2_2)
    call computed(neighbour(1), 3)
    call check_end
end program
