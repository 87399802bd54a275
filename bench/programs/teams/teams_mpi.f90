! The rows of teams.f90 by MPI: MPI_Comm_split, and collectives of the communicator, without a change of team.
module teams_by_mpi
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use team_rows
    implicit none
    type(MPI_Comm) :: team = MPI_COMM_NULL

contains

    subroutine form(number)
        integer, intent(in) :: number
        if (team /= MPI_COMM_NULL) call MPI_Comm_free(team)
        call MPI_Comm_split(MPI_COMM_WORLD, number, 0, team)
    end subroutine

    subroutine locate(index, count)
        integer, intent(out) :: index, count
        call MPI_Comm_rank(team, index)
        call MPI_Comm_size(team, count)
        index = index + 1
    end subroutine

    subroutine barrier(n)
        integer, intent(in) :: n
        integer :: i
        call MPI_Barrier(team)
        call start_clock()
        do i = 1, n
            call MPI_Barrier(team)
        end do
        call stop_clock()
    end subroutine

    subroutine reduce(n)
        integer, intent(in) :: n
        integer :: i
        call MPI_Barrier(team)
        call start_clock()
        do i = 1, n
            call MPI_Allreduce(MPI_IN_PLACE, x, words, MPI_INTEGER, MPI_SUM, team)
        end do
        call stop_clock()
    end subroutine

    subroutine broadcast(n)
        integer, intent(in) :: n
        integer :: i, count
        call MPI_Comm_size(team, count)
        call MPI_Barrier(team)
        call start_clock()
        do i = 1, n
            call MPI_Bcast(x, words, MPI_INTEGER, mod(first_root + i - 2, count), team)
        end do
        call stop_clock()
    end subroutine

    subroutine form_again(n)
        integer, intent(in) :: n
        type(MPI_Comm) :: again
        integer :: i
        call start_clock()
        do i = 1, n
            call MPI_Comm_split(MPI_COMM_WORLD, my_number, 0, again)
            call MPI_Comm_free(again)
        end do
        call stop_clock()
    end subroutine

    subroutine sum_over_all(values)
        real(real64), intent(inout) :: values(:)
        call MPI_Allreduce(MPI_IN_PLACE, values, size(values), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    end subroutine
end module

program teams
    use teams_by_mpi
    use ranks
    implicit none
    call start_ranks()
    call run_team_rows(actions(form, locate, barrier, reduce, broadcast, form_again, null(), sum_over_all))
    call end_ranks()
end program
