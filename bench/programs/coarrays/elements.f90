! images: 2
! args: check
! flags: -cpp -ffree-line-length-none
! sources: bench/timing/timing.f90 bench/timing/images.f90 bench/programs/coarrays/elements_alone.f90
! Element by element: loops that put or get 1000 elements of 4 bytes one by one, and short sections. For
! comparison, the same loops over a local array.
module element_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    use element_coarrays, only: n_elements, n_section
    implicit none

    interface
        subroutine put_alone(i, image, value)
            integer, intent(in) :: i, image, value
        end subroutine
        subroutine get_alone(i, image, value)
            integer, intent(in) :: i, image
            integer, intent(out) :: value
        end subroutine
    end interface

    integer :: a(2 * n_section), b(n_section), place(n_elements), image(n_elements)
    integer :: peer, count, seed = 0, total

contains

    ! n times: a statement for each element i. Each repetition changes an element, so that the compiler cannot merge
    ! repetitions.
#define EACH(NAME, STATEMENT, TO) subroutine NAME(n); use element_coarrays; integer, intent(in) :: n; integer :: r, i; \
    do r = 1, n; a(n_elements) = r; do i = 1, n_elements; STATEMENT; end do; call look(TO, r); end do; end subroutine
    EACH(local_loop, b(i) = a(i), b)
    EACH(local_index, b(place(i)) = a(i), b)
    EACH(put_loop, h(i)[peer] = a(i), a)
    EACH(get_loop, a(i) = h(i)[peer], a)
    EACH(put_index, h(place(i))[peer] = a(i), a)
    EACH(get_index, a(i) = h(place(i))[peer], a)
    EACH(put_image, h(place(i))[image(i)] = a(i), a)
    EACH(get_image, a(i) = h(place(i))[image(i)], a)
    EACH(put_by_itself, call put_alone(i, peer, a(i)), a)
    EACH(get_by_itself, call get_alone(i, peer, a(i)), a)

    subroutine look(x, r)
        integer, intent(in) :: x(n_elements), r
        total = total + x(mod(r, n_elements) + 1)
    end subroutine

    ! Transfers one section of `count` elements, from one of the two equal halves of a.
    subroutine put_section(n)
        use element_coarrays
        integer, intent(in) :: n
        integer :: r, before
        do r = 1, n
            before = iand(r, 1) * n_section
            h(1:count)[peer] = a(before + 1:before + count)
        end do
    end subroutine

    subroutine get_section(n)
        use element_coarrays
        integer, intent(in) :: n
        integer :: r
        do r = 1, n
            a(1:count) = h(1:count)[peer]
            total = total + a(mod(r, count) + 1)
        end do
    end subroutine

    subroutine nothing(n)
        integer, intent(in) :: n
        if (n < 0) error stop
    end subroutine
end module

program elements
    use timing
    use images
    use element_coarrays
    use element_rows
    implicit none
    integer, parameter :: sizes(*) = [8, 64, 4096]
    integer :: i, j, state
    character(20) :: name

    call start_images
    peer = 2
    state = 1
    place = [(i, i = 1, n_elements)]
    do i = n_elements, 2, -1    ! shuffles the places
        state = mod(state * 171, 30269)
        j = 1 + mod(state, i)
        place([i, j]) = place([j, i])
    end do
    image = [(1 + poppar(i), i = 1, n_elements)]
    call measure_get('local_loop', local_loop)
    call measure_get('local_index', local_index)
    call measure_put('put_loop', put_loop, .false., .false.)
    call measure_get('get_loop', get_loop)
    call expect_all('get_loop', [(i, i = 1, n_elements)], .false.)
    call measure_put('put_index', put_index, .true., .false.)
    call measure_get('get_index', get_index)
    call expect_all('get_index', place, .false.)
    call measure_put('put_image', put_image, .true., .true.)
    call measure_get('get_image', get_image)
    call expect_all('get_image', place, .true.)
    call measure_put('put_alone', put_by_itself, .false., .false.)
    call measure_get('get_alone', get_by_itself)
    call expect_all('get_alone', [(i, i = 1, n_elements)], .false.)
    do i = 1, size(sizes)
        count = sizes(i)
        write (name, '(i0)') count
        call measure_section('put_' // trim(name), put_section, .true.)
        call measure_section('get_' // trim(name), get_section, .false.)
    end do
    if (total == -huge(total)) print *, total
    call end_images

contains

    subroutine fill
        seed = seed + 1
        a = [(seed * 10000 + i, i = 1, n_section), (seed * 10000 + i, i = 1, n_section)]
        h = [(-seed * 10000 - 5000 * this_image() - i, i = 1, n_section)]
        sync all
    end subroutine

    subroutine measure_on_1(row, bytes, op)
        character(*), intent(in) :: row
        integer, intent(in) :: bytes
        procedure(operation) :: op
        if (this_image() == 1) then
            call measure(row, bytes, op)
        else
            call measure(row, bytes, nothing)
        end if
        sync all
    end subroutine

    ! Image 1 has put a(i) to the places, on image 2 or on each place's image.
    subroutine measure_put(row, op, scattered, both)
        character(*), intent(in) :: row
        procedure(operation) :: op
        logical, intent(in) :: scattered, both
        integer :: k, to
        call fill
        call measure_on_1(row, 4 * n_elements, op)
        do i = 1, n_elements - 1    ! the last one changes
            k = i
            if (scattered) k = place(i)
            to = peer
            if (both) to = image(i)
            if (to == this_image()) call expect(row, i, real(h(k), real64), real(seed * 10000 + i, real64))
        end do
        sync all
    end subroutine

    subroutine measure_get(row, op)
        character(*), intent(in) :: row
        procedure(operation) :: op
        call fill
        call measure_on_1(row, 4 * n_elements, op)
    end subroutine

    ! Checks that image 1 has got the elements, from image 2 or from all images.
    subroutine expect_all(row, places, both)
        character(*), intent(in) :: row
        integer, intent(in) :: places(:)
        logical, intent(in) :: both
        integer :: from
        if (this_image() /= 1) return
        do i = 1, n_elements
            from = peer
            if (both) from = image(i)
            call expect(row, i, real(a(i), real64), real(-seed * 10000 - 5000 * from - places(i), real64))
        end do
    end subroutine

    subroutine measure_section(row, op, is_put)
        character(*), intent(in) :: row
        procedure(operation) :: op
        logical, intent(in) :: is_put
        integer :: k
        call fill
        call measure_on_1(row, 4 * count, op)
        do k = 1, count
            if (is_put .and. this_image() == 2) &
                call expect(row, k, real(h(k), real64), real(seed * 10000 + k, real64))
            if (.not. is_put .and. this_image() == 1) &
                call expect(row, k, real(a(k), real64), real(-seed * 10000 - 5000 * peer - k, real64))
        end do
        sync all
    end subroutine
end program
