! compiler: oshfort
! modules: problem grid field characteristics flow faces openshmem exchange sweeps
! args: S
! args: -m shmem_ptr S
! pes: 1 4 9 16
! NAS SP, the scalar pentadiagonal benchmark: flow through a cube, by alternating implicit sweeps along the three axes.
!   sp [-m put|shmem_ptr] CLASS      CLASS: S, W, A, B, C or D, on a square number of PEs
! The exit code is 0 if the answer is right.
program sp
    use, intrinsic :: iso_fortran_env, only: dp => real64, error_unit, int64
    use exchange
    use field
    use flow
    use grid
    use problem
    use sweeps
    implicit none
    type(problem_class) :: class
    type(partition) :: g
    type(flow_state) :: f
    type(work_space) :: w
    real(dp), pointer, contiguous :: u(:, :, :, :, :)
    real(dp) :: seconds
    integer :: me, n_pes, path, slabs
    logical :: right

    call join(me, n_pes)
    call read_arguments()
    slabs = nint(sqrt(real(n_pes)))
    if (slabs**2 /= n_pes) call refuse('the number of PEs has to be a square, and ' // text(n_pes) // ' is none')
    if (class%points - 2 < 2 * slabs) call refuse('class ' // class%name // ' is too small for so many PEs as ' // &
        text(n_pes))

    g = make_partition(class%points, slabs, me)
    call open_exchange(g, path, u)
    call make_flow(g, class, u, f)
    call make_work_space(g, w)
    call run()
    call verify()
    call leave()
    if (.not. right) stop 1, quiet=.true.

contains

    subroutine read_arguments()
        character(len=32) :: argument
        integer :: i
        path = 1
        class = find_class('')
        i = 1
        do while (i <= command_argument_count())
            call get_command_argument(i, argument)
            if (argument == '-m') then
                if (i == command_argument_count()) call refuse('no value for option -m')
                call get_command_argument(i + 1, argument)
                path = findloc(paths, argument, 1)
                if (path == 0) call refuse("unknown data path '" // trim(argument) // "'")
                i = i + 2
            else
                if (class%points > 0) call refuse("unexpected argument '" // trim(argument) // "'")
                class = find_class(trim(argument))
                if (class%points == 0) call refuse("unknown class '" // trim(argument) // "'")
                i = i + 1
            end if
        end do
        if (class%points == 0) call refuse('no class given')
    end subroutine

    !> Only PE 0 prints, because all PEs have the same result.
    subroutine refuse(why)
        character(len=*), intent(in) :: why
        if (me == 0) write (error_unit, '(9a)') 'SP: ', why, new_line('a'), 'usage: sp [-m ', path_list, &
            '] CLASS, CLASS being one of ', class_names, ', on a square number of PEs'
        call leave()
        stop 2, quiet=.true.
    end subroutine

    function text(number)
        integer, intent(in) :: number
        character(len=:), allocatable :: text
        character(len=12) :: digits
        write (digits, '(i0)') number
        text = trim(digits)
    end function

    subroutine advance()
        integer :: axis
        call exchange_faces(g, u)
        call compute_rhs(g, f, u, characteristic=.true.)
        do axis = 1, 3
            call sweep(g, axis, f, u, w)
        end do
    end subroutine

    !> The steps, after one untimed step that touches all memory.
    subroutine run()
        integer(int64) :: begin, end, rate
        integer :: n
        call meet()
        call advance()
        call meet()
        call set_initial(g, u)
        call meet()
        call system_clock(begin, rate)
        do n = 1, class%steps
            call advance()
        end do
        call system_clock(end)
        seconds = real(end - begin, dp) / real(rate, dp)
    end subroutine

    subroutine verify()
        real(dp) :: sums(11, n_pes), residual(5), error(5)
        integer :: m
        call exchange_faces(g, u)
        call compute_rhs(g, f, u, characteristic=.false.)
        sums = gather_values([sum_of_squares(g, f%rhs), sum_of_squared_errors(g, u), seconds], n_pes)
        residual = root_mean(sum(sums(1:5, :), 2)) / class%dt
        error = root_mean(sum(sums(6:10, :), 2))
        seconds = maxval(sums(11, :))
        right = all(agrees(residual, class%residual)) .and. all(agrees(error, class%error))
        if (me == 0) then
            call report()
            if (.not. right) then
                do m = 1, 5
                    write (error_unit, '(a,i0,4(a,es22.15))') 'SP: component ', m, ': residual', residual(m), &
                        ', known', class%residual(m), '; error', error(m), ', known', class%error(m)
                end do
            end if
        end if
    end subroutine

    elemental real(dp) function root_mean(sum)
        real(dp), intent(in) :: sum
        root_mean = sqrt(sum / (class%points - 2)**3)
    end function

    subroutine report()
        write (*, '(a)') ' SP Benchmark Completed'
        write (*, '(2a)') ' Class           = ', class%name
        write (*, '(a,i0,2(a,i0))') ' Size            = ', class%points, ' x ', class%points, ' x ', class%points
        write (*, '(a,i0)') ' Iterations      = ', class%steps
        write (*, '(2a)') ' Time in seconds = ', decimal(seconds, '(f20.3)')
        write (*, '(a,i0)') ' Total PEs       = ', n_pes
        write (*, '(2a)') ' Data path       = ', trim(paths(path))
        write (*, '(2a)') ' Mop/s total     = ', decimal(megaflops(class, seconds), '(f20.2)')
        write (*, '(2a)') ' Mop/s/PE        = ', decimal(megaflops(class, seconds) / n_pes, '(f20.2)')
        write (*, '(a)') ' Operation type  = floating point'
        write (*, '(2a)') ' Verification    = ', trim(merge('SUCCESSFUL  ', 'UNSUCCESSFUL', right))
    end subroutine

    function decimal(value, form)
        real(dp), intent(in) :: value
        character(len=*), intent(in) :: form
        character(len=:), allocatable :: decimal
        character(len=20) :: digits
        write (digits, form) value
        decimal = trim(adjustl(digits))
    end function
end program
