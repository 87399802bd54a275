!> The rows of the team microbenchmarks: collectives in one team of all images, and in two teams at the same time, of
!> the odd and the even images (stride 2) and of the first and the second half (stride 1). The figure is the mean of
!> the times that the images of image 1's team measure. Uses neither coarrays nor MPI.
module team_rows
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use timing
    implicit none
    private
    public :: actions, x, words, first_root, my_number, run_team_rows, start_clock, stop_clock

    integer, parameter :: many = 1024     !< integers of the longer reduction, and of the broadcast
    integer, parameter :: most_teams = 20 !< the most teams of one batch: teams exist until the program ends

    integer :: x(many)       !< the data of reductions and broadcasts
    integer :: words         !< how many words of x an operation uses
    integer :: first_root    !< first root of a series of broadcasts: the root changes, so an image cannot run ahead
    integer :: my_number     !< number of this image's team

    integer(int64) :: started
    real(real64) :: elapsed_us

    abstract interface
        !> Forms the team with that number; later operations use this team.
        subroutine formation(number)
            integer, intent(in) :: number
        end subroutine

        !> This image's index in the team, and the number of images there.
        subroutine place(index, count)
            integer, intent(out) :: index, count
        end subroutine

        subroutine summation(values)
            import :: real64
            real(real64), intent(inout) :: values(:)
        end subroutine
    end interface

    !> The operations of teams, which call start_clock and stop_clock around the measured part.
    type actions
        procedure(formation), pointer, nopass :: form
        procedure(place), pointer, nopass :: locate
        procedure(operation), pointer, nopass :: barrier, reduce, broadcast, form_again
        procedure(operation), pointer, nopass :: change  !< null: no change of team is needed
        procedure(summation), pointer, nopass :: sum_over_all
    end type

    type(actions) :: act
    integer, allocatable :: members(:)     !< the images of this image's team
    character(len=:), allocatable :: shape !< the fields of the rows

contains

    subroutine run_team_rows(by)
        type(actions), intent(in) :: by
        integer :: i
        act = by
        call rows_of_teams([(1, i = 1, bench%images)], 1, 1)
        if (bench%images < 2) return
        call rows_of_teams([(2 - mod(i, 2), i = 1, bench%images)], 2, 2)
        if (bench%emulated) return
        call rows_of_teams([(merge(1, 2, i <= bench%images / 2), i = 1, bench%images)], 2, 1)
    end subroutine

    !> numbers: each image's team.
    subroutine rows_of_teams(numbers, teams, stride)
        integer, intent(in) :: numbers(:), teams, stride
        integer :: i
        my_number = numbers(bench%me)
        members = pack([(i, i = 1, bench%images)], numbers == my_number)
        shape = field('teams', teams)//', '//field('stride', stride)
        call act%form(my_number)
        call check_place()
        call team_row('barrier', 0, act%barrier)
        call reduce_row(1)
        call reduce_row(many)
        call broadcast_row()
        if (bench%emulated) return
        call team_row('form_team', 0, act%form_again, most_teams)
        if (associated(act%change)) call team_row('change_team', 0, act%change)
        call check_place()
    end subroutine

    subroutine team_row(row, bytes, op, most)
        character(len=*), intent(in) :: row
        integer, intent(in) :: bytes
        procedure(operation) :: op
        integer, intent(in), optional :: most
        call measure(row, bytes, op, most, shape, mean_of_team_1)
    end subroutine

    subroutine start_clock()
        call system_clock(started)
    end subroutine

    subroutine stop_clock()
        integer(int64) :: now, rate
        call system_clock(now, rate)
        elapsed_us = real(now - started, real64) * 1e6_real64 / real(rate, real64)
    end subroutine

    !> The mean of the images' own times, because `us` also contains the changes of the team.
    real(real64) function mean_of_team_1(us)
        real(real64), intent(in) :: us
        real(real64) :: sums(2)
        sums = merge([min(us, elapsed_us), 1.0_real64], 0.0_real64, my_number == 1)
        call act%sum_over_all(sums)
        mean_of_team_1 = sums(1) / sums(2)
    end function

    subroutine check_place()
        integer :: index, count
        call act%locate(index, count)
        call expect('form_team', 1, real(count, real64), real(size(members), real64))
        call expect('form_team', 2, real(index, real64), real(findloc(members, bench%me, 1), real64))
    end subroutine

    !> In place, each call sums the results of the previous call: zeros stay zero.
    subroutine reduce_row(n)
        integer, intent(in) :: n
        integer :: i
        words = n
        x = 0
        call team_row('reduce', words * 4, act%reduce)
        x = [(value_of(bench%me, i), i = 1, many)]
        call act%reduce(1)
        do i = 1, words
            call expect('reduce', i, real(x(i), real64), real(sum(value_of(members, i)), real64))
        end do
    end subroutine

    subroutine broadcast_row()
        integer, parameter :: few = 4
        integer :: i, step
        words = many
        first_root = 1
        call team_row('broadcast', words * 4, act%broadcast)
        step = merge(max(1, size(members) / few), 1, bench%emulated)  ! few of many images
        do first_root = 1, size(members), step
            x = [(value_of(bench%me, i), i = 1, many)]
            call act%broadcast(1)
            do i = 1, words
                call expect('broadcast', i, real(x(i), real64), real(value_of(members(first_root), i), real64))
            end do
        end do
    end subroutine

    elemental integer function value_of(image, i)
        integer, intent(in) :: image, i
        value_of = image * 10000 + i
    end function
end module
