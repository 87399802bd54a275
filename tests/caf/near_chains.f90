! images: 1 2 3
! compilers: 12 13 14
! flags: -O3 -Wno-function-elimination -Wno-caf
! Loops that access elements of a coarray's allocatable and pointer components, on this image and on others. Such a loop
! reads the component's address and bounds only once. If the memory is not near (CAF_NEAR=0, several nodes), or if a
! pointer's target is not in shared memory, each access is a call.
module near_chains_m
    implicit none
    type parts
        integer :: n
        integer, allocatable :: i(:)
        complex(8), allocatable :: c(:, :)
        real(8), pointer :: r(:)
        logical(1), allocatable :: l
    end type
    type(parts), save :: a[*]
    type(parts), allocatable :: many(:)[:]
    real(8), target, save :: outside(0:40)
end module

program near_chains
    use check_m, only: check, check_end
    use near_chains_m
    implicit none
    integer, parameter :: n = 20
    integer :: next, k, order(n)
    real(8), allocatable, target :: local(:)
    next = merge(1, this_image() + 1, this_image() == num_images())
    order = [(1 + mod(7*k, n), k=1, n)]
    allocate (many(0:1)[*], local(2*n))
    allocate (a%i(-3:n), a%c(n, 2:3), a%l)
    do k = 0, 1
        allocate (many(k)%i(n), source=0)
    end do
    call elements(this_image())
    call elements(next)
    call moves(this_image())
    call check_end
contains
    ! Puts to image q, checks the values that this image has received, and gets those of image q. The last loop puts
    ! by pointers to variables that are no coarrays.
    subroutine elements(q)
        integer, intent(in) :: q
        integer :: of
        of = merge(num_images(), this_image() - 1, this_image() == 1) ! the image that writes to this image
        if (q == this_image()) of = q
        outside = -1
        local = -1
        a%i = 0
        a%c = 0
        a%l = .false._1
        a%r(1:) => local(::2)
        sync all
        call fill(q, order)
        sync all
        call check(all([(a%i(k) == 100*of + k, k=1, n)]) .and. all(a%i(:0) == 0), 'put in any order')
        call check(all([(a%c(k, 2) == cmplx(k, of, 8), k=1, n)]) .and. all(a%c(:, 3) == 0), 'put of 16 bytes')
        call check(all([(a%r(k) == k + of, k=1, n)]) .and. all(local(2::2) == -1), 'put by a pointer with a stride')
        call check(all([(many(1)%i(k) == -k, k=1, n)]) .and. all(many(0)%i == 0), 'put to a component of an element')
        call check(logical(a%l), 'put of a scalar component')
        call fetched(q, order)
        sync all
        a%r(0:) => outside(:)
        sync all
        do k = 1, n
            a[q]%r(order(k)) = order(k)
        end do
        sync all
        call check(all([(outside(k) == k, k=1, n)]) .and. outside(0) == -1, 'put to a variable that is no coarray')
        sync all
    end subroutine

    subroutine fill(q, order)
        integer, intent(in) :: q, order(:)
        integer :: k
        do k = 1, size(order)
            a[q]%i(order(k)) = 100*this_image() + order(k)
            a[q]%c(order(k), 2) = cmplx(order(k), this_image(), 8)
            a[q]%r(order(k)) = order(k) + this_image()
            many(1)[q]%i(order(k)) = -order(k)
            a[q]%l = .true.
        end do
    end subroutine

    subroutine fetched(q, order)
        integer, intent(in) :: q, order(:)
        real(8) :: r(n)
        complex(8) :: c(n)
        integer :: k, i(n)
        logical :: l
        do k = 1, size(order)
            r(order(k)) = a[q]%i(order(k))
            c(order(k)) = a[q]%c(order(k), 2)
            i(order(k)) = nint(a[q]%r(order(k))) + many(1)[q]%i(order(k))
            l = a[q]%l
        end do
        call check(all(r == [(100*writer(q) + k, k=1, n)]) .and. l, 'got with a conversion')
        call check(all(c == [(cmplx(k, writer(q), 8), k=1, n)]) .and. all(i == writer(q)), 'got')
    end subroutine

    ! The image that has written to image q.
    integer function writer(q)
        integer, intent(in) :: q
        writer = q
        if (a[q]%i(1) /= 100*q + 1) writer = merge(num_images(), q - 1, q == 1)
    end function

    ! A component's address changes in the loop.
    subroutine moves(q)
        integer, intent(in) :: q
        real(8), target, save :: x(2), y(2)
        integer :: k
        x = 0
        y = 0
        sync all
        do k = 1, 4
            if (mod(k, 2) == 0) then
                a%r => x
            else
                a%r => y
            end if
            a[q]%r(merge(1, 2, k < 3)) = k
        end do
        call check(all(x == [2, 4]) .and. all(y == [1, 3]), 'a pointer that moves')
        do k = 1, 3
            deallocate (a%i)
            allocate (a%i(k), source=0)
            a[q]%i(k) = k
        end do
        call check(all(a%i == [0, 0, 3]), 'a component that is allocated anew')
        sync all
    end subroutine
end program
