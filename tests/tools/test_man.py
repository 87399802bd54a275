"""The manual: every name has a page, every page is complete, and man, mandoc and whatis understand them."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import LIMIT, programs, run

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SECTIONS = ("NAME", "LIBRARY", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO", "STANDARDS")
FOREIGN = {"gfortran", "cc", "c++", "mpirun", "prterun", "srun", "ucx_info"}
MAN = None     # build/share/man, set from the command line
MODULE = None  # build/fortran


def specified():
    return run(SOURCE / "scripts/check-symbols", "--names").split()


def page_of(name, section="3"):
    """The file of a name, through at most one page that only refers to it."""
    path = MAN / f"man{section[0]}/{name}.{section}"
    link = re.fullmatch(r"\.so (\S+)\n", path.read_text())
    return MAN / link[1] if link else path


def own_pages(folder="man3"):
    """The pages that are not only another name of a page."""
    return [path for path in sorted((MAN / folder).iterdir()) if not path.read_text().startswith(".so ")]


def part_of(page, title):
    """The text under a heading; empty without the heading."""
    text = page.read_text()
    level = "h" if f"\n.Sh {title}\n" in text else "s"
    _, found, rest = text.partition(f"\n.S{level} {title}\n")
    return re.split(r"\n\.S[h%s] " % level, rest)[0] if found else ""


def families():
    """The pages on routines."""
    return [page for page in own_pages() if page.name.split(".")[0] not in ("shmemx", "shcoll")]


def each_of(sections):
    """ "9.7.1.1 to 9.7.1.3, 9.8.3" in full."""
    for part in sections.split(", "):
        first, _, last = part.partition(" to ")
        chapter, _, number = first.rpartition(".")
        for i in range(int(number), int((last or first).rpartition(".")[2]) + 1):
            yield f"{chapter}.{i}"


def words(text):
    return set(re.findall(r"\w+", text))


def spelled_out(page):
    """All names in a synopsis, with each type and size in place of TYPENAME and SIZE."""
    text = page.read_text()
    synopsis = text.split(".Sh SYNOPSIS")[1].split(".Sh DESCRIPTION")[0]
    types = text.split(".Sh TYPES")[1].split("\n.Sh")[0] if ".Sh TYPES" in text else ""
    names = set()
    for name in re.findall(r"(?m)^\.F[no] (\w+)", synopsis):
        if "TYPENAME" in name:
            short = re.sub("^shmem_(ctx_)?", "", name)
            for part in types.split("\n.Pp\n"):
                part = " ".join(part.split())
                listed = part.partition("brackets: ")[2]
                if listed and (short in words(part) or "in the names" not in part):
                    names |= {name.replace("TYPENAME", t) for t in re.findall(r"(?:^|, )(\w+)", listed)}
        elif "SIZE" in name:
            names |= {name.replace("SIZE", size) for size in ("8", "16", "32", "64", "128")}
        else:
            names.add(name)
    return names


def classic_names():
    """The functions of the classic Fortran interface that the library exports, except those that only shmem.fh has."""
    library = next((MAN.parents[1] / "lib").rglob("libshmem_fortran.so"), None)
    if not library:
        return set()
    exported = re.findall(r"(?m)^(\w+)_(?:@\S*)? [TW] ", run("nm", "-D", "--defined-only", "--format=posix", library))
    return {name for name in exported if not name.startswith("copal_")}


class Names(unittest.TestCase):
    def test_every_routine_of_the_specification_has_a_page_that_declares_it(self):
        declared = {}
        for name in specified():
            page = page_of(name)
            if page not in declared:
                declared[page] = spelled_out(page)
            self.assertIn(name, declared[page], page)
        self.assertEqual(set().union(*declared.values()) - set(specified()) -
                         set(re.findall(r"(?m)^#define (shmem_\w+)\(",
                                        (SOURCE / "include/shmem/generic_c11.h").read_text())), set())

    def test_prototypes_are_those_of_the_header(self):
        """Declarations as the preprocessor shows them, for routines without a type, with a type, with a size, and with
        a context."""
        text = subprocess.run(["cc", "-E", "-P", "-DCOPAL_NO_GENERICS", SOURCE / "include/shmem.h"], check=True,
                              text=True, stdout=subprocess.PIPE).stdout
        compared = 0
        for result, name, arguments in re.findall(r"([\w *]+?)\b(shmem_\w+) ?\(([^)]*)\);", " ".join(text.split())):
            for pattern in {name, re.sub("_(int|long|uint|double)_", "_TYPENAME_", name)}:
                synopsis = page_of(name).read_text().partition("\n.Ss C and C++\n")
                found = re.search(rf"(?m)^\.F[no] {pattern}\b( void)?\n((?:\.Fa .*\n)*)", synopsis[2] or synopsis[0])
                if found:
                    kind = {"int": "int", "long": "long", "uint": "unsigned int", "double": "double"}
                    typed = re.search("_(int|long|uint|double)_", name) if pattern != name else None
                    shown = ", ".join(re.findall(r'\.Fa "?(.*?)"?\n', found[2])) or "void"
                    shown = re.sub(r"\bTYPE\b", kind[typed[1]], shown) if typed else shown
                    self.assertEqual(shown, " ".join(arguments.split()), f"{name} returns {result}")
                    compared += 1
        self.assertGreater(compared, 400)

    def test_extensions_and_shcoll(self):
        for header in "shmemx", "shcoll":
            text = (SOURCE / f"include/{header}.h").read_text()
            names = set(re.findall(rf"(?m)^[a-zA-Z].*?[ *]({header}_\w+)\(", text))
            self.assertGreater(len(names), 15)
            for name in names:
                part = "SYNOPSIS" if header == "shmemx" else "DESCRIPTION"
                self.assertRegex(part_of(page_of(name), part), rf"\b{name}\b", page_of(name))
        listed = part_of(page_of("shmemx"), "DESCRIPTION")
        for page in own_pages():
            if page.name.startswith("shmemx_"):
                self.assertIn(f"\n.It Xr {page.stem} 3\n", listed)

    def test_module(self):
        """The names that a program gets from use shmem, except those that operators and the linker call."""
        module = next((MAN.parents[1] / "lib").rglob("shmem.mod"), None)
        if not module:
            self.skipTest("built without gfortran")
        text = " ".join(gzip.decompress(module.read_bytes()).decode().split())
        names = set(re.findall(r"'(shmemx?_\w+)' 'shmem' '\w*' \d+ \( ?\( ?PROCEDURE|\('(\w+)' 'shmem' \d", text))
        names = {name for either in names for name in either if name.startswith("shmem") and
                 not re.match("shmem_(same|other)_|.*_t$", name)}
        self.assertGreater(len(names), 300)
        self.assertEqual({path.stem for path in MAN.glob("man3/*.3f")}, names | classic_names())
        for name in names:
            self.assertTrue(page_of(name, "3f").is_file(), name)

    def test_classic_interface(self):
        """Each routine of shmem.fh has a page that shows it, at least by a pattern of names."""
        names = classic_names()
        if not names:
            self.skipTest("built without gfortran")
        self.assertGreater(len(names), 230)
        for name in names:
            page = page_of(name, "3f")
            shown = part_of(page, "Fortran, deprecated")
            self.assertIn("include 'shmem.fh'", shown, page)
            called = re.findall(r"(?:call|function) (\w+)", shown.replace("&\n", ""))
            patterns = [re.sub("_?[A-Z]{2,}", lambda word: "_?[a-z0-9]*", pattern) for pattern in called]
            self.assertTrue([pattern for pattern in patterns if re.fullmatch(pattern, name)], f"{name}: {called}")
            self.assertIn("was deprecated by OpenSHMEM 1.4", " ".join(part_of(page, "DEPRECATED").split()), page)

    def test_tools(self):
        tools = [path.name for path in (MAN.parents[1] / "bin").iterdir()]
        self.assertIn("oshrun", tools)
        for tool in tools:
            self.assertTrue(page_of(tool, "1").is_file(), tool)
        for page in "shmem", "shmem_environment", "copal-environment":
            self.assertTrue(page_of(page, "7").is_file())


class Pages(unittest.TestCase):
    def test_every_page_is_whole(self):
        for page in own_pages():
            text = page.read_text()
            for section in SECTIONS:
                self.assertIn(f".Sh {section}\n", text, page.name)
            if not re.match("shmemx|shcoll", page.name):
                self.assertRegex(text, r"\n\.Sh STANDARDS\nOpenSHMEM 1.6, sections? [\d.]+\d", page.name)
            self.assertNotRegex(text, r"COPAL_(DECL|TYPES|NORETURN\b.*\n\.F)", page.name)

    def test_sections(self):
        """The specification's sections on a page are those about its routines."""
        about = {}
        for line in (SOURCE / "tests/headers/sections-1.6.txt").read_text().splitlines():
            section, *routines = line.partition("#")[0].split() or [None]
            about.update(dict.fromkeys(routines, section))
        missing = set(about)
        for page in families():
            text = page.read_text()
            names = {name.removeprefix("shmem_") for name in re.findall(r"(?m)^\.Nm (\w+)", text.split(".Nd ")[0])}
            if not names & set(about):
                self.assertRegex(page.name, "^shmemx_")
                continue
            missing -= names
            named = re.search(r"\n\.Sh STANDARDS\nOpenSHMEM 1.6, sections? ([\d., to]+)\.\n", text)[1]
            self.assertEqual(set(each_of(named)), {about[name] for name in names & set(about)}, page.name)
        self.assertEqual(missing, {"team_config_t", "ctx_session_config_t"})

    def test_synopsis_in_each_language(self):
        """All pages have the C and C++ synopsis, the type-generic names, and the module's names."""
        for page in families():
            self.assertRegex(part_of(page, "SYNOPSIS"), r"(?m)^\.Ss C and C\+\+(, deprecated)?\n\.Ft ", page.name)
        generic = set(re.findall(r"(?m)^#define (shmem_\w+)\(", (SOURCE / "include/shmem/generic_c11.h").read_text()))
        self.assertGreater(len(generic), 70)
        for name in generic:
            page = page_of(name)
            titles = re.findall(r"(?m)^\.Ss (C11 and C\+\+.*)", page.read_text())
            shown = " ".join(part_of(page, title) for title in titles)
            self.assertRegex(shown, rf"\n?\.F[no] {name}\b", page)
        for name in {path.stem for path in MAN.glob("man3/*.3f")} - classic_names():
            self.assertIn("use shmem\n", part_of(page_of(name, "3f"), "Fortran"), name)

    def test_arguments(self):
        """Each argument has its type and a meaning, and its target is symmetric or the calling PE's own."""
        for page in families():
            declared = re.findall(r'(?m)^\.Fa "?(.*?\w)"?$', part_of(page, "SYNOPSIS"))
            items = re.findall(r'(?ms)^\.It Fa "?([^"\n]*)"?\n(.*?)(?=^\.It |^\.El)', part_of(page, "ARGUMENTS") + "\n")
            meanings = {re.search(r"\w+$", argument)[0]: text for argument, text in items}
            self.assertEqual({re.search(r"\w+$", argument)[0] for argument in declared}, set(meanings), page.name)
            for argument, text in items:
                if "*" in argument:
                    self.assertRegex(" ".join(text.split()), "symmetric|calling PE", f"{page.name}: {argument}")

    def test_what_is_complete_errors_and_results(self):
        for page in families():
            for section in "ON RETURN", "ERRORS":
                self.assertTrue(part_of(page, section), f"{page.name} has no section {section}")
            results = re.findall(r'(?m)^\.Ft "?(.*?)"?$', part_of(page, "SYNOPSIS"))
            self.assertEqual(any(not result.endswith("void") for result in results),
                             bool(part_of(page, "RETURN VALUES")), page.name)

    def test_examples_are_programs_of_the_tests(self):
        """Each example is a program of examples/man, which CTest runs, and calls its page's routines."""
        programs_shown = ["\n".join(line for line in path.read_text().splitlines()
                                    if not re.match(r"/\* \w+: .*\*/$", line)).strip("\n")
                          for path in (SOURCE / "examples/man").glob("*.c")]
        for page in own_pages():
            shown = [block.replace("\\&", "").replace("\\e", "\\") for block in
                     re.findall(r"(?s)\.Bd -literal\n(.*?)\n\.Ed", part_of(page, "EXAMPLES"))]
            self.assertGreaterEqual(len(shown), 2, page.name)
            for program in shown[::2]:
                self.assertIn(program, programs_shown, page.name)

    def test_references_lead_somewhere(self):
        there = {(path.name[:-len(path.suffix)], path.suffix[1:]) for path in MAN.glob("man*/*")}
        for folder in "man1", "man3", "man7":
            for page in own_pages(folder):
                for reference in re.findall(r"(?m)^\.Xr (?:\( )?(\S+) (\w+)", page.read_text()):
                    self.assertTrue(reference in there or shutil.which(reference[0]) or reference[0] in FOREIGN,
                                    f"{page.name}: {reference}")

    def test_pages_of_docs(self):
        """All parts of a page are there, marked: a table's row, a list, a heading, an example, a reference."""
        oshrun = (MAN / "man1/oshrun.1").read_text()
        for part in (".Nm oshrun ,\n.Nm cafrun\n.Nd start an OpenSHMEM job", ".Sh HOW A JOB ENDS",
                     ".Sh SYNOPSIS\n.Bd -literal\noshrun [-n", ".It Cm -n N , Cm --np N", ".Xr shmem_global_exit 3 ,",
                     ".Bl -bullet\n.It\nwith\n.Cm --hosts ,", ".It No a \\&PE is killed by a",
                     ".Xr copal-environment 7 ,"):
            self.assertIn(f"\n{part}", oshrun)
        self.assertIn("\n.It Ev SHMEM_NODES", (MAN / "man7/copal-environment.7").read_text())
        self.assertIn("\n.Ql shmem_pcontrol(0)\\&\nstops counting", (MAN / "man1/copal-profile.1").read_text())
        for page in own_pages("man1") + own_pages("man7"):
            self.assertNotRegex(page.read_text(), r"\]\(|`[^`'\n]+`|<!--|\|---", page.name)
        for source in (SOURCE / "docs").glob("*.md"):
            if re.search(r"(?m)^<!-- man:", source.read_text()):
                name = re.search(r"<!-- man: ([\w+-]+)\((\d)\)", source.read_text())
                text = (MAN / f"man{name[2]}/{name[1]}.{name[2]}").read_text()
                for heading in re.findall(r"(?m)^## (.*)", source.read_text()):
                    self.assertIn(f"\n.Sh {heading.replace('`', '').upper()}\n", text)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_finds_nothing(self):
        """The generated pages have no remarks of mandoc, not even of style, except that a page of Copal's says so (Os).
        Another test checks that referenced pages exist: mandoc would search all manuals of the machine."""
        result = subprocess.run(["mandoc", "-T", "lint", "-W", "style", *own_pages(), *own_pages("man1"),
                                 *own_pages("man7")], text=True, timeout=LIMIT, env={**os.environ, "MANPATH": str(MAN)},
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual([line for line in result.stdout.splitlines() if "operating system explicitly" not in line and
                          "referenced manual not found" not in line], [])

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_html(self):
        with tempfile.TemporaryDirectory(prefix="copal-test-") as folder:
            html = pathlib.Path(folder) / "html"
            run(sys.executable, "-B", SOURCE / "tools/man", "--module", MODULE, "--html", html, "--section", "3copal",
                folder)
            there = {path.name for path in html.iterdir()}
            self.assertLess({"index.html", "shmem_put.3.html", "shmem.7.html", "oshrun.1.html"}, there)
            for path in html.iterdir():
                for target in re.findall(r'href="([^"#]+)', path.read_text()):
                    self.assertIn(target, there, path.name)
            # debhelper calls a page as it calls itself.
            self.assertIn("\n.Dt SHMEM_PUT 3copal\n", (html.parent / "man3/shmem_put.3copal").read_text())
            self.assertEqual((html.parent / "man3/shmem_n_pes.3copal").read_text(), ".so man3/shmem_my_pe.3copal\n")

    @unittest.skipUnless(shutil.which("mandb"), "no man-db")
    def test_man_finds_every_name(self):
        shcoll = set(re.findall(r"\bshcoll_\w+(?=\()", (SOURCE / "include/shcoll.h").read_text()))
        shmemx = set(re.findall(r"\bshmemx_\w+(?=\()", (SOURCE / "include/shmemx.h").read_text()))
        pages = {section: sorted(path.stem for path in MAN.glob(f"man*/*.{section}")) for section in ("1", "3f", "7")}
        for section, names in {"3": [*specified(), *sorted(shcoll | shmemx)], **pages}.items():
            found = run("man", "-w", section, *names, MANPATH=MAN).split() if names else []
            self.assertEqual(found, [str(page_of(name, section)) for name in names])

    @unittest.skipUnless(shutil.which("mandb"), "no man-db")
    def test_man_whatis_and_apropos(self):
        with tempfile.TemporaryDirectory(prefix="copal-test-") as folder:
            man = pathlib.Path(folder) / "man"
            shutil.copytree(MAN, man)
            run("mandb", "--quiet", "--user-db", "--create", man, MANPATH=man)
            for name, section, page in (("shmem_put", "3", "shmem_put"), ("shmem_ctx_double_put", "3", "shmem_put"),
                                        ("shmem_put64", "3f", "shmem_put"), ("cafrun", "1", "oshrun"),
                                        ("shmem_wait_until", "3", "shmem_wait_until"), ("shmem", "7", "shmem")):
                self.assertIn(f"{page.upper()}({section[0]})",
                              run("man", section, name, MANPATH=man, MAN_KEEP_FORMATTING="", MANWIDTH="80"))
                self.assertEqual(run("man", "-w", section, name, MANPATH=man).strip(),
                                 str(man / page_of(name, section).relative_to(MAN)))
            self.assertIn("copy data to another PE", run("whatis", "shmem_put", MANPATH=man))
            self.assertIn("copy data to another PE", run("whatis", "shmem_float_put", MANPATH=man))
            self.assertIn("shmem_put_signal ", run("apropos", "notify it", MANPATH=man))


class Wrong(unittest.TestCase):
    """A header that lacks what a page needs is refused with a sentence."""

    def refuse(self, file, old, new):
        with tempfile.TemporaryDirectory(prefix="copal-test-") as folder:
            copy = pathlib.Path(folder)
            for part in "include", "tools/man", "examples/man", "docs":
                shutil.copytree(SOURCE / part, copy / part)
            text = (copy / file).read_text()
            self.assertIn(old, text)
            (copy / file).write_text(text.replace(old, new, 1))
            result = subprocess.run([sys.executable, copy / "tools/man", "--module", MODULE, copy / "man"], text=True,
                                    timeout=LIMIT, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_refused(self):
        for file, old, new, sentence in (
                ("include/shmem/rma.h", "/* put, putmem: copy", "/* Copy", r"rma\.h:\d+: a comment before routines"),
                ("include/shmem/rma.h", " * value: what is stored", " * valeu: what is stored",
                 "the argument value has no explanation"),
                ("include/shmem/rma.h", " * source: any memory", " * sourec: any memory", "argument sourec"),
                ("include/shmem/rma.h", " * source: any memory of the calling PE\n", " * source: what is copied\n",
                 "shmem_put: the explanation of the pointer source must contain"),
                ("include/shmem/rma.h", " * On return: dest has", " * Then dest has",
                 'shmem_get: no paragraph begins with "On return: "'),
                ("include/shmem/setup.h", " * Returns: shmem_my_pe, a", " * shmem_my_pe is a",
                 'shmem_my_pe: no paragraph begins with "Returns: "'),
                ("include/shmem/chapters.h", " * Errors: An argument", " * An argument",
                 'shmem_init_thread: no paragraph begins with "Errors: "'),
                ("include/shmem/order.h", " * ctx: the context whose operations are ordered",
                 " * Returns: nothing\n * ctx: the context whose operations are ordered",
                 "shmem_fence: its routines return nothing, but a paragraph begins with Returns"),
                ("include/shmemx.h", " * seconds: how long", " * time: how long",
                 "shmemx_clock: no routine has an argument time"),
                ("include/shmem/rma.h", "Classic: shmem_KIND_put,", "Classic: shmem_SORT_put,",
                 "shmem_put: the argument SORT has no explanation"),
                ("include/shmem/order.h", "Classic: shmem_fence()", "Classic: shmem_fence",
                 '"Classic: " begins a text such as'),
                ("include/shmem/setup.h", " * status: the exit status", " * status: the exit\n *\n * stat: the exit",
                 "shmem_global_exit: no routine has an argument stat"),
                ("include/shmem/chapters.h", " * pe: a PE", " * a PE", "the argument pe has no explanation"),
                ("examples/man/put.c", "/* man: shmem_put */", "/* man: shmem_put shmem_p */",
                 "put.c does not call shmem_p"),
                ("examples/man/get.c", "/* man: shmem_get */", "/* man: shmem_got */",
                 "get.c: there is no page shmem_got"),
                ("examples/man/p_g.c", "/* man: shmem_p shmem_g */", "/* man: shmem_p */", "shmem_g: no example"),
                ("examples/man/put.c", "shmem_init();", f"shmem_init(); /* {'x' * 75} */", "has at most 75 columns"),
                ("docs/caf.md", "<!-- man: caf(1): ", "<!-- man: caf: ", "caf.md: below its title a page has"),
                ("examples/man/put.c", "/* prints:", "/* says:", "put.c must have the lines")):
            with self.subTest(sentence):
                self.assertRegex(self.refuse(file, old, new), sentence)


if __name__ == "__main__":
    build = pathlib.Path(os.path.dirname(programs()[0])).parent
    MAN, MODULE = build / "share/man", build / "fortran"
    unittest.main(argv=sys.argv[:1], verbosity=2)
