! co_sum, co_max, co_min and co_broadcast: every type, ranks 0 to 3, sections, no elements, to one image and to all
! images; characters; any bytes by address; statuses.
program collectives
    use prif_check
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    implicit none
    integer :: length
    integer, parameter :: lengths(*) = [1, 2, 7, 100, 3001]
    integer :: i

    call check_begin
    do i = 1, size(lengths)
        length = lengths(i)
        call integers
        call reals
    end do
    call shapes
    call characters
    call broadcasts
    call addresses
    call statuses
    call check_end

contains

    ! Values that are multiples of the images' numbers, so that sums are known, with signs for the extremes.
    subroutine integers
        integer(int8) :: a8(length)
        integer(int16) :: a16(length)
        integer(int32) :: a32(length)
        integer(int64) :: a64(length), wanted(length)
        integer :: k
        wanted = [(int(images * (images + 1) / 2, int64) * modulo(k, 3), k = 1, length)]
        if (images < 8) then
            a8 = int([(me * modulo(k, 3), k = 1, length)], int8)
            call prif_co_sum(a8)
            call check(all(a8 == wanted), 'co_sum of 8 bits')
        end if
        a16 = int([(me * modulo(k, 3), k = 1, length)], int16)
        call prif_co_sum(a16)
        call check(all(a16 == wanted), 'co_sum of 16 bits')
        a32 = int([(me * modulo(k, 3) * 1000003, k = 1, length)], int32)
        call prif_co_sum(a32)
        call check(all(a32 == wanted * 1000003), 'co_sum of 32 bits')
        a64 = int([(me * modulo(k, 3), k = 1, length)], int64) * (-1000000000039_int64)
        call prif_co_sum(a64, 1)
        if (me == 1) call check(all(a64 == wanted * (-1000000000039_int64)), 'co_sum of 64 bits to image 1')

        a8 = int([(extreme(me, k) / 2, k = 1, length)], int8)
        call prif_co_max(a8)
        call check(all(a8 == [(largest(k) / 2, k = 1, length)]), 'co_max of 8 bits')
        a16 = int([(extreme(me, k), k = 1, length)], int16) * 100_int16
        call prif_co_min(a16)
        call check(all(a16 == [(smallest(k) * 100, k = 1, length)]), 'co_min of 16 bits')
        a32 = int([(extreme(me, k), k = 1, length)], int32) * 10000000
        call prif_co_max(a32, images)
        if (me == images) call check(all(a32 == [(largest(k) * 10000000, k = 1, length)]), &
            'co_max of 32 bits to the last')
        a64 = int([(extreme(me, k), k = 1, length)], int64) * 10000000000000_int64
        call prif_co_min(a64)
        call check(all(a64 == [(smallest(k) * 10000000000000_int64, k = 1, length)]), 'co_min of 64 bits')
    end subroutine

    pure integer function extreme(image, k)
        integer, intent(in) :: image, k
        extreme = modulo(37 * image + 11 * k, 201) - 100
    end function

    pure integer function largest(k)
        integer, intent(in) :: k
        integer :: image
        largest = maxval([(extreme(image, k), image = 1, images)])
    end function

    pure integer function smallest(k)
        integer, intent(in) :: k
        integer :: image
        smallest = minval([(extreme(image, k), image = 1, images)])
    end function

    subroutine reals
        real(real32) :: a32(length)
        real(real64) :: a64(length)
        complex(real32) :: c32(length)
        complex(real64) :: c64(length)
        integer :: k, total
        total = images * (images + 1) / 2
        a32 = [(0.5_real32 * me * modulo(k, 5), k = 1, length)]    ! exact in any order
        call prif_co_sum(a32)
        call check(all(a32 == [(0.5_real32 * total * modulo(k, 5), k = 1, length)]), 'co_sum of real')
        a64 = [(0.25_real64 * me * modulo(k, 7), k = 1, length)]
        call prif_co_sum(a64)
        call check(all(a64 == [(0.25_real64 * total * modulo(k, 7), k = 1, length)]), 'co_sum of double precision')
        c32 = [(cmplx(me, -k * me, real32), k = 1, length)]
        call prif_co_sum(c32)
        call check(all(c32 == [(cmplx(total, -k * total, real32), k = 1, length)]), 'co_sum of complex')
        c64 = [(cmplx(-me, 0.5_real64 * k * me, real64), k = 1, length)]
        call prif_co_sum(c64, images)
        if (me == images) then
            call check(all(c64 == [(cmplx(-total, 0.5_real64 * k * total, real64), k = 1, length)]), &
                'co_sum of double complex to the last image')
        end if
        a32 = [(real(extreme(me, k), real32) / 8, k = 1, length)]
        call prif_co_min(a32)
        call check(all(a32 == [(real(smallest(k), real32) / 8, k = 1, length)]), 'co_min of real')
        a64 = [(real(extreme(me, k), real64) / 16, k = 1, length)]
        call prif_co_max(a64)
        call check(all(a64 == [(real(largest(k), real64) / 16, k = 1, length)]), 'co_max of double precision')
    end subroutine

    ! Elements between those of a section stay unchanged.
    subroutine shapes
        integer(int64) :: scalar, box(4, 5, 6), before(4, 5, 6), nothing(0), plane(3, 0)
        real(real64) :: line(20)
        integer :: k, l, m, total
        total = images * (images + 1) / 2
        scalar = me - 100
        call prif_co_sum(scalar)
        call check(scalar, int(total - 100 * images, int64), 'co_sum of a scalar')
        scalar = -me
        call prif_co_max(scalar)
        call check(scalar, -1_int64, 'co_max of a scalar')
        box = reshape([(int(me, int64) * k, k = 1, 120)], [4, 5, 6])
        before = box
        call prif_co_sum(box(4:1:-2, 2:5:3, ::5))
        do m = 1, 6
            do l = 1, 5
                do k = 1, 4
                    if (any(k == [4, 2]) .and. any(l == [2, 5]) .and. any(m == [1, 6])) then
                        before(k, l, m) = before(k, l, m) / me * total
                    end if
                end do
            end do
        end do
        call check(all(box == before), 'co_sum of a section')
        call prif_co_sum(box(:, :, 6:5))
        call prif_co_sum(nothing)
        call prif_co_max(plane)
        call prif_co_min(plane, 1)
        call prif_co_broadcast(nothing, images)
        call check(all(box == before), 'collectives of nothing')
        line = [(real(me * k, real64), k = 1, 20)]
        call prif_co_min(line(20:2:-2), 1)
        if (me == 1) call check(all(line == [(k, k = 1, 20)]), 'co_min of a section to image 1')
        if (me /= 1) call check(all(line(1::2) == [(me * k, k = 1, 20, 2)]), 'elements beside a section')
        box = before
        if (me /= images) box(2:3, :, 2) = -1
        call prif_co_broadcast(box(2:3, :, 2), images)
        call check(all(box(2:3, :, 2) == before(2:3, :, 2) / me * images), 'co_broadcast of a section')
        box(2:3, :, 2) = before(2:3, :, 2)
        call check(all(box == before), 'elements beside a section that is broadcast')
    end subroutine

    subroutine characters
        character(5) :: words(3)
        character(1) :: letter
        character(0) :: empty(2)
        words = ['a' // achar(97 + me) // 'xyz', 'same ', achar(65 + images - me) // '~~~~']
        call prif_co_max_character(words)
        call check(words(1) == 'a' // achar(97 + images) // 'xyz', 'co_max of characters')
        call check(words(2) == 'same', 'co_max of equal characters')
        call check(words(3) == achar(65 + images - 1) // '~~~~', 'co_max of characters, image 1')
        words = ['a' // achar(97 + me) // 'xyz', 'same ', achar(65 + images - me) // '~~~~']
        call prif_co_min_character(words(1:3:2), images)
        if (me == images) then
            call check(words(1) == 'abxyz' .and. words(3) == 'A~~~~', 'co_min of characters to the last image')
        end if
        letter = achar(200 + me)    ! the top bit is set: the comparison uses the collating sequence, not signed numbers
        call prif_co_max_character(letter)
        call check(letter == achar(200 + images), 'co_max of one character')
        empty = ''
        call prif_co_min_character(empty)
    end subroutine

    subroutine broadcasts
        type point
            real(real64) :: x
            integer(int8) :: tag
            character(3) :: name
        end type
        type(point) :: points(4)
        logical :: flags(9)
        character(7) :: text
        integer(int64), save :: words(20000)
        integer(c_int) :: from
        integer :: k
        do from = 1, images
            points = [(point(real(me, real64) / k, int(k, int8), 'p' // achar(64 + me)), k = 1, 4)]
            call prif_co_broadcast(points, from)
            do k = 1, 4
                call check(points(k)%x == real(from, real64) / k .and. points(k)%tag == k .and. points(k)%name == &
                    'p' // achar(64 + from), 'co_broadcast of a derived type')
            end do
            flags = [(modulo(k * me, 3) == 1, k = 1, 9)]
            call prif_co_broadcast(flags, from)
            call check(all(flags .eqv. [(modulo(k * from, 3) == 1, k = 1, 9)]), 'co_broadcast of logicals')
            text = 'text ' // achar(64 + me)
            call prif_co_broadcast(text, from)
            call check(text == 'text ' // achar(64 + from), 'co_broadcast of a character')
            words = [(value(me, k, 9), k = 1, size(words))]
            call prif_co_broadcast(words, from)
            call check(all(words == [(value(from, k, 9), k = 1, size(words))]), 'co_broadcast of much')
        end do
    end subroutine

    subroutine addresses
        integer, parameter :: sizes(*) = [0, 1, 3, 8, 1000, 100001]
        integer(int8), target, save :: bytes(100010)
        integer :: i, k, n
        do i = 1, size(sizes)
            n = sizes(i)
            bytes = [(int(modulo(k * me, 127), int8), k = 1, size(bytes))]
            call prif_co_broadcast_cptr(c_loc(bytes(2)), int(n, c_size_t), images)    ! misaligned
            call check(all(bytes(2:n + 1) == [(modulo(k * images, 127), k = 2, n + 1)]), 'co_broadcast_cptr')
            call check(bytes(1) == me .and. all(bytes(n + 2:) == [(modulo(k * me, 127), k = n + 2, size(bytes))]), &
                'bytes beside co_broadcast_cptr')
        end do
    end subroutine

    subroutine statuses
        integer(int64) :: a
        integer(c_int) :: state
        character(70) :: message
        character(:), allocatable :: whole
        a = me
        state = -1
        message = 'before'
        call prif_co_sum(a, 1, state, message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of co_sum')
        state = -1
        call prif_co_max(a, stat=state, errmsg_alloc=whole)
        call check(state == 0 .and. .not. allocated(whole), 'stat and errmsg_alloc of co_max')
        state = -1
        call prif_co_min(a, images, state)
        call check(state, 0, 'stat of co_min')
        state = -1
        call prif_co_broadcast(a, 1, state, message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of co_broadcast')
        a = me
        state = 0
        message = ''
        call prif_co_sum(a, images + 1, state, message)
        call check(state /= 0 .and. message /= '', 'co_sum to an image that does not exist')
        state = 0
        call prif_co_broadcast(a, 0, state, errmsg_alloc=whole)
        call check(state /= 0 .and. allocated(whole), 'co_broadcast from image 0')
        call check(a, int(me, int64), 'a value that is not broadcast')
    end subroutine
end program
