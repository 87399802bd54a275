! Makes the access that the argument names: it begins inside a coarray of five elements, and ends outside.
program outside
    implicit none
    type :: wide
        integer :: i = 0
        integer, allocatable :: v(:)
    end type
    type(wide), save :: o(5)[*]
    integer, save :: few(5)[*], list(2), values(1000)
    integer, allocatable :: a(:)[:]
    character(40) :: how
    integer :: n, k
    call get_command_argument(1, how)
    k = 2
    n = 40 + list(1)
    list = [2, n]
    allocate (a(5)[*])
    sync all
    if (this_image() == 1) then
        if (how == 'put') a(1:n)[k] = values(1:n)
        if (how == 'fill') few(1:n)[k] = 9
        if (how == 'stride') few(2:n:2)[k] = 9
        if (how == 'backwards') few(5:3-n:-1)[k] = values(:n+3)
        if (how == 'vector') a(list)[k] = values(:2)
        if (how == 'get') values(1:n) = few(1:n)[k]
        if (how == 'columns') values(1:n/2) = a(1:n:2)[k]
        if (how == 'list') values(:2) = a(list)[k]
        if (how == 'both') a(1:n)[k] = few(1:n)[k]
        if (how == 'component') values(1:n) = o(1:n)[k]%i
        if (how == 'object') values(1) = o(n)[k]%v(1)
    end if
    sync all
end program
