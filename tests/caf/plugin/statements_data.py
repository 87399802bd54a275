"""The data of random statements (statements.py) in Fortran: the module of the model, which is compiled once, the module
of the coarrays, and the main program."""

N1, N2, MOST = 10, 6, 4    # extents of the arrays; images
TYPES = {"i1": "integer(1)", "i2": "integer(2)", "i4": "integer(4)", "i8": "integer(8)", "r4": "real(4)",
         "r8": "real(8)", "z4": "complex(4)", "z8": "complex(8)", "l1": "logical(1)", "l4": "logical(4)",
         "l8": "logical(8)", "s5": "character(5)", "s8": "character(8)"}
DUMMIES = ("i4", "r8", "z8", "l4", "s5")    # types of coarrays e that are dummy arguments
VOLATILES = ("i4", "r8")                    # types of volatile coarrays u
ARGUMENTS = "active, q, r, i, j, k, i1, i2, j1, j2, st, sg, iv, im"
DECLARED_ARGUMENTS = ARGUMENTS.replace("iv, im", f"iv({N1}), im({N1})")

# There is no complex w, because gfortran compiles static complex scalars wrong.
COARRAYS = """
    TYPE, save, target :: x_TAG(n1, n2)[*]
    TYPE, allocatable, target :: y_TAG(:, :)[:]
    TYPE, save :: w_TAG[*]
    TYPE, save :: v_TAG(n1)[2, *]
    TYPE, save :: c_e_TAG(n1, n2)[*]
    TYPE, save, volatile :: u_TAG(n1, n2)[*]
"""
FILLED = """
    if (.not. allocated(y_TAG)) allocate (y_TAG(0:n1 - 1, -1:n2 - 2)[*])
    call set_TAG(x_TAG, y_TAG, v_TAG)
    w_TAG = mw_TAG(me)
    call set_e_TAG(c_e_TAG)
    u_TAG = mu_TAG(:, :, me)
"""
VERIFIED = """
    call verify_TAG(x_TAG, y_TAG, v_TAG)
    if (w_TAG NE mw_TAG(me)) call wrong('w_TAG')
    call verify_e_TAG(c_e_TAG)
    if (any(u_TAG NE mu_TAG(:, :, me))) call wrong('u_TAG')
"""
MODELS = """
    TYPE :: mx_TAG(n1, n2, most), my_TAG(n1, n2, most), mv_TAG(n1, most)
    TYPE :: mw_TAG(most)
    TYPE :: me_TAG(n1, n2, most)
    TYPE :: mu_TAG(n1, n2, most)
    TYPE :: a_TAG(n1, n2), ma_TAG(n1, n2)
"""
FILLED_MODELS = """
    do q = 1, most
        do j = 1, n2
            do i = 1, n1
                mx_TAG(i, j, q) = VALUE
                my_TAG(i, j, q) = VALUE
                me_TAG(i, j, q) = VALUE
                mu_TAG(i, j, q) = VALUE
                a_TAG(i, j) = VALUE
            end do
        end do
        do i = 1, n1
            mv_TAG(i, q) = VALUE
        end do
        mw_TAG(q) = VALUE
    end do
    ma_TAG = a_TAG
"""
SUBROUTINES = """
    subroutine set_TAG(x, y, v)
        TYPE, intent(out) :: x(n1, n2), y(n1, n2), v(n1)
        x = mx_TAG(:, :, me)
        y = my_TAG(:, :, me)
        v = mv_TAG(:, me)
    end subroutine

    subroutine verify_TAG(x, y, v)
        TYPE, intent(in) :: x(n1, n2), y(n1, n2), v(n1)
        if (any(x NE mx_TAG(:, :, me))) call wrong('x_TAG')
        if (any(y NE my_TAG(:, :, me))) call wrong('y_TAG')
        if (any(v NE mv_TAG(:, me))) call wrong('v_TAG')
        if (me == now_active .and. any(a_TAG NE ma_TAG)) call wrong('a_TAG')
    end subroutine
"""
DUMMY_SUBROUTINES = """
    subroutine set_e_TAG(x)
        TYPE, intent(out) :: x(n1, n2)
        x = me_TAG(:, :, me)
    end subroutine

    subroutine verify_e_TAG(x)
        TYPE, intent(in) :: x(n1, n2)
        if (any(x NE me_TAG(:, :, me))) call wrong('e_TAG')
    end subroutine
"""
NUMBER_FUNCTIONS = """
    elemental function half_TAG(v)
        TYPE, intent(in) :: v
        TYPE :: half_TAG
        half_TAG = v / 2
    end function

    pure real(8) function total_TAG(v)    ! of an array with a descriptor
        TYPE, intent(in) :: v(:)
        integer :: l
        total_TAG = 0
        do l = 1, size(v)
            total_TAG = total_TAG + real(v(l), 8) * mod(l, 3)
        end do
    end function
"""
DERIVED = """
    type :: pair
        integer(4) :: i
        real(8) :: r(3)
        character(5) :: s
    end type
    type :: plain    ! nothing but data, and padding
        integer(1) :: b
        integer(4) :: i, v(n1)
        real(8) :: r
        logical(1) :: l
        complex(8) :: z
        type(pair) :: in
    end type
    type(plain) :: md(n1, most), mg(most), a_d(n1), ma_d(n1)
"""
HELP = """
    integer function number()    ! -100 to 100
        place = iand(place + 1, size(pool) - 1)
        number = pool(place)
    end function

    function word()
        character(8) :: word
        integer :: l
        do l = 1, len(word)
            word(l:l) = achar(79 + number() / 10)
        end do
    end function

    function a_pair() result(x)
        type(pair) :: x
        x = pair(number(), [number(), number(), number()] / 4.0_8, word())
    end function

    function a_plain() result(x)
        type(plain) :: x
        integer :: l
        x = plain(int(number(), 1), number(), [(l + number() / 2, l = 1, n1)], number() / 4.0_8, number() > 0, &
            cmplx(number(), number(), 8) / 4, a_pair())
    end function

    logical function differ(x, y)
        type(plain), intent(in) :: x, y
        differ = x%b /= y%b .or. x%i /= y%i .or. any(x%v /= y%v) .or. x%r /= y%r .or. (x%l .neqv. y%l) .or. &
            x%z /= y%z .or. x%in%i /= y%in%i .or. any(x%in%r /= y%in%r) .or. x%in%s /= y%in%s
    end function

    subroutine wrong(what)
        character(*), intent(in) :: what
        if (failures < 20) print '(3(a, i0), 2a)', 'WRONG: procedure ', now, ' of image ', now_active, ', on image ', &
            me, ': ', what
        failures = failures + 1
    end subroutine

    integer function next(of, calls)
        integer, intent(in) :: of(n1)
        integer, intent(inout) :: calls
        calls = calls + 1
        next = of(1 + mod(calls, n1))
    end function

    pure integer function mirrored(l)
        integer, intent(in) :: l
        mirrored = n1 + 1 - l
    end function

    pure real(8) function flat_r8(v, n)    ! of an array without a descriptor
        integer, intent(in) :: n
        real(8), intent(in) :: v(n)
        flat_r8 = total_r8(v)
    end function

    subroutine fill_models(seed)
        integer, intent(in) :: seed
        integer :: i, j, q
        integer(8) :: state
        me = this_image()
        if (.not. is_filled) then
            state = 12345
            do i = 0, size(pool) - 1
                state = mod(state * 48271_8, 2147483647_8)
                pool(i) = int(mod(state / 7, 201_8)) - 100
            end do
            is_filled = .true.
        end if
        place = iand(seed * 7919, size(pool) - 1)
        do q = 1, most
            do i = 1, n1
                md(i, q) = a_plain()
                a_d(i) = a_plain()
            end do
            mg(q) = a_plain()
        end do
        ma_d = a_d
"""
# This type is in one file with the coarrays, because its layout depends on the code that gfortran has seen.
HEAP = """
    type :: heap     ! with memory of its own
        integer(4) :: i
        real(8), allocatable :: r(:)
        integer(4), pointer :: p(:)
        type(pair), allocatable :: q(:)
        character(5) :: s
        integer(8) :: f(n1)
        integer(8), pointer :: t(:)    ! with a stride; begins at 0
    end type
    type(heap) :: mo(most), mh(n2, most), mt(most)
"""
HELP_HEAP = """
    subroutine set_heap(x)
        type(heap), intent(inout) :: x
        integer :: l
        call allocate_heap(x)
        x%i = number()
        x%s = word()
        do l = 1, n1
            x%r(l) = number() / 4.0_8
            x%p(l) = number()
            x%f(l) = number()
            x%t(l - 1) = number()
        end do
        do l = 1, n2
            x%q(l) = a_pair()
        end do
    end subroutine

    subroutine allocate_heap(x)
        type(heap), intent(inout) :: x
        integer(8), pointer :: all(:)
        if (allocated(x%r)) return
        allocate (x%r(n1), x%p(n1), x%q(n2), all(2 * n1))
        x%t(0:) => all(2 * n1:1:-2)
    end subroutine

    subroutine copy_heap(from, to)
        type(heap), intent(in) :: from
        type(heap), intent(inout) :: to
        call allocate_heap(to)
        to%i = from%i
        to%s = from%s
        to%f = from%f
        to%r(:) = from%r
        to%p(:) = from%p
        to%q(:) = from%q
        to%t(:) = from%t
    end subroutine
"""
DIFFER_HEAP = """
    logical function objects_differ(x, y)
        type(heap), intent(in) :: x, y
        integer :: j
        objects_differ = x%i /= y%i .or. any(x%r /= y%r) .or. any(x%p /= y%p) .or. any(x%q%i /= y%q%i) .or. &
            any(x%f /= y%f) .or. x%s /= y%s .or. any(x%t /= y%t)
        do j = 1, n2
            objects_differ = objects_differ .or. any(x%q(j)%r /= y%q(j)%r)
        end do
    end function
"""
FILL = """
    do q = 1, most
        call set_heap(mo(q))
        call set_heap(mt(q))
        do i = 1, n2
            call set_heap(mh(i, q))
        end do
    end do
    d = md(:, me)
    g = mg(me)
    call copy_heap(mo(me), o)
    call copy_heap(mt(me), c_t)
    do i = 1, n2
        call copy_heap(mh(i, me), h(i))
    end do
"""
VERIFY = """
    do i = 1, n1
        if (differ(d(i), md(i, me))) call wrong('d')
        if (me == now_active .and. differ(a_d(i), ma_d(i))) call wrong('a_d')
    end do
    if (differ(g, mg(me))) call wrong('g')
    if (objects_differ(o, mo(me))) call wrong('o')
    if (objects_differ(c_t, mt(me))) call wrong('t')
    do i = 1, n2
        if (objects_differ(h(i), mh(i, me))) call wrong('h')
    end do
"""
# Half of the rounds are in teams of images with even and with odd numbers. There, the procedure's image indices refer
# to the team, and those of the model to the initial team.
MAIN = """
program statements
    use, intrinsic :: iso_fortran_env, only: team_type
    use near_models, only: failures, now, now_active
    implicit none
    integer(8) :: state
    integer :: q, r, i, j, k, i1, i2, j1, j2, st, sg, iv(N1), im(N1), rounds, round, p, active, me, images, turn
    integer :: q_there, r_there, im_there(N1)
    logical :: in_team
    type(team_type) :: half
    character(20) :: text
    call get_command_argument(1, text)
    read (text, *) rounds
    me = this_image()
    images = num_images()
    state = 12345
    turn = 0
    form team (1 + mod(me, 2), half)
    do round = 1, rounds
        do p = 1, PROCEDURES
            turn = turn + 1
            active = 1 + dice(images)
            in_team = dice(2) == 0
            call draw
            call fill(turn)
            sync all
            if (in_team) then
                change team (half)
                    if (me == active) call run(1 + (active - 1) / 2)
                end team
            else
                if (me == active) call run(active)
            end if
            call run_model
            sync all
            now = p
            now_active = active
            call verify
        end do
    end do
    if (failures > 0) error stop 1, quiet=.true.
    sync all
    if (me == 1) print '(a)', 'PASSED'

contains

    integer function dice(n)    ! the same on all images: 0 to n - 1
        integer, intent(in) :: n
        state = mod(state * 48271_8, 2147483647_8)
        dice = int(mod(state / 7, int(n, 8)))
    end function

    subroutine draw_image(there, of)    ! its index for the procedure, and in the initial team
        integer, intent(out) :: there, of
        if (in_team) then
            there = 1 + dice((images + mod(active, 2)) / 2)
            of = 2 * there - mod(active, 2)
        else
            there = 1 + dice(images)
            of = there
        end if
    end subroutine

    subroutine draw
        integer :: a, b, l
        call draw_image(q_there, q)
        call draw_image(r_there, r)
        i = 1 + dice(N1)
        k = 1 + dice(N1)
        j = 1 + dice(N2)
        a = 1 + dice(N1)
        b = 1 + dice(N1)
        i1 = min(a, b)
        i2 = max(a, b)
        a = 1 + dice(N2)
        b = 1 + dice(N2)
        j1 = min(a, b)
        j2 = max(a, b)
        sg = 2 * dice(2) - 1
        st = sg * (1 + dice(2))
        iv = [(l, l = 1, N1)]
        do l = 1, N1
            call draw_image(im_there(l), im(l))
            a = l + dice(N1 - l + 1)
            b = iv(l)
            iv(l) = iv(a)
            iv(a) = b
        end do
    end subroutine

    subroutine run(active)
        integer, intent(in) :: active
        select case (p)
CASES_P        end select
    end subroutine

    subroutine run_model
        select case (p)
CASES_M        end select
    end subroutine
end program
"""


def of_types(template, tags=TYPES):
    text = ""
    for tag in tags:
        value = {"l": "mod(number(), 2) == 0", "s": "word()", "r4": "number() / 4.0", "r8": "number() / 4.0_8",
                 "z": f"cmplx(number(), number(), {tag[1]}) / 4"}
        of_type = template.replace("TAG", tag).replace("TYPE", TYPES[tag])
        of_type = of_type.replace("VALUE", value.get(tag, value.get(tag[0], "number()")))
        text += of_type.replace(" NE ", " .neqv. " if tag[0] == "l" else " /= ")
    absent = ([f"w_{tag}" for tag in TYPES if tag[0] == "z"] + [f"e_{tag}" for tag in TYPES if tag not in DUMMIES] +
              [f"u_{tag}" for tag in TYPES if tag not in VOLATILES])
    return "\n".join(line for line in text.splitlines() if not any(name in line for name in absent)) + "\n"


def models():
    """The module of the model, with procedures that fill it with values from a seed and that compare memory with it."""
    numbers = [tag for tag in TYPES if tag[0] in "ir"]
    generic = "".join(f"    interface {name}\n        procedure {', '.join(f'{name}_{tag}' for tag in numbers)}\n"
                      "    end interface\n" for name in ("half", "total"))
    return (f"module near_models\n    implicit none\n    integer, parameter :: n1 = {N1}, n2 = {N2}, most = {MOST}\n"
            f"    integer :: failures = 0, now, now_active, me, place, pool(0:4095)\n"
            f"    logical :: is_filled = .false.\n"
            f"{DERIVED}{of_types(MODELS)}{generic}contains\n{HELP}{of_types(FILLED_MODELS)}    end subroutine\n"
            f"{of_types(SUBROUTINES)}{of_types(DUMMY_SUBROUTINES, DUMMIES)}{of_types(NUMBER_FUNCTIONS, numbers)}"
            "end module\n")


def coarrays():
    """The module of the coarrays. It is in the same file as the statements, because gfortran does not recognize static
    coarrays of another file."""
    return (f"module near_data\n    use near_models\n    implicit none\n{HEAP}{of_types(COARRAYS)}"
            f"    type(plain), save, target :: d(n1)[*], g[*]\n    type(heap), save, target :: o[*], h(n2)[*], c_t[*]\n"
            f"end module\n\nsubroutine fill(seed)\n    use near_data\n    integer, intent(in) :: seed\n"
            f"    integer :: i, q\n    call fill_models(seed)\n{of_types(FILLED)}{FILL}contains\n{HELP_HEAP}"
            f"end subroutine\n\nsubroutine verify\n    use near_data\n    integer :: i\n{of_types(VERIFIED)}{VERIFY}"
            f"contains\n{DIFFER_HEAP}end subroutine\n\n")


def main(count):
    """The main program, which runs this number of procedures."""
    text = MAIN.replace("PROCEDURES", str(count))
    there = ARGUMENTS.replace("q, r", "q_there, r_there").replace("im", "im_there")
    for name, arguments in (("p", there), ("m", ARGUMENTS)):
        text = text.replace(f"CASES_{name.upper()}", "".join(
            f"        case ({n})\n            call {name}{n}({arguments})\n" for n in range(1, count + 1)))
    return text.replace("N1", str(N1)).replace("N2", str(N2))
