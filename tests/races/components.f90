! Coarrays: the targets of components belong to each image, and others access them as coarrays.
! images: 3
include 'rules.inc'

module holders
    implicit none

    type :: holder
        integer, allocatable :: list(:), one
        integer, pointer :: at(:)
    end type
end module

program components
    use rules
    use holders
    implicit none
    type(holder), save :: a[*]
    type(holder), save :: many(3)[*]
    integer, target, save :: there(8)[*] = 0
    integer :: me

    me = this_image()
    allocate (a%list(8))
    allocate (a%one)
    allocate (many(2)%list(8))
    a%list = 0
    a%one = 0
    many(2)%list = 0
    a%at => there
    if (chosen('element')) call element()
    if (chosen('section')) call section()
    if (chosen('scalar')) call scalar()
    if (chosen('pointed_at')) call pointed_at()
    if (chosen('of_an_element')) call of_an_element()
    if (chosen('images_own')) call images_own()
    if (chosen('from_one_to_another')) call from_one_to_another()
    sync all
    call finish()
contains

! F2018 11.6.2, segments: an element of an allocatable component is a variable, as an element of a coarray is.
subroutine element()
    sync all
    if (me == 1) a[2]%list(3) = 1 ! put
    if (right) sync all
    if (me == 2) call look(a%list(3), 1) ! load
end subroutine

! F2018 11.6.2, segments: during a get of a section of a component, the elements of the section may not be defined;
! other elements may.
subroutine section()
    integer :: y(4)

    sync all
    y = 0
    if (me == 1) y = a[2]%list(2:8:2) ! get
    if (me == 2) a%list(merge(5, 4, right)) = 0 ! store
    call look(sum(y), 0)
end subroutine

! F2018 11.6.2, segments: a scalar allocatable component is a variable.
subroutine scalar()
    sync all
    if (me == 1) a[2]%one = 1 ! first
    if (right) sync all
    if (me == 3) a[2]%one = 1 ! second
    sync all
    call look(a%one, merge(1, 0, me == 2))
end subroutine

! F2018 11.6.2, segments: the target of a pointer component is the same variable under both names.
subroutine pointed_at()
    sync all
    if (me == 1) a[2]%at(4) = 1 ! put
    if (right) sync all
    if (me == 2) call look(there(4), 1) ! load
end subroutine

! F2018 11.6.2, segments: a component of one element of an array is a variable.
subroutine of_an_element()
    sync all
    if (me == 3) many(2)[1]%list(8) = 1 ! put
    if (right) sync all
    if (me == 1) call look(many(2)%list(8), 1) ! load
end subroutine

! F2018 11.6.2, segments: components of two images are two variables, wherever their memory is.
subroutine images_own()
    integer :: y

    sync all
    y = 0
    if (me == 1) y = a[2]%list(6) ! get
    if (me == 3) a[merge(1, 2, right)]%list(6) = 0 ! put
    call look(y, 0)
end subroutine

! F2018 11.6.2, segments: an assignment with both sides coindexed accesses variables of both images.
subroutine from_one_to_another()
    sync all
    if (me == 1) a[2]%list(7) = a[3]%list(7) ! both
    if (right) sync all
    if (me == 3) a%list(7) = 0 ! store
    sync all
    call look(a%list(7), 0)
end subroutine
end program
