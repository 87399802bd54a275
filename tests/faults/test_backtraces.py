#!/usr/bin/env python3
"""After a crash, or a sentence that ends the job, the program's source lines are printed; the exit code is the same as
without backtraces, and the job does not hang."""

import pathlib
import re
import shutil
import signal
import subprocess
import sys

from faults import HERE, Tests

# {HOW of crash.c: the signal (None: exit code 1), the message's contents, the function}
CRASHES = {
    "store": (signal.SIGSEGV, r"SIGSEGV at address 0", "crash"),
    "inlined": (signal.SIGSEGV, r"SIGSEGV at address 0", "store_deeper"),
    "divide": (signal.SIGFPE, r"SIGFPE, an integer is divided by zero", "crash"),
    "call": (signal.SIGSEGV, r"SIGSEGV at address 0", "crash"),
    "abort": (signal.SIGABRT, r"SIGABRT, in abort", "crash"),
    "stack": (signal.SIGSEGV, r"SIGSEGV, because the stack is full", "fill_stack"),
    "heap": (signal.SIGABRT, r"SIGABRT, in malloc", "spoil_heap"),
    "string": (signal.SIGSEGV, r"SIGSEGV at address 0, in strlen", "crash"),
    "sent": (signal.SIGBUS, r"SIGBUS, in raise", "crash"),
    "thread": (signal.SIGSEGV, r"SIGSEGV at address 0", "store"),
    "put": (signal.SIGSEGV, r"SIGSEGV at address 0x8, in shmem_putmem", "crash"),
    "pe": (None, r"shmem_long_p: argument pe is 12345", "crash"),
    "misaligned": (None, r"shmem_long_atomic_inc: argument dest is .*\n  in the variable \w*pair\+12", "crash"),
}
ALONE = ("stack", "heap", "thread")    # backtraces whose second line is not main's


def line_of(source, place):
    """The line that has the comment HERE place."""
    lines = source.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if re.search(rf"HERE {place}\b", line))


def frames(text):
    """The lines of backtraces: file and line, or their replacement, and the function."""
    return re.findall(r"^  at (?:.*/)?([\w.]+):(\d+) in ([\w:]+)", text, re.MULTILINE)


class Backtraces:
    def __init__(self, tests):
        self.tests = tests
        self.tools = pathlib.Path(tests.compiler).parent
        self.helper = self.tools.parent / "lib/copal/copal-backtrace"
        self.has_lines = (self.helper.parent / "libcopal-lines.so").exists()

    def compile(self, tool, source, name, *flags):
        program = self.tests.folder / "bin" / name
        command = [self.tools / tool, *flags, source, "-o", program]
        if subprocess.run(command, cwd=program.parent).returncode != 0:    # in a folder for module files
            sys.exit(f"{source} does not compile")
        return str(program)

    def check(self, name, ended, code, says, source, places):
        """places: (comment, function) for each line of the backtrace that is compared."""
        self.tests.check_clean(name, ended)
        self.tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)
        self.tests.check(name, re.search(says, ended.err), f"{says} is not said", ended)
        expected = [(source.name, str(line_of(source, place)), function) for place, function in places]
        got = frames(ended.err)
        if self.has_lines:
            # The line at which the stack overflows inside the function is unknown; for the other frames it is the line
            # of the call.
            first = got[1:] if "stack is full" in says and got[:1] != expected[:1] else got
            self.tests.check(name, first[:len(expected)] == expected, f"lines are {got}, expected {expected}", ended)

    def c_programs(self):
        source = HERE / "crash.c"
        for language, tool, flags in (("C", "oshcc", []), ("C++", "oshc++", ["-x", "c++"])):
            for level in ("-O0", "-O2"):
                program = self.compile(tool, source, f"crash{tool}{level}", *flags, "-g", level, "-pthread", "-w")
                for how, (number, says, function) in CRASHES.items():
                    name = f"{language} {level} {how}"
                    if not self.tests.wanted(name):
                        continue
                    ended = self.tests.job(3, program, how)
                    says = says if self.has_lines else says.partition(r"\n")[0]
                    places = [(how, function)] + ([("main", "main")] if how not in (*ALONE, "inlined") else [])
                    self.check(name, ended, 128 + number if number else 1, rf"copal: PE 2: {says}", source, places)

    def fortran_programs(self):
        if not (self.tools / "oshfort").exists():
            return
        source = HERE / "crash.f90"
        for level in ("-O0", "-O2"):
            program = self.compile("oshfort", source, f"fortran{level}", "-g", level, "-fno-backtrace")
            for how, code, says in (("store", 139, r"SIGSEGV at address 0"), ("pe", 1, r"shmem_put: argument pe is 77"),
                                    ("many", 1, r"shmem_put: argument dest has 4 elements")):
                name = f"Fortran {level} {how}"
                if self.tests.wanted(name):
                    ended = self.tests.job(2, program, how)
                    self.check(name, ended, code, rf"copal: PE \d: {says}", source, [(how, "step")])
        name = "gfortran's own backtrace"
        if self.tests.wanted(name):
            ended = self.tests.job(2, self.compile("oshfort", source, "fortran_own", "-g"), "store")
            self.tests.check_clean(name, ended)
            self.tests.check(name, ended.code == 139, f"exit code is {ended.code}", ended)
            self.tests.check(name, "Backtrace for this error" in ended.err, "there is none", ended)
            self.tests.check(name, not frames(ended.err) and "copal:" not in ended.err, "ours is there as well", ended)

    def coarray_programs(self):
        if not (self.tools / "caf").exists():
            return
        source = HERE / "crash_caf.f90"
        for level in ("-O0", "-O2"):
            program = self.compile("caf", source, f"coarrays{level}", "-g", level)
            for how, says, function in (("image", "image index 77", "step"), ("unlock", "unlock", "unlock_it")):
                name = f"coarrays {level} {how}"
                if self.tests.wanted(name):
                    ended = self.tests.run([self.tools / "cafrun", "-n", "2", program, how])
                    self.check(name, ended, 1, rf"copal: image \d: .*{says}", source, [(how, function)])
        name = "coarrays without cafrun"
        if self.tests.wanted(name):
            ended = self.tests.run([program, "image"])
            self.check(name, ended, 1, "image index 77, allowed are 1 to 1; the program was started without cafrun",
                       source, [])
            ended = self.tests.run([self.tools / "cafrun", "-n", "1", program, "image"])
            self.check(name, ended, 1, "image index 77, allowed are 1 to 1\n", source, [])

    def without_lines(self):
        """Programs without debug information, and without symbols."""
        plain = self.compile("oshcc", HERE / "crash.c", "plain", "-pthread", "-w")
        stripped = self.compile("oshcc", HERE / "crash.c", "stripped", "-pthread", "-w", "-s")
        for program, shown in ((plain, r"  in crash \(plain\+0x[0-9a-f]+\)\n  in main \(plain"),
                               (stripped, r"  in stripped\+0x[0-9a-f]+\n  in stripped\+")):
            for how, code in (("store", 139), ("pe", 1)):
                name = f"{pathlib.Path(program).name} {how}"
                if self.tests.wanted(name):
                    ended = self.tests.job(2, program, how)
                    self.check(name, ended, code, shown, HERE / "crash.c", [])

    def without_libdw(self, program):
        """The helper beside a copy of the library, and a libcopal-lines.so whose libdw is missing."""
        name = "without libdw"
        if not self.tests.wanted(name):
            return
        folder = self.tests.folder / "other"
        (folder / "copal").mkdir(parents=True)
        shutil.copy(self.helper.parents[1] / "libshmem.so.2", folder)
        shutil.copy(self.helper, folder / "copal")
        library = ["cc", "-shared", "-x", "c", "/dev/null", "-x", "none", "-o"]
        subprocess.run([*library, folder / "libdw.so", "-Wl,-soname,libgone.so.1"], check=True)
        subprocess.run([*library, folder / "copal/libcopal-lines.so", "-Wl,--no-as-needed", folder / "libdw.so"],
                       check=True)
        for how, shown in (("store", r"SIGSEGV at address 0\n  in crash \("), ("abort", r"in abort\n  in crash \("),
                           ("pe", r"pe is 12345.*\n  in crash \(.*\n  in main \(")):
            ended = self.tests.job(2, program, how, env={"LD_LIBRARY_PATH": str(folder)})
            self.tests.check_clean(name, ended)
            self.tests.check(name, re.search(shown, ended.err), f"no {shown}", ended)

    def once(self, program):
        for n_pes in (1, 4):
            name = f"all {n_pes} PEs, one backtrace"
            if self.tests.wanted(name):
                ended = self.tests.job(n_pes, program, "pe", "-1")
                self.check(name, ended, 1, "copal: PE", HERE / "crash.c", [("pe", "crash"), ("main", "main")])
                self.tests.check(name, not self.has_lines or len(frames(ended.err)) == 2, "there are more", ended)

        name = "40 PEs with addresses of their own"
        if self.tests.wanted(name):
            ended = self.tests.job(40, program, "malloc", "-1", env={"SHMEM_SYMMETRIC_SIZE": "1m"})
            self.tests.check(name, ended.code == 1, f"exit code is {ended.code}", ended)
            lines = ended.err.count("\n")
            self.tests.check(name, lines <= 12, f"{lines} lines", ended)
            self.tests.check(name, ended.err.startswith("copal: PE") and ended.err.count("copal: PE") == 1,
                             "not one sentence", ended)

    def without_frames(self, program):
        for nodes in ("1", "2"):
            name = f"a thread without a frame of the program, {nodes} nodes"
            if self.tests.wanted(name):
                ended = self.tests.job(2, program, "bare", env={"SHMEM_NODES": nodes})
                self.check(name, ended, 139, "copal: PE 1: SIGSEGV at address 0x8", HERE / "crash.c", [])

    def untimely(self, program):
        """Crashes before shmem_init and after shmem_finalize."""
        for how, says in (("early", "before shmem_init"), ("late", "after shmem_finalize")):
            name = f"{how} call"
            if self.tests.wanted(name):
                ended = self.tests.job(3, program, how)
                self.check(name, ended, 1, rf"copal: PE [012]: shmem_quiet: called {says}\n", HERE / "crash.c",
                           [(how, "main")])

        name = "early call of many"
        for _ in range(8 if self.tests.wanted(name) else 0):
            ended = self.tests.job(8, program, "early")
            self.tests.check(name, ended.code == 1 and ended.err.count("called before") == 1, "not one sentence", ended)

    def turned_off(self, program):
        for how, (number, _, _) in CRASHES.items():
            name = f"SHMEM_BACKTRACE=0 {how}"
            if self.tests.wanted(name):
                ended = self.tests.job(2, program, how, env={"SHMEM_BACKTRACE": "0"})
                self.tests.check_clean(name, ended)
                code = 128 + number if number else 1
                self.tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)
                self.tests.check(name, not re.search("^  (at|in) |copal: .*SIG", ended.err, re.MULTILINE),
                                 "there is one", ended)

    def own_handlers(self, program):
        for how in ("handler_before", "handler_after"):
            if self.tests.wanted(how):
                ended = self.tests.job(2, program, how)
                self.tests.check_clean(how, ended)
                self.tests.check(how, ended.code == 9 and ended.out == "mine\n", f"exit code is {ended.code}", ended)
                self.tests.check(how, "copal:" not in ended.err, "ours has run as well", ended)

    def between_nodes(self, program):
        if not (self.helper.parent / "libcopal-ucx.so").exists():
            return
        for how, code in (("store", 139), ("pe", 1)):
            name = f"{how} on two nodes"
            if self.tests.wanted(name):
                ended = self.tests.job(4, program, how, env={"SHMEM_NODES": "2"})
                self.check(name, ended, code, "copal: PE 3", HERE / "crash.c", [(how, "crash"), ("main", "main")])


def main():
    tests = Tests()
    if tests.sanitized:
        print("signals are the sanitizer's")
        return
    backtraces = Backtraces(tests)
    program = backtraces.compile("oshcc", HERE / "crash.c", "crash", "-g", "-pthread", "-w")
    backtraces.c_programs()
    backtraces.fortran_programs()
    backtraces.coarray_programs()
    backtraces.without_lines()
    backtraces.without_libdw(program)
    backtraces.once(program)
    backtraces.without_frames(program)
    backtraces.untimely(program)
    backtraces.turned_off(program)
    backtraces.own_handlers(program)
    backtraces.between_nodes(program)
    tests.verdict()


if __name__ == "__main__":
    main()
