! images: 2 4
! All kinds of coindexed access: scalars, sections, vector subscripts, conversions, characters, components, whole
! objects, from image to image.
program caf_accesses
    use growth_m, only: growth_begin, growth_end, growth_goes_on
    implicit none
    type part
        integer :: number
        real :: point(3)
    end type
    type whole
        type(part) :: inner
        integer, allocatable :: values(:)
        real, pointer :: target(:) => null()
    end type
    integer, parameter :: turns = 5000, many = 20000
    integer, save :: s[*], a(100)[*], g(10, 10)[*], b(many)[*], large(many)
    real(8), save :: r(100)[*]
    character(20), save :: c[*]
    type(part), save :: p[*], ps(4)[*]
    type(whole), allocatable :: w[:]
    integer, allocatable :: moved(:)
    integer :: right, i, x, y(100), v(3)
    character(20) :: text
    right = 1 + mod(this_image(), num_images())
    a = this_image()
    g = this_image()
    b = this_image()
    large = 0
    r = 0
    v = [7, 3, 9]
    i = 0
    x = 0
    y = 0
    allocate (w[*])
    allocate (w%values(50), w%target(50))
    w%values = this_image()
    w%target = 1
    sync all
    call growth_begin('scalars', turns)
    do while (growth_goes_on())
        i = i + 1
        s[right] = i
        x = x + s[right]
        sync memory
    end do
    call growth_begin('sections', turns)
    do while (growth_goes_on())
        a(1:10)[right] = y(1:10)
        a(1:100:7)[right] = 5
        y(1:10) = a(10:1:-1)[right]
        g(2, :)[right] = y(1:10)
        y(1:16) = reshape(g(1:10:3, 2:8:2)[right], [16])
    end do
    call growth_begin('sections of many elements', turns/10)
    do while (growth_goes_on())
        large = b(:)[right]
        large(1:many/2) = b(1:many:2)[right]
        large = b(:)[this_image()]
    end do
    call growth_begin('vector subscripts', turns)
    do while (growth_goes_on())
        y(1:3) = a(v)[right]
        a(v)[right] = y(1:3)
    end do
    call growth_begin('conversions', turns)
    do while (growth_goes_on())
        r(1:50)[right] = y(1:50)
        y(1:50) = int(r(1:100:2)[right])
    end do
    call growth_begin('characters', turns)
    do while (growth_goes_on())
        c[right] = 'some text'
        text = c[right]
    end do
    call growth_begin('from image to image', turns)
    do while (growth_goes_on())
        s[1] = s[num_images()]
        a(1:20)[1] = a(21:40)[num_images()]
    end do
    call growth_begin('components of a plain type', turns)
    do while (growth_goes_on())
        p[right]%number = i
        y(1) = p[right]%number
        p[right] = part(1, [1.0, 2.0, 3.0])
        ps(2)[right]%point(2) = 3
        p = ps(3)[right]
    end do
    call growth_begin('allocatable and pointer components', turns)
    do while (growth_goes_on())
        w[right]%values(1:10) = y(1:10)
        y(1:10) = w[right]%values(50:41:-1)
        w[right]%target(3) = 2
        y(1) = w[right]%inner%number
        y(v) = w[right]%values(v)
    end do
    call growth_begin('a component that changes its size', turns)
    do while (growth_goes_on())
        i = i + 1
        sync all
        w%values = [(x, x=1, 20 + mod(i, 30))]
        sync all
        moved = w[right]%values(:)
    end do
    call growth_begin('a reduction of a component', turns)
    do while (growth_goes_on())
        x = x + sum(w[right]%values(1:10))
    end do
    if (x == 0 .or. text /= 'some text' .or. size(moved) < 20 .or. large(1) /= this_image()) error stop 'wrong values'
    call growth_end
end program
