#!/usr/bin/env python3
"""However an image of a coarray program ends, the job ends: with the right exit code, with what it says on the right
stream, with the survivors knowing, and with nothing left behind.

usage: test_endings.py --cafrun PATH --caf PATH [--only REGEX] [--kills N]"""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 10.0    # seconds that a run may take, on a machine that does other things too

# How image IMAGE ends: exit code of the job, what is printed, what is said on stderr, whether the others must see it.
ENDINGS = {
    "end": (0, None, None),
    "stop0": (0, None, None),
    "stop3": (3, None, r"STOP 3"),
    "stop3quiet": (3, None, ""),
    "stoptext": (0, None, r"words of farewell"),
    "error": (1, None, r"ERROR STOP"),
    "error5": (5, None, r"ERROR STOP 5"),
    "error5quiet": (5, None, ""),
    "errortext": (1, None, r"words of error"),
    "errortextquiet": (1, None, ""),
    "stoptolerant": (0, "SEEN", None),
    "fail": (None, "SEEN", None),
    "badimage": (1, None, r"image.*\b\d+\b"),
}
STATEMENTS = ("sync_all", "sync_images", "sync_star", "lock", "event", "atomic", "get", "get_array", "get_stride",
              "put", "co_sum", "co_max", "co_broadcast", "co_reduce", "allocate", "critical")


class Tests:
    """Programs, jobs and verdicts."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--cafrun", required=True, type=os.path.abspath)
        parser.add_argument("--caf", required=True, type=os.path.abspath)
        parser.add_argument("--only", default="", help="regular expression: the tests to run")
        parser.add_argument("--kills", type=int, default=4, help="kills for each statement")
        self.args = parser.parse_args()
        self.folder = tempfile.TemporaryDirectory(prefix="caf-endings-")
        self.count, self.jobs, self.failures = 0, 0, []

    def program(self, name):
        """The path of a program of endings/, compiled when it is first needed."""
        output = pathlib.Path(self.folder.name) / name
        if output.exists():
            return str(output)
        source = HERE / "endings" / f"{name}.f90"
        if subprocess.run([self.args.caf, "-O1", "-g", source, "-o", output]).returncode:
            sys.exit(f"{name}.f90 does not compile")
        return str(output)

    def wanted(self, name):
        if not re.search(self.args.only, name):
            return False
        self.count += 1
        return True

    def check(self, name, condition, what, text=""):
        if not condition:
            self.failures.append(name)
            print(f"FAILED {name}: {what}", flush=True)
            for line in text.splitlines()[:8]:
                print(f"    {line[:300]}", flush=True)

    def start(self, images, *command):
        self.jobs += 1
        mark = f"CAF_ENDINGS={os.getpid()}.{self.jobs}"
        env = dict(os.environ, CAF_ENDINGS=mark.split("=")[1], TMPDIR=self.folder.name)
        before = set(os.listdir("/dev/shm"))
        process = subprocess.Popen([self.args.cafrun, "-n", str(images), *command], env=env, stdin=subprocess.DEVNULL,
                                   cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   errors="replace", start_new_session=True)
        return process, mark, before

    def finish(self, name, process, mark, before, printed=""):
        """Wait for the end; returns (exit code or None for a hang, stdout, stderr), and checks what is left."""
        try:
            out, err = process.communicate(timeout=LIMIT)
            code = process.returncode
        except subprocess.TimeoutExpired:
            for pid in processes(mark):
                os.kill(pid, signal.SIGKILL)
            out, err = process.communicate()
            code = None
        self.check(name, code is not None, "does not end", printed + out + err)
        self.check(name, code is None or code >= 0, f"cafrun itself was killed by signal {-(code or 0)}", err)
        for _ in range(50):
            if not processes(mark):
                break
            time.sleep(0.02)
        left = processes(mark)
        self.check(name, not left, f"left processes {left}")
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        # other jobs on the machine have files of their own there; ours carry no name at all
        new = [f for f in set(os.listdir("/dev/shm")) - before if not f.startswith("vader") and "osc_sm" not in f]
        self.check(name, not new, f"left {new} in /dev/shm")
        return code, printed + out, err


def processes(mark):
    """Processes whose environment holds the mark."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def endings(tests):
    for how, (code, printed, said) in ENDINGS.items():
        for images, who in ((1, 1), (2, 2), (4, 1), (4, 3)):
            name = f"ending {how} of image {who} of {images}"
            if not tests.wanted(name):
                continue
            found, out, err = tests.finish(name, *tests.start(images, tests.program("ending"), how, str(who)))
            if code is not None:
                tests.check(name, found == code, f"exit code is {found}, expected {code}", out + err)
            if printed:
                tests.check(name, out.count(printed) == images - 1, f"{out.count(printed)} survivors saw it", out + err)
            if said == "":
                tests.check(name, not re.search("STOP|words", err), "quiet= is not", err)
            elif said:
                tests.check(name, re.search(said, err), f"stderr has no {said!r}", err)


def statuses(tests):
    """Every statement with stat=, after an image has failed or stopped."""
    for how in ("fail", "stop"):
        name = f"statuses {how}"
        if tests.wanted(name):
            code, out, err = tests.finish(name, *tests.start(4, tests.program("statuses"), how))
            tests.check(name, out.count("SEEN") == 3, f"{out.count('SEEN')} survivors of 3 saw it all", out + err)
            tests.check(name, how == "fail" or code == 0, f"exit code is {code}, expected 0", err)


def kills(tests):
    """SIGKILL of an image at a random moment of each statement."""
    rng = random.Random(20240607)
    for statement in STATEMENTS:
        for number in range(tests.args.kills):
            images = (2, 3, 4)[number % 3]
            name = f"kill in {statement} {number} of {images} images"
            pause = rng.uniform(0, 0.1)
            victim = rng.randrange(1, images + 1)
            if not tests.wanted(name):
                continue
            process, mark, before = tests.start(images, tests.program("mortal"), statement)
            pids, printed = {}, ""
            while len(pids) < images:
                line = process.stdout.readline()
                if not line:
                    break
                printed += line
                match = re.match(r"pid (\d+) (\d+)", line)
                if match:
                    pids[int(match[1])] = int(match[2])
            if len(pids) == images:
                time.sleep(pause)
                try:
                    os.kill(pids[victim], signal.SIGKILL)
                except ProcessLookupError:
                    tests.check(name, False, f"image {victim} has ended before it was killed")
            code, out, err = tests.finish(name, process, mark, before, printed)
            if code is None:
                continue
            seen = re.findall(rf"image (\d+) state (\d+) failed {victim}$", out, re.MULTILINE)
            tests.check(name, len(seen) == images - 1, f"{len(seen)} survivors of {images - 1} saw a failed image",
                        out + err)
            # the one who stands between the dead image and another can see that one stop first
            states = {state for _, state in seen}
            tests.check(name, "6001" in states or not seen, f"no state is STAT_FAILED_IMAGE: {states}", out + err)


def main():
    tests = Tests()
    endings(tests)
    statuses(tests)
    kills(tests)
    failed = len(set(tests.failures))
    print(f"{tests.count} tests, {failed} failed")
    sys.exit(1 if failed or not tests.count else 0)


if __name__ == "__main__":
    main()
