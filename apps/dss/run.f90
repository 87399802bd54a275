!> Gather-scatters one after the other, timed and checked; the module exchange moves the sums between the PEs.
module run
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc, c_ptr
    use, intrinsic :: iso_fortran_env, only: dp => real64, error_unit, int64
    use check
    use exchange
    use mesh
    use sums
    implicit none
    private
    public :: run_all

    !> The number of gather-scatters in a batch. It is large because a PE may leave the barrier before a batch one step
    !> later than the others or, if PEs share a processor, one time slice later. Each step multiplies a point's sum by
    !> the number of its copies, a power of two, so all values are exact and differ from step to step. A wrong value, or
    !> a value of another step, makes all later values wrong.
    integer, parameter :: steps = 100

    type(points) :: lists(8)
    type(neighbour), allocatable :: links(:)
    real(dp), allocatable, target :: memory(:)    ! contains u and v
    real(dp), pointer, contiguous :: u(:), v(:)
    real(dp), allocatable, asynchronous, target :: packed(:)
    integer :: step = 0

contains

    subroutine run_all()
        type(part), allocatable :: parts(:)
        real(dp), allocatable :: total(:), copies(:), seconds(:, :)
        integer :: me, pes, length, batches, batch, most, wrong, pe

        call join(me, pes)
        length = argument(1, 4)
        batches = argument(2, 4)
        allocate (parts(0:pes - 1))
        if (.not. cut_cube(length, parts)) call give_up('a length of ' // trim(text(length)) // &
            ' elements is too small for ' // trim(text(pes)) // ' PEs: give a greater one')
        links = find_links(parts, me)
        call make_lists(parts, me, lists, links)
        most = maxval([(values(parts, pe, 0, pes - 1), pe=0, pes - 1)])
        allocate (packed(0:most - 1), seconds(batches, 2))
        call connect(pes, size(links), links%pe, links%first, links%there, &
                     [(size(links(pe)%point), pe=1, size(links))], most)
        call serial_sum(length, parts(me), total, copies)
        call place(size(total), lists(8)%first + size(lists(8)%copy, 1))
        wrong = 0
        do batch = 0, batches  ! the time of the first batch does not count
            u = first_values(parts(me)) * (batch + 1)
            seconds(max(batch, 1), 1) = timed(gather_scatter)
            wrong = wrong + count(.not. abs(u - total * (batch + 1) * copies**(steps - 1)) <= 0)  ! also counts NaN
            seconds(max(batch, 1), 2) = timed(sum_here)
        end do
        if (me == 0) print '(a,i0,a,i0,4(a,f0.2),a)', 'dss: ', pes, ' PEs, ', length, '^3 elements: ', &
            median(seconds(:, 1)) * 1e6_dp, ' us for a gather-scatter (least ', minval(seconds(:, 1)) * 1e6_dp, &
            '), its sums alone ', median(seconds(:, 2)) * 1e6_dp, ' (', minval(seconds(:, 2)) * 1e6_dp, ')'
        if (wrong > 0) call give_up('values differ from those of the serial sum')
        call leave()
    end subroutine

    !> The arrays begin at a page boundary, so that all programs run with the same alignment.
    subroutine place(values, points)
        integer, intent(in) :: values, points
        integer(int64), parameter :: page = 512  ! in values
        integer(int64) :: skip
        allocate (memory(values + points + page))
        skip = mod(page - mod(transfer(c_loc(memory), skip) / 8, page), page)
        u => memory(skip + 1:skip + values)
        v => memory(skip + values + 1:skip + values + points)
    end subroutine

    subroutine give_up(why)
        character(len=*), intent(in) :: why
        write (error_unit, '(a)') 'dss: ' // why
        call stop_all()
    end subroutine

    integer function argument(k, default)
        integer, intent(in) :: k, default
        character(len=16) :: word
        integer :: status
        call get_command_argument(k, word, status=status)
        if (status == 0) read (word, *, iostat=status) argument
        if (command_argument_count() < k) argument = default
        if (command_argument_count() >= k .and. (status /= 0 .or. argument < 1)) &
            call give_up(trim(word) // ' is not a whole number from 1 on')
    end function

    function text(number)
        integer, intent(in) :: number
        character(len=12) :: text
        write (text, '(i0)') number
    end function

    !> The seconds that one step takes.
    real(dp) function timed(one_step)
        interface
            subroutine one_step()
            end subroutine
        end interface
        integer(int64) :: begin, end, rate
        integer :: i
        call meet()
        call system_clock(begin, rate)
        do i = 1, steps
            call one_step()
        end do
        call meet()
        call system_clock(end)
        timed = real(end - begin, dp) / (rate * steps)
    end function

    subroutine gather_scatter()
        real(dp), pointer :: arrived(:)
        type(c_ptr) :: address
        integer :: i, l, n
        step = step + 1
        call begin_step(step)
        call gather(lists(:4), u, v)
        do l = 1, size(links)
            n = size(links(l)%point)
            associate (out => packed(links(l)%first:links(l)%first + n - 1))
                out = v(links(l)%point)
                call send(l, out)
            end associate
        end do
        call gather(lists(5:), u, v)
        call scatter(lists(5:), v, u)
        do i = 1, size(links)
            call take(l, address)
            call c_f_pointer(address, arrived, [size(links(l)%point)])
            v(links(l)%point) = v(links(l)%point) + arrived
        end do
        call scatter(lists(:4), v, u)
        call end_step()
    end subroutine

    !> Sums the copies on this PE only.
    subroutine sum_here()
        call gather(lists, u, v)
        call scatter(lists, v, u)
    end subroutine

    real(dp) function median(x)
        real(dp), intent(in) :: x(:)
        integer :: i
        median = 0
        do i = 1, size(x)
            median = x(i)
            if (count(x < median) <= size(x) / 2 .and. count(x <= median) > size(x) / 2) return
        end do
    end function
end module
