! args: 1
! args: 5 8
! args: 32 8
! args: 300 32
! args: 517 64
! args: 517 64 column
! pes: 1 2 3 4 6
! libraries: openblas
! flags: -lopenblas
! High Performance Linpack as a coarray program: the solution of a random dense system of linear equations.
!   hpl [N [NB [P Q | column]]]     unknowns, elements along a block's side, rows and columns of the grid of images
! The exit code is 0 if the answer is right by HPL's own test.
program hpl
    use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
    use blas
    use grid
    use matrix
    use panel
    use residual
    use ring
    use substitute
    use swap
    use update
    implicit none
    real(real64), parameter :: threshold = 16
    real(real64), pointer, contiguous :: a(:, :)
    real(real64), allocatable :: x(:)
    real(real64) :: error
    integer(int64) :: begin, end, rate
    integer :: numbers(4)  ! N, NB, P and Q

    call read_arguments()
    call blas_start()
    call grid_start(numbers(1), numbers(2), numbers(3), numbers(4))
    call make_matrix(a)
    call panel_start()
    call ring_start()
    call swap_start()
    allocate (x(n))
    sync all
    call system_clock(begin, rate)
    call factorize_matrix(a)
    call back_substitute(a, x)
    sync all
    call system_clock(end)

    error = scaled_residual(a, x)
    if (this_image() == 1) call report(real(end - begin, real64) / real(rate, real64))
    if (.not. error < threshold) error stop 'hpl: the answer is wrong'

contains

    !> Right-looking, panel by panel, with look-ahead: the column of images that owns the next panel updates that panel
    !> first, factorizes it and sends it, and only then updates the rest. The panel arrives while the other images
    !> still compute.
    subroutine factorize_matrix(a)
        real(real64), intent(inout) :: a(lda, columns)
        type(panel_shape) :: now, next
        integer :: first
        logical :: mine
        next = shape_of_panel(0)
        if (mycol == next%column) then
            call factorize_panel(next, a)
            call send_panel(next)
        else
            call receive_panel(next)
        end if
        do while (next%width > 0)
            now = next
            next = shape_of_panel(now%number + 1)
            mine = next%width > 0 .and. next%column == mycol
            first = local_count(now%first + now%width - 1, mycol, npcol) + 1
            if (mine) then
                call update_columns(now, a, first, first + next%width - 1)
                first = first + next%width
                call factorize_panel(next, a)
                call send_panel(next)
            end if
            call update_columns(now, a, first, columns)
            call release_panel(now)
            if (next%width > 0 .and. .not. mine) call receive_panel(next)
        end do
    end subroutine

    subroutine read_arguments()
        character(len=*), parameter :: names(4) = [character(len=2) :: 'N', 'NB', 'P', 'Q']
        character(len=32) :: argument
        integer(int64) :: width
        integer :: i, status
        numbers = [1000, 128, best_rows(num_images()), 0]
        numbers(4) = num_images() / numbers(3)
        do i = 1, min(command_argument_count(), size(numbers))
            call get_command_argument(i, argument)
            if (i == 3 .and. argument == 'column') then
                numbers(3:4) = [num_images(), 1]
                exit
            end if
            read (argument, *, iostat=status) numbers(i)
            if (status /= 0 .or. numbers(i) < 1) &
                call refuse(trim(names(i)) // " '" // trim(argument) // "' is no number from 1 on")
        end do
        if (command_argument_count() == 3) numbers(4) = num_images() / numbers(3)
        if (int(numbers(3), int64) * numbers(4) /= num_images()) then
            write (argument, '(3(i0,a))') numbers(3), ' x ', numbers(4), ' images, not ', num_images()
            call refuse('the grid P x Q has ' // trim(argument))
        end if
        if (numbers(3) > most_rows) call refuse('P is more than 4096')
        width = min(numbers(1), numbers(2))
        if (width * (width + numbers(1) + 1) > huge(1)) &
            call refuse('a panel, N x NB elements, has more than 2147483647')
    end subroutine

    !> Prints one sentence and ends all images.
    subroutine refuse(why)
        character(len=*), intent(in) :: why
        if (this_image() == 1) write (error_unit, '(2a)') 'hpl: ', why
        flush (error_unit)
        sync all
        error stop 2, quiet=.true.
    end subroutine

    !> Prints HPL's lines. HPL's code for the variant stands for: wall clock, row-major grid, look-ahead 1, increasing
    !> ring, right-looking recursion in 2 parts, right-looking panels down to 8 columns.
    subroutine report(seconds)
        real(real64), intent(in) :: seconds
        character(len=*), parameter :: head = '(/,a,t17,a5,a6,2a6,a19,a23)', line = '(a,t13,i9,i6,2i6,f19.2,es23.3)'
        real(real64) :: flop
        flop = (2 / 3.0_real64 * n + 1.5_real64) * real(n, real64)**2
        write (*, head) 'T/V', 'N', 'NB', 'P', 'Q', 'Time', 'Gflops'
        write (*, '(a)') repeat('-', 80)
        write (*, line) 'WR10R2R8', n, nb, nprow, npcol, seconds, flop / seconds * 1e-9_real64
        write (*, '(a)') repeat('-', 80)
        write (*, '(a,f17.7,2a)') '||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=', error, ' ...... ', &
            merge('PASSED', 'FAILED', error < threshold)
    end subroutine
end program
