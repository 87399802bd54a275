#!/usr/bin/env python3
"""The headers declare exactly the routines of the specification.

usage: names.py [--include DIR] COMPILER OPTION...

The script compares the list symbols-1.6.txt with the names that shmem.h declares, and with those that pshmem.h adds
(the shmem_ names with a p before them). Then it compiles a program that takes the address of each, with the options."""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--include", default=os.path.join(HERE, "..", "..", "include"))
    parser.add_argument("compiler")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    args.include = os.path.realpath(args.include)  # as gcc names a header that it treats as a system header
    listed = subprocess.check_output([os.path.join(HERE, "../../scripts/check-symbols"), "--names"], text=True).split()
    expected = set(listed) | {"p" + name for name in listed if name.startswith("shmem_")}

    def compile_text(text, *options):
        done = subprocess.run([args.compiler, *args.options, "-I" + args.include, *options, "-"], input=text,
                              stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"names.py: {args.compiler} {' '.join(args.options)} ended with {done.returncode}")
        return done.stdout

    language = ["-x", "c++" if "++" in os.path.basename(args.compiler) else "c"]
    header = "#define COPAL_NO_GENERICS\n#include <pshmem.h>\n"
    # Only declarations of our own files: the system headers may declare anything.
    text = compile_text(header, *language, "-E")
    ours = "".join(part.split("\n", 1)[1] for part in re.split(r'(?m)^(?=# \d+ ")', text)
                   if part.split('"')[1:2] and part.split('"')[1].startswith(args.include))
    declared = set(re.findall(r"\b(\w+)\s*\([^()]*\)\s*;", ours))
    for name in sorted(expected - declared):
        print("not declared:", name)
    for name in sorted(declared - expected):
        print("declared, but not in the specification:", name)
    if declared != expected:
        sys.exit(1)

    addresses = "".join(f"    (function){name},\n" for name in sorted(expected))
    # In C with generics, a name without a call must still be the function.
    header = "#include <pshmem.h>\n" if language[1] == "c" else header
    declaration = "typedef void (*function)(void);\nextern function all[];\nfunction all[] ="
    compile_text(f"{header}{declaration} {{\n{addresses}}};\n", *language, "-Wno-cast-function-type", "-fsyntax-only")


if __name__ == "__main__":
    main()
