! crash HOW: all PEs crash, or misuse a routine. A comment that test_backtraces.py searches for marks each source line.
module work
    use shmem
    implicit none
contains
    subroutine step(how, nothing)
        character(*), intent(in) :: how
        integer, pointer :: nothing
        integer(4), save :: target(4)
        select case (how)
        case ('store')
            nothing = 1    ! HERE store
        case ('pe')
            call shmem_put(target, target, 1, 77)    ! HERE pe
        case ('many')
            call shmem_put(target, target, 8, 0)    ! HERE many
        end select
    end subroutine
end module

program crash
    use work
    implicit none
    character(20) :: how
    integer, pointer :: nothing
    nullify(nothing)
    call get_command_argument(1, how)
    call shmem_init()
    call step(trim(how), nothing)    ! HERE main
    call shmem_finalize()
end program
