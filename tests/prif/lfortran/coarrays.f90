! images: 1 2 3 4 5 7
! The parts of coarrays and teams that LFortran 0.67 compiles.
module others
    implicit none
    integer :: of_module[*] = 5
contains
    subroutine remember(k)
        integer, intent(in) :: k
        integer, save :: kept(3)[*]
        kept = k
        sync all
        if (any(kept /= k) .or. kept(2)[num_images()] /= num_images()) error stop 'a saved coarray of a procedure'
        sync all
    end subroutine
end module

program coarrays
    use, intrinsic :: iso_fortran_env, only: team_type
    use others
    implicit none
    integer, save :: x[*], grid(3)[2, *]
    integer, allocatable :: a(:)[:], b(:)[:]
    character(len=200) :: message
    type(team_type) :: team
    integer :: me, n, next, state, k

    me = this_image()
    n = num_images()
    next = mod(me, n) + 1
    if (of_module[next] /= 5) error stop 'an initialized coarray of a module'
    call remember(me)

    allocate (a(6)[*], stat=state)
    if (state /= 0) error stop 'stat of allocate'
    a = 10 * me
    x = 7 * me
    sync all
    if (a(3)[next] /= 10 * next .or. x[next] /= 7 * next) error stop 'get'
    sync all
    a(2)[next] = -me
    x[next] = 100 + me
    sync all (stat=state)
    if (state /= 0) error stop 'stat of sync all'
    k = merge(n, me - 1, me == 1)
    if (a(2) /= -k .or. a(1) /= 10 * me .or. a(3) /= 10 * me .or. x /= 100 + k) error stop 'put'
    sync all
    deallocate (a, stat=state)
    if (state /= 0 .or. allocated(a)) error stop 'deallocate'

    allocate (b(2)[*])
    if (lcobound(b, 1) /= 1 .or. ucobound(b, 1) /= n) error stop 'cobounds'
    if (any(coshape(b) /= [n])) error stop 'coshape'
    if (any(lcobound(grid) /= [1, 1]) .or. any(ucobound(grid) /= [2, (n + 1) / 2])) error stop 'cobounds of a grid'
    grid = me
    sync all
    if (grid(3)[2 - mod(next, 2), (next + 1) / 2] /= next) error stop 'an image of a grid'
    sync all
    deallocate (b)

    x = 0
    sync all
    x[next] = me
    sync memory
    sync images (*)
    if (x /= merge(n, me - 1, me == 1)) error stop 'sync images (*)'
    sync images (me, stat=state, errmsg=message)
    if (state /= 0) error stop 'sync images with itself'

    form team (2 - mod(me, 2), team)
    change team (team)
        if (num_images() /= merge((n + 1) / 2, n / 2, mod(me, 2) == 1)) error stop 'images of a team'
        if (this_image() /= (me + 1) / 2) error stop 'the image in a team'
        k = 1
        call co_sum(k)
        if (k /= num_images()) error stop 'co_sum in a team'
    end team
    sync team (team)

    sync all
    if (me == 1) print '(a)', 'PASSED'
end program
