! images: 2
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90 bench/programs/coarrays/mesh.f90
! Halo exchange of an unstructured mesh in the four usual styles of programs with fields in derived types: element by
! element or in blocks, got or put, through a component of a coarray. In a module procedure, gfortran 15 and 16 cannot
! compile accesses to coarrays of its module, or of modules that this module uses. Therefore each procedure uses the
! coarrays' module itself.
module halo_coarray
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none

    type mesh_field
        real(real64), pointer :: v(:) => null()       ! values at this image's points, then at those it needs of others
        real(real64), allocatable :: outgoing(:), incoming(:)
    end type

    type(mesh_field), save :: f[*]
end module

module halo_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    use mesh
    implicit none

    type(part) :: mine
    integer, allocatable :: beside(:)  ! the images of the neighbours

contains

    subroutine scattered_get(n)
        integer, intent(in) :: n
        integer :: i, j
        do i = 1, n
            sync images (beside)
            do j = 1, size(mine%neighbours)
                call get_each(mine%neighbours(j))
            end do
            sync images (beside)
        end do
    end subroutine

    subroutine get_each(nb)
        use halo_coarray
        type(neighbour), intent(in) :: nb
        integer :: k
        do k = 1, size(nb%needed)
            f%v(nb%place(k)) = f[nb%part]%v(nb%needed(k))
        end do
    end subroutine

    subroutine scattered_put(n)
        integer, intent(in) :: n
        integer :: i, j
        do i = 1, n
            sync images (beside)
            do j = 1, size(mine%neighbours)
                call put_each(mine%neighbours(j))
            end do
            sync images (beside)
        end do
    end subroutine

    subroutine put_each(nb)
        use halo_coarray
        type(neighbour), intent(in) :: nb
        integer :: k
        do k = 1, size(nb%given)
            f[nb%part]%v(nb%target(k)) = f%v(nb%given(k))
        end do
    end subroutine

    ! The owner packs its values; each neighbour gets its block in one transfer and unpacks it.
    subroutine blocked_get(n)
        use halo_coarray
        integer, intent(in) :: n
        integer :: i, j, first, there, count
        do i = 1, n
            call pack_given(mine, f%v, f%outgoing)
            sync images (beside)
            do j = 1, size(mine%neighbours)
                first = mine%neighbours(j)%first
                there = mine%neighbours(j)%first_there
                count = size(mine%neighbours(j)%needed)
                f%incoming(first:first + count - 1) = f[beside(j)]%outgoing(there:there + count - 1)
            end do
            call unpack_needed(mine, f%v, f%incoming)
            sync images (beside)
        end do
    end subroutine

    subroutine blocked_put(n)
        use halo_coarray
        integer, intent(in) :: n
        integer :: i, j, first, there, count
        do i = 1, n
            call pack_given(mine, f%v, f%outgoing)
            sync images (beside)
            do j = 1, size(mine%neighbours)
                first = mine%neighbours(j)%first
                there = mine%neighbours(j)%first_there
                count = size(mine%neighbours(j)%given)
                f[beside(j)]%incoming(there:there + count - 1) = f%outgoing(first:first + count - 1)
            end do
            sync images (beside)
            call unpack_needed(mine, f%v, f%incoming)
        end do
    end subroutine
end module

program halo
    use halo_coarray
    use halo_rows
    use images
    implicit none
    real(real64), allocatable, target, save :: values(:)
    integer :: j, step = 0

    call start_images()
    mine = make_part(this_image(), num_images())
    allocate (beside(size(mine%neighbours)))
    beside = [(mine%neighbours(j)%part, j = 1, size(mine%neighbours))]
    allocate (f%outgoing(halo_size(mine)), f%incoming(halo_size(mine)))

    allocate (f%v(mine%all))
    call exchange('scattered_get', scattered_get)
    call exchange('scattered_put', scattered_put)
    call exchange('blocked_get', blocked_get)
    call exchange('blocked_put', blocked_put)
    deallocate (f%v)

    ! The same through a pointer whose target is not a coarray and was not allocated through the pointer.
    allocate (values(mine%all))
    f%v => values
    call exchange('scattered_get_target', scattered_get)
    call exchange('scattered_put_target', scattered_put)
    call end_images()

contains

    subroutine exchange(row, op)
        character(len=*), intent(in) :: row
        procedure(operation) :: op
        integer :: point
        f%v = 0
        call measure(row, halo_size(mine) * 8, op)
        step = step + 1
        f%v(:mine%owned) = value_at(mine%id(:mine%owned), step)
        f%v(mine%owned + 1:) = 0.5_real64
        call op(1)
        point = error_in(mine, f%v, step)
        if (point > 0) call expect(row, point, f%v(point), value_at(mine%id(point), step))
        sync all
    end subroutine
end program
