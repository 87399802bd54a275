! images: 2 4
! compilers: flang23
! The coarray features of flang 23: synchronization, collective subroutines, teams, and coarrays that statements,
! procedures and teams create and end.
module flang_m
    use, intrinsic :: iso_fortran_env, only: team_type
    use growth_m, only: growth_begin, growth_goes_on
    implicit none
    integer, parameter :: turns = 5000
    integer :: state
    character(60) :: why
contains
    subroutine images
        integer :: x, i, left, right, list(2)
        integer, allocatable :: v(:)
        character(12) :: text
        right = 1 + mod(this_image(), num_images())
        left = 1 + mod(this_image() + num_images() - 2, num_images())
        list = [left, right]
        allocate (v(1000))
        v = 1
        i = 0
        call growth_begin('sync all, sync memory, sync images', turns)
        do while (growth_goes_on())
            sync all
            sync memory
            sync all (stat=state, errmsg=why)
            if (left == right) then
                sync images (right)
            else
                sync images (list)
            end if
            sync images (*)
        end do
        call growth_begin('co_sum, co_min, co_max, co_broadcast', turns)
        do while (growth_goes_on())
            i = i + 1
            x = 1
            text = 'some text'
            call co_sum(x)
            call co_max(v(:1 + mod(i, 100)), stat=state, errmsg=why)
            call co_min(v(1:99:2), result_image=1)
            call co_broadcast(text, 1)
            call co_broadcast(v, 1 + mod(i, num_images()))
        end do
        if (x /= num_images() .or. text /= 'some text') error stop 'wrong values'
    end subroutine

    subroutine coarrays
        integer, allocatable :: a(:)[:], b(:)[:], c(:)[:], d[:]
        integer :: i
        i = 0
        call growth_begin('allocate, deallocate', turns)
        do while (growth_goes_on())
            i = i + 1
            allocate (a(1 + mod(7919*i, 5000))[*], d[*])
            a(1) = i
            deallocate (a, d)
        end do
        call growth_begin('three, deallocated in another order', turns)
        do while (growth_goes_on())
            i = i + 1
            allocate (a(1 + mod(31*i, 100))[*], b(1 + mod(97*i, 1000))[*], c(10)[*])
            deallocate (b, stat=state, errmsg=why)
            deallocate (a)
            deallocate (c)
        end do
        call growth_begin('bounds and cosubscripts', turns)
        allocate (a(10)[*])
        do while (growth_goes_on())
            i = i + this_image(a, 1) + image_index(a, [1]) + ucobound(a, 1) + sum(coshape(a)) + sum(this_image(a))
        end do
        deallocate (a)
        call growth_begin('move_alloc onto an allocated one', turns)
        allocate (b(1)[*])
        do while (growth_goes_on())
            allocate (a(100)[*])
            call move_alloc(a, b)
        end do
        call growth_begin('a local array', turns)
        i = 0 ! the same on all images
        do while (growth_goes_on())
            i = i + 1
            call local_array(mod(i, 1000))
        end do
        call growth_begin('a block with an array', turns)
        do while (growth_goes_on())
            block
                integer, allocatable :: e(:)[:]
                allocate (e(100)[*])
                e = 1
            end block
        end do
    end subroutine

    subroutine local_array(n)
        integer, intent(in) :: n
        integer, allocatable :: a(:)[:]
        allocate (a(n)[*])
        a = n
    end subroutine

    subroutine teams
        type(team_type) :: t, inner
        integer, allocatable :: a(:)[:]
        integer :: i, x
        i = 0
        x = 0
        call growth_begin('form team, numbers not seen before', turns)
        do while (growth_goes_on())
            i = i + 1
            form team (2*i + mod(this_image(), 2), t, stat=state)
        end do
        call growth_begin('form team, new numbers, entered, and one within', turns)
        do while (growth_goes_on())
            i = i + 1
            form team (2*i + mod(this_image(), 2), t)
            change team (t)
                form team (i, inner)
                change team (inner)
                    sync all
                end team
            end team
        end do
        form team (1, t)
        call growth_begin('change team, end team, sync team, get_team', turns)
        do while (growth_goes_on())
            change team (t)
                inner = get_team()
                x = x + team_number() + num_images(inner)
            end team
            sync team (t)
        end do
        call growth_begin('coarrays deallocated in a team', turns/10)
        do while (growth_goes_on())
            change team (t)
                allocate (a(1000)[*])
                a = 1
                deallocate (a)
            end team
        end do
        call growth_begin('coarrays that end team deallocates', turns/10)
        do while (growth_goes_on())
            change team (t)
                call within_team
            end team
        end do
        if (x == 0) error stop 'no teams'
    end subroutine

    subroutine within_team
        integer, allocatable, save :: a(:)[:]
        allocate (a(1000)[*])
        a = 1
    end subroutine
end module

program caf_flang
    use flang_m, only: coarrays, images, teams
    use growth_m, only: growth_end
    implicit none
    call images
    call coarrays
    call teams
    call growth_end
end program
