! Coarrays: a program without a coarray until it allocates one.
! images: 2
include 'rules.inc'

program allocated
    use rules
    implicit none
    integer, allocatable :: own(:)
    integer :: me

    me = this_image()
    allocate (own(2**21)) ! large: must not count as memory of an image beyond the last
    if (chosen('own_array')) call own_array()
    sync all
    call finish()
contains

! F2018 11.6.2, segments: an image's own array is not a coarray, even if its memory is in the heap.
subroutine own_array()
    integer, allocatable :: x[:]

    own = huge(own)
    call look(minval(own), huge(own))
    allocate (x[*])
    x = 0
    sync all
    if (me == 1) x[2] = 1 ! put
    if (right) sync all
    if (me == 2) call look(x, 1) ! load
end subroutine
end program
