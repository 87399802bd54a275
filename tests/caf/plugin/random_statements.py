#!/usr/bin/env python3
"""Random statements with coarrays, compiled by caf -O3, against a model; usage: random_statements.py --cafrun CAFRUN
--caf CAF [--first SEED] [--programs N] [--procedures N] [--rounds N] [--nodes N,...] [-- FLAG...]

Each program has procedures of 5 statements or loops, and runs all of them in each round with other bounds, indices and
images.  For an error, the test prints the procedure's number and text, and whether the error also occurs with calls;
it keeps the source.  It leaves out a procedure at which gfortran crashes with and without near accesses."""

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
import statements_data  # noqa: E402

STATEMENTS = 5    # in a procedure
FLAGS = ["-w", "-ffree-line-length-none"]    # the model is compiled without -O3, to save time
MANY_FLAGS = (["-O3"], ["-O2"], ["-O3", "-fopenmp"], ["-O3", "-fno-inline"], ["-O3"], ["-O1"], ["-O2", "-march=native"],
              ["-Os"])    # for the programs in turn, if there are many
LIMIT_S = 500
CRASH = "internal compiler error"


def run(command, **more):
    """Runs a command: its exit code and output. A command that hangs ends with 124."""
    done = subprocess.run(["timeout", "--kill-after=5", str(LIMIT_S), *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    return done.returncode, done.stdout


class Program:
    """The program of one seed: its sources and binaries, in a folder of its own."""
    def __init__(self, options, flags, version, seed, models):
        self.options, self.flags, self.version, self.seed, self.models = options, flags, version, seed, models
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"statements-{seed}-"))
        self.without = set()

    def build(self, *more):
        """Compiles the program: the exit code and the compiler's output."""
        self.accesses, model = statements.program(self.seed, self.options.procedures, STATEMENTS, self.version,
                                                  self.without)
        (self.folder / "accesses.f90").write_text(self.accesses)
        (self.folder / "model.f90").write_text(model)
        caf = [self.options.caf, *FLAGS, f"-I{self.models}"]
        code, said = run([*caf, *self.flags, *more, "-c", "accesses.f90"], cwd=self.folder)
        return (code, said) if code else run([*caf, *self.options.flags, "model.f90", "accesses.o",
                                              self.models / "models.o", "-o", "statements"], cwd=self.folder)

    def leave_out(self, said):
        """Leaves out the procedure at which the compiler crashes; False if it is unknown, or compiles with calls."""
        line = re.search(rf"accesses\.f90:(\d+):.*{CRASH}", said)
        line = line or re.search(r"accesses\.f90:(\d+):", said)
        if CRASH not in said or not line:
            return False
        before = self.accesses.splitlines()[:int(line[1])]
        numbers = [int(n[1]) for n in map(re.compile(r"subroutine [pd](\d+)\(").match, before) if n]
        if not numbers or numbers[-1] in self.without or CRASH not in self.build("-fno-near")[1]:
            return False
        self.without.add(numbers[-1])
        print(f"gfortran crashes: {before[-1]}", flush=True)
        return True

    def execute(self, images, nodes):
        return run([self.options.cafrun, "-n", str(images), self.folder / "statements", str(self.options.rounds)],
                   cwd=self.folder, env={**os.environ, "SHMEM_NODES": nodes})

    def wrong_procedures(self, said):
        """The texts of the procedures that the output names."""
        for number in dict.fromkeys(re.findall(r"WRONG: procedure (\d+) ", said)):
            yield re.search(rf"^subroutine [pd]{number}\(.*?(?=^subroutine p|\Z)", self.accesses, re.M | re.S)[0]

    def tell(self, code, said, images, nodes):
        print(f"seed {self.seed} {' '.join(self.flags)} -n {images} nodes {nodes}: exit code {code}; {self.folder}\n"
              f"{said[:4000]}")
        print("\n".join(self.wrong_procedures(said)))
        by_calls = self.build("-fno-near") if images else (1, "")
        by_calls = by_calls if by_calls[0] else self.execute(images, nodes)
        if images:
            print(f"by calls: exit code {by_calls[0]}\n{by_calls[1][:1000]}", flush=True)


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
    options.flags = [flag for flag in flags if flag != "--"]
    said = run([options.caf, "--version"])[1]
    version = int(re.search(r"GNU Fortran \(.*?\) (\d+)", said)[1])
    nodes, made, done, wrong, crashes, lines = options.nodes.split(","), 0, 0, [], 0, set()
    with tempfile.TemporaryDirectory(prefix="statements-models-") as models:
        (pathlib.Path(models) / "models.f90").write_text(statements_data.models())
        code, said = run([options.caf, *FLAGS, "-O1", "-fno-near", "-c", "models.f90"], cwd=models)
        if code:
            sys.exit(said)
        for seed in range(options.first, options.first + options.programs):
            of_seed = MANY_FLAGS[seed % len(MANY_FLAGS)] if options.programs > 1 else MANY_FLAGS[0]
            program = Program(options, [*of_seed, *options.flags], version, seed, pathlib.Path(models))
            code, said = program.build()
            while code and program.leave_out(said):
                code, said = program.build()
            crashes += len(program.without)
            made += (options.procedures - len(program.without)) * STATEMENTS
            lines.update(line for line in program.accesses.splitlines() if "[" in line and "[*]" not in line)
            ways = [(n, m) for m in nodes for n in ((2, 3, 4) if m == "1" else (4,))]
            ways = ways if options.programs == 1 else ways[seed % len(ways):][:1]
            images = of = None
            for images, of in ways if code == 0 else []:
                code, said = program.execute(images, of)
                done += options.rounds * (options.procedures - len(program.without)) * STATEMENTS
                if code:
                    break
            if code:
                wrong.append(seed)
                program.tell(code, said, images, of)
            else:
                shutil.rmtree(program.folder)
            if options.programs > 1:
                print(f"seed {seed}: {made} statements, {len(lines)} different lines with a coindexed object, executed "
                      f"{done} times, gfortran's crashes: {crashes}, wrong: {len(wrong)}", flush=True)
    print(f"gfortran {version}: {options.programs} programs of {made} statements, {len(lines)} different lines with a "
          f"coindexed object, executed {done} times, gfortran's crashes: {crashes}, wrong: {len(wrong)} {wrong}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
