! images: 2 4
! compilers: 15 16
! Accesses that gfortran 15 and 16 make by accessors, and that 12 to 14 do not compile or compile wrong: components that
! other images allocate, scalar components, temporaries of gets, vectors and strings that are sent with an access, teams
! in selectors.
program caf_accessors
    use, intrinsic :: iso_fortran_env, only: team_type
    use growth_m, only: growth_begin, growth_end, growth_goes_on
    implicit none
    type leaf
        integer, allocatable :: v(:)
    end type
    type tree
        integer, allocatable :: v(:), s
        type(leaf), allocatable :: leaves(:)
        character(8) :: name
    end type
    integer, parameter :: turns = 5000, many = 20000
    integer, save :: s[*], a(100)[*], b(many)[*], large(many)
    character(8), save :: words(4)[*]
    type(tree), allocatable :: o[:]
    type(team_type) :: t
    integer, allocatable :: x(:)
    integer :: i, n, right, y(40), v(3), state
    right = 1 + mod(this_image(), num_images())
    form team (1, t)
    n = 0
    i = 0
    s = 1
    a = 1
    b = 1
    y = 1
    words = 'word'
    allocate (o[*])
    allocate (o%leaves(3), o%s)
    o%s = 1
    do i = 1, 3
        allocate (o%leaves(i)%v(20))
        o%leaves(i)%v = i
    end do
    x = [(i, i=1, 40)]
    v = [9, 3, 17]
    sync all
    call growth_begin('a component that another image allocates', turns)
    do while (growth_goes_on())
        o[right]%v = y
        sync all
        n = n + o%v(40)
        deallocate (o%v)
        sync all
    end do
    call growth_begin('a component that another image reallocates', turns)
    do while (growth_goes_on())
        i = i + 1
        o[right]%v = x(:1 + mod(i, 40))
        sync all
    end do
    call growth_begin('a component that both images reallocate', turns)
    do while (growth_goes_on())
        i = i + 1
        o[right]%v = x(:1 + mod(i, 40))
        sync all
        o%v = x(:1 + mod(7*i, 40))
        sync all
    end do
    call growth_begin('a component got as a whole', turns)
    do while (growth_goes_on())
        x = o[right]%leaves(2)%v
    end do
    call growth_begin('components of components, a scalar one', turns)
    do while (growth_goes_on())
        o[right]%leaves(2)%v(3:9:2) = y(:4)
        o[right]%s = 2
        sync memory
        n = n + o[right]%s + sum(o[right]%leaves(3)%v(2:5)) + o[right]%leaves(1)%v(1)
    end do
    call growth_begin('vector subscripts on both sides', turns)
    do while (growth_goes_on())
        a(v)[right] = y(v)
        y(v) = a(v)[right]
        a(v)[right] = a(v)[1]
        o[right]%leaves(2)%v(v) = y(:3)
        sync memory
    end do
    call growth_begin('strings and substrings', turns)
    do while (growth_goes_on())
        words(2)[right] = words(3)
        words(2)[right](2:4) = 'abc'
        o[right]%name = words(1)
        sync memory
    end do
    call growth_begin('gets in expressions', turns/10)
    do while (growth_goes_on())
        large = 2*b(:)[right] + b(many:1:-1)[1]
        n = n + sum(b(1:many:3)[right]) + maxval(b(:)[right])
        call take(b(:)[right])
    end do
    call growth_begin('puts of expressions', turns/10)
    do while (growth_goes_on())
        b(:)[right] = 2*large
        b(1:many:2)[right] = b(2:many:2)
        b(:n - n + 50)[right] = large(1:100:2) + y(1)
        sync memory
    end do
    call growth_begin('stat= and team= in selectors', turns)
    do while (growth_goes_on())
        s[right, stat=state] = 1
        n = n + s[right, team=t, stat=state]
        a(1:9:2)[right, team=t] = y(:5)
        y(:10) = a(10:1:-1)[right, team=t]
        sync memory
    end do
    if (n == 0 .or. state /= 0) error stop 'wrong values'
    call growth_end
contains
    subroutine take(c)
        integer, intent(in) :: c(:)
        n = n + c(size(c))
    end subroutine
end program
