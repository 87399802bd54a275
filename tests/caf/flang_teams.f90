! compilers: flang23
! images: 1 2 3 4 5 7 8
! Teams with flang: form team with its options; change team, nested and with stat=; inquiry functions of teams; copies
! of team variables; collective subroutines and synchronization within a team; sibling teams by their number.
program teams
use, intrinsic :: iso_fortran_env
use check_m
implicit none
integer :: me, n
type(team_type) :: initial

me = this_image()
n = num_images()
initial = get_team()
call check_halves
call check_new_index
call check_copies
call check_many
call check_end
contains

! A team of the odd images and one of the even images; in each of them, teams of one image.
subroutine check_halves
    type(team_type) :: half, quarter, up, top
    integer :: mine, size_of_mine, total, stat, other
    integer, allocatable :: a(:)[:]
    mine = 2 - mod(me, 2)
    size_of_mine = (n + mod(me, 2)) / 2
    other = 3 - mine
    call check(team_number() == -1, 'the number of the initial team')
    form team (mine, half)
    call check(team_number(half) == mine .and. num_images(half) == size_of_mine, 'a team that is formed')
    call check(this_image(half) == (me + 1) / 2, 'this_image(team)')
    change team (half)
        call check(this_image() == (me + 1) / 2 .and. num_images() == size_of_mine, 'images of the team')
        call check(team_number() == mine, 'team_number of the current team')
        up = get_team(parent_team)
        top = get_team(initial_team)
        call check(this_image(up) == me .and. num_images(up) == n, 'the parent')
        call check(team_number(up) == -1 .and. team_number(top) == -1, 'its number')
        call check(num_images(team_number=mine) == size_of_mine, 'num_images of the own number')
        call check(num_images(team_number=-1) == n, 'num_images of the initial team')
        if (n > 1) call check(num_images(team_number=other) == n - size_of_mine, 'num_images of a sibling')
        allocate (a(5)[2:*])
        a = me
        total = me
        call co_sum(total)
        call check(total == merge(((n + 1) / 2) ** 2, (n / 2) * (n / 2 + 1), mine == 1), 'co_sum in a team')
        call check(this_image(a, 1) == this_image() + 1, 'cosubscripts in a team')
        call check(ucobound(a, 1) == num_images() + 1, 'cobounds in a team')
        call check(image_index(a, [2_8]) == 1, 'image_index in a team')
        form team (this_image(), quarter, stat=stat)
        call check(stat == 0, 'form team with stat=')
        change team (quarter, stat=stat)
            call check(stat == 0, 'change team with stat=')
            call check(num_images() == 1 .and. this_image() == 1, 'a team of one')
            up = get_team(parent_team)
            call check(num_images(up) == size_of_mine, 'its parent')
            sync all
            sync team (up)
            sync team (initial)
        end team (stat=stat)
        call check(stat == 0 .and. num_images() == size_of_mine, 'end team')
        sync all
    end team
    call check(num_images() == n .and. this_image() == me, 'the initial team again')
end subroutine

! The new indices are the image indices in reverse order.
subroutine check_new_index
    type(team_type) :: t
    integer :: stat, first
    character(80) :: message
    form team (2000000000, t, new_index=n - me + 1, stat=stat, errmsg=message)
    call check(stat == 0, 'form team with new_index: ' // message)
    call check(team_number(t) == 2000000000, 'a large number')
    change team (t)
        call check(this_image() == n - me + 1, 'new_index')
        first = me
        call co_broadcast(first, source_image=1)
        call check(first == n, 'co_broadcast from the first of the team')
    end team
    message = ''
    form team (1, t, new_index=n + 1, stat=stat, errmsg=message)
    call check(stat /= 0 .and. index(message, 'new_index') > 0, 'a wrong new_index has a stat')
end subroutine

subroutine check_copies
    type(team_type) :: t, copy, list(3)
    integer :: i
    form team (1 + mod(me, 3), t)
    copy = t
    list = copy
    do i = 1, 3
        change team (list(i))
            call check(team_number() == 1 + mod(me, 3), 'a copy of a team variable')
        end team
    end do
end subroutine

! Each iteration forms a new team; the library must not keep the teams of earlier iterations.
subroutine check_many
    type(team_type) :: t
    integer :: turn, total
    do turn = 1, 300
        form team (turn + mod(me, 2), t)
        change team (t)
            total = 1
            call co_sum(total)
            call check(total == num_images(), 'a team in a loop')
        end team
    end do
end subroutine
end program
