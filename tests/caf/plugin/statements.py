"""Random statements with coarrays, and the same on a model of all images' memory: what random_statements.py compiles.

Each coarray x has a model mx with one dimension more, the image; each local variable has a model, too.  A statement is
written twice, x(i, j)[q] = a(i, j) - 1 and mx(i, j, q) = ma(i, j) - 1, in random procedures whose bounds, indices and
images are arguments: one image runs a procedure while the others wait, and then all memory is compared."""

import random

N1, N2, MOST = 10, 6, 4    # extents of the arrays; images
TYPES = {"i1": "integer(1)", "i4": "integer(4)", "i8": "integer(8)", "r4": "real(4)", "r8": "real(8)",
         "z8": "complex(8)", "l4": "logical(4)", "s5": "character(5)", "s8": "character(8)"}
NUMBERS = ("i1", "i4", "i8", "r4", "r8")
ARGUMENTS = "active, q, r, i, j, k, i1, i2, j1, j2, iv, im"

# Of coarrays by the beginning of their names, where it is not 1.
LOWER = {"y": (0, -1)}


class Both:
    """A piece of text about the images' memory, and the same about the model."""
    def __init__(self, real, model):
        self.real, self.model = real, model

    def put_into(self, form, *others):
        return Both(form.format(self.real, *(o.real for o in others)),
                    form.format(self.model, *(o.model for o in others)))


class Generator:
    def __init__(self, seed, version):
        self.random = random.Random(seed)
        self.version = version    # of gfortran
        self.index = None                   # of the loop around

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # --- subscripts --------------------------------------------------------------------------------------------------

    def element_subscript(self, dim):
        if dim == 2:
            return self.one_of("j", "j1", str(self.random.randint(1, N2)))
        if self.index and self.chance(75):
            return self.one_of(self.index, self.index, f"{N1 + 1} - {self.index}", f"iv({self.index})")
        return self.one_of("i", "k", "i1", "iv(k)", f"{N1 + 1} - i", str(self.random.randint(1, N1)))

    def section_subscript(self, dim, length, vectors):
        n = (N1, N2)[dim - 1]
        if length == "all":
            if dim == 1 and vectors and self.chance(12):
                return "iv"
            return self.one_of(":", ":", f"1:{n}", f"{n}:1:-1")
        if length == "some":
            first, last = (("i1", "i2"), ("j1", "j2"))[dim - 1]
            return self.one_of(f"{first}:{last}", f"{first}:{last}", f"1:{last} - {first} + 1", f"{last}:{first}:-1")
        return self.one_of("1:3", "2:4", f"{n - 2}:{n}", "1:5:2", "3:1:-1", "2:6:2")    # three

    def shape(self):
        """Of a section: the length in each dimension, None where it has a single subscript."""
        return self.one_of(("all", None), ("some", None), ("some", None), ("three", None), ("all", "all"),
                           ("all", "some"), ("some", "some"), (None, "all"), (None, "some"), ("three", "three"))

    def subscripts(self, shape, vectors=False):
        return [self.section_subscript(dim, length, vectors) if length else self.element_subscript(dim)
                for dim, length in zip((1, 2), shape)]

    # --- names -------------------------------------------------------------------------------------------------------

    def image(self):
        return self.one_of("q", "q", "q", "r", "active", f"im({self.index or 'k'})")

    def part(self, name, subscripts, coindexed, component="", corank=1):
        """name(subscripts)[image]component."""
        here = ", ".join(self.shifted(name, subscripts))
        here = f"({here})" if here else ""
        if not coindexed:
            return Both(f"{name}{here}{component}", f"m{name}({', '.join([*subscripts, 'active'])}){component}")
        image = self.image()
        selector = image if corank == 1 else f"1 + mod({image} - 1, 2), 1 + ({image} - 1) / 2"
        return Both(f"{name}{here}[{selector}]{component}",
                    f"m{name}({', '.join([*subscripts, image])}){component}")

    def shifted(self, name, subscripts):
        """For arrays whose bounds do not begin at 1; in the model they do."""
        def shift(text, by):
            return text if text == ":" else ":".join(f"{by} + {bound}" for bound in text.split(":")[:2]) + \
                "".join(":" + step for step in text.split(":")[2:])
        lower = LOWER.get(name[0])
        return [shift(text, low - 1) for text, low in zip(subscripts, lower)] if lower else subscripts

    def coarray(self, tag, shape, coindexed, vectors=True):
        """An element or a section of a coarray of that type."""
        if shape == ():
            name = self.one_of("x", "x", "x", "y", "y", "w", "v")
            if name == "w" and tag == "z8":
                name = "x"
            if tag == "r8" and self.chance(35) or tag == "i4" and self.chance(25):
                return self.component(tag, coindexed)
            if name == "w":
                return self.part(f"w_{tag}", [], coindexed)
            if name == "v":
                return self.part(f"v_{tag}", [self.element_subscript(1)], coindexed, corank=2)
            subscripts = self.subscripts((None, None))
            return self.part(f"{name}_{tag}", subscripts, coindexed)
        name = self.one_of("x", "y")
        if shape[1] is None and self.chance(20):
            return self.part(f"v_{tag}", [self.section_subscript(1, shape[0], False)], coindexed, corank=2)
        if shape[1] is None and shape[0] and tag in ("r8", "i4", "i8") and self.chance(25):
            return self.component_section(tag, shape[0], coindexed)
        # of two dimensions, a vector subscript and a negative stride, gfortran 12 to 14 make none, and crash
        subscripts = self.subscripts(shape, vectors and name == "x" and self.version < 15 and None in shape)
        return self.part(f"{name}_{tag}", subscripts, coindexed)

    def component(self, tag, coindexed):
        """A scalar within a derived type."""
        one, two = self.element_subscript(1), self.element_subscript(2)
        three = str(self.random.randint(1, 3))
        if tag == "r8":
            choices = [("d", [one], "%r"), ("g", [], "%r"), ("d", [one], f"%in%r({three})"), ("o", [], f"%r({one})"),
                       ("h", [two], f"%r({one})"), ("o", [], f"%q({two})%r({three})")]
        else:
            choices = [("d", [one], "%i"), ("g", [], f"%v({one})"), ("d", [two], f"%v({one})"), ("o", [], "%i"),
                       ("o", [], f"%p({one})"), ("h", [two], f"%p({one})"), ("g", [], "%in%i"), ("h", [two], "%i")]
        name, subscripts, component = self.random.choice(choices)
        return self.part(name, subscripts, coindexed, component)

    def component_section(self, tag, length, coindexed):
        range_ = self.section_subscript(1, length, False)
        name, component = {"r8": ("o", "r"), "i4": self.one_of(("o", "p"), ("g", "v")), "i8": ("o", "f")}[tag]
        if tag != "i4" and self.chance(30):
            return self.part("h", [self.element_subscript(2)], coindexed, f"%{component}({range_})")
        return self.part(name, [], coindexed, f"%{component}({range_})")

    def local(self, tag, shape):
        """A local variable, or a part of it."""
        if shape == () and self.chance(50):
            return Both(f"s_{tag}", f"ms_{tag}")
        if shape == ():
            subscripts = ", ".join(self.subscripts((None, None)))
        else:
            subscripts = ", ".join(self.subscripts(shape))
        return Both(f"a_{tag}({subscripts})", f"ma_{tag}({subscripts})")

    # --- expressions -------------------------------------------------------------------------------------------------

    def operand(self, tag, shape, gets):
        if self.chance(gets):
            return self.coarray(tag, shape, coindexed=True, vectors=False)
        if self.chance(25):
            return self.coarray(tag, shape, coindexed=False, vectors=False)
        return self.local(tag, shape)

    def expression(self, tag, shape, gets):
        """Whose values stay as small as they are, so that each kind has them."""
        if tag in NUMBERS:
            tag = self.random.choice((tag, tag, tag, *NUMBERS))
            form = self.one_of("{0}", "{0}", "{0}", "-{0}", "({0} - {1}) / 2", "abs({0})", "max({0}, {1})")
        else:
            form = {"z8": self.one_of("{0}", "{0}", "-{0}", "({0} - {1}) / 2"),
                    "l4": self.one_of("{0}", "{0}", ".not. {0}"), "s5": "{0}", "s8": "{0}"}[tag]
            if tag in ("s5", "s8"):
                tag = self.random.choice((tag, tag, "s5", "s8"))
        if self.version >= 15:    # whose programs crash at x[q] = -y, x[q] = .not. y
            form = {"-{0}": "0 - {0}", ".not. {0}": "{0} .neqv. .true."}.get(form, form)
        return self.operand(tag, shape, gets).put_into(form, self.operand(tag, shape, gets))

    # --- statements: lists of lines, with {0} for what is of the images or of the model -----------------------------

    def assignment(self, shape):
        tag = self.one_of("i4", "i4", "r8", "r8", *TYPES)
        where = self.random.randrange(10)
        if where < 5:
            left, gets = self.coarray(tag, shape, coindexed=True), 15
        elif where < 7:
            left, gets = self.coarray(tag, shape, coindexed=False, vectors=False), 70
        else:
            left, gets = self.local(tag, shape), 80
        if left.real[0] in "ohw":
            gets = 0    # gfortran 12 crashes at o[q]%i = x[r], w[q] = o[r]%p(1), o%p(:) = x(:)[r], or copies elsewhere
        if self.version == 15 and "[" in left.real:
            gets = 0    # at x[r] = abs(y[q]) it takes the y of this image
        right = self.expression(tag, () if shape and self.chance(15) else shape, gets)
        while left.real[:2] in ("o%", "h(") and left.real[:2] in right.real and ":-1)" in right.real:
            right = self.expression(tag, shape, gets)    # o%r(:) = o%r(::-1) makes gfortran 12 overwrite what it reads
        return left.put_into("{0} = {1}", right)

    def object(self):
        """A derived type as a whole."""
        one = self.element_subscript(1)
        there = self.one_of(self.part("d", [one], True), self.part("g", [], True))
        here = self.one_of(Both(f"a_d({one})", f"ma_d({one})"), self.part("d", [self.element_subscript(1)], False))
        if self.chance(30):
            there, here = there.put_into("{0}%in"), here.put_into("{0}%in")
        return there.put_into("{0} = {1}", here) if self.chance(50) else here.put_into("{0} = {1}", there)

    def reduction(self):
        tag = self.one_of(*NUMBERS)
        got = self.coarray(tag, self.shape(), coindexed=True, vectors=False)
        function = self.one_of("sum({1}) / 64", "maxval({1})", "minval({1})", "count({1} > 0)")
        target = self.one_of("r8", "i8")
        return Both(f"s_{target}", f"ms_{target}").put_into("{0} = " + function, got)

    def accumulate(self):
        return Both("s_r8", "ms_r8").put_into("{0} = {0} / 2 + {1} / 2", self.operand("r8", (), 100))

    def simple(self):
        kind = self.random.randrange(100)
        return self.assignment(()) if kind < 65 else self.assignment(self.shape()) if kind < 92 else self.object()

    def condition(self):
        return self.operand(self.one_of("i4", "r8"), (), 40).put_into("if ({0} > 0) then")

    def own_name(self):
        """An own coarray, by a pointer."""
        tag = self.one_of("i4", "r8", "i1")
        name = f"x_{tag}"    # with an allocatable coarray gfortran 12 writes beyond the pointer
        subscripts = self.subscripts((None, None))
        own = Both(f"p_{tag}({', '.join(self.shifted(name, subscripts))})", f"m{name}({', '.join(subscripts)}, active)")
        scalar = Both(f"s_{tag}", f"ms_{tag}")
        return [Both(f"p_{tag} => {name}", ""), self.assignment(()), own.put_into("{0} = {1}", scalar),
                self.assignment(()), scalar.put_into("{0} = {1}", own)]

    def loop(self):
        bounds = self.one_of(f"1, {N1}", f"1, {N1}", "i1, i2", "i1, i2", f"{N1}, 1, -1", "i2, i1, -1", f"1, {N1}, 3")
        self.index = "l"
        body = [self.assignment(()) for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        if self.chance(20):
            body.append(self.accumulate())
        if self.chance(12):
            body = [self.condition(), *body, same("end if")]
        self.index = None
        return [same(f"do l = {bounds}"), *body, same("end do")]

    def statement(self):
        """One statement, or some that belong together."""
        kind = self.random.randrange(100)
        if kind < 55:
            return [self.simple()]
        if kind < 62:
            return [self.reduction()]
        if kind < 68:
            return [self.condition(), self.simple(), same("end if")]
        return self.own_name() if kind < 72 else self.loop()


def same(text):
    return Both(text, text)


# --- the module of all data, and what fills and verifies it -----------------------------------------------------------

# Of complex numbers there is no w, for static scalar ones gfortran gets wrong.
DECLARED = """
    TYPE, save, target :: x_TAG(n1, n2)[*]
    TYPE, allocatable, target :: y_TAG(:, :)[:]
    TYPE, save :: w_TAG[*]
    TYPE, save :: v_TAG(n1)[2, *]
    TYPE :: mx_TAG(n1, n2, most), my_TAG(n1, n2, most), mv_TAG(n1, most)
    TYPE :: mw_TAG(most)
    TYPE :: a_TAG(n1, n2), ma_TAG(n1, n2)
"""
FILLED = """
    if (.not. allocated(y_TAG)) allocate (y_TAG(0:n1 - 1, -1:n2 - 2)[*])
    do q = 1, most
        do j = 1, n2
            do i = 1, n1
                mx_TAG(i, j, q) = VALUE
                my_TAG(i, j, q) = VALUE
                mv_TAG(i, q) = VALUE
                mw_TAG(q) = VALUE
                a_TAG(i, j) = VALUE
            end do
        end do
    end do
    x_TAG = mx_TAG(:, :, me)
    y_TAG(:, :) = my_TAG(:, :, me)
    w_TAG = mw_TAG(me)
    v_TAG = mv_TAG(:, me)
    ma_TAG = a_TAG
"""
VERIFIED = """
    if (any(x_TAG NE mx_TAG(:, :, me))) call wrong('x_TAG')
    if (any(y_TAG NE my_TAG(:, :, me))) call wrong('y_TAG')
    if (any(v_TAG NE mv_TAG(:, me))) call wrong('v_TAG')
    if (w_TAG NE mw_TAG(me)) call wrong('w_TAG')
    if (me == active .and. any(a_TAG NE ma_TAG)) call wrong('a_TAG')
"""
DERIVED = """
    type :: pair
        integer(4) :: i
        real(8) :: r(3)
        character(5) :: s
    end type
    type :: plain    ! nothing but data
        integer(1) :: b
        integer(4) :: i, v(n1)
        real(8) :: r
        type(pair) :: in
    end type
    type :: heap     ! with memory of its own
        integer(4) :: i
        real(8), allocatable :: r(:)
        integer(4), pointer :: p(:)
        type(pair), allocatable :: q(:)
        character(5) :: s
        integer(8) :: f(n1)
    end type
    type(plain), save, target :: d(n1)[*], g[*]
    type(heap), save, target :: o[*], h(n2)[*]
    type(plain) :: md(n1, most), mg(most), a_d(n1), ma_d(n1)
    type(heap) :: mo(most), mh(n2, most)
"""
FILL_DERIVED = """
    do q = 1, most
        do i = 1, n1
            md(i, q) = a_plain()
            a_d(i) = a_plain()
        end do
        mg(q) = a_plain()
        call set_heap(mo(q))
        do i = 1, n2
            call set_heap(mh(i, q))
        end do
    end do
    d = md(:, me)
    g = mg(me)
    ma_d = a_d
    call copy_heap(mo(me), o)
    do i = 1, n2
        call copy_heap(mh(i, me), h(i))
    end do
"""
HELP_FILL = """
    integer function number()    ! -100 to 100
        state = mod(state * 48271_8, 2147483647_8)
        number = int(mod(state / 7, 201_8)) - 100
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
        x = plain(int(number(), 1), number(), [(l + number() / 2, l = 1, n1)], number() / 4.0_8, a_pair())
    end function

    subroutine set_heap(x)
        type(heap), intent(inout) :: x
        integer :: l
        if (.not. allocated(x%r)) allocate (x%r(n1), x%p(n1), x%q(n2))
        x%i = number()
        x%s = word()
        do l = 1, n1
            x%r(l) = number() / 4.0_8
            x%p(l) = number()
            x%f(l) = number()
        end do
        do l = 1, n2
            x%q(l) = a_pair()
        end do
    end subroutine

    subroutine copy_heap(from, to)
        type(heap), intent(in) :: from
        type(heap), intent(inout) :: to
        if (.not. allocated(to%r)) allocate (to%r(n1), to%p(n1), to%q(n2))
        to%i = from%i
        to%s = from%s
        to%f = from%f
        to%r(:) = from%r
        to%p(:) = from%p
        to%q(:) = from%q
    end subroutine
"""
VERIFY_DERIVED = """
    do i = 1, n1
        if (differ(d(i), md(i, me))) call wrong('d')
        if (me == active .and. differ(a_d(i), ma_d(i))) call wrong('a_d')
    end do
    if (differ(g, mg(me))) call wrong('g')
    if (objects_differ(o, mo(me))) call wrong('o')
    do i = 1, n2
        if (objects_differ(h(i), mh(i, me))) call wrong('h')
    end do
"""
HELP_VERIFY = """
    logical function differ(x, y)
        type(plain), intent(in) :: x, y
        differ = x%b /= y%b .or. x%i /= y%i .or. any(x%v /= y%v) .or. x%r /= y%r .or. x%in%i /= y%in%i .or. &
            any(x%in%r /= y%in%r) .or. x%in%s /= y%in%s
    end function

    logical function objects_differ(x, y)
        type(heap), intent(in) :: x, y
        objects_differ = x%i /= y%i .or. any(x%r /= y%r) .or. any(x%p /= y%p) .or. any(x%q%i /= y%q%i) .or. &
            any(x%f /= y%f) .or. x%s /= y%s
        do j = 1, n2
            objects_differ = objects_differ .or. any(x%q(j)%r /= y%q(j)%r)
        end do
    end function

    subroutine wrong(what)
        character(*), intent(in) :: what
        if (failures < 20) print '(3(a, i0), 2a)', 'WRONG: procedure ', p, ' of image ', active, ', on image ', me, &
            ': ', what
        failures = failures + 1
    end subroutine
"""
MAIN = """
program statements
    use near_data, only: failures
    implicit none
    integer(8) :: state
    integer :: q, r, i, j, k, i1, i2, j1, j2, iv(N1), im(N1), rounds, round, p, active, me, images, turn
    character(20) :: text
    call get_command_argument(1, text)
    read (text, *) rounds
    me = this_image()
    images = num_images()
    state = 12345
    turn = 0
    do round = 1, rounds
        do p = 1, PROCEDURES
            call draw
            turn = turn + 1
            active = 1 + dice(images)
            call fill(turn)
            sync all
            if (me == active) call run
            call run_model
            sync all
            call verify(p, active)
        end do
    end do
    if (failures > 0) error stop 1, quiet=.true.
    sync all
    if (me == 1) print '(a)', 'PASSED'

contains

    integer function dice(n)    ! 1 to n, the same on all images: 0 to n - 1
        integer, intent(in) :: n
        state = mod(state * 48271_8, 2147483647_8)
        dice = int(mod(state / 7, int(n, 8)))
    end function

    subroutine draw
        integer :: a, b, l
        q = 1 + dice(images)
        r = 1 + dice(images)
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
        iv = [(l, l = 1, N1)]
        do l = 1, N1
            im(l) = 1 + dice(images)
            a = l + dice(N1 - l + 1)
            b = iv(l)
            iv(l) = iv(a)
            iv(a) = b
        end do
    end subroutine

    subroutine run
        select case (p)
CASES_P        end select
    end subroutine

    subroutine run_model
        select case (p)
CASES_M        end select
    end subroutine
end program
"""


def for_each_type(template):
    text = ""
    for tag, declared in TYPES.items():
        value = {"l4": "mod(number(), 2) == 0", "s5": "word()", "s8": "word()", "r4": "number() / 4.0",
                 "r8": "number() / 4.0_8", "z8": "cmplx(number(), number(), 8) / 4"}.get(tag, "number()")
        of_type = template.replace("TAG", tag).replace("TYPE", declared).replace("VALUE", value)
        text += of_type.replace(" NE ", " .neqv. " if tag == "l4" else " /= ")
    return "\n".join(line for line in text.splitlines() if "w_z8" not in line) + "\n"


def data():
    """The module, and what fills it with values that come of a seed and verifies that each image's is as the model."""
    return (f"module near_data\n    implicit none\n    integer, parameter :: n1 = {N1}, n2 = {N2}, most = {MOST}\n"
            f"    integer :: failures = 0\n{DERIVED}{for_each_type(DECLARED)}end module\n\n"
            f"subroutine fill(seed)\n    use near_data\n    integer, intent(in) :: seed\n    integer :: i, j, q, me\n"
            f"    integer(8) :: state\n    state = 1 + modulo(seed * 7919_8, 2147483646_8)\n    me = this_image()\n"
            f"{for_each_type(FILLED)}{FILL_DERIVED}contains\n{HELP_FILL}end subroutine\n\n"
            f"subroutine verify(p, active)\n    use near_data\n    integer, intent(in) :: p, active\n"
            f"    integer :: i, j, me\n    me = this_image()\n"
            f"{for_each_type(VERIFIED)}{VERIFY_DERIVED}contains\n{HELP_VERIFY}end subroutine\n\n")


def procedures(generator, number, count):
    """The texts of a procedure with so many statements, and of that of the model."""
    pieces = [piece for _ in range(count) for piece in generator.statement()]
    texts = []
    for name, prefix, lines in (("p", "", [piece.real for piece in pieces]),
                                ("m", "m", [piece.model for piece in pieces])):
        used = [tag for tag in TYPES if any(f"s_{tag}" in piece.real for piece in pieces)]
        text = [f"subroutine {name}{number}({ARGUMENTS})", "use near_data",
                f"integer, intent(in) :: {ARGUMENTS.replace('iv, im', f'iv({N1}), im({N1})')}", "integer :: l",
                *(f"{TYPES[tag]} :: {prefix}s_{tag}" for tag in used),
                *(f"{TYPES[tag]}, pointer :: p_{tag}(:, :)" for tag in ("i1", "i4", "r8")),
                *(f"{prefix}s_{tag} = {prefix}a_{tag}(i, j)" for tag in used), *lines,
                *(f"{prefix}a_{tag}(i, j) = {prefix}s_{tag}" for tag in used),    # where verify looks
                "end subroutine"]
        texts.append("\n".join(text) + "\n")
    return texts


def program(seed, count, statements, version):
    """The sources of a program of so many procedures with so many statements each: the data and the procedures, and
    the same on the model with the main program.  (gfortran takes no static coarray of another file's for what it is.)
    """
    generator = Generator(seed, version)
    texts = [procedures(generator, number, statements) for number in range(1, count + 1)]
    main = MAIN.replace("PROCEDURES", str(count))
    for name in "pm":
        main = main.replace(f"CASES_{name.upper()}", "".join(
            f"        case ({n})\n            call {name}{n}({ARGUMENTS})\n" for n in range(1, count + 1)))
    main = main.replace("N1", str(N1)).replace("N2", str(N2))
    return data() + "\n".join(real for real, _ in texts), "\n".join(model for _, model in texts) + main
