#!/usr/bin/env python3
"""Coindexed accesses are loads and stores where caf has a plugin for its compiler.

usage: test_near.py --caf FILE --cafrun FILE"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
OLD_CALL = re.compile(r" U _gfortran_caf_((send|get|sendget)(_by_ref)?|send_to_remote|get_from_remote)\b")
SKIPPED = 77


def compiled(caf, folder, *options):
    """The undefined symbols of near.f90's object."""
    target = pathlib.Path(folder, "near.o")
    subprocess.run([caf, "-cpp", *options, "-J", folder, "-c", HERE / "check_m.f90", "-o", target], check=True)
    subprocess.run([caf, "-cpp", *options, "-J", folder, "-c", HERE / "near.f90", "-o", target], check=True)
    return subprocess.run(["nm", "-u", target], check=True, text=True, stdout=subprocess.PIPE).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--caf", required=True, type=pathlib.Path)
    parser.add_argument("--cafrun")
    arguments = parser.parse_args()
    shown = subprocess.run([arguments.caf, "-O2", "-show", "a.f90"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    if "-fplugin=" not in shown:
        print("caf has no plugin for its compiler")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        symbols = compiled(arguments.caf, folder, "-O2")
        calls = OLD_CALL.findall(symbols)
        assert "_gfortran_caf_near" in symbols, symbols
        assert [name for name, *_ in calls] == ["get", "send"], calls    # the slow ways of sections
        symbols = compiled(arguments.caf, folder, "-O0")
        assert "_gfortran_caf_near" not in symbols and len(OLD_CALL.findall(symbols)) == 2, symbols
    return 0


if __name__ == "__main__":
    sys.exit(main())
