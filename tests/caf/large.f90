! images: 1 2
! flags: -O3
! Sections of more than 2 GiB: put and get, contiguous and strided, checked at both ends. The test needs about 12 GiB
! for two images; it is skipped (exit code 77) if less is free.
program large
    use, intrinsic :: iso_fortran_env, only: int8, int64
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer(int64), parameter :: n = 2_int64**31 + 4096_int64 + 13
    integer(int8), allocatable :: a(:)[:], y(:)
    integer(int8) :: x
    integer(int64) :: places(7)
    integer :: i, right, left, state
    logical, save :: enough[*]
    logical :: here

    enough = available() >= 3 * n * num_images()
    sync all
    here = enough[1]    ! one image decides for all
    if (.not. here) stop 77, quiet=.true.
    places = [1_int64, 4095_int64, 2_int64**30, 2_int64**31 - 1, 2_int64**31, 2_int64**31 + 1, n]
    right = neighbour(1)
    left = neighbour(-1)
    allocate (a(n)[*], stat=state)
    call check(state, 0, 'allocate of more than 2 GiB')
    allocate (y(n))
    a = 0
    y = 0
    do i = 1, 7
        y(places(i)) = value(this_image(), i, x)
    end do
    sync all
    a(:)[right] = y
    sync all
    do i = 1, 7
        call expect(a(places(i)), value(left, i, x), 'put of more than 2 GiB')
    end do
    call check(count(a /= 0), count([(value(left, i, x) /= 0, i=1, 7)]), 'elements put')
    y = 0
    sync all
    y(:) = a(:)[right]
    do i = 1, 7
        call expect(y(places(i)), value(this_image(), i, x), 'get of more than 2 GiB')
    end do
    call check(count(y /= 0), count([(value(this_image(), i, x) /= 0, i=1, 7)]), 'elements got')
    sync all
    ! every second element, from the end
    y(1:(n + 1) / 2) = 0
    y(1) = value(this_image(), 11, x)
    y((n + 1) / 2) = value(this_image(), 12, x)
    a = 0
    sync all
    a(n:1:-2)[right] = y(1:(n + 1) / 2)
    sync all
    call expect(a(n), value(left, 11, x), 'strided put, first')
    call expect(a(1), value(left, 12, x), 'strided put, last')
    call check(count(a /= 0), 2, 'elements put in strides')
    call check_end
contains
    ! MemAvailable in bytes, 0 if the system does not report it.
    integer(int64) function available()
        character(100) :: line
        integer :: unit, state
        available = 0
        open (newunit=unit, file='/proc/meminfo', action='read', iostat=state)
        do while (state == 0)
            read (unit, '(a)', iostat=state) line
            if (line(:13) /= 'MemAvailable:') cycle
            read (line(14:), *) available
            available = available * 1024
            exit
        end do
        close (unit)
    end function
end program
