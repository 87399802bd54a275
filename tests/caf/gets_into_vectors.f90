! images: 1 2 4
! Gets of more than 64 KiB into a vector subscript. For these, programs of gfortran 12 to 14 allocate a temporary by
! malloc, and free it before they read it.
program gets_into_vectors
    use check_m, only: check, check_end, neighbour
    implicit none
    type :: box
        integer, allocatable :: v(:)
    end type
    integer, parameter :: n = 20000
    integer, save :: line(n)[*], to(n), places(n)
    type(box), save :: o[*]
    integer, allocatable :: own(:)
    integer :: i, k, turn

    allocate (o%v(n))
    places = [(n + 1 - i, i = 1, n)]
    k = neighbour(1)
    do turn = 1, 3
        line = [(i, i = 1, n)] + 1000000 * this_image() + turn
        o%v = -line
        sync all
        to = 0
        to(places) = line(:)[k]
        call check(all(to(places) == [(i, i = 1, n)] + 1000000 * k + turn), 'get of an array')
        to = 0
        to(places) = o[k]%v(:)
        call check(all(-to(places) == [(i, i = 1, n)] + 1000000 * k + turn), 'get of a component')
        ! memory that the program itself frees and allocates again
        allocate (own(n))
        own(:) = line(:)[k]
        call check(all(own == [(i, i = 1, n)] + 1000000 * k + turn), 'get into memory that is freed')
        deallocate (own)
        sync all
    end do
    call check_end
end program
