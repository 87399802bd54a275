! images: 2 4
! compilers: 16
! Statements that only gfortran 16 compiles: associations and stat= in statements of teams, queries about teams, stat=
! of CRITICAL and MOVE_ALLOC, and coarrays with components that end with their procedure, block or construct.
module statements16_m
    use, intrinsic :: iso_fortran_env, only: team_type, parent_team
    use growth_m, only: growth_begin, growth_goes_on
    implicit none
    type leaf
        real, allocatable :: data(:)
    end type
    type tree
        type(leaf), allocatable :: leaves(:)
        real, allocatable :: data(:), one
        character(:), allocatable :: label
    end type
    integer, parameter :: turns = 5000
    integer, save :: a(10)[*], s[*]
    integer :: state
    character(40) :: why
contains
    subroutine teams
        type(team_type) :: t, up
        integer, allocatable :: b(:)[:]
        integer :: i, n
        allocate (b(10)[*])
        a = 1
        b = 1
        i = 0
        n = 0
        call growth_begin('form team with new_index=, stat=, errmsg=', turns)
        do while (growth_goes_on())
            i = i + 1
            form team (2*i, t, new_index=1 + mod(this_image(), num_images()), stat=state, errmsg=why)
        end do
        call growth_begin('change team with associations', turns)
        do while (growth_goes_on())
            change team (t, c[*] => a, d[*] => b, stat=state)
                c(2)[1] = 1
                n = n + d(3)[num_images()]
            end team (stat=state)
        end do
        call growth_begin('get_team, team_number, num_images, this_image', turns)
        do while (growth_goes_on())
            change team (t)
                up = get_team(parent_team)
                n = n + team_number(up) + num_images(up) + this_image(up) + num_images(t)
            end team
            n = n + this_image(t) + size(failed_images(t)) + size(coshape(a))
        end do
        call growth_begin('a coarray that is moved within a team', turns/10)
        do while (growth_goes_on())
            change team (t)
                call moved
            end team
        end do
        if (n == 0 .or. state /= 0) error stop 'wrong values'
    end subroutine

    subroutine moved
        integer, allocatable :: from(:)[:], to(:)[:]
        allocate (from(50)[*])
        call move_alloc(from, to, stat=state, errmsg=why)
    end subroutine

    subroutine statements
        integer, allocatable :: from(:)[:], to(:)[:], one[:], other[:]
        s = 0
        call growth_begin('critical with stat=', turns)
        do while (growth_goes_on())
            critical (stat=state, errmsg=why)
                s = s + 1
            end critical
        end do
        call growth_begin('move_alloc with stat=, of a scalar too', turns)
        do while (growth_goes_on())
            allocate (from(100)[*], one[*])
            call move_alloc(from, to, stat=state, errmsg=why)
            call move_alloc(one, other, stat=state)
        end do
        deallocate (to, other)
    end subroutine

    subroutine scopes
        integer :: n
        n = 0
        call growth_begin('a local tree', turns)
        do while (growth_goes_on())
            n = n + local_tree(300)
        end do
        call growth_begin('local trees', turns)
        do while (growth_goes_on())
            n = n + local_trees(300)
        end do
        call growth_begin('a tree that is moved, in a block', turns)
        do while (growth_goes_on())
            block
                type(tree), allocatable :: o[:], p[:]
                allocate (o[*])
                allocate (o%leaves(2), o%data(200), o%one)
                allocate (o%leaves(2)%data(200))
                o%label = repeat('x', 100)
                call move_alloc(o, p)
                n = n + size(p%data)
            end block
        end do
        call growth_begin('a tree that is freed where it is no coarray', turns)
        do while (growth_goes_on())
            block
                type(tree), allocatable :: o[:]
                allocate (o[*])
                call plant(o, 200)
                call cut(o)
            end block
        end do
        call growth_begin('allocate with source=, assignment', turns)
        do while (growth_goes_on())
            n = n + copied(200)
        end do
        if (n == 0) error stop 'no sizes'
    end subroutine

    integer function local_tree(n)
        integer, intent(in) :: n
        type(tree), allocatable :: o[:]
        integer :: i
        allocate (o[*])
        allocate (o%leaves(2), o%data(n), o%one)
        do i = 1, 2
            allocate (o%leaves(i)%data(n))
        end do
        o%label = repeat('x', n)
        local_tree = size(o%leaves(2)%data)
    end function

    integer function local_trees(n)
        integer, intent(in) :: n
        type(tree), allocatable :: o(:)[:]
        allocate (o(2)[*])
        allocate (o(2)%leaves(2), o(2)%data(n), o(1)%one)
        allocate (o(2)%leaves(1)%data(n))
        o(1)%label = repeat('x', n)
        local_trees = size(o(2)%leaves(1)%data)
    end function

    ! Allocates a coarray's components where o is no coarray. Only a procedure like cut frees them (docs/coarrays.md).
    subroutine plant(o, n)
        type(tree), intent(inout) :: o
        integer, intent(in) :: n
        allocate (o%leaves(2), o%data(n), o%one)
        allocate (o%leaves(1)%data(n), o%leaves(2)%data(n))
        o%label = repeat('x', n)
    end subroutine

    subroutine cut(o)
        type(tree), intent(inout) :: o
        deallocate (o%leaves, o%data, o%one, o%label)
    end subroutine

    ! The type has no scalar components: gfortran 16 does not free those that source= or an assignment allocates.
    integer function copied(n)
        integer, intent(in) :: n
        type grove
            type(leaf), allocatable :: leaves(:)
            real, allocatable :: data(:)
        end type
        type(grove), allocatable :: o[:], p[:]
        type(grove) :: source
        allocate (source%leaves(2), source%data(n))
        allocate (source%leaves(2)%data(n))
        source%leaves(2)%data = 1
        source%data = 1
        allocate (o[*], source=source)
        allocate (p[*])
        p = source
        p = source
        copied = size(o%leaves(2)%data) + size(p%data)
    end function
end module

program caf_statements16
    use growth_m, only: growth_end
    use statements16_m, only: scopes, statements, teams
    implicit none
    call teams
    call statements
    call scopes
    call growth_end
end program
