! Makes the mistake that the word on the command line names.
module mistakes_m
    use iso_fortran_env
    implicit none
    integer(atomic_int_kind), save :: atom[*]
    integer, save :: number[*]
    type(lock_type), save :: lock_one[*]
    type(event_type), save :: event[*]
    integer, allocatable :: a(:)[:], b(:)[:]
    type(lock_type), allocatable :: lock_no[:]
    type(event_type), allocatable :: event_no[:]
    integer(atomic_int_kind), allocatable :: atom_no[:]
    type :: box
        integer, allocatable :: v(:)
    end type
    type :: counter
        integer(atomic_int_kind) :: n = 1
        integer, allocatable :: v(:)
    end type
    type(counter), save :: counted[*]
    type :: place
        integer, pointer :: at(:)
    end type
    type(place), allocatable :: places(:)[:]
    integer :: i, k, me
    integer, allocatable :: v(:)
contains
    ! Image k fails; all other images continue.
    subroutine wait_for_failure(k)
        integer, intent(in) :: k
        if (this_image() == k) fail image
        do while (size(failed_images()) == 0)
        end do
    end subroutine

    subroutine not_allocated(how)
        character(*), intent(in) :: how
        select case (how)
        case ('get')
            i = a(1)[k]
        case ('put')
            a(1)[k] = 1
        case ('lock')
            lock (lock_no[k])
        case ('unlock')
            unlock (lock_no[k])
        case ('event_post')
            event post (event_no[k])
        case ('atomic_or')
            call atomic_or(atom_no[k], 1)
        case ('atomic_define')
            call atomic_define(atom_no[k], 1)
        case ('co_sum')
            call co_sum(v)
        case ('co_broadcast')
            if (me == 1) allocate (v(3), source=7)
            call co_broadcast(v, 1)
        case ('component')
            call broadcast_component
        end select
    end subroutine

    subroutine broadcast_component
        type(box), save :: x
        if (me == 1) allocate (x%v(3), source=7)
        call co_broadcast(x, 1)
    end subroutine

    ! Uses a coarray that END TEAM has deallocated; another coarray now has its memory.
    subroutine lost_with_team(how)
        character(*), intent(in) :: how
        type(team_type) :: t
        form team (1, t)
        change team (t)
            allocate (a(3)[*], source=1)
        end team
        change team (t)
            allocate (b(3)[*], source=1)
            if (me == 1) call not_allocated(how)
            sync all
        end team
    end subroutine

    ! Images 2 and 4 of four are images 1 and 2 of a team, and the second may fail there.  The others wait for the end.
    subroutine in_team(how)
        character(*), intent(in) :: how
        type(team_type) :: t
        form team (1 + mod(me + 1, 2), t)
        change team (t)
            if (mod(me, 2) == 0) then
                if (how /= 'index' .and. how /= 'lock_twice' .and. how /= 'form_team') call wait_for_failure(2)
                call team_mistake(how)
                sync all
            else
                event wait (event)
            end if
        end team
    end subroutine

    subroutine team_mistake(how)
        character(*), intent(in) :: how
        type(team_type) :: t
        k = 2
        select case (how)
        case ('index')
            k = 3
            number[k] = 1
        case ('put')
            sync memory    ! after this, a store is a call, which detects the failure
            number[k] = 1
        case ('lock')
            lock (lock_one[k])
        case ('lock_twice')
            lock (lock_one[this_image()])
            lock (lock_one[this_image()])
        case ('event_post')
            event post (event[k])
        case ('atomic_add')
            call atomic_add(atom[k], 1)
        case ('sync_images')
            sync images (k)
        case ('sync_all')
            sync all
        case ('co_sum')
            call co_sum(i)
        case ('form_team')
            form team (2 - this_image(), t)
        end select
    end subroutine

    recursive subroutine nest(again)
        logical, intent(in) :: again
        critical
            if (again) call nest(.false.)
        end critical
    end subroutine

    subroutine fail_in_critical
        if (me /= 2) call wait_for_failure(2)
        critical
            if (me == 2) fail image
        end critical
    end subroutine

    ! Images pass different arguments to a collective subroutine.
    subroutine differ(how)
        character(*), intent(in) :: how
        integer :: few(4), many(1000)
        real(4) :: x(4)
        real(8) :: y(4)
        few = 1
        many = 1
        x = 1
        y = 1
        select case (how)
        case ('size')
            if (me == 1) call co_sum(few)
            if (me /= 1) call co_sum(many)
        case ('none')
            if (me == 1) call co_sum(few)
            if (me /= 1) call co_sum(many(5:4))
        case ('large')
            allocate (v(20000 * me), source=1)
            call co_sum(v)
        case ('type')
            if (me == 1) call co_sum(few)
            if (me /= 1) call co_sum(x)
        case ('kind')
            if (me == 1) call co_max(y)
            if (me /= 1) call co_max(x)
        case ('routine')
            if (me == 1) call co_max(y)
            if (me /= 1) call co_sum(y)
        case ('result_image')
            call co_sum(y, result_image=me)
        case ('source_image')
            call co_broadcast(y, source_image=me)
        case ('broadcast')
            if (me == 1) call co_broadcast(few, 2)
            if (me /= 1) call co_broadcast(many, 2)
        end select
        stop 'nobody has noticed'
    end subroutine

    ! Arguments that agree are accepted.
    subroutine agree
        type(team_type) :: t
        integer :: few(4), many(20000)
        character(5) :: c(3)
        few = me
        many = me
        c = 'abcde'
        call co_sum(few)
        call co_sum(many, result_image=num_images())
        many = me
        call co_max(many)
        call co_min(c)
        call co_broadcast(many, source_image=num_images())
        call co_sum(many(5:4))
        form team (1 + mod(me, 2), t)
        change team (t)
            few = me
            call co_broadcast(few, 1)
            if (any(few /= 2 - mod(me, 2))) error stop 'wrong'
        end team
        if (any(c /= 'abcde') .or. any(many /= num_images())) error stop 'wrong'
    end subroutine

    subroutine deallocate_in_different_order
        allocate (a(10)[*], b(1000)[*])
        if (me == 1) deallocate (a)
        deallocate (b)
        if (me /= 1) deallocate (a)
    end subroutine
end module

program mistakes
    use mistakes_m
    implicit none
    character(40) :: what, how
    me = this_image()
    k = 2 ! no constant
    i = 0
    call get_command_argument(1, what)
    call get_command_argument(2, how)
    sync all
    select case (what)
    case ('not_allocated')
        call not_allocated(trim(how))
    case ('lost_with_team')
        call lost_with_team(trim(how))
    case ('in_team')
        call in_team(trim(how))
    case ('critical_twice')
        call nest(.true.)
    case ('critical_failed')
        call fail_in_critical
    case ('index')
        k = num_images() + 1
        if (how == 'add') call atomic_add(atom[k], 1)
        if (how == 'fetch_xor') call atomic_fetch_xor(atom[k], 1, i)
    case ('fetch_failed')
        call wait_for_failure(2)
        call atomic_fetch_add(atom[2], 1, i)
    case ('atomic_component')
        if (how == 'add') call atomic_add(counted[k]%n, 1)
        if (how == 'ref') call atomic_ref(i, counted[k]%n)
    case ('no_room')
        allocate (a(2**28)[*])
    case ('pointers')
        allocate (places(3)[*])
    case ('differ')
        call differ(trim(how))
    case ('agree')
        call agree
    case ('deallocate')
        call deallocate_in_different_order
    end select
    sync all
end program
