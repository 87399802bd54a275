! images: 1 2 3 4 5 8
! All kinds of coarrays: local (deallocated at the end of a procedure), dummy arguments, components of variables that
! are not coarrays, polymorphic, moved by MOVE_ALLOC, in teams; arrays of locks and events, static and allocatable;
! image indices out of range.
module form_places_m
    use, intrinsic :: iso_fortran_env, only: lock_type, event_type, team_type
    implicit none
    type bx
        integer, allocatable :: co(:)[:]
        integer :: k
    end type
    type base
        integer :: i
    end type
    type, extends(base) :: ext
        real(8) :: r
        integer, allocatable :: v(:)
    end type
contains
    subroutine autod(n)
        integer, intent(in) :: n
        integer, allocatable :: l(:)[:]
        allocate(l(n)[*])
        l = this_image()*n
        sync all
        if (l(n)[num_images()] /= num_images()*n) error stop 'autod'
        sync all
    end subroutine
    subroutine dum(x, n)
        integer, allocatable, intent(inout) :: x(:)[:]
        integer, intent(in) :: n
        if (allocated(x)) deallocate(x)
        allocate(x(n:2*n)[0:*])
        x = n + this_image()
    end subroutine
end module
program form_places
    use form_places_m
    use check_m, only: check_end
    implicit none
    type(bx) :: b
    type(lock_type), allocatable :: lk(:,:)[:]
    type(event_type), allocatable :: ev(:)[:]
    type(event_type), save :: se(2,3)[*]
    type(lock_type), save :: sl(4)[*]
    integer, allocatable :: d(:)[:], mv(:)[:], sc[:]
    class(base), allocatable :: cb[:]
    class(base), allocatable :: cba(:)[:]
    integer, save :: st[*]
    integer :: i, me, n, k, s
    logical :: got
    character(60) :: em
    type(team_type) :: t
    me = this_image(); n = num_images()
    do i = 1, 50; call autod(i); end do
    do i = 3, 6
        call dum(d, i)
        sync all
        if (d(2*i)[n-1] /= i + n) error stop 'dum'
        sync all
    end do
    call move_alloc(d, mv)
    if (allocated(d)) error stop 'mv1'
    if (mv(7)[n-1] /= 6+n) error stop 'mv2'
    sync all
    deallocate(mv)
    allocate(b%co(5)[*]); b%co = me; sync all
    if (b%co(3)[n] /= n) error stop 'bco'
    sync all
    allocate(lk(2,3)[*], ev(4)[*], sc[*])
    sc = me
    do i = 1, 100
        lock(lk(2,3)[1]); st[1] = st[1] + 1; unlock(lk(2,3)[1])
    end do
    sync all
    if (me == 1 .and. st /= 100*n) error stop 'lk'
    lock(lk(1,2)); lock(lk(1,3), acquired_lock=got); if (.not. got) error stop 'acq'; unlock(lk(1,2)); unlock(lk(1,3))
    lock(sl(4)[n]); unlock(sl(4)[n])
    event post(ev(3)[1+mod(me,n)]); event wait(ev(3))
    event post(se(2,2)[1+mod(me,n)]); event post(se(2,2)[1+mod(me,n)]); event wait(se(2,2), until_count=2)
    call event_query(se(2,2), k); if (k /= 0) error stop 'eq'
    sync all
    s = 0
    lock(sl(1)[n+1], stat=s, errmsg=em); if (s == 0) error stop 'lock idx'
    k = sc[n+1, stat=s]; if (s == 0) error stop 'get idx'
    k = sc[0, stat=s]; if (s == 0) error stop 'get idx 0'
    sync images(n+1, stat=s, errmsg=em); if (s == 0) error stop 'si idx'
    if (num_images() /= n) error stop 'ni'
    allocate(ext :: cb[*])
    cb%i = me*3
    sync all
    if (cb[n]%i /= 3*n) error stop 'cb'
    sync all
    deallocate(cb)
    allocate(ext :: cba(3)[*]); cba(2)%i = me*5; sync all
    if (cba(2)[n]%i /= 5*n) error stop 'cba'
    sync all
    form team(1+mod(me,2), t)
    change team(t)
        allocate(d(4)[*]); d = me*7; sync all
        if (d(4)[num_images()] <= 0) error stop 'team'
    end team
    if (allocated(d)) error stop 'endteam'
    critical
        st[1] = st[1] + 1
    end critical
    sync all
    if (me == 1 .and. st /= 101*n) error stop 'crit'
    call check_end
end program
