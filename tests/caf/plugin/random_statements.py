#!/usr/bin/env python3
"""Random statements with coarrays, compiled by caf -O3, against a model: usage: random_statements.py --cafrun CAFRUN
--caf CAF [--first SEED] [--programs N] [--procedures N] [--rounds N] [--nodes N,...] [-- FLAG...]

Each program has procedures of 5 statements or loops, all of which are run in each round with other bounds, indices and
images.  What a program does wrong is told by the number of the procedure, whose text follows; the source is kept."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import statements  # noqa: E402

STATEMENTS = 5    # of a procedure
FLAGS = ["-w", "-ffree-line-length-none"]    # -O3 for the accesses alone: the model would take as long
LIMIT_S = 500


def run(command, **more):
    """Exit code and output; a command that hangs ends with 124."""
    done = subprocess.run(["timeout", "--kill-after=5", str(LIMIT_S), *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    return done.returncode, done.stdout


def procedures_of(source, said):
    """The texts of the procedures that are told of."""
    for number in dict.fromkeys(re.findall(r"WRONG: procedure (\d+) ", said)):
        yield re.search(rf"^subroutine p{number}\(.*?^end subroutine", source, re.M | re.S)[0]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0])
    parser.add_argument("--cafrun", required=True, type=os.path.abspath)
    parser.add_argument("--caf", required=True, type=os.path.abspath)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1)
    parser.add_argument("--procedures", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--nodes", default="1", help="numbers of nodes, in turn")
    options, flags = parser.parse_known_args()
    flags = [flag for flag in flags if flag != "--"]
    said = run([options.caf, "--version"])[1]
    version = int(re.search(r"GNU Fortran \(.*?\) (\d+)", said)[1])
    nodes, different, done, wrong = options.nodes.split(","), 0, 0, []
    for seed in range(options.first, options.first + options.programs):
        accesses, models = statements.program(seed, options.procedures, STATEMENTS, version)
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"statements-{seed}-"))
        (folder / "accesses.f90").write_text(accesses)
        (folder / "models.f90").write_text(models)
        code, said = run([options.caf, *FLAGS, "-O3", *flags, "-c", "accesses.f90"], cwd=folder)
        if code == 0:
            code, said = run([options.caf, *FLAGS, *flags, "models.f90", "accesses.o", "-o", "statements"], cwd=folder)
        different += options.procedures * STATEMENTS
        ways = [] if code else [(n, m) for m in nodes for n in ((2, 3, 4) if m == "1" else (4,))]
        for images, of in ways if options.programs == 1 else ways[seed % len(ways):][:1] if ways else []:
            code, said = run([options.cafrun, "-n", str(images), folder / "statements", str(options.rounds)],
                             cwd=folder, env={**os.environ, "SHMEM_NODES": of})
            done += options.rounds * options.procedures * STATEMENTS
            if code:
                break
        if code == 0:
            shutil.rmtree(folder)
            continue
        wrong.append(seed)
        print(f"seed {seed}: exit code {code}; {folder}\n{said[:4000]}")
        print("\n".join(procedures_of(accesses, said)), flush=True)
    print(f"gfortran {version}: {options.programs} programs of {different} statements, executed {done} times, "
          f"wrong: {len(wrong)}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
