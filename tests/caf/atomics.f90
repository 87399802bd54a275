! images: 1 2 3 4 5 8 16
! The atomic subroutines of Fortran 2018 on integers and logicals, on this image and on others, on scalars, elements and
! components; stat=. (core_atomics.c tests all images on the same variables at the same time.)
module atomics_m
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, atomic_logical_kind
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer, parameter :: ik = atomic_int_kind, lk = atomic_logical_kind
    type :: pair
        real(8) :: pad
        integer(ik) :: n
    end type
    integer(ik), save :: a[*], b(5)[*]
    integer(ik), allocatable, save :: d(:)[:]
    logical(lk), save :: l[*], ls(3)[*]
    type(pair), save :: p[*]
contains
    ! Each image alone uses the variables of its left neighbour.
    subroutine alone
        integer(ik) :: old, x, y
        logical(lk) :: lx, lold
        integer :: to, state
        to = neighbour(1)
        x = value(this_image(), 1, 1_ik)
        y = value(this_image(), 2, 1_ik)
        state = 77
        call atomic_define(a[to], x, state)
        call check(state, 0, 'stat of atomic_define')
        call atomic_ref(old, a[to], state)
        call expect(old, x, 'atomic_ref')
        call check(state, 0, 'stat of atomic_ref')
        call atomic_and(a[to], y, state)
        call check(state, 0, 'stat of atomic_and')
        call atomic_ref(old, a[to])
        call expect(old, iand(x, y), 'atomic_and')
        call atomic_or(a[to], x)
        call atomic_ref(old, a[to])
        call expect(old, x, 'atomic_or')
        call atomic_xor(a[to], y)
        call atomic_ref(old, a[to])
        call expect(old, ieor(x, y), 'atomic_xor')
        call atomic_fetch_xor(a[to], x, old)
        call expect(old, ieor(x, y), 'old of atomic_fetch_xor')
        call atomic_fetch_and(a[to], 16777215_ik, old)
        call expect(old, y, 'old of atomic_fetch_and')
        call atomic_fetch_or(a[to], not(16777215_ik), old)
        call expect(old, iand(y, 16777215_ik), 'old of atomic_fetch_or')
        call atomic_fetch_add(a[to], 5_ik, old, state)
        call expect(old, ior(y, not(16777215_ik)), 'old of atomic_fetch_add')
        call check(state, 0, 'stat of atomic_fetch_add')
        call atomic_add(a[to], -7_ik)
        call atomic_ref(old, a[to])
        call expect(old, ior(y, not(16777215_ik)) - 2, 'atomic_add')
        call atomic_define(a[to], 12_ik)
        call atomic_cas(a[to], old, 13_ik, 99_ik)
        call expect(old, 12_ik, 'old of atomic_cas that fails')
        call atomic_cas(a[to], old, 12_ik, x, state)
        call expect(old, 12_ik, 'old of atomic_cas')
        call check(state, 0, 'stat of atomic_cas')
        call atomic_ref(old, a[to])
        call expect(old, x, 'atomic_cas')

        call atomic_define(l[to], .true._lk)
        call atomic_ref(lx, l[to])
        call expect(lx, .true._lk, 'atomic_ref of a logical')
        call atomic_cas(l[to], lold, .false._lk, .false._lk)
        call expect(lold, .true._lk, 'old of a logical atomic_cas that fails')
        call atomic_cas(l[to], lold, .true._lk, .false._lk)
        call atomic_ref(lx, l[to])
        call expect(lx, .false._lk, 'logical atomic_cas')
        call atomic_define(ls(2)[to], .true._lk)
        call atomic_ref(lx, ls(2)[to])
        call expect(lx, .true._lk, 'element of logicals')

        call atomic_define(b(4)[to], x)
        call atomic_add(b(4)[to], 1_ik)
        call atomic_ref(old, b(4)[to])
        call expect(old, x + 1, 'element')
        call atomic_define(d(-1)[to], y)
        call atomic_xor(d(-1)[to], x)
        call atomic_ref(old, d(-1)[to])
        call expect(old, ieor(x, y), 'element of an allocatable')
        call atomic_define(p[to]%n, x)
        call atomic_ref(old, p[to]%n)
        call expect(old, x, 'component')
        sync all
        call expect(b([3, 5]), [value(this_image(), 3, 1_ik), value(this_image(), 5, 1_ik)], 'elements beside')
        call expect(p%pad, value(this_image(), 9, 1.0d0), 'component beside')
        call atomic_ref(old, a)
        call expect(old, value(neighbour(-1), 1, 1_ik), 'what the left image has stored, by atomic_ref')
        call atomic_define(b(1), y)
        call atomic_add(b(1), 2_ik)
        call atomic_ref(old, b(1))
        call expect(old, y + 2, 'of this image')
        call expect(b(1), y + 2, 'of this image, by itself')
        sync all
    end subroutine
end module

program atomics
    use atomics_m
    implicit none
    integer :: k
    allocate (d(-2:2)[*])
    b = value(this_image(), [(k, k = 1, 5)], 1_ik)
    p%pad = value(this_image(), 9, 1.0d0)
    sync all
    call alone
    call check_end
end program
