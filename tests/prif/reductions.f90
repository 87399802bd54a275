! co_reduce and co_reduce_cptr: operations of the caller on many elements at once, with user data; types of every
! size, sections, no elements, to one image and to all images.
module reductions_m
    use prif_check
    implicit none
    type pair    ! the smallest value and its image
        integer(c_int64_t) :: value
        integer(c_int32_t) :: image, padding = 0
    end type
    type matrix    ! 3 x 3, of polynomials modulo 2: sums and products are exact
        integer(c_int8_t) :: rows(3)
    end type
    integer :: calls = 0
contains
    subroutine least(arg1, arg2_and_out, count, cdata) bind(C)
        type(c_ptr), intent(in), value :: arg1, arg2_and_out, cdata
        integer(c_size_t), intent(in), value :: count
        type(pair), pointer :: a(:), b(:)
        integer, pointer :: counter
        integer(c_size_t) :: i
        call c_f_pointer(cdata, counter)
        counter = counter + 1
        call c_f_pointer(arg1, a, [count])
        call c_f_pointer(arg2_and_out, b, [count])
        do i = 1, count
            if (a(i)%value < b(i)%value .or. (a(i)%value == b(i)%value .and. a(i)%image < b(i)%image)) b(i) = a(i)
        end do
    end subroutine

    subroutine either(arg1, arg2_and_out, count, cdata) bind(C)
        type(c_ptr), intent(in), value :: arg1, arg2_and_out, cdata
        integer(c_size_t), intent(in), value :: count
        type(matrix), pointer :: a(:), b(:)
        integer(c_size_t) :: i
        if (c_associated(cdata)) error stop 'cdata is not what was given'
        call c_f_pointer(arg1, a, [count])
        call c_f_pointer(arg2_and_out, b, [count])
        do i = 1, count
            b(i)%rows = ieor(a(i)%rows, b(i)%rows)
        end do
    end subroutine

    ! A sum modulo the number at cdata.
    subroutine product_modulo(arg1, arg2_and_out, count, cdata) bind(C)
        type(c_ptr), intent(in), value :: arg1, arg2_and_out, cdata
        integer(c_size_t), intent(in), value :: count
        integer(c_int64_t), pointer :: a(:), b(:), modulus
        call c_f_pointer(arg1, a, [count])
        call c_f_pointer(arg2_and_out, b, [count])
        call c_f_pointer(cdata, modulus)
        b = modulo(a * b, modulus)
    end subroutine
end module

program reductions
    use reductions_m
    implicit none
    procedure(prif_operation_wrapper_interface), pointer :: operation
    integer, parameter :: lengths(*) = [0, 1, 2, 17, 5000]
    integer :: i

    call check_begin
    do i = 1, size(lengths)
        call pairs(lengths(i))
        call matrices(lengths(i))
        call products(lengths(i))
    end do
    call sections
    call statuses
    call check_end

contains

    subroutine pairs(n)
        integer, intent(in) :: n
        type(pair) :: a(n)
        integer :: k, image, best
        integer, target :: counter
        counter = 0
        operation => least
        a = [(pair(value(me, k, 1), me), k = 1, n)]
        call prif_co_reduce(a, operation, c_loc(counter))
        do k = 1, n
            best = 1
            do image = 2, images
                if (value(image, k, 1) < value(best, k, 1)) best = image
            end do
            call check(a(k)%value, value(best, k, 1), 'the least value')
            call check(a(k)%image, best, 'who has the least value')
        end do
        if (n == 0 .or. images == 1) return
        calls = counter
        call prif_co_sum(calls)
        call check(calls >= 1, 'calls of the operation')
    end subroutine

    subroutine matrices(n)
        integer, intent(in) :: n
        type(matrix), target :: a(n + 2)
        integer :: k, image
        integer(c_int8_t) :: wanted(3)
        operation => either
        a = [(bits(me, k), k = 1, n + 2)]
        if (modulo(n, 2) == 0) then
            call prif_co_reduce(a(2:n + 1), operation, c_null_ptr, images)
        else
            call prif_co_reduce_cptr(c_loc(a(2)), 3_c_size_t, int(n, c_size_t), operation, c_null_ptr, images)
        end if
        call check(all(a(1)%rows == row_bits(me, 1)) .and. all(a(n + 2)%rows == row_bits(me, n + 2)), &
            'elements beside a reduction')
        if (me /= images) return
        do k = 2, n + 1
            wanted = 0
            do image = 1, images
                wanted = ieor(wanted, row_bits(image, k))
            end do
            call check(all(a(k)%rows == wanted), 'elements of 3 bytes')
        end do
    end subroutine

    pure function row_bits(image, k) result(rows)
        integer, intent(in) :: image, k
        integer(c_int8_t) :: rows(3)
        integer :: i
        rows = int([(iand(ishft(value(image, k, 2), -7 * i), 255_c_int64_t), i = 1, 3)] - 128, c_int8_t)
    end function

    pure type(matrix) function bits(image, k)
        integer, intent(in) :: image, k
        bits%rows = row_bits(image, k)
    end function

    subroutine products(n)
        integer, intent(in) :: n
        integer(c_int64_t), target :: a(n), modulus
        integer(c_int64_t) :: wanted
        integer :: k, image
        integer(c_int) :: state
        character(20) :: message
        operation => product_modulo
        modulus = 1000003
        a = [(modulo(value(me, k, 3), modulus), k = 1, n)]
        state = -1
        message = 'before'
        call prif_co_reduce_cptr(c_loc(a), 8_c_size_t, int(n, c_size_t), operation, c_loc(modulus), stat=state, &
            errmsg=message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of co_reduce_cptr')
        do k = 1, n
            wanted = 1
            do image = 1, images
                wanted = modulo(wanted * modulo(value(image, k, 3), modulus), modulus)
            end do
            call check(a(k), wanted, 'product of all images')
        end do
    end subroutine

    subroutine sections
        integer(c_int64_t) :: a(5, 8), before(5, 8), scalar, wanted
        integer(c_int64_t), target :: modulus
        integer :: k, l, image
        operation => product_modulo
        modulus = 7919
        a = reshape([(int(k * me, c_int64_t), k = 1, 40)], [5, 8])
        before = a
        call prif_co_reduce(a(5:1:-2, 8:1:-3), operation, c_loc(modulus))
        do l = 8, 1, -3
            do k = 5, 1, -2
                wanted = 1
                do image = 1, images
                    wanted = modulo(wanted * (before(k, l) / me * image), modulus)
                end do
                if (images == 1) wanted = before(k, l)
                before(k, l) = wanted
            end do
        end do
        call check(all(a == before), 'reduction of a section')
        scalar = 3
        call prif_co_reduce(scalar, operation, c_loc(modulus))
        wanted = 3
        do image = 2, images
            wanted = modulo(3 * wanted, modulus)
        end do
        call check(scalar, wanted, 'reduction of a scalar')
    end subroutine

    subroutine statuses
        integer(c_int64_t) :: a
        integer(c_int64_t), target :: modulus
        integer(c_int) :: state
        character(70) :: message
        operation => product_modulo
        modulus = 11
        a = me
        state = -1
        message = 'before'
        call prif_co_reduce(a, operation, c_loc(modulus), 1, state, message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of co_reduce')
        a = me
        call prif_co_reduce(a, operation, c_loc(modulus), images + 1, state, message)
        call check(state /= 0 .and. message /= 'before', 'co_reduce to an image that does not exist')
        call prif_sync_all
    end subroutine
end program
