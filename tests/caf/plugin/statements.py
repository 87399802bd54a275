"""Random statements with coarrays, and the same on a model of all images' memory; random_statements.py compiles them.

Each coarray x has a model mx with one dimension more, the image; each local variable has a model, too.  A statement is
written twice, x(i, j)[q] = a(i, j) - 1 and mx(i, j, q) = ma(i, j) - 1, in random procedures whose bounds, indices and
images are arguments: one image runs a procedure while the others wait, and then all memory is compared."""

import random
import re

from statements_data import ARGUMENTS, DECLARED_ARGUMENTS, DUMMIES, N1, N2, TYPES, VOLATILES, coarrays, main

NUMBERS = ("i1", "i2", "i4", "i8", "r4", "r8")
PARTS = {"r4": "z4", "r8": "z8"}    # {real type: complex type that has it as a part}
DUMMY_PROCEDURES = 30               # per cent of procedures, with coarrays as dummy arguments

# Lower bounds of coarrays, by the beginning of their names; others are 1.
LOWER = {"y": (0, -1)}

# Scalars in derived types: the object's name, its subscripts, the component.  {1}, {2}: an element's subscripts;
# {3}: 1 to 3.
COMPONENTS = {
    "i1": (("d", 1, "%b"), ("g", 0, "%b")),
    "i4": (("d", 1, "%i"), ("g", 0, "%v({1})"), ("d", 1, "%v({1})"), ("o", 0, "%i"), ("o", 0, "%p({1})"),
           ("h", 2, "%p({1})"), ("g", 0, "%in%i"), ("h", 2, "%i"), ("t", 0, "%p({1})"),
           ("t", 0, "%i")),
    "i8": (("o", 0, "%t({1} - 1)"), ("h", 2, "%t({1} - 1)"), ("o", 0, "%f({1})"), ("t", 0, "%f({1})")),
    "r8": (("d", 1, "%r"), ("g", 0, "%r"), ("d", 1, "%in%r({3})"), ("o", 0, "%r({1})"), ("h", 2, "%r({1})"),
           ("o", 0, "%q({2})%r({3})"), ("t", 0, "%r({1})")),
    "z8": (("g", 0, "%z"), ("d", 1, "%z")),
    "l1": (("g", 0, "%l"), ("d", 1, "%l")),
    "s5": (("g", 0, "%in%s"), ("d", 1, "%in%s"), ("o", 0, "%s"), ("h", 2, "%s")),
}
SECTIONS = {    # of components with n1 elements
    "i4": (("o", 0, "%p"), ("h", 2, "%p"), ("g", 0, "%v"), ("d", 1, "%v"), ("t", 0, "%p")),
    "i8": (("o", 0, "%f"), ("h", 2, "%f"), ("o", 0, "%t"), ("h", 2, "%t"), ("t", 0, "%f")),
    "r8": (("o", 0, "%r"), ("h", 2, "%r"), ("t", 0, "%r")),
}
BEHIND_SECTIONS = {"i1": "%b", "i4": "%i", "r8": "%in%r(2)", "l1": "%l", "z8": "%z"}    # d(...), gfortran 15 and 16


class Both:
    """A piece of a statement as text for the images' memory, and its counterpart for the model."""
    def __init__(self, real, model):
        self.real, self.model = real, model

    def put_into(self, form, *others):
        return Both(form.format(self.real, *(o.real for o in others)),
                    form.format(self.model, *(o.model for o in others)))


def same(text):
    return Both(text, text)


class Generator:
    def __init__(self, seed, version):
        self.random = random.Random(seed)
        self.version = version    # the version of gfortran
        self.index = None         # the index of the innermost loop
        self.second = None        # the index of the loop around it
        self.has_dummies = False
        self.is_pure = False      # allows no function with side effects
        self.has_next = False

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # --- subscripts --------------------------------------------------------------------------------------------------

    def element_subscript(self, dim):
        if dim == 2:
            return self.one_of("j", "j1", str(self.random.randint(1, N2)), *[self.second] * 4 * bool(self.second))
        if self.index and self.chance(75):
            return self.one_of(self.index, self.index, f"{N1 + 1} - {self.index}", f"iv({self.index})")
        return self.one_of("i", "k", "i1", "iv(k)", f"{N1 + 1} - i", "mirrored(k)", str(self.random.randint(1, N1)))

    def section_subscript(self, dim, length, vectors):
        n = (N1, N2)[dim - 1]
        first, last = (("i1", "i2"), ("j1", "j2"))[dim - 1]
        if length == "all":
            if dim == 1 and vectors and self.chance(12):
                return "iv"
            return self.one_of(":", ":", f"1:{n}", f"{n}:1:-1")
        if length == "some":
            return self.one_of(f"{first}:{last}", f"{first}:{last}", f"1:{last} - {first} + 1", f"{last}:{first}:-1")
        if length == "none":
            return self.one_of("5:4", f"{last} + 1:{last}", f"{first}:{first} - 1", "2:3:-1", f"{n + 1}:{n}", "4:1")
        strides = ("5:5 + 2*st:st", "5:5 + 2*sg:sg", "10:1:-4") if dim == 1 else ("3:3 + 2*sg:sg", "6:1:-2")
        return self.one_of("1:3", "2:4", f"{n - 2}:{n}", "1:5:2", "3:1:-1", "2:6:2", *strides)

    def shape(self):
        """The shape of a section: its length in each dimension, None in a dimension with a single subscript."""
        if self.chance(4):
            return self.one_of(("none", None), (None, "none"), ("none", "all"), ("some", "none"))
        return self.one_of(("all", None), ("some", None), ("some", None), ("three", None), ("all", "all"),
                           ("all", "some"), ("some", "some"), (None, "all"), (None, "some"), ("three", "three"),
                           ("three", "some"))

    def subscripts(self, shape, vectors=False):
        return [self.section_subscript(dim, length, vectors) if length else self.element_subscript(dim)
                for dim, length in zip((1, 2), shape)]

    # --- names -------------------------------------------------------------------------------------------------------

    def image(self, simple=False):
        if self.chance(85) or simple:
            return same(self.one_of("q", "q", "q", "r", "active", f"im({self.index or 'k'})"))
        if self.has_next or self.is_pure or self.chance(50):
            return same(self.one_of("merge(q, r, i > k)", "max(q, 1)", "int(r, 8)", "im(mirrored(k))", "int(q, 1)"))
        self.has_next = True
        return Both("next(im, calls)", "next(im, mcalls)")

    def part(self, name, subscripts, coindexed, component="", corank=1):
        """name(subscripts)[image]component."""
        here = ", ".join(self.shifted(name, subscripts))
        here = f"({here})" if here else ""
        if not coindexed:
            return Both(f"{name}{here}{component}", f"m{name}({', '.join([*subscripts, 'active'])}){component}")
        # to find a component, gfortran evaluates the image index twice: 12 to 14 always, 15 and 16 in expressions
        image = self.image(simple=corank == 2 or name[0] in "oht")
        selector = image.real if corank == 1 else f"1 + mod({image.real} - 1, 2), 1 + ({image.real} - 1) / 2"
        return Both(f"{name}{here}[{selector}]{component}",
                    f"m{name}({', '.join([*subscripts, image.model])}){component}")

    @staticmethod
    def shift(text, by):
        return text if text == ":" else ":".join(f"{by} + {bound}" for bound in text.split(":")[:2]) + \
            "".join(":" + step for step in text.split(":")[2:])

    def shifted(self, name, subscripts):
        """Shifts subscripts for arrays whose bounds do not begin at 1; in the model they do."""
        lower = LOWER.get(name[0])
        return [self.shift(text, low - 1) for text, low in zip(subscripts, lower)] if lower else subscripts

    def coarray(self, tag, shape, coindexed, vectors=True):
        """An element or a section of a coarray of that type."""
        # gfortran calls a function in a string's subscript twice (in the model) if a shorter string is put there
        self.has_next = self.has_next or tag in ("s5", "s8")
        # of a section gfortran 12 to 14 take %re for %im
        if tag in PARTS and self.chance(8) and (self.version >= 15 or shape == ()):
            return self.coarray(PARTS[tag], shape, coindexed, vectors).put_into("{0}" + self.one_of("%re", "%im"))
        names = ["x", "x", "y", *["e"] * 2 * (self.has_dummies and tag in DUMMIES), *["u"] * (tag in VOLATILES)]
        if shape == ():
            if tag in COMPONENTS and self.chance(35):
                return self.component(tag, coindexed)
            name = self.one_of(*names, *names, "w", "v")
            if name == "w" and tag[0] != "z":
                return self.part(f"w_{tag}", [], coindexed)
            if name == "v":
                return self.part(f"v_{tag}", [self.element_subscript(1)], coindexed, corank=2)
            return self.part(f"{'x' if name == 'w' else name}_{tag}", self.subscripts((None, None)), coindexed)
        name = self.one_of(*names)
        if shape[1] is None and self.chance(15):
            return self.part(f"v_{tag}", [self.section_subscript(1, shape[0], False)], coindexed, corank=2)
        if shape[1] is None and tag in SECTIONS and self.chance(30):
            return self.component_section(tag, shape[0], coindexed)
        if shape[1] is None and tag in BEHIND_SECTIONS and self.chance(15) and self.version > 15:
            return self.part("d", [self.section_subscript(1, shape[0], False)], coindexed, BEHIND_SECTIONS[tag])
        # gfortran 12 to 14 crash at two dimensions with a vector subscript and a negative stride
        subscripts = self.subscripts(shape, vectors and name == "x" and self.version < 15 and None in shape)
        return self.part(f"{name}_{tag}", subscripts, coindexed)

    def component(self, tag, coindexed):
        """A scalar within a derived type."""
        name, subscripts, component = self.one_of(*(c for c in COMPONENTS[tag] if c[0] != "t" or self.has_dummies))
        component = component.format("", self.element_subscript(1), self.element_subscript(2),
                                     self.random.randint(1, 3))
        return self.part(name, [self.element_subscript(subscripts)] if subscripts else [], coindexed, component)

    def component_section(self, tag, length, coindexed):
        name, subscripts, component = self.one_of(*(c for c in SECTIONS[tag] if c[0] != "t" or self.has_dummies))
        range_ = self.section_subscript(1, length, False)
        range_ = self.shift(range_, -1) if component == "%t" else range_
        return self.part(name, [self.element_subscript(subscripts)] if subscripts else [], coindexed,
                         f"{component}({range_})")

    def put_target(self, tag, shape):
        # at puts, 15 and 16 crash at a string in an array's elements, d(i)[q]%in%s; 16 also at g[q]%z%re
        crash = {15: r"\)\[.*%s$", 16: r"\)\[.*%s$|%z%(re|im)$"}.get(self.version, "$^")
        target = self.coarray(tag, shape, coindexed=True)
        while re.search(crash, target.real):
            target = self.coarray(tag, shape, coindexed=True)
        return target

    def local(self, tag, shape, may_be_part=False):
        """A local variable, or a part of it."""
        if shape == () and self.chance(50):
            return Both(f"s_{tag}", f"ms_{tag}")
        if tag == "s5" and self.chance(20) and (self.version >= 15 or may_be_part):
            return self.local("s8", (None, None) if shape == () else shape).put_into("{0}(2:6)")
        subscripts = ", ".join(self.subscripts((None, None) if shape == () else shape))
        return Both(f"a_{tag}({subscripts})", f"ma_{tag}({subscripts})")

    # --- expressions -------------------------------------------------------------------------------------------------

    def operand(self, tag, shape, gets):
        if self.chance(gets):
            return self.coarray(tag, shape, coindexed=True, vectors=False)
        if self.chance(25):
            if tag == "s5" and self.chance(30) and self.version >= 15:    # gfortran 12 to 14 put the whole string
                return self.coarray("s8", shape, coindexed=False, vectors=False).put_into("{0}(2:6)")
            return self.coarray(tag, shape, coindexed=False, vectors=False)
        return self.local(tag, shape)

    def expression(self, tag, shape, gets):
        """A form of expression whose values do not grow, so that each kind can hold them."""
        if tag[0] == "z" and self.chance(75):
            form = self.one_of("{0}", "{0}", "-{0}", "({0} - {1}) / 2", "conjg({0})")
        elif tag in NUMBERS or tag[0] == "z":
            tag = self.random.choice((tag, tag, tag, *NUMBERS)) if tag in NUMBERS else self.one_of(*NUMBERS)
            form = self.one_of("{0}", "{0}", "{0}", "{0}", "-{0}", "{0} / 2 - {1} / 2", "abs({0})", "max({0}, {1})",
                               "half({0})", "merge({0}, {1}, i > k)", "half({0}) + half({1})")
        elif tag[0] == "l":
            tag = self.random.choice((tag, tag, "l1", "l4", "l8"))
            form = self.one_of("{0}", "{0}", ".not. {0}", "{0} .and. {1}")
        else:
            tag = self.random.choice((tag, tag, "s5", "s8"))
            form = self.one_of("{0}", "{0}", "{0}", "merge({0}, {1}, i > k)")
        if self.version >= 15:    # 15 and 16 crash at x[q] = -y, x[q] = .not. y
            form = {"-{0}": "0 - {0}", ".not. {0}": "{0} .neqv. .true."}.get(form, form)
        was_pure = self.is_pure
        # merge and .and. need not evaluate both operands
        self.is_pure = was_pure or "merge" in form or ".and." in form
        a = self.operand(tag, shape, gets)
        # 15 and 16 crash at a(:)[q] + b(:)[q]
        b = self.operand(tag, shape, 0 if self.version >= 15 and shape else gets)
        self.is_pure = was_pure
        return a.put_into(form, b) if "{1}" in form else a.put_into(form)

    # --- statements: lists of lines, with {0} for parts of the images or of the model -----------------------------

    def assignment(self, shape):
        self.has_next = False
        tag = self.one_of("i4", "i4", "r8", "r8", *TYPES)
        where = self.random.randrange(10)
        if where < 5:
            left, gets = self.put_target(tag, shape), 15
        elif where < 7:
            left, gets = self.coarray(tag, shape, coindexed=False, vectors=False), 70
        else:
            left, gets = self.local(tag, shape, may_be_part=True), 80
        if "(2:6)" in left.real:
            gets = 0    # gfortran would use the length of the whole string
        # gfortran 12 crashes at o[q]%i = x[r], w[q] = o[r]%p(1), o%p(:) = x(:)[r], or copies to a wrong address
        if left.real[0] in "ohwt":
            gets = 0
        if self.version == 15 and "[" in left.real:
            gets = 0    # at x[r] = abs(y[q]) gfortran reads this image's y
        scalar = () if shape and self.chance(15) else shape
        was_pure = self.is_pure
        self.is_pure = self.is_pure or scalar != shape    # evaluated for each element
        right = self.expression(tag, scalar, gets)
        self.is_pure = was_pure
        # 15 and 16 put w_s8(1:5) for w_s8(2:6), and crash at x_s5(i, j)[q] = g[r]%in%s
        while self.version >= 15 and "[" in left.real and re.search(r"w_s8\(2:6\)|\]%(in%)?s\b", right.real):
            right = self.expression(tag, shape, gets)
        is_part = self.version < 15 and left.real.endswith(("%re", "%im"))
        while is_part and re.search(r"\b[oht](\([^[]*)?\[", right.real):
            right = self.expression(tag, shape, gets)    # 12 to 14 crash at x_z4(i, j)[q]%re = o[r]%p(1)
        while left.real[:2] in ("o%", "h(", "t%") and left.real[:2] in right.real and ":-" in right.real:
            right = self.expression(tag, shape, gets)    # o%r(:) = o%r(::-1) makes gfortran 12 overwrite what it reads
        return left.put_into("{0} = {1}", right)

    def object(self):
        """A derived type as a whole."""
        self.has_next = False
        one = self.element_subscript(1)
        there = self.one_of(self.part("d", [one], True), self.part("g", [], True))
        here = self.one_of(Both(f"a_d({one})", f"ma_d({one})"), self.part("d", [self.element_subscript(1)], False))
        if self.chance(30):
            there, here = there.put_into("{0}%in"), here.put_into("{0}%in")
        return there.put_into("{0} = {1}", here) if self.chance(50) else here.put_into("{0} = {1}", there)

    def reduction(self):
        self.has_next = False
        tag, shape = self.one_of(*NUMBERS), self.shape()
        if self.version >= 15 and self.chance(15):    # 12 to 14 get it into a temporary of another shape
            got = self.coarray(tag, ("three", "some"), coindexed=True, vectors=False)
            return Both("a_r8(4:6, j)", "ma_r8(4:6, j)").put_into("{0} = sum({1}, 2) / 64", got)
        if self.chance(15):
            tag, shape = "r8", ("three", None)
            got = self.coarray(tag, shape, coindexed=True, vectors=False)
            form = self.one_of("flat_r8({0}, 3) / 64", "dot_product({0}, {1}) / 64")
            return Both("s_r8 = ", "ms_r8 = ").put_into("{0}{1}", got.put_into(form, self.local(tag, shape)))
        forms = ["sum({1}) / 64", "maxval({1})", "minval({1})", "count({1} > 0)", "sum(half({1})) / 64",
                 *["total({1}) / 64"] * 3 * (None in shape)]
        function, target = self.random.choice(forms), self.one_of("r8", "i8")
        got = self.coarray(tag, shape, coindexed=True, vectors=False)
        return Both(f"s_{target}", f"ms_{target}").put_into("{0} = " + function, got)

    def accumulate(self):
        self.has_next = False
        return Both("s_r8", "ms_r8").put_into("{0} = {0} / 2 + {1} / 2", self.operand("r8", (), 100))

    def rearranged(self):
        """Functions of whole arrays, and lists of elements."""
        self.has_next = False
        tag = self.one_of("i4", "r8", "z8", "i1", "s5", "l4")
        shape, place, function = self.one_of(
            (("three", None), "2:4, j", "cshift({1}, 1)"), (("three", "three"), "1:3, 2:4", "transpose({1})"),
            (("three", "three"), "1:9, j", "reshape({1}, [9])"), ((), "3:4, j", "[{1}, {2}]"))
        parts = [self.coarray(tag, shape, True, False) for _ in range(2)]
        return Both(f"a_{tag}({place})", f"ma_{tag}({place})").put_into("{0} = " + function, *parts)

    def simple(self):
        kind = self.random.randrange(100)
        if kind < 62:
            return self.assignment(())
        return self.assignment(self.shape()) if kind < 90 else self.object() if kind < 95 else self.rearranged()

    def condition(self, form="if ({0} > 0) then"):
        self.has_next = False
        return self.operand(self.one_of("i4", "r8"), (), 40).put_into(form)

    def own_name(self):
        """This image's part of a coarray, through a pointer."""
        tag = self.one_of("i4", "r8", "i1")
        name = f"x_{tag}"    # with an allocatable coarray gfortran 12 writes beyond the pointer
        subscripts = self.subscripts((None, None))
        own = Both(f"p_{tag}({', '.join(self.shifted(name, subscripts))})", f"m{name}({', '.join(subscripts)}, active)")
        scalar = Both(f"s_{tag}", f"ms_{tag}")
        return [Both(f"p_{tag} => {name}", ""), self.assignment(()), own.put_into("{0} = {1}", scalar),
                self.assignment(()), scalar.put_into("{0} = {1}", own)]

    def grown(self):
        """An assignment that gives a local array the shape of the get's result."""
        self.has_next = False
        tag = self.one_of("i4", "r8")
        got = self.coarray(tag, self.one_of(("some", None), ("all", None), (None, "some")), True, False)
        grown = Both(f"b_{tag}", f"mb_{tag}").put_into("{0} = {1}", got)
        return [grown, Both("s_r8", "ms_r8").put_into("{0} = " + f"sum({{1}}) / 64 + size({{1}})",
                                                      Both(f"b_{tag}", f"mb_{tag}"))]

    def written(self):
        """A call of the Fortran library, which reads a descriptor."""
        self.has_next = False
        got = self.coarray("i4", ("three", None), True, False)
        line = Both("line", "mline")
        return [line.put_into("write ({0}, '(3i8)') {1}", got),
                line.put_into("read ({0}, '(3i8)') {1}", self.local("i4", ("three", None)))]

    def side_by_side(self):
        """Assignments to many elements in any order; no other iteration reads these arrays."""
        self.has_next, self.is_pure, self.index = False, True, "l"
        tag = self.one_of("i4", "r8", "i1", "z8", "s8")
        got = self.part(f"y_{tag}", [self.one_of("l", f"{N1 + 1} - l", "iv(l)"), "j"], True)
        own = Both(f"a_{tag}(l, j)", f"ma_{tag}(l, j)")
        put = self.part(f"x_{tag}", ["l", "j1"], True)
        pairs = [own.put_into("{0} = {1}", got), put.put_into("{0} = {1}", own)]
        self.is_pure, self.index = False, None
        if self.version < 15 or self.chance(50):
            return [same("do concurrent (l = 1:10)"), self.random.choice(pairs), same("end do")]
        return [same("forall (l = 1:10)"), pairs[0], same("end forall")]

    def masked(self):
        self.has_next, self.is_pure = False, True
        shape = self.shape()
        if self.version > 15:    # 16 crashes at a get with bounds that are not constants
            shape = self.one_of(("all", None), (None, "all"), ("all", "all"))
        tag = self.one_of("i4", "r8", "i2")
        target = self.local(tag, shape)
        mask, got = self.local("r4", shape), self.coarray(tag, shape, True, False)
        while "mirrored" in got.real:    # 15 and 16 crash at a function
            got = self.coarray(tag, shape, True, False)
        self.is_pure = False
        lines = [mask.put_into("where ({0} > 0)"), target.put_into("{0} = {1}", got)]
        if self.chance(30):
            lines += [same("elsewhere"), target.put_into("{0} = 1")]
        return [*lines, same("end where")]

    def cases(self):
        chosen = self.operand("i4", (), 60).put_into("select case (modulo({0}, 3))")
        return [chosen, same("case (0)"), self.simple(), same("case (1)"), self.simple(), same("end select")]

    def loop(self):
        bounds = self.one_of(f"1, {N1}", f"1, {N1}", "i1, i2", "i1, i2", f"{N1}, 1, -1", "i2, i1, -1", f"1, {N1}, 3",
                             "i1, i2, 2", "i2, i1")
        outer = self.chance(20)
        self.index, self.second = "l", "n" if outer else None
        body = [self.assignment(()) for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        if self.chance(20):
            body.append(self.accumulate())
        if self.chance(12):
            body = [self.condition(), *body, *([same("else"), self.assignment(())] * self.chance(30)), same("end if")]
        elif self.chance(12):
            body.insert(self.random.randrange(len(body)),
                        self.condition(self.one_of("if ({0} > 50) exit", "if ({0} < 0) cycle")))
        if self.chance(6):
            body.append(self.assignment(self.shape()))
        self.index = self.second = None
        lines = [same(f"do l = {bounds}"), *body, same("end do")]
        return [same(f"do n = {self.one_of(f'1, {N2}', 'j1, j2')}"), *lines, same("end do")] if outer else lines

    def statement(self):
        """One statement, or several related ones."""
        kind = self.random.randrange(100)
        if kind < 50:
            return [self.simple()]
        if kind < 57:
            return [self.reduction()]
        if kind < 62:
            return [self.condition(), self.simple(), same("end if")]
        for most, make in ((65, self.own_name), (67, self.grown), (69, self.written), (71, self.side_by_side),
                           (73, self.masked if self.version >= 15 else self.loop), (75, self.cases)):
            if kind < most:
                return make()
        return self.loop()


def procedures(generator, number, count):
    """The text of a procedure with `count` statements, and the model's text."""
    generator.has_dummies = generator.chance(DUMMY_PROCEDURES)
    pieces = [piece for _ in range(count) for piece in generator.statement()]
    dummies = [f"e_{tag}" for tag in DUMMIES]
    texts = []
    for name, prefix, lines in (("p", "", [piece.real for piece in pieces]),
                                ("m", "m", [piece.model for piece in pieces])):
        used = [tag for tag in TYPES if any(f"s_{tag}" in piece.real for piece in pieces)]
        is_real_with_dummies = generator.has_dummies and name == "p"
        declared = [f"integer, intent(in) :: {DECLARED_ARGUMENTS}"]
        if is_real_with_dummies:
            declared += [*(f"{TYPES[tag]} :: e_{tag}({N1}, {N2})[*]" for tag in DUMMIES),
                         "type(heap) :: t[*]", "real(8), allocatable :: y_r8(:, :)[:]"]
        more = f", {', '.join(dummies)}, t, y_r8" if is_real_with_dummies else ""
        head = f"subroutine {'d' if is_real_with_dummies else name}{number}({ARGUMENTS}{more})"
        if is_real_with_dummies:
            actual = ", ".join(f"c_{dummy}" for dummy in dummies)
            texts.append("\n".join([
                f"subroutine p{number}({ARGUMENTS})", "use near_data", declared[0], "interface", head,
                "use near_data, only: heap", *declared, "end subroutine", "end interface",
                f"call d{number}({ARGUMENTS}, {actual}, c_t, y_r8)", "end subroutine"]) + "\n")
        renamed = ", own_y_r8 => y_r8" if is_real_with_dummies else ""
        text = [head, f"use near_data{renamed}", *declared, f"integer :: l, n, {prefix}calls",
                f"character(80) :: {prefix}line",
                *(f"{TYPES[tag]} :: {prefix}s_{tag}" for tag in used),
                *(f"{TYPES[tag]}, pointer :: p_{tag}(:, :)" for tag in ("i1", "i4", "r8")),
                *(f"{TYPES[tag]}, allocatable :: {prefix}b_{tag}(:)" for tag in ("i4", "r8")), f"{prefix}calls = 0",
                *(f"{prefix}s_{tag} = {prefix}a_{tag}(i, j)" for tag in used), *lines,
                *(f"{prefix}a_{tag}(i, j) = {prefix}s_{tag}" for tag in used),    # the data that verify compares
                *[f"{prefix}a_i8(1, 1) = {prefix}calls"] * any("next(" in piece.real for piece in pieces),
                "end subroutine"]
        if is_real_with_dummies:
            texts[0] += "\n".join(text) + "\n"
        else:
            texts.append("\n".join(text) + "\n")
    return texts


def program(seed, count, statements, version, without=()):
    """The sources of a program with the given numbers of procedures and of statements in each, without the excluded
    procedures: first the coarrays and procedures, then the same on the model with the main program."""
    generator = Generator(seed, version)
    texts = [procedures(generator, number, statements) for number in range(1, count + 1)]
    empty = [[f"subroutine {name}{{0}}({ARGUMENTS})\ninteger, intent(in) :: {DECLARED_ARGUMENTS}\nend subroutine\n"
              for name in "pm"]]
    texts = [[text.format(number) for text in empty[0]] if number in without else both
             for number, both in enumerate(texts, 1)]
    return coarrays() + "\n".join(real for real, _ in texts), "\n".join(model for _, model in texts) + main(count)
