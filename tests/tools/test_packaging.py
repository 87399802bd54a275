"""The recipes in packaging/: each can be parsed, and agrees with the project's version, options and dependencies."""
import argparse
import ast
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = SOURCE / "packaging"


def found(pattern, path):
    """All that the pattern's group matches in a file; there must be something."""
    result = re.findall(pattern, (SOURCE / path).read_text(), re.M)
    assert result, f"nothing in {path} matches {pattern}"
    return result


VERSION, = found(r'define COPAL_VERSION "(.*)"', "include/shmem/version.h")
CMAKE, = found(r"^cmake_minimum_required\(VERSION (.*)\)", "CMakeLists.txt")
OPTIONS = {name for path in [SOURCE / "CMakeLists.txt", *SOURCE.glob("cmake/*.cmake")]
           for name in re.findall(r"^ *option\((COPAL_\w+)", path.read_text(), re.M)}
CAF_VERSIONS, = found(r'COPAL_CAF_VERSIONS "(.*)"', "cmake/CopalFortran.cmake")
GFORTRANS = [major for major in range(5, 40) if re.match(CAF_VERSIONS.replace(r"\\", "\\"), f"{major}.1.0")]
# What the build finds by itself, by the packages that Debian has of it.
BUILD = re.search(r'^build="\n(.*?)"$', (SOURCE / "scripts/install-deps").read_text(), re.M | re.S)[1]
LIBRARIES = {name for name in re.findall(r"^lib(\S+)-dev\b", BUILD, re.M) if name != "c6"}
OTHERWISE = {"dw": "elfutils", "fabric": "libfabric"}    # what others call them


def calls(tree, name):
    """The arguments' constants of all calls of a function, positional ones and the value of `when`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name:
            keywords = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            yield [ast.literal_eval(argument) for argument in node.args], keywords


class Packaging(unittest.TestCase):
    def test_what_make_demo_says_last(self):
        """The line that it says is next finds the tools of its build tree."""
        shown = subprocess.run(["make", "--no-print-directory", "-n", "demo"], cwd=SOURCE, stdout=subprocess.PIPE,
                               text=True, check=True).stdout
        line, = re.findall(r"^ *echo '    (export PATH=.*)'$", shown, re.M)
        found = subprocess.run(["sh", "-c", f'{line}\necho "$PATH"'], stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(found.split(":")[0], str(SOURCE / "build/bin"))

    def test_dockerfile(self):
        """Its RUN lines are one line each, which scripts/check-dockerfile runs; at most ten of instructions."""
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
        self.assertEqual((PACKAGING / "conda" / recipe["source"]["path"]).resolve(), SOURCE)
        self.assertEqual(set(re.findall(r"-D(COPAL_\w+)=", " ".join(recipe["build"]["script"]))), OPTIONS)
        requirements = recipe["requirements"]
        self.assertIn(f"cmake >={CMAKE}", requirements["build"])
        for library in (OTHERWISE.get(name, name) for name in LIBRARIES):
            self.assertTrue([name for name in requirements["host"] if library in name], library)
        versions = yaml.safe_load((PACKAGING / "conda/conda_build_config.yaml").read_text())
        self.assertIn(versions["fortran_compiler_version"][0], GFORTRANS)

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
        # debhelper fails at a file that no package takes, and at a pattern that nothing matches.
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
