!> Timing for the Fortran benchmarks, as bench.h does it for those in C: one clock, one way to repeat, one line of JSON
!> per measured row. Nothing here knows coarrays or MPI: a program says how its images meet.
module timing
    use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
    implicit none
    private
    public :: timer, operation, figure_of_batch, start_timing, measure, expect, expect_pattern, end_timing, pattern
    public :: field

    integer, parameter :: min_batches = 3, max_batches = 31, quick_batches = 15, emulated_operations = 16
    integer, parameter :: many_images = 64  ! emulated
    real(real64), parameter :: enough_us = 1000, row_us = 25000, slow_us = 100000  ! a batch so slow is done but once

    abstract interface
        !> The measured operation, n times. Every image calls it; one that has no part in it returns at once.
        subroutine operation(n)
            integer, intent(in) :: n
        end subroutine

        !> A barrier that also gives every image the value that image 1 passed.
        integer function agreement(value)
            integer, intent(in) :: value
        end function

        !> What counts as the time of a batch, given what this image saw. Every image calls it; image 1's result is
        !> used.
        real(real64) function figure_of_batch(us)
            import :: real64
            real(real64), intent(in) :: us
        end function
    end interface

    type timer
        integer :: me = 0, images = 0, errors = 0
        logical :: quick = .false.  !< fewer batches
        logical :: check = .false.  !< a test: a few operations, their data checked, their time of no interest
        !> Time, system_clock's too, is that of an emulated network, the same each time: few operations and batches.
        logical :: emulated = .false.
        procedure(agreement), pointer, nopass :: agree => null()
    end type

    type(timer), save, public :: bench

contains

    !> The first argument of every benchmark program is "check", "quick", "full" or "emulated".
    subroutine start_timing(me, images, agree)
        integer, intent(in) :: me, images
        procedure(agreement) :: agree
        character(len=8) :: how
        integer :: me_waits
        call get_command_argument(1, how)
        bench%me = me
        bench%images = images
        bench%check = how == 'check'
        bench%quick = bench%check .or. how == 'quick'
        bench%emulated = how == 'emulated'
        bench%agree => agree
        if (any(how == [character(len=8) :: '', 'check', 'quick', 'full', 'emulated'])) return
        if (me == 1) then
            write (error_unit, '(3a)') 'benchmark: argument 1 is "', trim(how), &
                '", allowed are check, quick, full and emulated'
            error stop 2, quiet=.true.
        end if
        me_waits = agree(0)  ! for image 1 to end the job
    end subroutine

    !> Measure the operation as image 1 sees it and print the row: the median of many short batches, each long enough
    !> for the clock and the start to be noise, short enough for most to escape whatever else the machine does.
    subroutine measure(row, bytes, op, most, fields, figure)
        character(len=*), intent(in) :: row
        integer, intent(in) :: bytes
        procedure(operation) :: op
        integer, intent(in), optional :: most  !< of calls in one batch, where a call uses something up
        character(len=*), intent(in), optional :: fields  !< further ones of the row, as they stand in its JSON
        procedure(figure_of_batch), optional :: figure
        real(real64) :: us(max_batches), batch
        integer :: n, next, limit, batches, i
        logical :: was_enough

        limit = huge(n)
        if (present(most)) limit = most
        n = 1
        was_enough = .false.
        do
            batch = batch_us(op, n, figure)
            if (bench%check .or. bench%emulated) exit
            next = bench%agree(merge(0, min(limit, next_count(n, batch)), is_sure(batch, was_enough)))
            if (next == 0 .or. (was_enough .and. next == n)) exit  ! or more are not allowed
            was_enough = next == n
            n = next
        end do
        if (bench%emulated) n = min(limit, emulated_operations / merge(4, 1, bench%images > many_images))
        batches = bench%agree(batches_of(batch))
        do i = 1, batches
            us(i) = batch_us(op, n, figure) / n
        end do
        call sort(us(:batches))
        if (bench%me == 1) call print_row(row, bytes, us(batches / 2 + 1), us(1), fields)
        n = bench%agree(0)
    end subroutine

    subroutine print_row(row, bytes, us, least, fields)
        character(len=*), intent(in) :: row
        integer, intent(in) :: bytes
        real(real64), intent(in) :: us, least
        character(len=*), intent(in), optional :: fields
        write (*, '(3a,i0,a,i0)', advance='no') '{"row": "', row, '", "pes": ', bench%images, ', "bytes": ', bytes
        if (present(fields)) write (*, '(2a)', advance='no') ', ', fields
        write (*, '(2(a,es12.5),a)') ', "us": ', us, ', "min": ', least, '}'
        flush (6)
    end subroutine

    !> A batch is long enough twice in turn, for the first time something else may have taken the time, such as making
    !> a connection; unless it is much longer.
    logical function is_sure(batch, was_enough)
        real(real64), intent(in) :: batch
        logical, intent(in) :: was_enough
        is_sure = batch >= enough_us .and. (was_enough .or. batch >= 10 * enough_us)
    end function

    !> How often to call it next, or n where a batch is long enough.
    integer function next_count(n, batch)
        integer, intent(in) :: n
        real(real64), intent(in) :: batch
        if (batch >= enough_us) then
            next_count = n
        else if (batch * 10 < enough_us) then
            next_count = n * 8
        else
            next_count = int(n * 1.2 * enough_us / batch) + 1
        end if
    end function

    !> How many batches of that length a row gets.
    integer function batches_of(batch)
        real(real64), intent(in) :: batch
        integer :: most
        most = merge(quick_batches, max_batches, bench%quick)
        batches_of = max(min_batches, int(min(real(most, real64), row_us / max(batch, 1e-3_real64))))
        if (bench%check .or. batch > slow_us) batches_of = 1
        if (bench%emulated) batches_of = merge(1, min_batches, bench%images > many_images)
    end function

    !> n operations in one stretch, all images starting together.
    real(real64) function batch_us(op, n, figure)
        procedure(operation) :: op
        integer, intent(in) :: n
        procedure(figure_of_batch), optional :: figure
        integer(int64) :: start, end, rate
        integer :: ignored
        ignored = bench%agree(0)
        call system_clock(start, rate)
        call op(n)
        call system_clock(end)
        batch_us = real(end - start, real64) * 1e6_real64 / real(rate, real64)
        if (present(figure)) batch_us = figure(batch_us)
    end function

    subroutine sort(x)
        real(real64), intent(inout) :: x(:)
        real(real64) :: y
        integer :: i, j
        do i = 2, size(x)
            y = x(i)
            do j = i - 1, 1, -1
                if (x(j) <= y) exit
                x(j + 1) = x(j)
            end do
            x(j + 1) = y
        end do
    end subroutine

    !> A value that differs by row or image (seed) and by element.
    elemental real(real64) function pattern(seed, i)
        integer, intent(in) :: seed, i
        pattern = real(seed, real64) * 2**22 + i
        if (mod(i, 2) == 1) pattern = -pattern
    end function

    !> A further field of a row.
    function field(name, value) result(text)
        character(len=*), intent(in) :: name
        integer, intent(in) :: value
        character(len=:), allocatable :: text
        character(len=12) :: digits
        write (digits, '(i0)') value
        text = '"'//name//'": '//trim(digits)
    end function

    subroutine report_error(row, element, got, want)
        character(len=*), intent(in) :: row
        integer, intent(in) :: element
        real(real64), intent(in) :: got, want
        bench%errors = bench%errors + 1
        if (bench%errors > 10) return
        write (*, '(3a,i0,2(a,g0),a,i0,a)') '{"error": "', row, ': image ', bench%me, ' found ', got, ' in place of ', &
            want, ' at element ', element, '"}'
        flush (6)
    end subroutine

    subroutine expect(row, element, got, want)
        character(len=*), intent(in) :: row
        integer, intent(in) :: element
        real(real64), intent(in) :: got, want
        if (.not. abs(got - want) <= 0) call report_error(row, element, got, want)
    end subroutine

    !> Elements first, first + step, ... of a pattern.
    subroutine expect_pattern(row, x, seed, first, step)
        character(len=*), intent(in) :: row
        real(real64), intent(in) :: x(:)
        integer, intent(in) :: seed
        integer, intent(in), optional :: first, step
        integer :: i, element
        do i = 1, size(x)
            element = i
            if (present(first)) element = first + (i - 1) * step
            call expect(row, element, x(i), pattern(seed, element))
        end do
    end subroutine

    !> The last line says that every row is out: what a library does in its own end is not the row's fault.
    subroutine end_timing()
        integer :: ignored
        ignored = bench%agree(0)
        if (bench%me == 1) then
            write (*, '(a)') '{"done": true}'
            flush (6)
        end if
        ignored = bench%agree(0)
    end subroutine
end module
