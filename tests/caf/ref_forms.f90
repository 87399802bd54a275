! images: 1 2 3 4 5 8
! Every form of subscript in a reference to a component, with lower bounds of all signs: whole, triplet, open at either
! end, descending, vector, single; of allocatable, pointer and explicit-shape parts, on either side of a coindexed
! assignment.
module ref_forms_m
    implicit none
    integer, parameter :: top = -1500000000
    type plain
        integer :: i, v(2:6)
        character(3) :: c(4)
    end type
    type t
        integer :: s(3:8, -1:4)
        integer, allocatable :: a(:), m(:, :)
        integer, pointer :: p(:, :)
        character(5) :: c(2:4)
        character(5), allocatable :: ca(:)
        type(plain) :: f(3)
        type(plain), allocatable :: fa(:)
        complex(8), allocatable :: z(:)
    end type
contains
    subroutine fill(x, image)
        type(t), intent(inout) :: x
        integer, intent(in) :: image
        integer :: i, k
        k = top + 10000 * image
        x%s = reshape([(k + i, i = 1, 36)], [6, 6])
        allocate (x%a(-1:9), x%m(0:9, -1:4), x%p(-1:10, -2:10), x%ca(2:5), x%fa(0:3), x%z(5))
        x%a = [(k + 100 + i, i = 1, 11)]
        x%m = reshape([(k + 200 + i, i = 1, 60)], [10, 6])
        x%p = reshape([(k + 300 + i, i = 1, 156)], [12, 13])
        x%c = [(word(k + i), i = 1, 3)]
        x%ca = [(word(k + 10 + i), i = 1, 4)]
        x%f = [(plain(k + i, [k + i, k + 2 * i, k, i, -i], tail(k + i)), i = 1, 3)]
        x%fa = [(plain(k + 50 + i, k + i, tail(k + 50 + i)), i = 1, 4)]
        x%z = [(cmplx(k + i, -i, 8), i = 1, 5)]
    end subroutine

    character(5) function word(i)
        integer, intent(in) :: i
        write (word, '(z5.5)') iand(i, 1048575)
    end function

    character(3) function tail(i)
        integer, intent(in) :: i
        tail = achar(iand(i, 63) + 32)//achar(iand(i / 64, 63) + 32)//'t'
    end function
end module

program ref_forms
    use check_m, only: check, check_end, neighbour
    use ref_forms_m
    implicit none
    type(t), save :: w[*]
    type(t) :: r
    integer :: i3(3), i2(2), l3(3), l32(3, 2), from, to
    integer(1) :: j2(2)
    integer(8) :: j3(3)
    integer, allocatable :: l(:), ll(:, :)
    real(8) :: d3(3)
    character(5) :: c2(2)
    type(plain) :: f
    type(plain), allocatable :: lf(:)

    from = neighbour(-1)
    to = neighbour(1)
    call fill(w, this_image())
    call fill(r, from)
    i3 = [8, 3, 5]
    i2 = [4, -1]
    j2 = [5_1, 2_1]
    j3 = [4_8, 2_8, 3_8]
    sync all
    call gets
    sync all
    call puts
    sync all
    call check_end
contains
    subroutine gets
        l3 = w[from]%s(4:8:2, 2);       call check(all(l3 == r%s(4:8:2, 2)), 's(4:8:2, 2)')
        l3 = w[from]%s(8:4:-2, 2);      call check(all(l3 == r%s(8:4:-2, 2)), 's(8:4:-2, 2)')
        l32 = w[from]%s(:5, 0:1);       call check(all(l32 == r%s(:5, 0:1)), 's(:5, 0:1)')
        l32 = w[from]%s(6:, 4:1:-3);    call check(all(l32 == r%s(6:, 4:1:-3)), 's(6:, 4:1:-3)')
        l3(1) = w[from]%s(6, 2);        call check(l3(1), r%s(6, 2), 's(6, 2)')
        l3 = w[from]%a(i3);             call check(all(l3 == r%a(i3)), 'a(i3)')
        l3 = w[from]%a(7:);             call check(all(l3 == r%a(7:)), 'a(7:)')
        l3 = w[from]%a(:1);             call check(all(l3 == r%a(:1)), 'a(:1)')
        l3 = w[from]%a(::5);            call check(all(l3 == r%a(::5)), 'a(::5)')
        l3 = w[from]%a(9::-5);          call check(all(l3 == r%a(9::-5)), 'a(9::-5)')
        l = w[from]%a;                  call check(size(l), 11, 'size of a')
        call check(all(l == r%a), 'a')
        l = w[from]%a(2:7:2);           call check(size(l), 3, 'size of a(2:7:2)')
        call check(all(l == r%a(2:7:2)), 'a(2:7:2)')
        l32 = w[from]%m(i3, i2);        call check(all(l32 == r%m(i3, i2)), 'm(i3, i2)')
        l32 = w[from]%m(2:4, i2);       call check(all(l32 == r%m(2:4, i2)), 'm(2:4, i2)')
        l32 = w[from]%m(j3, 1:2);       call check(all(l32 == r%m(j3, 1:2)), 'm(j3, 1:2)')
        l3 = w[from]%m(3, 1:3);         call check(all(l3 == r%m(3, 1:3)), 'm(3, 1:3)')
        l3 = w[from]%m(1:3, 3);         call check(all(l3 == r%m(1:3, 3)), 'm(1:3, 3)')
        ll = w[from]%m(2::3, :);        call check(size(ll), 18, 'size of m(2::3, :)')
        call check(all(ll == r%m(2::3, :)), 'm(2::3, :)')
        l32 = w[from]%p(1:6:2, 4:6:2);  call check(all(l32 == r%p(1:6:2, 4:6:2)), 'p(1:6:2, 4:6:2)')
        l32 = w[from]%p(10:8:-1, -1:-2:-1)
        call check(all(l32 == r%p(10:8:-1, -1:-2:-1)), 'p(10:8:-1, -1:-2:-1)')
        c2 = w[from]%c(4:2:-2);         call check(all(c2 == r%c(4:2:-2)), 'c(4:2:-2)')
        c2 = w[from]%ca(j2);            call check(all(c2 == r%ca(j2)), 'ca(j2)')
        d3 = w[from]%z(2:4);            call check(all(d3 == real(r%z(2:4), 8)), 'real parts of z(2:4)')
        d3 = w[from]%a(1:3);            call check(all(d3 == r%a(1:3)), 'a(1:3) as reals')
        l3 = w[from]%f(:)%v(3);         call check(all(l3 == r%f(:)%v(3)), 'f(:)%v(3)')
        l3 = w[from]%f(2)%v(4:6);       call check(all(l3 == r%f(2)%v(4:6)), 'f(2)%v(4:6)')
        l3 = w[from]%fa(3:1:-1)%i;      call check(all(l3 == r%fa(3:1:-1)%i), 'fa(3:1:-1)%i')
        l3 = w[from]%fa(j3 - 1)%v(4);   call check(all(l3 == r%fa(j3 - 1)%v(4)), 'fa(j3 - 1)%v(4)')
        f = w[from]%fa(2);              call check(all(f%v == r%fa(2)%v) .and. all(f%c == r%fa(2)%c), 'fa(2)')
        lf = w[from]%fa(1:2);           call check(all(lf%i == r%fa(1:2)%i), 'fa(1:2)')
    end subroutine

    ! r begins as a copy of the neighbour's data; the image makes each change there and in r.
    subroutine puts
        integer :: k, me
        integer, pointer :: own(:, :)
        own => r%p
        r = w
        r%p => own
        r%p = w%p
        sync all
        me = top + 555 + neighbour(-1)
        k = top + 555 + this_image()
        w[to]%s(8:4:-2, 2) = [k, k + 1, k + 2];     r%s(8:4:-2, 2) = [me, me + 1, me + 2]
        w[to]%s(:5, 0:1) = k;                       r%s(:5, 0:1) = me
        w[to]%a(i3) = [k, k + 3, k + 5];            r%a(i3) = [me, me + 3, me + 5]
        w[to]%a(1::3) = k + 7;                      r%a(1::3) = me + 7
        w[to]%m(i3, i2) = reshape([k, k, k, k, k + 1, k + 2], [3, 2])
        r%m(i3, i2) = reshape([me, me, me, me, me + 1, me + 2], [3, 2])
        w[to]%m(4, 0:2) = [k, k + 1, k + 2];        r%m(4, 0:2) = [me, me + 1, me + 2]
        w[to]%p(:, 10) = k + 9;                     r%p(:, 10) = me + 9
        w[to]%ca(5:2:-3) = [word(k), word(k + 1)];  r%ca(5:2:-3) = [word(me), word(me + 1)]
        w[to]%f(1:3)%v(3) = [k, k + 2, k + 4];      r%f(1:3)%v(3) = [me, me + 2, me + 4]
        w[to]%fa(0)%i = k;                          r%fa(0)%i = me
        w[to]%fa(3) = plain(k, k + 1, 'new');       r%fa(3) = plain(me, me + 1, 'new')
        w[to]%z(2:4) = real(k, 8);                  r%z(2:4) = real(me, 8)
        w[to]%a(6:8) = w[to]%a(5:7);                r%a(6:8) = r%a(5:7)
        sync all
        call check(all(w%s == r%s), 'put to s')
        call check(all(w%a == r%a), 'put to a')
        call check(all(w%m == r%m), 'put to m')
        call check(all(w%p == r%p), 'put to p')
        call check(all(w%ca == r%ca), 'put to ca')
        call check(all(w%f%v(3) == r%f%v(3)), 'put to f%v(3)')
        call check(all(w%fa%i == r%fa%i), 'put to fa%i')
        call check(all(w%z == r%z), 'put to z')
    end subroutine
end program
