! Coarrays: segments, and what orders them.
! images: 3
include 'rules.inc'

program segments
    use, intrinsic :: iso_fortran_env
    use rules
    implicit none
    integer :: me

    me = this_image()
    if (chosen('put_and_load')) call put_and_load()
    if (chosen('get_and_store')) call get_and_store()
    if (chosen('elements')) call elements()
    if (chosen('listed_put')) call listed_put()
    if (chosen('listed_get')) call listed_get()
    if (chosen('third_image')) call third_image()
    if (chosen('openshmem_put')) call openshmem_put()
    if (chosen('one_image')) call one_image()
    if (chosen('pairs')) call pairs()
    if (chosen('chain_of_pairs')) call chain_of_pairs()
    if (chosen('event')) call event()
    if (chosen('query')) call query()
    if (chosen('count_of_events')) call count_of_events()
    if (chosen('locked')) call locked()
    if (chosen('criticals')) call criticals()
    if (chosen('atomics')) call atomics()
    if (chosen('spin')) call spin()
    if (chosen('teams')) call teams()
    if (chosen('sum_is_no_barrier')) call sum_is_no_barrier()
    if (chosen('sum_in_place')) call sum_in_place()
    if (chosen('allocation')) call allocation()
    if (chosen('broadcast')) call broadcast()
    sync all
    call finish()
contains

! F2018 11.6.3, sync all: after it, an image may load what another image has put before it.
subroutine put_and_load()
    integer, save :: x[*] = 0

    sync all
    if (me == 1) x[2] = 1 ! put
    if (right) sync all
    if (me == 2) call look(x, 1) ! load
end subroutine

! F2018 11.6.2, segments: two unordered segments may reference one variable; if one of them defines the variable, they
! race.
subroutine get_and_store()
    integer, save :: x[*] = 5
    integer :: y

    sync all
    y = 5
    if (me == 1) y = x[2] ! get
    if (me == 2 .and. right) then
        call look(x, 5)
    else if (me == 2) then
        x = 6 ! store
    end if
    call look(y, 5)
end subroutine

! F2018 11.6.2, segments: elements of one array are separate variables.
subroutine elements()
    integer, save :: x(10)[*] = 0

    sync all
    if (me == 1) x(1:9:2)[2] = 1 ! first
    if (me == 3) x(merge(2, 3, right):10:2)[2] = 3 ! second
    sync all
    call look(sum(x), merge(20, 0, me == 2))
end subroutine

! F2018 9.5.3.3.2, vector subscript: a put by a vector subscript accesses only the listed elements.
subroutine listed_put()
    integer, save :: x(10)[*] = 0
    integer :: at(3)

    at = [1, 2, merge(9, 7, right)]
    sync all
    if (me == 1) x(at)[2] = [1, 1, 1] ! first
    if (me == 3) x(7)[2] = 3 ! second
    sync all
    call look(sum(x), merge(6, 0, me == 2))
end subroutine

! F2018 9.5.3.3.2, vector subscript: in an array of rank 2, a get reads all combinations of the listed subscripts.
subroutine listed_get()
    integer, save :: x(4, 5)[*] = 1
    integer :: rows(2), columns(3), y(2, 3)

    y = 1
    rows = [1, 4]
    columns = [1, 2, 5]
    sync all
    if (me == 1) y = x(rows, columns)[2] ! get
    if (me == 2) x(merge(3, 4, right), 5) = 5 ! store
    sync all
    call look(sum(y), 6)
end subroutine

! F2018 11.6.2, segments: an assignment from one image to another accesses no variable of the image that executes it.
subroutine third_image()
    integer, save :: x(4)[*] = 0, y(4)[*] = 1, v[*] = 0, w[*] = 1

    sync all
    if (me == 3) x(1:3:2)[1] = y(1:3:2)[2] ! both
    if (me == 3) v[1] = w[2]
    if (me == 1) x(:)[merge(3, 1, right)] = 2 ! put
    if (me == 1) y(:)[3] = 2
    if (me == 1) v[3] = 2
    if (me == 1) w[3] = 2
    sync all
    if (right) call look(sum(x) + v, merge(3, merge(10, 0, me == 3), me == 1))
end subroutine

! F2018 11.6.3, sync all: it completes earlier OpenSHMEM puts of its image.
subroutine openshmem_put()
    use shmem, only: shmem_put_nbi
    integer, save, asynchronous :: x(4)[*] = 0
    integer, save, asynchronous :: from(4) = [1, 2, 3, 4]

    sync all
    if (me == 1) call shmem_put_nbi(x, from, 4, 1) ! put
    if (right) sync all
    if (me == 2) call look(x(3), 3) ! load
end subroutine

! F2018 11.6.2, segments: statements of one image are ordered.
subroutine one_image()
    integer, save :: x[*] = 0
    integer :: y

    sync all
    y = 1
    if (me == 1) x[2] = 1 ! put
    if (me == merge(1, 3, right)) y = x[2] ! get
    call look(y, 1)
end subroutine

! F2018 11.6.4, sync images: it orders the two images that name each other.
subroutine pairs()
    integer, save :: x[*] = 0

    sync all
    if (me == 1) x[2] = 1 ! put
    if (me == 1) sync images ([merge(2, 3, right)])
    if (me == merge(2, 3, right)) sync images (1)
    if (me == 2) call look(x, 1) ! get
end subroutine

! F2018 11.6.4, sync images: if images 1 and 2 synchronize, and then images 2 and 3, this orders images 1 and 3, too.
subroutine chain_of_pairs()
    integer, save :: x[*] = 0
    integer :: y

    sync all
    y = 1
    if (me == 1) then
        x = 1 ! put
        sync images (2)
    else if (me == 2) then
        sync images ([merge(1, 3, right)])
        sync images ([merge(3, 1, right)])
    else
        sync images (2)
        y = x[1] ! get
    end if
    call look(y, 1)
end subroutine

! F2018 11.6.8, event wait: an image that has waited sees what was done before event post.
subroutine event()
    type(event_type), save :: done[*]
    integer, save :: x[*] = 0

    sync all
    if (me == 1) then
        x[2] = 1 ! put
        event post (done[2])
    else if (me == 2) then
        if (right) event wait (done)
        call look(x, 1) ! load
    end if
end subroutine

! F2018 16.9.72, event_query: it is not an image control statement, and orders nothing.
subroutine query()
    type(event_type), save :: done[*]
    integer, save :: x[*] = 0
    integer :: count

    sync all
    if (me == 1) then
        x[2] = 1 ! put
        event post (done[2])
    else if (me == 2) then
        count = 0
        do while (count == 0)
            call event_query(done, count)
        end do
        if (right) event wait (done)
        call look(x, 1) ! load
    end if
end subroutine

! F2018 11.6.8, event wait: it waits for the given number of posts; the image then sees what was done before these
! posts.
subroutine count_of_events()
    type(event_type), save :: done[*]
    integer, save :: x(3)[*] = 0
    integer :: posts

    sync all
    if (me == 2) then
        posts = merge(2, 1, right) ! in the statement itself gfortran 15 and 16 leave it out
        event wait (done, until_count=posts)
        call look(sum(x), 4) ! load
    else
        x(me)[2] = me ! put
        if (right .or. me == 1) event post (done[2])
    end if
end subroutine

! F2018 11.6.10, lock: an image that acquires the lock sees what was done while another image held the lock.
! wrong: race: update update
subroutine locked()
    type(lock_type), save :: key[*]
    integer, save :: x[*] = 0

    sync all
    if (right) lock (key[1])
    x[2] = me ! update
    if (right) unlock (key[1])
end subroutine

! F2018 11.1.6, critical: one image at a time executes it; the image sees what earlier images have done in it.
! wrong: race: update update
subroutine criticals()
    integer, save :: x[*] = 0

    sync all
    if (right) then
        critical
            x[2] = x[2] + 1
        end critical
    else
        x[2] = me ! update
    end if
    sync all
    call look(x, merge(3, 0, me == 2))
end subroutine

! F2018 16.9.22, atomic_add: atomics do not race with each other; they race with other references.
subroutine atomics()
    integer(atomic_int_kind), save :: x[*] = 0
    integer(atomic_int_kind) :: y

    sync all
    if (me /= 2) call atomic_add(x[2], 1) ! atomic
    if (me == 2 .and. right) then
        call atomic_ref(y, x)
        call look(min(y, 0), 0)
    else if (me == 2) then
        call look(x, 0) ! load
    end if
end subroutine

! F2018 11.6.5, sync memory: if one image defines an atomic variable after it, and another image executes it after
! spinning on the variable, the segments are ordered.
subroutine spin()
    integer(atomic_int_kind), save :: flag[*] = 0
    integer(atomic_int_kind) :: seen
    integer, save :: x[*] = 0

    sync all
    if (me == 1) then
        x[2] = 1 ! put
        if (right) sync memory
        call atomic_define(flag[2], 1)
    else if (me == 2) then
        seen = 0
        do while (seen == 0)
            call atomic_ref(seen, flag)
        end do
        sync memory
        call look(x, 1) ! load
    end if
end subroutine

! F2018 11.6.6, sync team: it orders the images of the team.
subroutine teams()
    type(team_type) :: two
    integer, save :: x[*] = 0
    integer :: y

    sync all
    y = 1
    form team (merge(1, 2, me == 1 .or. me == merge(2, 3, right)), two)
    sync all
    if (me == 1) x = 1 ! store
    sync team (two)
    if (me == 2) y = x[1] ! get
    call look(y, 1)
end subroutine

! F2018 11.6.1, image control: a collective subroutine is not an image control statement.
subroutine sum_is_no_barrier()
    integer, save :: x[*] = 0
    integer :: y

    sync all
    if (me == 1) x[2] = 1 ! put
    if (right) sync all
    y = 1
    call co_sum(y)
    call look(y, 3)
    if (me == 2) call look(x, 1) ! load
end subroutine

! F2018 16.6, collectives: while an image executes the subroutine, other images may not access its argument.
subroutine sum_in_place()
    integer, save :: x(2)[*] = 1

    sync all
    call co_sum(x(1)) ! call
    if (me == 1) x(merge(2, 1, right))[2] = 7 ! put
    if (right) call look(x(1), 3)
end subroutine

! F2018 9.7.1.2, allocate: it synchronizes the images; it does not order stores after it.
subroutine allocation()
    integer, allocatable :: x(:)[:]

    allocate (x(4)[*])
    if (me == 2) x(merge(3, 1, right)) = 5 ! store
    if (me == 1) x(1)[2] = 1 ! put
    sync all
    if (me == 2) call look(x(1), 1)
    deallocate (x)
end subroutine

! F2018 16.9.46, co_broadcast: it is not an image control statement.
subroutine broadcast()
    integer, save :: x[*] = 0
    integer :: y, z

    sync all
    if (me == 3) x = 1 ! store
    z = me
    call co_broadcast(z, 1)
    if (right) sync all
    y = z
    if (me == 1) y = x[3] ! get
    call look(y, 1)
end subroutine
end program
