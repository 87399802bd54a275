#!/usr/bin/env python3
"""Coindexed accesses are loads and stores if caf has a plugin for its compiler.

usage: test_near.py --caf FILE --cafrun FILE"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
CHECKED = """
subroutine components(w, i)
    type t
        real, allocatable :: v(:, :)
        complex :: z(3)
    end type
    type(t) :: w[*]
    integer :: i
    real(8) :: x(3)
    w[i]%v(:, 2) = 2
    x = w[i]%v(:, 1)
    w[i]%z = w[2]%z
    w[i]%z(2) = x(1)
end subroutine
"""
OLD_CALL = re.compile(r" U _gfortran_caf_((send|get|sendget)(_by_ref)?|send_to_remote|get_from_remote)\b")
SKIPPED = 77


def compile_all(caf, folder, *options):
    """Compiles near.f90, near_forms.f90 and near_errors.f90 to objects. Returns the compiler's output."""
    said = ""
    for stem in ("check_m", "near", "near_forms", "near_errors"):
        run = subprocess.run([caf, "-cpp", "-std=f2018", *options, "-J", folder, "-c", HERE / f"{stem}.f90", "-o",
                              pathlib.Path(folder, stem + ".o")], check=True, text=True, stderr=subprocess.PIPE)
        said += run.stderr
    return said


def compile_checked(caf, folder):
    """GCC checks the code that the plugin makes. A GCC that is not a release does this by default."""
    pathlib.Path(folder, "checked.f90").write_text(CHECKED)
    subprocess.run([caf, "-O1", "-fchecking", "-c", "checked.f90"], check=True, cwd=folder)


def symbols(folder, stem):
    return subprocess.run(["nm", "-u", pathlib.Path(folder, stem + ".o")], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def errors(arguments, folder):
    """The message of each error of near_errors.f90."""
    program = pathlib.Path(folder, "near_errors")
    subprocess.run([arguments.caf, program.with_suffix(".o"), pathlib.Path(folder, "check_m.o"), "-o", program],
                   check=True)
    said = {}
    for what in re.findall(r"case \('(\w+)'\)", (HERE / "near_errors.f90").read_text()):
        run = subprocess.run([arguments.cafrun, "-n", "2", program, what], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        said[what] = run.returncode, [line for line in run.stderr.splitlines() if line.startswith("copal:")]
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--caf", required=True, type=pathlib.Path)
    parser.add_argument("--cafrun", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    shown = subprocess.run([arguments.caf, "-O2", "-show", "a.f90"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    plugin = re.search(r"-fplugin=\S*/(caf_plugin_1[2-4])\.so", shown)
    if not plugin:
        print("caf has no plugin for its compiler, or the compiler has accessors")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        said = compile_all(arguments.caf, folder, "-O3", f"-fplugin-arg-{plugin[1]}-report")
        compile_checked(arguments.caf.resolve(), folder)
        # whether GCC knows constant strides here differs between its versions
        missed = [why for why in re.findall("missed: .*: (.*)", said) if not why.startswith("strides")]
        assert len(re.findall("optimized:", said)) > 80, said
        assert sorted(missed) == ["characters of unequal length"] * 2 + ["kinds of one size"], missed
        # the slow paths of sections
        assert sorted(name for name, *_ in OLD_CALL.findall(symbols(folder, "near"))) == ["get", "send"]
        assert "_gfortran_caf_near" in symbols(folder, "near")
        inline = errors(arguments, folder)
        compile_all(arguments.caf, folder, "-O0")
        assert "_gfortran_caf_near" not in symbols(folder, "near")
        called = errors(arguments, folder)
        for what, expected in called.items():
            assert expected[0] and len(expected[1]) == 1, (what, expected)
            assert inline[what] == expected, (what, inline[what], expected)
    return 0


if __name__ == "__main__":
    sys.exit(main())
