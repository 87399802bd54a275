! images: 1 2 4
! flags: -Wno-caf
! Local coarrays of types with allocatable components, which end with their procedure or BLOCK, with END TEAM, or
! because MOVE_ALLOC replaces them. They are deallocated in order, with their components, any number of times. gfortran
! 12 interprets words in a scalar coarray's variable, at the components' offsets, as the components, and frees them; 13
! and 14 free the real components, but before the images synchronize.
module local_coarrays_m
    use, intrinsic :: iso_fortran_env, only: team_type
    use check_m, only: check, check_end, memory_kib, neighbour
    implicit none

    integer, parameter :: n = 5000
    type :: leaf
        real(8), allocatable :: v(:)
        real(8), allocatable :: s
    end type
    type :: first
        real(8), allocatable :: v(:)
    end type
    type :: second
        integer(8) :: a
        real(8), allocatable :: v(:)
    end type
    type :: third
        integer(8) :: a(2)
        real(8), allocatable :: v(:)
    end type
    type :: fourth
        real(8) :: x(3)
        real(8), allocatable :: v(:)
    end type
    type :: seventh
        real(8) :: x(6)
        real(8), allocatable :: v(:)
    end type
    type :: ninth
        real(8) :: x(8)
        real(8), allocatable :: v(:)
    end type
    type :: nested
        real(8), allocatable :: v(:)
        type(leaf) :: in
        type(leaf) :: few(2)
    end type
    type :: deep
        integer(8) :: a
        type(leaf), allocatable :: c
    end type
    type :: branches
        type(leaf), allocatable :: c(:)
    end type
    type :: pointing
        integer(8) :: a
        real(8), pointer :: p(:)
    end type

    abstract interface
        subroutine form(x)
            integer, intent(in) :: x
        end subroutine
    end interface
    type(team_type) :: team
contains
    real(8) function here(x, image)
        integer, intent(in) :: x, image
        here = 1000.0d0 * x + image
    end function

    subroutine expect(seen, x, what)
        real(8), intent(in) :: seen
        integer, intent(in) :: x
        character(*), intent(in) :: what
        call check(abs(seen - here(x, neighbour(1))) < 0.5d0, what)
    end subroutine

    ! Reads the neighbour's coarray without a later synchronization: it must exist until all images have reached the
    ! end.
    subroutine at_beginning(x)
        integer, intent(in) :: x
        type(first), allocatable :: o[:]
        real(8) :: seen
        allocate (o[*])
        call check(.not. allocated(o%v), 'a new coarray has an allocated component')
        allocate (o%v(n))
        o%v = here(x, this_image())
        sync all
        seen = o[neighbour(1)]%v(n)
        call expect(seen, x, 'component at the beginning')
    end subroutine

    subroutine behind_one(x)
        integer, intent(in) :: x
        type(second), allocatable :: o[:], q[:]
        real(8) :: seen
        allocate (o[*], q[*])
        allocate (o%v(n), q%v(7))
        o%v = here(x, this_image())
        q%v = 3
        sync all
        seen = o[neighbour(1)]%v(n)
        call expect(seen, x, 'component behind a word')
    end subroutine

#define TYPE third
#define NAME behind_two
#include "component_behind.inc"

#define TYPE fourth
#define NAME behind_three
#include "component_behind.inc"

#define TYPE seventh
#define NAME behind_six
#include "component_behind.inc"

#define TYPE ninth
#define NAME behind_eight
#include "component_behind.inc"

    subroutine nested_ones(x)
        integer, intent(in) :: x
        type(nested), allocatable :: o[:]
        real(8) :: seen
        allocate (o[*])
        allocate (o%v(n), o%in%v(n), o%in%s, o%few(1)%v(n), o%few(2)%s)
        o%few(1)%v = here(x, this_image())
        sync all
        seen = o[neighbour(1)]%few(1)%v(n)
        call expect(seen, x, 'nested component')
    end subroutine

    subroutine components_of_components(x)
        integer, intent(in) :: x
        type(deep), allocatable :: o[:]
        real(8) :: seen
        allocate (o[*])
        allocate (o%c)
        allocate (o%c%v(n), o%c%s)
        o%c%v = here(x, this_image())
        sync all
        seen = o[neighbour(1)]%c%v(n)
        call expect(seen, x, 'component of a component')
    end subroutine

    subroutine components_of_elements(x)
        integer, intent(in) :: x
        type(branches), allocatable :: o[:]
        allocate (o[*])
        allocate (o%c(3))
        allocate (o%c(2)%v(n), o%c(3)%s)
        o%c(2)%v = here(x, this_image())
    end subroutine

    subroutine without_components(x)
        integer, intent(in) :: x
        type(first), allocatable :: o[:]
        allocate (o[*])
        call check(x > 0 .and. .not. allocated(o%v), 'a component is allocated')
    end subroutine

    subroutine of_an_array(x)
        integer, intent(in) :: x
        type(leaf), allocatable :: o(:)[:]
        real(8) :: seen
        integer :: i
        allocate (o(3)[*])
        do i = 1, 3
            allocate (o(i)%v(n), o(i)%s)
            o(i)%v = here(x, this_image())
        end do
        deallocate (o(2)%v)
        sync all
        seen = o(3)[neighbour(1)]%v(n)
        call expect(seen, x, 'component of an array''s element')
#if __GNUC__ < 13 /* gfortran 12 frees them itself, before the images synchronize */
        sync all
#endif
    end subroutine

    subroutine in_a_block(x)
        integer, intent(in) :: x
        real(8) :: seen
        block
            type(first), allocatable :: o[:]
            allocate (o[*])
            allocate (o%v(n))
            o%v = here(x, this_image())
            sync all
            seen = o[neighbour(1)]%v(n)
        end block
        call expect(seen, x, 'BLOCK')
    end subroutine

    subroutine early_return(x)
        integer, intent(in) :: x
        type(first), allocatable :: o[:]
        allocate (o[*])
        allocate (o%v(n))
        o%v = here(x, this_image())
        if (x > 0) return
        call check(.false., 'RETURN')
    end subroutine

    real(8) function in_a_function(x) result(seen)
        integer, intent(in) :: x
        type(first), allocatable :: o[:]
        allocate (o[*])
        allocate (o%v(n))
        o%v = here(x, this_image())
        sync all
        seen = o[neighbour(1)]%v(n)
    end function

    subroutine by_a_function(x)
        integer, intent(in) :: x
        call expect(in_a_function(x), x, 'function')
    end subroutine

    subroutine deallocated(x)
        integer, intent(in) :: x
        type(nested), allocatable :: o[:]
        type(leaf), allocatable :: a(:)[:]
        real(8) :: seen
        allocate (o[*], a(3)[*])
        allocate (o%v(n), o%in%v(n), o%in%s, a(3)%v(n))
        o%v = here(x, this_image())
        a(3)%v = here(x, this_image())
        deallocate (o%in%v)
        sync all
        seen = o[neighbour(1)]%v(n)
        deallocate (o)
        call check(.not. allocated(o), 'DEALLOCATE')
        call expect(seen, x, 'component at DEALLOCATE')
        ! Sometimes an image has no component to free; it must still take part in the synchronization.
        if (mod(x, num_images()) == this_image()) deallocate (a(3)%v)
        if (mod(x, num_images()) /= neighbour(1)) seen = a(3)[neighbour(1)]%v(n)
        deallocate (a)
        call expect(seen, x, 'component of an element at DEALLOCATE')
    end subroutine

    ! gfortran does not tell the library about this allocation.
    subroutine fill(o, x)
        type(first), intent(inout) :: o
        integer, intent(in) :: x
        allocate (o%v(n))
        o%v = here(x, this_image())
    end subroutine

    subroutine filled_elsewhere(x)
        integer, intent(in) :: x
        type(first), allocatable :: o[:]
        real(8) :: seen
        allocate (o[*])
        call fill(o, x)
        sync all
        seen = o[neighbour(1)]%v(n)
        call expect(seen, x, 'component that a procedure has allocated')
    end subroutine

    subroutine with_team(x)
        integer, intent(in) :: x
        type(nested), allocatable, save :: o[:]
        type(leaf), allocatable, save :: a(:)[:]
        change team (team)
            allocate (o[*], a(2)[*])
            allocate (o%v(n), o%in%v(n), o%in%s, a(2)%v(n), a(1)%s)
            o%v = here(x, this_image())
        end team
        call check(.not. allocated(o) .and. .not. allocated(a), 'END TEAM')
    end subroutine

    subroutine in_team(x)
        integer, intent(in) :: x
        change team (team)
            call at_beginning(x)
        end team
    end subroutine

    subroutine moved(x)
        integer, intent(in) :: x
        type(nested), allocatable :: a[:], b[:]
        allocate (a[*], b[*])
        allocate (a%v(n), a%in%v(n), b%v(n), b%in%v(n), b%in%s)
        a%v = x
        call move_alloc(a, b)
        call check(.not. allocated(a) .and. nint(b%v(n)) == x, 'MOVE_ALLOC')
        deallocate (b)
    end subroutine

    subroutine repeat_form(f, turns, what)
        procedure(form) :: f
        integer, intent(in) :: turns
        character(*), intent(in) :: what
        integer :: before, grown, part, x
        do x = 1, 20
            call f(x)
        end do
        ! A leak uses memory in each part of the repetitions; a new pool of the network or a huge page does so in only
        ! one.
        grown = huge(grown)
        do part = 1, 4
            before = memory_kib('VmRSS')
            do x = 1, turns / 4
                call f(x)
            end do
            grown = min(grown, 4 * (memory_kib('VmRSS') - before))
        end do
#ifndef SANITIZED /* a sanitizer delays the reuse of freed memory */
        call check(grown < 4096, what // ': KiB lost')
#endif
        if (grown >= 4096) print '(3a,i0,a)', '  ', what, ': ', grown, ' KiB more'
    end subroutine

    ! A pointer component does not own its target, which continues to exist.
    subroutine pointed(target)
        real(8), pointer, intent(out) :: target(:)
        type(pointing), allocatable :: o[:]
        allocate (o[*])
        allocate (o%p(n))
        o%p = here(7, this_image())
        target => o%p
    end subroutine

    subroutine targets
        real(8), pointer :: kept(:), other(:)
        call pointed(kept)
        allocate (other(n))
        other = 0
        call check(all(abs(kept - here(7, this_image())) < 0.5d0), 'the target of a pointer component')
        deallocate (kept, other)
    end subroutine
end module

program local_coarrays
    use local_coarrays_m
    implicit none
    integer, parameter :: many = 1000
    form team (1 + mod(this_image(), 2), team)
    call repeat_form(at_beginning, merge(100000, many, num_images() < 3), 'component at the beginning')
    call repeat_form(behind_one, many, 'behind one')
    call repeat_form(behind_two, many, 'behind two')
    call repeat_form(behind_three, many, 'behind three')
    call repeat_form(behind_six, many, 'behind six')
    call repeat_form(behind_eight, many, 'behind eight')
#ifndef SANITIZED /* AddressSanitizer reports that gfortran reads behind the variables */
    call repeat_form(nested_ones, many, 'nested components')
    call repeat_form(deallocated, many, 'DEALLOCATE')
    call repeat_form(moved, many, 'MOVE_ALLOC')
#endif
    call repeat_form(components_of_components, many, 'components of components')
    call repeat_form(components_of_elements, many, 'components of elements')
    call repeat_form(without_components, merge(20 * many, many, num_images() < 3), 'nothing allocated')
    call repeat_form(of_an_array, many, 'array')
    call repeat_form(in_a_block, many, 'BLOCK')
    call repeat_form(early_return, many, 'RETURN')
    call repeat_form(by_a_function, many, 'function')
    call repeat_form(filled_elsewhere, many, 'filled elsewhere')
    call repeat_form(with_team, many, 'END TEAM')
    call repeat_form(in_team, many, 'procedure within a team')
    call targets
    call check_end
end program
