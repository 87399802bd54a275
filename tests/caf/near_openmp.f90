! compilers: 12 13 14 15 16
! images: 1 2
! flags: -O2 -fopenmp -Wno-caf
! A parallel region changes a shared pointer; an access after the region must use the pointer's new descriptor.
program near_openmp
    use check_m, only: check, check_end
    implicit none
    integer :: coarray(20)[*], next
    next = merge(1, this_image() + 1, this_image() == num_images())
    coarray = 3
    sync all
    call move(coarray, next)
    call check_end()

contains

    subroutine move(h, k)
        integer, intent(inout) :: h(20)[*]
        integer, intent(in) :: k
        integer, target :: one(10), other(10)
        integer, pointer :: p(:)
        one = 1
        other = 5
        p => one
        !$omp parallel shared(p)
        !$omp single
        p => other
        !$omp end single
        !$omp end parallel
        h(1:10)[k] = p
        sync all
        call check(all(h(1:10) == 5), "a put of what a parallel region points to")
        p => one
        !$omp parallel shared(p)
        !$omp single
        p => other
        !$omp end single
        !$omp end parallel
        p(:) = h(11:20)[k]
        call check(all(one == 1) .and. all(other == 3), "a get into what a parallel region points to")
    end subroutine move
end program near_openmp
