! args: XS 10 field
! args: S
! pes: 1 2 3 4 6 8
! compilers: 12 13 14 16
! The Himeno benchmark, a Jacobi solver of the Poisson equation for pressure, as a coarray program.
!   himeno [SIZE [SWEEPS [field]]]      SIZE: XS, S, M, L or XL
! Every image has a part of the grid and puts its borders directly into its neighbours' parts. The exit code is 0 if
! gosa, the residual, equals the known value or, if none is known, the value that one image alone computes. With
! "field" every point of the grid must also equal the value that one image alone computes.
module exchange
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    use problem
    implicit none
    private
    public :: p, start, exchange_borders, run, differences

    real(real32), allocatable :: p(:, :, :)[:, :, :]

    !> A neighbour across a face or an edge (the stencil reaches no corner). This image's points from:to go to the
    !> neighbour's points at:until.
    type border
        integer :: place(3), from(3), to(3), at(3), until(3)
    end type

    type(border), allocatable :: borders(:)
    integer, allocatable :: beside(:)  ! the images of the neighbours

contains

    !> This image's part of the grid, its field, and its neighbours.
    subroutine start(g, cut, x)
        type(grid), intent(in) :: g
        integer, intent(in) :: cut(3)
        type(part), intent(out) :: x
        integer :: most(3), place(3), d1, d2, d3

        most = points_of(g, cut, [1, 1, 1])
        allocate (p(0:most(1) + 1, 0:most(2) + 1, 0:most(3) + 1)[cut(1), cut(2), *])
        place = this_image(p)
        x = make_part(g, cut, place)
        call first_field(g, x, p)

        allocate (borders(0), beside(0))
        do d3 = -1, 1
            do d2 = -1, 1
                do d1 = -1, 1
                    call add_border([d1, d2, d3])
                end do
            end do
        end do

    contains

        subroutine add_border(step)
            integer, intent(in) :: step(3)
            type(border) :: b
            integer :: theirs(3)
            b%place = place + step
            if (sum(abs(step)) < 1 .or. sum(abs(step)) > 2 .or. any(b%place < 1 .or. b%place > cut)) return
            theirs = points_of(g, cut, b%place)
            b%from = merge(x%points, 1, step == 1)
            b%to = merge(1, x%points, step == -1)
            b%at = merge(0, merge(theirs + 1, 1, step == -1), step == 1)
            b%until = merge(b%at, x%points, step /= 0)
            borders = [borders, b]
            beside = [beside, image_index(p, b%place)]
        end subroutine
    end subroutine

    !> Copies the new field over the old one, here and, after the neighbours have read the old field, in their borders.
    subroutine exchange_borders(x)
        type(part), intent(in) :: x
        integer :: i
        p(1:x%points(1), 1:x%points(2), 1:x%points(3)) = x%wrk2
        sync images (beside)
        do i = 1, size(borders)
            call send(borders(i), borders(i)%place)
        end do
        sync images (beside)
    contains
        ! An internal procedure, because gfortran 15 and 16 crash if a module procedure has this put.
        subroutine send(b, q)
            type(border), intent(in) :: b
            integer, intent(in) :: q(3)
            p(b%at(1):b%until(1), b%at(2):b%until(2), b%at(3):b%until(3))[q(1), q(2), q(3)] = &
                p(b%from(1):b%to(1), b%from(2):b%to(2), b%from(3):b%to(3))
        end subroutine
    end subroutine

    subroutine run(x, sweeps, gosa, seconds)
        type(part), intent(inout) :: x
        integer, intent(in) :: sweeps
        real(real64), intent(out) :: gosa, seconds
        integer(int64) :: begin, end, rate
        integer :: n
        sync all
        call system_clock(begin, rate)
        do n = 1, sweeps
            call sweep(x, p, gosa)
            call exchange_borders(x)
            call co_sum(gosa)
        end do
        sync all
        call system_clock(end)
        seconds = real(end - begin, real64) / real(rate, real64)
    end subroutine

    !> The number of points of all parts that differ from the field that one image alone computes.
    integer function differences(g, cut, whole)
        type(grid), intent(in) :: g
        integer, intent(in) :: cut(3)
        real(real32), intent(in) :: whole(0:, 0:, 0:)
        real(real32), allocatable :: theirs(:, :, :)
        integer :: i, j, k, first(3), n(3)
        differences = 0
        do k = 1, cut(3)
            do j = 1, cut(2)
                do i = 1, cut(1)
                    first = points_before(g, cut, [i, j, k])
                    n = points_of(g, cut, [i, j, k])
                    theirs = p(1:n(1), 1:n(2), 1:n(3))[i, j, k]
                    associate (ours => whole(first(1):first(1) + n(1) - 1, first(2):first(2) + n(2) - 1, &
                            first(3):first(3) + n(3) - 1))
                        differences = differences + count(.not. abs(theirs - ours) <= 0)
                    end associate
                end do
            end do
        end do
    end function
end module

program himeno
    use, intrinsic :: iso_fortran_env, only: error_unit, real32, real64
    use problem
    use exchange
    implicit none
    type(grid) :: g
    type(part) :: x
    real(real32), allocatable :: whole(:, :, :)
    real(real64) :: gosa, seconds, known
    integer :: sweeps, cut(3)
    logical :: compare, ok

    call read_arguments()
    cut = best_cut(g, num_images())
    if (any(cut == 0)) call refuse('the grid is too small for so many images')
    call start(g, cut, x)
    call run(x, sweeps, gosa, seconds)

    known = known_gosa(g, sweeps)
    ok = .true.
    if (this_image() == 1) call judge()
    call co_broadcast(ok, 1)
    if (.not. ok) error stop 'himeno: the answer is wrong'

contains

    subroutine read_arguments()
        character(len=32) :: argument
        integer :: status
        g = find_grid('S')
        sweeps = 100
        compare = .false.
        if (command_argument_count() >= 1) then
            call get_command_argument(1, argument)
            g = find_grid(trim(argument))
            if (g%name == '') call refuse("size '" // trim(argument) // "' is none of XS, S, M, L and XL")
        end if
        if (command_argument_count() >= 2) then
            call get_command_argument(2, argument)
            read (argument, *, iostat=status) sweeps
            if (status /= 0) sweeps = 0
            if (sweeps < 1) call refuse("'" // trim(argument) // "' is no number of sweeps from 1 on")
        end if
        if (command_argument_count() >= 3) then
            call get_command_argument(3, argument)
            compare = argument == 'field'
            if (.not. compare) call refuse("the third argument may be 'field', and not '" // trim(argument) // "'")
        end if
    end subroutine

    !> Prints one sentence and ends all images.
    subroutine refuse(why)
        character(len=*), intent(in) :: why
        if (this_image() == 1) write (error_unit, '(2a)') 'himeno: ', why
        flush (error_unit)
        sync all
        error stop 2, quiet=.true.
    end subroutine

    subroutine judge()
        character(len=*), parameter :: header = '(3a,2(i0,a),i0,a,i0,a,2(i0,a),i0,a)'
        real(real64) :: alone
        integer :: wrong
        write (*, header) 'Himeno ', trim(g%name), ' (', g%extent(1), ' x ', g%extent(2), ' x ', g%extent(3), ') on ', &
            num_images(), ' images (', cut(1), ' x ', cut(2), ' x ', cut(3), ')'
        write (*, '(a,i0,a,f0.3,a,f0.1,a)') '  ', sweeps, ' sweeps in ', seconds, ' s: ', &
            megaflops(g, sweeps, seconds), ' MFLOPS'
        write (*, '(a,es14.7)') '  gosa              ', gosa
        if (known > 0) then
            write (*, '(a,es14.7)') '  reference         ', known
            ok = agrees(known)
        end if
        if (compare .or. .not. known > 0) then
            call serial_field(g, sweeps, whole, alone)
            write (*, '(a,es14.7)') '  of one image alone', alone
            ok = ok .and. agrees(alone)
        end if
        if (compare) then
            wrong = differences(g, cut, whole)
            write (*, '(a,i0)') '  points that differ from those of one image alone: ', wrong
            ok = ok .and. wrong == 0
        end if
    end subroutine

    logical function agrees(reference)
        real(real64), intent(in) :: reference
        agrees = abs(gosa - reference) <= 1e-6_real64 * reference
    end function
end program
