! images: 1 2 3 4 5 8 16
! flags: -ffree-line-length-none
! co_reduce with functions that pass results and arguments in every way: types of all sizes and all mixtures of reals
! and integers, the longest kinds, arguments by value, characters, elements too large for a stage; sections,
! result_image=, stat= and errmsg=.
module coform_functions_m
    use, intrinsic :: iso_fortran_env, only: int8, int16, int64
    use, intrinsic :: iso_c_binding, only: c_int, c_double
    implicit none
    integer, parameter :: i16 = 16, r10 = 10, r16 = 16

    type :: two_integers
        integer :: a, b
        integer(8) :: more(2) = 7
    end type
    type :: two_reals
        real :: a, b
        integer(8) :: more(2) = 7
    end type
    type :: real_and_integer
        real :: x
        integer :: i
        integer(8) :: more(2) = 7
    end type
    type :: located
        double precision :: x
        integer :: i
        integer(8) :: more(2) = 7
    end type
    type :: labelled
        integer(int64) :: i
        double precision :: x
        integer(8) :: more(2) = 7
    end type
    type :: pair
        double precision :: x, y
        integer(8) :: more(2) = 7
    end type
    type :: words
        integer(int64) :: i, j
        integer(8) :: more(2) = 7
    end type
    type :: odd
        integer(int8) :: a(3)
        integer(8) :: more(2) = 7
    end type
    type :: twelve
        real :: x(3)
        integer(8) :: more(2) = 7
    end type
    type :: extended
        real(r10) :: x
        integer(8) :: more(2) = 7
    end type
    type :: quadruple
        real(r16) :: x
        integer(8) :: more(2) = 7
    end type
    type :: three
        double precision :: x(3)
    end type
    type :: large               ! larger than SHCOLL accepts
        integer :: i(3000)
    end type
contains
#define REDUCES(TYPE, NAME, HOW, MADE) pure TYPE function NAME(a, b) result(r); TYPE, HOW :: a, b; MADE; end function
    REDUCES(type(two_integers), add_two_integers, intent(in), r = two_integers(a%a + b%a, max(a%b, b%b)))
    REDUCES(type(two_reals), add_two_reals, intent(in), r = two_reals(a%a + b%a, max(a%b, b%b)))
    REDUCES(type(real_and_integer), add_real_and_integer, intent(in), r = real_and_integer(a%x + b%x, a%i + b%i))
    REDUCES(type(located), max_located, intent(in), r = merge(a, b, a%x > b%x .or. (a%x >= b%x .and. a%i < b%i)))
    REDUCES(type(located), max_located_values, value, r = merge(a, b, a%x > b%x .or. (a%x >= b%x .and. a%i < b%i)))
    REDUCES(type(labelled), add_labelled, intent(in), r = labelled(a%i + b%i, a%x + b%x))
    REDUCES(type(labelled), add_labelled_values, value, r = labelled(a%i + b%i, a%x + b%x))
    REDUCES(type(pair), times_pair, intent(in), r = pair(a%x + b%x, min(a%y, b%y)))
    REDUCES(type(pair), times_pair_values, value, r = pair(a%x + b%x, min(a%y, b%y)))
    REDUCES(type(words), add_words, intent(in), r = words(a%i + b%i, ieor(a%j, b%j)))
    REDUCES(type(words), add_words_values, value, r = words(a%i + b%i, ieor(a%j, b%j)))
    REDUCES(type(odd), add_odd, intent(in), r%a = a%a + b%a)
    REDUCES(type(twelve), add_twelve, intent(in), r%x = a%x + b%x)
    REDUCES(type(extended), add_extended, intent(in), r%x = a%x + b%x)
    REDUCES(type(extended), add_extended_values, value, r%x = a%x + b%x)
    REDUCES(type(quadruple), add_quadruple, intent(in), r%x = a%x + b%x)
    REDUCES(type(quadruple), add_quadruple_values, value, r%x = a%x + b%x)
    REDUCES(type(three), add_three, intent(in), r%x = a%x + b%x)
    REDUCES(type(three), add_three_values, value, r%x = a%x + b%x)
    REDUCES(type(large), add_large, intent(in), r%i = a%i + b%i)

    REDUCES(integer(int8), add_i1, value, r = a + b)
    REDUCES(integer(int16), add_i2, intent(in), r = a + b)
    REDUCES(integer(int16), add_i2_values, value, r = a + b)
    REDUCES(integer(int64), add_i8, intent(in), r = a + b)
    REDUCES(integer(int64), add_i8_values, value, r = a + b)
    REDUCES(integer(i16), add_i16, intent(in), r = a + b)
    REDUCES(integer(i16), add_i16_values, value, r = a + b)
    REDUCES(integer, xor_i4, intent(in), r = ieor(a, b))
    REDUCES(real, add_r4, value, r = a + b)
    REDUCES(real, larger_r4, intent(in), r = max(a, b))
    REDUCES(real(8), add_r8, intent(in), r = a + b)
    REDUCES(real(8), smaller_r8, value, r = min(a, b))
    REDUCES(real(r10), add_r10, intent(in), r = a + b)
    REDUCES(real(r10), add_r10_values, value, r = a + b)
    REDUCES(real(r16), add_r16, intent(in), r = a + b)
    REDUCES(real(r16), add_r16_values, value, r = a + b)
    REDUCES(complex, add_c4, intent(in), r = a + b)
    REDUCES(complex, add_c4_values, value, r = a + b)
    REDUCES(complex(8), add_c8, intent(in), r = a + b)
    REDUCES(complex(8), add_c8_values, value, r = a + b)
    REDUCES(complex(r10), add_c10, intent(in), r = a + b)
    REDUCES(complex(r10), add_c10_values, value, r = a + b)
    REDUCES(complex(r16), add_c16, intent(in), r = a + b)
    REDUCES(complex(r16), add_c16_values, value, r = a + b)
    REDUCES(logical(1), differ, intent(in), r = a .neqv. b)
    REDUCES(logical, both, value, r = a .and. b)
    pure function last_word(a, b) result(r)
        character(*), intent(in) :: a, b
        character(len(a)) :: r
        r = max(a, b)
    end function
    pure function last_word_4(a, b) result(r)
        character(5, 4), intent(in) :: a, b
        character(5, 4) :: r
        r = max(a, b)
    end function
    pure function last_letter(a, b) result(r)
        character(1), value :: a, b
        character(1) :: r
        r = max(a, b)
    end function
    pure integer(c_int) function add_bind(a, b) result(r) bind(c)
        integer(c_int), value :: a, b
        r = a + b
    end function
end module

program coform_functions
    use coform_functions_m
    use check_m, only: check, check_end
    implicit none
    integer :: me, n, i, j, k, sum1
    me = this_image()
    n = num_images()
    sum1 = n * (n + 1) / 2
    call types()
    call values()
    call kinds()
    call letters()
    call forms()
    call check_end()
contains
    subroutine types()
        type(two_integers) :: ii(5)
        type(two_reals) :: rr
        type(real_and_integer) :: ri(3)
        type(located) :: di, di_many(100)
        type(labelled) :: id
        type(pair) :: dd
        type(words) :: ww(2)
        type(odd) :: o(7)
        type(twelve) :: t
        type(extended) :: x
        type(quadruple) :: q
        type(three) :: v(1000)
        type(large), allocatable :: l(:)
        ii = [(two_integers(-me * i, ieor(me * i, 5)), i = 1, 5)]
        call co_reduce(ii, add_two_integers)
        call check(all(ii%a == [(-sum1 * i, i = 1, 5)]), 'two integers: sum')
        do i = 1, 5
            call check(ii(i)%b == maxval([(ieor(j * i, 5), j = 1, n)]), 'two integers: maximum')
        end do
        rr = two_reals(me * 0.5, -1.25 * me)
        call co_reduce(rr, add_two_reals)
        call check(rr%a == sum1 * 0.5 .and. rr%b == -1.25, 'two reals')
        ri = [(real_and_integer(me * 1.5, -me * i), i = 1, 3)]
        call co_reduce(ri, add_real_and_integer)
        call check(all(ri%x == sum1 * 1.5 .and. ri%i == [(-sum1 * i, i = 1, 3)]), 'real and integer')
        di = located(-abs(me - 2.5d0), me)
        call co_reduce(di, max_located)
        call check(di%x == merge(-1.5d0, -0.5d0, n == 1) .and. di%i == min(n, 2), 'location of the maximum')
        di_many = [(located(modulo(me * i, 7) * 0.25d0, me), i = 1, 100)]
        call co_reduce(di_many, max_located)
        do i = 1, 100
            call check(di_many(i)%i == maxloc([(modulo(j * i, 7), j = 1, n)], dim=1), 'locations of maxima')
        end do
        id = labelled(-me, me * 0.125d0)
        call co_reduce(id, add_labelled, result_image=n)
        if (me == n) call check(id%i == -sum1 .and. id%x == sum1 * 0.125d0, 'labelled')
        dd = pair(me * 3.5d0, 1d100 / me)
        call co_reduce(dd, times_pair)
        call check(dd%x == sum1 * 3.5d0 .and. dd%y == 1d100 / n, 'pair')
        ww = [(words(ishft(me * i, 31), ishft(1_int64, me + 40)), i = 1, 2)]
        ww(2)%i = -2_int64**56 - me
        call co_reduce(ww, add_words)
        call check(ww(2)%i == -2_int64**56 * n - sum1 .and. &
            all(ww%j == sum([(ishft(1_int64, i + 40), i = 1, n)])), 'words')
        o = [(odd(int([me, -me, i], int8)), i = 1, 7)]
        call co_reduce(o, add_odd)
        do i = 1, 7
            call check(all(o(i)%a == int([sum1, -sum1, i * n], int8) .or. n == 16), 'three bytes')
        end do
        t%x = [1.5, 2.5, -3.25] * me
        call co_reduce(t, add_twelve)
        call check(all(t%x == [1.5, 2.5, -3.25] * sum1), 'twelve bytes')
        x%x = me / 1024._r10
        call co_reduce(x, add_extended)
        call check(x%x == sum1 / 1024._r10, 'extended')
        q%x = me * (1 + 2._r16**(-100))
        call co_reduce(q, add_quadruple)
        call check(q%x == sum([(i * (1 + 2._r16**(-100)), i = 1, n)]), 'quadruple')
        v = [(three([me * 1d0, me * 2d0, i * 1d0]), i = 1, 1000)]
        call co_reduce(v, add_three)
        call check(all([(all(v(i)%x == [sum1 * 1d0, sum1 * 2d0, 1d0 * i * n]), i = 1, 1000)]), 'three reals')
        allocate (l(3))
        do i = 1, 3
            l(i)%i = [(me * i + k, k = 1, 3000)]
        end do
        call co_reduce(l(::2), add_large)
        call check(all(l(1)%i == [(sum1 + n * k, k = 1, 3000)]), 'large: first')
        call check(all(l(2)%i == [(me * 2 + k, k = 1, 3000)]), 'large: not in the section')
        call check(all(l(3)%i == [(sum1 * 3 + n * k, k = 1, 3000)]), 'large: third')
    end subroutine

    subroutine values()
        type(located) :: di(5)
        type(labelled) :: id(5)
        type(pair) :: dd
        type(words) :: ww
        type(extended) :: x
        type(quadruple) :: q
        type(three) :: v(2)
        integer(c_int) :: c
        integer :: i
        di = [(located(-abs(me - 2.5d0) * i, me), i = 1, 5)]
        call co_reduce(di, max_located_values)
        call check(all(di%x == merge(-1.5d0, -0.5d0, n == 1) * [(i, i = 1, 5)] .and. di%i == min(n, 2)), &
                   'values: located')
        id = [(labelled(-me * i, me * 0.125d0), i = 1, 5)]
        call co_reduce(id, add_labelled_values)
        call check(all(id%i == [(-sum1 * i, i = 1, 5)] .and. id%x == sum1 * 0.125d0), 'values: labelled')
        dd = pair(me * 3.5d0, 1d100 / me)
        call co_reduce(dd, times_pair_values)
        call check(dd%x == sum1 * 3.5d0 .and. dd%y == 1d100 / n, 'values: pair')
        ww = words(me, ishft(1_int64, me + 40))
        call co_reduce(ww, add_words_values)
        call check(ww%i == sum1 .and. ww%j == sum([(ishft(1_int64, i + 40), i = 1, n)]), 'values: words')
        x%x = me / 1024._r10
        call co_reduce(x, add_extended_values)
        call check(x%x == sum1 / 1024._r10, 'values: extended')
        q%x = me * (1 + 2._r16**(-100))
        call co_reduce(q, add_quadruple_values)
        call check(q%x == sum([(i * (1 + 2._r16**(-100)), i = 1, n)]), 'values: quadruple')
        v = [(three([me * 1d0, me * 2d0, i * 1d0]), i = 1, 2)]
        call co_reduce(v, add_three_values)
        call check(all([(all(v(i)%x == [sum1 * 1d0, sum1 * 2d0, 1d0 * i * n]), i = 1, 2)]), 'values: three reals')
        c = me
        call co_reduce(c, add_bind)
        call check(c == sum1, 'values: bind(c)')
    end subroutine

    subroutine kinds()
        integer(int8), save :: i1(70000)
        integer(int16) :: i2
        integer(int64) :: i8
        integer(i16) :: i128(100), j128
        real :: r4
        real(8) :: r8
        real(r10) :: x10(3), y10
        real(r16) :: x16(4), y16
        complex :: c4
        complex(8) :: c8
        complex(r10) :: c10(2)
        complex(r16) :: c16(2)
        logical(1) :: l
        i1 = [(int(modulo(me * i, 7), int8), i = 1, size(i1))]
        call co_reduce(i1, add_i1)
        call check(all([(i1(i) == sum([(modulo(j * i, 7), j = 1, n)]), i = 1, 100)]), 'integer(1)')
        i2 = int(-1000 * me, int16)
        call co_reduce(i2, add_i2)
        call check(i2 == -1000 * min(sum1, 32) .or. sum1 > 32, 'integer(2)')
        i2 = int(-me, int16)
        call co_reduce(i2, add_i2_values)
        call check(i2 == -sum1, 'integer(2) by value')
        i8 = ishft(int(me, int64), 40)
        call co_reduce(i8, add_i8)
        call check(i8 == ishft(int(sum1, int64), 40), 'integer(8)')
        i8 = -int(me, int64)**8
        call co_reduce(i8, add_i8_values)
        call check(i8 == -sum([(int(i, int64)**8, i = 1, n)]), 'integer(8) by value')
        i128 = [(ishft(int(me * i, i16), 90), i = 1, 100)]
        call co_reduce(i128, add_i16)
        call check(all(i128 == [(ishft(int(sum1 * i, i16), 90), i = 1, 100)]), 'integer(16)')
        j128 = -ishft(int(me, i16), 70)
        call co_reduce(j128, add_i16_values)
        call check(j128 == -ishft(int(sum1, i16), 70), 'integer(16) by value')
        r4 = me * 0.25
        call co_reduce(r4, add_r4)
        call check(r4 == sum1 * 0.25, 'real(4)')
        r4 = -me * 0.25
        call co_reduce(r4, larger_r4)
        call check(r4 == -0.25, 'real(4) by reference')
        r8 = me * (1 + 2d0**(-40))
        call co_reduce(r8, add_r8)
        call check(r8 == sum1 * (1 + 2d0**(-40)), 'real(8)')
        x10 = me * (1 + 2._r10**(-50)) * [1, 2, 4]
        call co_reduce(x10, add_r10)
        call check(all(x10 == sum([(i * (1 + 2._r10**(-50)), i = 1, n)]) * [1, 2, 4]), 'real(10)')
        y10 = me * (1 + 2._r10**(-50))
        call co_reduce(y10, add_r10_values)
        call check(y10 == sum([(i * (1 + 2._r10**(-50)), i = 1, n)]), 'real(10) by value')
        x16 = me * (1 + 2._r16**(-100)) * [1, 2, 4, 8]
        call co_reduce(x16, add_r16)
        call check(all(x16 == sum([(i * (1 + 2._r16**(-100)), i = 1, n)]) * [1, 2, 4, 8]), 'real(16)')
        y16 = me * (1 + 2._r16**(-100))
        call co_reduce(y16, add_r16_values)
        call check(y16 == sum([(i * (1 + 2._r16**(-100)), i = 1, n)]), 'real(16) by value')
        c4 = cmplx(me, -0.5 * me)
        call co_reduce(c4, add_c4)
        call check(c4 == cmplx(sum1, -0.5 * sum1), 'complex(4)')
        c4 = cmplx(-me, 0.5 * me)
        call co_reduce(c4, add_c4_values)
        call check(c4 == cmplx(-sum1, 0.5 * sum1), 'complex(4) by value')
        c8 = cmplx(-me, 0.5d0 * me, 8)
        call co_reduce(c8, add_c8)
        call check(c8 == cmplx(-sum1, 0.5d0 * sum1, 8), 'complex(8) by reference')
        c8 = cmplx(me, -0.5d0 * me, 8)
        call co_reduce(c8, add_c8_values)
        call check(c8 == cmplx(sum1, -0.5d0 * sum1, 8), 'complex(8) by value')
        c10 = [(me * cmplx(1 + 2._r10**(-50), -0.5_r10 * i, r10), i = 1, 2)]
        call co_reduce(c10, add_c10)
        call check(all(c10 == [(sum1 * cmplx(1 + 2._r10**(-50), -0.5_r10 * i, r10), i = 1, 2)]), 'complex(10)')
        c10 = [(me * cmplx(1 + 2._r10**(-50), -0.5_r10 * i, r10), i = 1, 2)]
        call co_reduce(c10, add_c10_values)
        call check(all(c10 == [(sum1 * cmplx(1 + 2._r10**(-50), -0.5_r10 * i, r10), i = 1, 2)]), 'complex(10) by value')
        c16 = [(me * cmplx(1 + 2._r16**(-100), -0.5_r16 * i, r16), i = 1, 2)]
        call co_reduce(c16, add_c16)
        call check(all(c16 == [(sum1 * cmplx(1 + 2._r16**(-100), -0.5_r16 * i, r16), i = 1, 2)]), 'complex(16)')
        c16 = [(me * cmplx(1 + 2._r16**(-100), -0.5_r16 * i, r16), i = 1, 2)]
        call co_reduce(c16, add_c16_values)
        call check(all(c16 == [(sum1 * cmplx(1 + 2._r16**(-100), -0.5_r16 * i, r16), i = 1, 2)]), 'c16 by value')
        l = .true.
        call co_reduce(l, differ)
        call check(l .eqv. modulo(n, 2) == 1, 'logical(1)')
    end subroutine

    subroutine letters()
        character(7) :: a(3)
        character(5, 4) :: b
        character(1) :: c
        character(9000) :: long
        a = [character(7) :: 'aa', repeat('b', mod(me, 7) + 1), char(64 + me) // 'x']
        call co_reduce(a, last_word)
        call check(all(a == [character(7) :: 'aa', repeat('b', merge(7, n + 1, n >= 6)), char(64 + n) // 'x']), &
                   'character(*)')
        b = 4_'xy'
        b(4:4) = char(20000 + me, 4)
        call co_reduce(b, last_word_4)
        call check(b(1:2) == 4_'xy' .and. ichar(b(4:4)) == 20000 + n, 'character of kind 4')
        c = char(64 + me)
        call co_reduce(c, last_letter)
        call check(c == char(64 + n), 'character by value')
        long = repeat('z', 8999) // char(64 + me)
        call co_reduce(long, last_word)
        call check(long(8999:) == 'z' // char(64 + n) .and. verify(long(:8999), 'z') == 0, 'a long character')
    end subroutine

    ! Checks that the gaps between the elements of a section are unchanged, stat= is 0 and errmsg= is unchanged.
    subroutine forms()
        integer :: s, a(9), m(4, 3), state
        real(8) :: y(4, 3)
        logical :: l(3)
        character(80) :: message
        state = 77
        message = 'untouched'
        s = all_bits(me, me, 1)
        call co_reduce(s, xor_i4, stat=state, errmsg=message)
        call check(s, all_bits(1, n, 1), 'co_reduce with stat and errmsg')
        call check(state == 0 .and. message == 'untouched', 'stat and errmsg of co_reduce')
        a = [(all_bits(me, me, i), i = 1, 9)]
        call co_reduce(a, xor_i4, result_image=n)
        if (me == n) call check(all(a == [(all_bits(1, n, i), i = 1, 9)]), 'co_reduce to one image')
        m = reshape([(all_bits(me, me, i), i = 1, 12)], [4, 3])
        call co_reduce(m(1:4:3, 3:1:-2), xor_i4)
        do j = 1, 3
            do i = 1, 4
                k = merge(1, me, modulo(i, 3) == 1 .and. j /= 2)
                call check(m(i, j), all_bits(k, merge(n, me, modulo(i, 3) == 1 .and. j /= 2), i + 4 * (j - 1)), &
                           'co_reduce of a section, and its gaps')
            end do
        end do
        y = reshape([(-real(me * i, 8), i = 1, 12)], [4, 3])
        call co_reduce(y, smaller_r8, result_image=1)
        if (me == 1) call check(all(y == reshape([(-real(n * i, 8), i = 1, 12)], [4, 3])), 'co_reduce of rank 2')
        l = [.true., me /= n, .false.]
        call co_reduce(l, both)
        call check(all(l .eqv. [.true., .false., .false.]), 'logicals by value')
    end subroutine

    ! The combination of the k-th values of these images; all values have many bits.
    pure integer function all_bits(first, last, k)
        integer, intent(in) :: first, last, k
        integer :: image
        all_bits = 0
        do image = first, last
            all_bits = ieor(all_bits, ishftc(image * 40503 + k, 11 + k))
        end do
    end function
end program
