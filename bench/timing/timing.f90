!> Timing for the Fortran benchmarks by bench.h, through timing.c: one clock, one way to repeat, one line of JSON per
!> measured row. This file uses neither coarrays nor MPI: a program provides its images' barrier.
module timing
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_long, c_null_char, c_size_t
    use, intrinsic :: iso_fortran_env, only: error_unit, real64
    implicit none
    private
    public :: timer, operation, figure_of_batch, start_timing, measure, expect, expect_pattern, end_timing, pattern
    public :: field

    abstract interface
        !> Executes the measured operation n times. Every image calls it; images that take no part return immediately.
        subroutine operation(n)
            integer, intent(in) :: n
        end subroutine

        !> A barrier that also gives every image the value that image 1 passed.
        integer function agreement(value)
            integer, intent(in) :: value
        end function

        !> Maps the time of a batch, as this image measured it, to the time that counts. Every image calls it; image
        !> 1's result is used.
        real(real64) function figure_of_batch(us)
            import :: real64
            real(real64), intent(in) :: us
        end function
    end interface

    type timer
        integer :: me = 0, images = 0, errors = 0
        logical :: quick = .false.  !< fewer batches
        logical :: check = .false.  !< a test: a few operations, whose data is checked and whose time does not count
        !> Time, also system_clock's, is emulated and reproducible, so few operations and batches are enough.
        logical :: emulated = .false.
        procedure(agreement), pointer, nopass :: agree => null()
    end type

    interface
        subroutine timing_start(me, images, how) bind(c)
            import :: c_char, c_int
            integer(c_int), value :: me, images
            character(kind=c_char), intent(in) :: how(*)
        end subroutine

        subroutine timing_measure(row, bytes, most, fields) bind(c)
            import :: c_char, c_long, c_size_t
            integer(c_size_t), value :: bytes
            integer(c_long), value :: most
            character(kind=c_char), intent(in) :: row(*), fields(*)
        end subroutine
    end interface

    type(timer), save, public :: bench
    procedure(operation), pointer :: measured => null()
    procedure(figure_of_batch), pointer :: counts => null()

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
        call timing_start(me, images, trim(how)//c_null_char)
        if (any(how == [character(len=8) :: '', 'check', 'quick', 'full', 'emulated'])) return
        if (me == 1) then
            write (error_unit, '(3a)') 'benchmark: argument 1 is "', trim(how), &
                '", allowed are check, quick, full and emulated'
            error stop 2, quiet=.true.
        end if
        me_waits = agree(0)  ! waits until image 1 ends the job
    end subroutine

    !> Measures the operation by image 1's clock and prints its row.
    subroutine measure(row, bytes, op, most, fields, figure)
        character(len=*), intent(in) :: row
        integer, intent(in) :: bytes
        procedure(operation) :: op
        integer, intent(in), optional :: most  !< limit of calls in a slice, if a call consumes a resource
        character(len=*), intent(in), optional :: fields  !< further fields of the row, as JSON
        procedure(figure_of_batch), optional :: figure
        character(len=:), allocatable :: more
        integer(c_long) :: limit
        limit = 0
        more = ''
        if (present(most)) limit = most
        if (present(fields)) more = fields//', '
        measured => op
        counts => null()
        if (present(figure)) counts => figure
        call timing_measure(row//c_null_char, int(bytes, c_size_t), limit, more//c_null_char)
    end subroutine

    subroutine timing_operation(n) bind(c)
        integer(c_long), value :: n
        call measured(int(n))
    end subroutine

    real(c_double) function timing_figure(us) bind(c)
        real(c_double), value :: us
        timing_figure = us
        if (associated(counts)) timing_figure = counts(us)
    end function

    integer(c_long) function timing_agree(value) bind(c)
        integer(c_long), value :: value
        timing_agree = bench%agree(int(value))
    end function

    !> A value that depends on the row or image (seed) and on the element.
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

    !> The last line shows that all rows are printed, even if the library then fails at its end.
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
