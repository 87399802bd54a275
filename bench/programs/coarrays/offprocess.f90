! images: 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90
! A finite-volume code's gather of off-process data: each image puts a block to both of its neighbours in a ring, into
! an allocatable component of theirs. `fresh` allocates a coarray in each step, as such codes do, and has four
! synchronizations in a step; `kept` allocates once and has two. The standard requires them all; the MPI twin's messages
! need none. gfortran 15 and 16 cannot compile accesses of a module procedure to a coarray of its module; therefore the
! procedure uses the module itself.
module offprocess_coarray
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none

    type off_process
        real(real64), allocatable :: data(:)
    end type

    type(off_process), save :: own[*]
end module

module offprocess_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use offprocess_coarray, only: off_process
    use timing
    implicit none

    integer :: block, left, right  ! elements for each neighbour; the neighbours' images
    real(real64), allocatable :: given(:), received(:)

contains

    ! The left neighbour's block is the first. In a ring of two images, both blocks are for the same image.
    subroutine fresh(n)
        integer, intent(in) :: n
        type(off_process), allocatable :: offp[:]
        integer :: i
        do i = 1, n
            allocate (offp[*])
            allocate (offp%data(2 * block))
            sync all
            offp[right]%data(1:block) = given(block + 1:2 * block)
            offp[left]%data(block + 1:2 * block) = given(1:block)
            sync all
            received(1:2 * block) = offp%data
            deallocate (offp)
        end do
    end subroutine

    subroutine kept(n)
        use offprocess_coarray
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            sync all
            own[right]%data(1:block) = given(block + 1:2 * block)
            own[left]%data(block + 1:2 * block) = given(1:block)
            sync all
            received(1:2 * block) = own%data(1:2 * block)
        end do
    end subroutine
end module

program offprocess
    use offprocess_coarray
    use offprocess_rows
    use images
    implicit none
    integer, parameter :: blocks(3) = [16, 128, 1024]
    integer :: step = 0, i

    call start_images()
    left = merge(this_image() - 1, num_images(), this_image() > 1)
    right = merge(this_image() + 1, 1, this_image() < num_images())
    allocate (given(2 * maxval(blocks)), received(2 * maxval(blocks)))
    allocate (own%data(2 * maxval(blocks)))
    do i = 1, size(blocks)
        block = blocks(i)
        call exchange('fresh', fresh)
        call exchange('kept', kept)
    end do
    call end_images()

contains

    subroutine exchange(row, op)
        character(len=*), intent(in) :: row
        procedure(operation) :: op
        integer :: i
        step = step + 1
        call measure(row, 8 * block, op)
        given = [(pattern(step * num_images() + this_image(), i), i = 1, size(given))]
        received = 0
        call op(1)
        call expect_pattern(row, received(1:block), step * num_images() + left, block + 1, 1)
        do i = 1, block
            call expect(row, i, received(block + i), pattern(step * num_images() + right, i))
        end do
    end subroutine
end program
