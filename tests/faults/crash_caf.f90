! crash_caf HOW: all images crash, or make a mistake. A comment that test_backtraces.py searches for marks each source
! line.
program crash
    implicit none
    integer, allocatable :: a(:)[:]
    integer, pointer :: nothing
    character(20) :: how
    call get_command_argument(1, how)
    allocate(a(10)[*])
    nullify(nothing)
    sync all
    call step(trim(how))    ! HERE main
contains
    subroutine step(how)
        character(*), intent(in) :: how
        integer :: n
        n = 100
        if (how == 'store') nothing = 1    ! HERE store
        if (how == 'image') n = a(1)[77]    ! HERE image
        if (how == 'unlock') call unlock_it()
        print *, n
    end subroutine

    subroutine unlock_it()
        use iso_fortran_env, only: lock_type
        type(lock_type), allocatable :: lock[:]
        allocate(lock[*])
        unlock(lock)    ! HERE unlock
    end subroutine
end program
