"""The recipes in packaging/: each can be parsed, and agrees with the project's version, options and dependencies."""
import argparse
import ast
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = SOURCE / "packaging"


def found(pattern, path):
    """All matches of the pattern's group in a file, at least one."""
    result = re.findall(pattern, (SOURCE / path).read_text(), re.M)
    assert result, f"nothing in {path} matches {pattern}"
    return result


VERSION, = found(r'define COPAL_VERSION "(.*)"', "include/shmem/version.h")
CMAKE, = found(r"^cmake_minimum_required\(VERSION (.*)\)", "CMakeLists.txt")
OPTIONS = {name for path in [SOURCE / "CMakeLists.txt", *SOURCE.glob("cmake/*.cmake")]
           for name in re.findall(r"^ *option\((COPAL_\w+)", path.read_text(), re.M)}
CAF_VERSIONS, = found(r'COPAL_CAF_VERSIONS "(.*)"', "cmake/CopalFortran.cmake")
GFORTRANS = [major for major in range(5, 40) if re.match(CAF_VERSIONS.replace(r"\\", "\\"), f"{major}.1.0")]
# Components that the build finds by itself, with Debian's packages for them.
BUILD = re.search(r'^build="\n(.*?)"$', (SOURCE / "scripts/install-deps").read_text(), re.M | re.S)[1]
LIBRARIES = {name for name in re.findall(r"^lib(\S+)-dev\b", BUILD, re.M) if name != "c6"}
OTHERWISE = {"dw": "elfutils", "fabric": "libfabric"}    # names in other systems


def calls(tree, name):
    """The constants in all calls of a function: positional arguments and the value of `when`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name:
            keywords = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            yield [ast.literal_eval(argument) for argument in node.args], keywords


# A stand-in for Spack: the directives with their arguments, and the syntax of a spec.
SPEC = (r"(?=.)(?:%?[a-z][a-z0-9-]*)?(?:@[0-9][\w.]*|@(?:[0-9][\w.]*)?:(?:[0-9][\w.]*)?)?(?:[+~][a-z][\w-]*)*"
        r"(?: ?[a-z]+=[\w.]+)*")


class Spack:
    """The names that the recipe imports. A directive fails at an unknown argument, as in Spack."""
    def __init__(self):
        self.variants, self.specs = {}, []
        spack = self

        class CMakePackage:
            @staticmethod
            def define(name, value):
                return f"-D{name}:BOOL={'ON' if value else 'OFF'}"

            def define_from_variant(self, name, variant=None):
                return self.define(name, spack.variants[variant or name.lower()])

        self.CMakePackage = CMakePackage

    def modules(self):
        """Uses the module names of Spack 1.0 and later."""
        found = {"spack.package": types.ModuleType("package"),
                 "spack_repo.builtin.build_systems.cmake": types.ModuleType("cmake")}
        for name in "CMakePackage", "generator":
            setattr(found["spack_repo.builtin.build_systems.cmake"], name, getattr(self, name))
        for name in ("version", "variant", "depends_on", "requires", "conflicts", "license",
                     "filter_compiler_wrappers"):
            setattr(found["spack.package"], name, getattr(self, name))
        return found

    def version(self, ver, checksum=None, *, sha256=None, git=None, branch=None, commit=None, tag=None, url=None,
                preferred=None, deprecated=None, submodules=None):
        assert bool(sha256 or checksum) + bool(branch) + bool(commit) + bool(tag) == 1, ver

    def variant(self, name, default=None, description="", values=None, multi=None, validator=None, when=None,
                sticky=False):
        assert description and isinstance(default, bool), name
        self.variants[name] = default

    def depends_on(self, spec, when=None, type=("build", "link"), patches=None):
        assert {*([type] if isinstance(type, str) else type)} <= {"build", "link", "run", "test"}, type
        self.specs += [spec, when]

    def requires(self, *specs, policy="one_of", when=None, msg=None):
        assert policy in ("one_of", "any_of")
        self.specs += [*specs, when]

    def conflicts(self, spec, when=None, msg=None):
        self.specs += [spec, when]

    def license(self, identifier, checked_by=None, when=None):
        assert identifier == "BSD-3-Clause" and (SOURCE / "LICENSE").read_text().startswith("BSD 3-Clause")

    def generator(self, *names, default=None):
        assert set(names) <= {"make", "ninja"}

    def filter_compiler_wrappers(self, *files, after="install", relative_root=None):
        assert files and relative_root == "bin"


# The fields of meta.yaml that conda-build knows, of those sections that the recipe has.
CONDA = {
    "package": "name version",
    "source": "path url git_url git_rev sha256 folder patches fn",
    "build": "number skip script string noarch script_env run_exports detect_binary_files_with_prefix "
             "binary_relocation missing_dso_whitelist rpaths ignore_run_exports force_use_keys",
    "requirements": "build host run run_constrained",
    "test": "commands requires files source_files imports",
    "about": "home summary description license license_family license_file license_url doc_url dev_url",
    "extra": "recipe-maintainers"}


class Packaging(unittest.TestCase):
    def test_what_make_demo_says_last(self):
        """The last command that make demo prints puts the tools of the build tree on the PATH."""
        shown = subprocess.run(["make", "--no-print-directory", "-n", "demo"], cwd=SOURCE, stdout=subprocess.PIPE,
                               text=True, check=True).stdout
        line, = re.findall(r"^ *echo '    (export PATH=.*)'$", shown, re.M)
        found = subprocess.run(["sh", "-c", f'{line}\necho "$PATH"'], stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(found.split(":")[0], str(SOURCE / "build/bin"))

    def test_make_with_several_jobs(self):
        """With MAKEFLAGS=-j, too, make installs what is missing before it builds."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="test-make-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "scripts").mkdir()
        for path, text in (("scripts/install-deps", '[ "$1" = --have ] || { sleep 1; touch there; }'),
                           ("cmake", "[ -e there ]"), ("python3", "[ -e there ]")):
            (folder / path).write_text(f"#!/bin/sh\n{text}\n")
            (folder / path).chmod(0o755)
        shutil.copy(SOURCE / "Makefile", folder)
        text = (folder / "Makefile").read_text().replace("/usr/bin/python3", "python3")
        (folder / "Makefile").write_text(text)
        made = subprocess.run(["make", "bench"], cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={"MAKEFLAGS": "-j4", "PATH": f"{folder}:/usr/bin:/bin"})
        self.assertEqual(made.returncode, 0, made.stdout)

    def test_dockerfile(self):
        """Each RUN is one line, which scripts/check-dockerfile runs; the file has at most ten instructions."""
        lines = [line for line in (PACKAGING / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
        self.assertLessEqual(len(lines), 10)
        self.assertEqual([line for line in lines if line.endswith("\\")], [])
        done = subprocess.run(["sh", "-n", "-c", "\n".join(line[4:] for line in lines if line.startswith("RUN "))])
        self.assertEqual(done.returncode, 0)

    def test_spack(self):
        tree = ast.parse((PACKAGING / "spack/package.py").read_text())
        versions = [(arguments[0], keywords["tag"]) for arguments, keywords in calls(tree, "version")]
        self.assertIn((VERSION, f"v{VERSION}"), versions)
        variants = {arguments[0] for arguments, _ in calls(tree, "variant")}
        from_variants = {tuple(arguments) for arguments, _ in calls(tree, "define_from_variant")}
        self.assertEqual({variant for _, variant in from_variants}, variants)
        fixed = {arguments[0] for arguments, _ in calls(tree, "define")}
        self.assertEqual({option for option, _ in from_variants} | fixed, OPTIONS)
        needed = {arguments[0]: keywords.get("when") for arguments, keywords in calls(tree, "depends_on")}
        self.assertIn(f"cmake@{CMAKE}:", needed)
        for library in (OTHERWISE.get(name, name) for name in LIBRARIES):
            self.assertEqual(needed[library], f"+{library}" if library in variants else None)
        self.assertIn([f"%gcc@{GFORTRANS[0]}:{GFORTRANS[-1]}"], [arguments for arguments, _ in calls(tree, "requires")])

    def test_format_of_spack(self):
        """Runs the recipe with stand-ins for Spack's functions; Spack itself is not run."""
        stand_in = Spack()
        with unittest.mock.patch.dict(sys.modules, stand_in.modules()):
            names = runpy.run_path(str(PACKAGING / "spack/package.py"))
        recipe = names["Copal"]    # named like its folder
        self.assertTrue(recipe.__doc__ and re.match(r"https://", recipe.homepage) and recipe.git.endswith(".git"))
        arguments = recipe().cmake_args()
        self.assertEqual({re.match(r"-D(COPAL_\w+):BOOL=(?:ON|OFF)$", word)[1] for word in arguments}, OPTIONS)
        self.assertGreater(len(stand_in.specs), 20)
        for spec in filter(None, stand_in.specs):
            self.assertRegex(spec, f"^{SPEC}$")
            self.assertLessEqual(set(re.findall(r"[+~]([\w-]+)", spec)), set(stand_in.variants), spec)

    def test_conda(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("there is no yaml")
        text = (PACKAGING / "conda/meta.yaml").read_text()
        self.assertEqual(re.findall(r'{% set version = "(.*)" %}', text), [VERSION])
        text = re.sub(r"{%.*%}", "", text).replace("{{ version }}", VERSION)
        text = re.sub(r'{{ compiler\("(\w+)"\) }}', r"compiler-\1", text)
        self.assertNotRegex(text, "[{]{|}}")
        recipe = yaml.safe_load(text)
        self.assertEqual(recipe["package"]["version"], VERSION)
        for section, fields in recipe.items():
            self.assertIn(section, CONDA)
            self.assertLessEqual(set(fields), set(CONDA[section].split()), section)
        self.assertRegex(recipe["package"]["name"], r"^[a-z0-9_.-]+$")
        self.assertIsInstance(recipe["build"]["number"], int)
        for line in text.splitlines():    # a selector is a comment in brackets
            self.assertRegex(line.partition("#")[2], r"^$|^ \[(not )?(linux|unix|win|osx|aarch64|x86_64)\]$|^ [A-Z]")
        for needed in sum(recipe["requirements"].values(), []):
            self.assertRegex(needed, r"^[a-z0-9_.-]+( ([<>=!]=?[\w.*]+,?)+)?$")
        for line in [*recipe["build"]["script"], *recipe["test"]["commands"]]:
            self.assertEqual(subprocess.run(["sh", "-n", "-c", line]).returncode, 0, line)
        self.assertEqual((PACKAGING / "conda" / recipe["source"]["path"]).resolve(), SOURCE)
        self.assertEqual(set(re.findall(r"-D(COPAL_\w+)=", " ".join(recipe["build"]["script"]))), OPTIONS)
        requirements = recipe["requirements"]
        self.assertIn(f"cmake >={CMAKE}", requirements["build"])
        for library in (OTHERWISE.get(name, name) for name in LIBRARIES):
            self.assertTrue([name for name in requirements["host"] if library in name], library)
        versions = yaml.safe_load((PACKAGING / "conda/conda_build_config.yaml").read_text())
        self.assertIn(versions["fortran_compiler_version"][0], GFORTRANS)
        for variable, values in versions.items():
            self.assertRegex(variable, r"^(c|cxx|fortran)_compiler_version$")
            self.assertIsInstance(values, list)

    def test_environment_module(self):
        if not shutil.which("tclsh"):
            self.skipTest("there is no tclsh")
        self.assertEqual(found(r"^set version (.*)", "packaging/modules/copal.tcl"), [VERSION])
        with tempfile.TemporaryDirectory() as prefix:
            (pathlib.Path(prefix) / "lib64/pkgconfig").mkdir(parents=True)
            file = (PACKAGING / "modules/copal.tcl").read_text()
            self.assertTrue(file.startswith("#%Module"))
            commands = ("proc module-whatis text {}\nproc conflict args {}\n"
                        "proc prepend-path {name folder} {puts $name=$folder}\n")
            said = subprocess.run(["tclsh"], input=commands + file.replace("/usr/local", prefix) + "\nModulesHelp\n",
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
        self.assertEqual(said.splitlines()[:-1], [f"PATH={prefix}/bin", f"MANPATH={prefix}/share/man",
                                                  f"CMAKE_PREFIX_PATH={prefix}",
                                                  f"PKG_CONFIG_PATH={prefix}/lib64/pkgconfig"])
        self.assertIn("Copal", said.splitlines()[-1])

    def test_debian(self):
        control = (PACKAGING / "debian/control").read_text()
        build = re.search(r"^Build-Depends: (.*(?:\n .*)*)", control, re.M)[1]
        needed = set(re.split(r",\s+", build))
        self.assertIn(f"cmake (>= {CMAKE})", needed)
        self.assertLessEqual({f"lib{library}-dev" for library in LIBRARIES}, needed)
        packages = set(re.findall(r"^Package: (.*)", control, re.M))
        for file in PACKAGING.glob("debian/*.install"):
            self.assertIn(file.stem, packages)
        # debhelper fails at a file that no package lists, and at a pattern without a match.
        taken = {pathlib.Path(line).name for file in PACKAGING.glob("debian/*.manpages")
                 for line in file.read_text().split()}
        docs = "\n".join(page.read_text() for page in SOURCE.glob("docs/*.md"))
        heads = " ".join(re.findall(r"(?m)^<!-- man: (.*?): ", docs))
        pages = {f"copal-{name.removeprefix('copal-')}.1" for name in re.findall(r"([\w+-]+)\(1\)", heads)}
        pages |= {f"{name}.7" for name in ["shmem", *re.findall(r"([\w+-]+)\(7\)", heads)]}
        self.assertEqual(taken, pages | {"*.3copal", "*.3f"})
        self.assertIn("-DCOPAL_MAN_SECTION=3copal", (PACKAGING / "debian/rules").read_text())
        for pattern in (PACKAGING / "debian/copal-doc.docs").read_text().split():
            self.assertTrue(list(SOURCE.glob(pattern)), pattern)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun")
    parser.add_argument("--oshcc")
    options, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
