#!/usr/bin/env python3
"""A damaged job of several hosts ends soon, prints why, and leaves nothing: PEs, daemons and the launcher are killed,
and links are cut, in jobs of Open MPI's mpirun on hosts of scripts/netlab. Needs root; scripts/check-net runs it."""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NETLAB = ROOT / "scripts/netlab"
LIMIT = 30    # seconds for a job to end; an idle machine needs a few
SAID = 3      # limit of printed sentences
LAYOUT = [2, 2, 2]
MOMENTS = 6    # least number of moments at which a PE unregisters memory
PLACES = ["wait", "barrier", "loop", "puts", "lock"]


def processes(lab):
    """The processes of the lab's jobs: number, program, PE or -1, host."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = dict(word.split("=", 1) for word in (entry / "environ").read_text(errors="replace").split("\0")
                         if "=" in word)
            if words.get("COPAL_NETLAB") == lab and "COPAL_NETLAB_HOST" in words:
                found.append((int(entry.name), (entry / "comm").read_text().strip(), int(words.get("PMIX_RANK", -1)),
                              words["COPAL_NETLAB_HOST"]))
        except (OSError, ValueError):
            continue
    return found


class Failures:
    def __init__(self, programs, only):
        self.end, self.late_death = f"{programs}/end", f"{programs}/late_death"
        self.only, self.failed, self.count = only, [], 0
        self.lab = f"failures-{os.getpid()}"
        self.environment = dict(os.environ, COPAL_NETLAB=self.lab)
        self.folder = tempfile.TemporaryDirectory()

    def netlab(self, *words, **more):
        return subprocess.run([NETLAB, *words], env=self.environment, **more)

    def fail(self, name, what, text=""):
        self.failed.append(name)
        print(f"FAILED {name}: {what}", flush=True)
        for line in text.strip().splitlines()[:12]:
            print(f"    {line[:300]}", flush=True)

    def job(self, name, words, hurt, code, says):
        """Starts a job and damages it when all PEs run. It must end with an exit code that `code` accepts, and a
        sentence."""
        if not re.search(self.only, name):
            return
        self.count += 1
        log = open(os.path.join(self.folder.name, f"{self.count}"), "w+", errors="replace")
        process = subprocess.Popen([NETLAB, "mpirun", "--layout", ",".join(map(str, LAYOUT)), self.end, *words, "say"],
                                   env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True)
        begin, since = time.monotonic(), None
        while since is None and process.poll() is None and time.monotonic() < begin + 60:
            log.seek(0)
            if re.search("^ready$", log.read(), re.MULTILINE):
                since = time.monotonic()
            time.sleep(0.02)    # between checks
        if since is not None and hurt:
            time.sleep(0.3)    # they have reported that they are ready, and enter the phase in which they are killed
            since = time.monotonic()
            hurt()
        ended, gone = None, None
        while since is not None and gone is None and time.monotonic() < since + LIMIT:
            if ended is None and process.poll() is not None:
                ended = time.monotonic()
            if ended is not None and not processes(self.lab):
                gone = time.monotonic()
            time.sleep(0.02)    # between checks
        log.seek(0)
        text = log.read()
        log.close()
        at = re.search(r"^ends at ([0-9.]+)$", text, re.MULTILINE)
        since = float(at[1]) if at else since
        said = [line for line in text.splitlines() if line.startswith("copal: ")]
        if since is None:
            self.fail(name, "the job does not start", text)
        elif gone is None:
            left = ", ".join(f"{comm} of PE {pe} on {host} (process {pid})"
                             for pid, comm, pe, host in processes(self.lab))
            self.fail(name, f"after {LIMIT} s the launcher {'has ended' if ended else 'runs'}; there are {left}", text)
        else:
            print(f"{name:60} launcher {ended - since:5.2f} s, all {gone - since:5.2f} s, code {process.returncode:4}, "
                  f"{len(said)} said: {said[0][:150] if said else ''}", flush=True)
            if not code(process.returncode):
                self.fail(name, f"the exit code is {process.returncode}", text)
            if says and not any(re.search(says, line) for line in text.splitlines() if not line.startswith("ends")):
                self.fail(name, f"nothing says {says}", text)
            if len(said) > SAID:
                self.fail(name, f"{len(said)} sentences say it", "\n".join(said))
            left = self.netlab("left", stdout=subprocess.PIPE, text=True)
            if left.returncode:
                self.fail(name, "LEFT BEHIND", left.stdout)
        self.netlab("left", "--kill", stdout=subprocess.DEVNULL)
        process.wait()

    def die_late(self, count):
        """In a job that outlives its PEs, the last PE is killed at that moment of shmem_finalize. The other PEs end
        normally, but mpirun does not. False: the PE has ended before that moment."""
        name = f"kill the last PE when it has given back {count} pieces of memory"
        if not re.search(self.only, name):
            return count < MOMENTS
        self.count += 1
        variables = {"COPAL_OUTLIVE": "1", "UCX_MEM_MMAP_HOOK_MODE": "none"}    # the program has its own hook
        *others, last = [f"PE {pe} has finalized" for pe in range(sum(LAYOUT))]
        expected = set(others)
        command = [NETLAB, "mpirun", "--layout", ",".join(map(str, LAYOUT)), "--enable-recovery",
                   *(word for variable in variables for word in ("-x", variable)), self.late_death, str(count)]
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen(command, env={**self.environment, **variables}, stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=log, start_new_session=True)
            since, missing = time.monotonic(), expected
            while missing and process.poll() is None and time.monotonic() < since + LIMIT:
                time.sleep(0.02)
                log.seek(0)
                text = log.read()
                missing = expected - set(text.splitlines())
            self.netlab("left", "--kill", stdout=subprocess.DEVNULL)
            process.wait()
        is_hurt = last not in text.splitlines()
        if missing:
            self.fail(name, f"nobody has said {sorted(missing)}", text)
        elif is_hurt:
            print(f"{name:60} the others end in {time.monotonic() - since:5.2f} s", flush=True)
        elif count <= MOMENTS:
            self.fail(name, "the last PE is alive", text)
        return is_hurt

    def kill(self, wanted):
        """Sends SIGKILL to the first process of the lab that the function accepts."""
        for pid, comm, pe, host in sorted(processes(self.lab)):
            if wanted(comm, pe, host):
                os.kill(pid, signal.SIGKILL)
                return
        print("there is no such process", [entry[1:] for entry in processes(self.lab)])

    def run(self):
        bad = lambda code: code != 0
        total = sum(LAYOUT)
        for number, place in enumerate(PLACES):
            for host in range(len(LAYOUT)):
                victim = sum(LAYOUT[:host]) + number % LAYOUT[host]
                self.job(f"kill PE {victim} on h{host + 1}, others in {place}",
                         ["stay", str((victim + 1) % total), place],
                         lambda: self.kill(lambda comm, pe, _: pe == victim and comm == "end"), bad,
                         rf"\bPE {victim}\b|\brank {victim}\b")
        for place in PLACES:
            for host in ("h1", "h2", "h3") if place == "wait" else ("h2", ):
                self.job(f"cut {host}, PEs in {place}", ["stay", str(total - 1), place],
                         lambda: self.netlab("cut", host), bad, r"\bPE \d+\b|\bh[123]\b")
                self.netlab("mend", host)
                time.sleep(0.5)    # the links are up, and the next job's connections are new
        for place in "wait", "loop", "puts":
            self.job(f"kill mpirun, PEs in {place}", ["stay", str(total - 1), place],
                     lambda: self.kill(lambda comm, pe, _: comm in ("mpirun", "prterun")), bad, None)
            self.job(f"kill a daemon, PEs in {place}", ["stay", str(total - 1), place],
                     lambda: self.kill(lambda comm, pe, host: comm in ("orted", "prted") and host == "h2"), bad, None)
        for who in 0, total - 1:
            self.job(f"global_exit of PE {who}", ["global7", str(who), "barrier"], None, lambda code: code == 7, None)
            self.job(f"bad argument of PE {who}", ["bad_pe", str(who), "wait"], None, lambda code: code == 1,
                     r"shmem_long_p.*12345")
            self.job(f"exit of PE {who} without finalize", ["exit7", str(who), "puts"], None, bad, None)
        count = 1
        while self.die_late(count):
            count += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, type=os.path.abspath,
                        help="a folder with tests/faults/end.c and tests/net/late_death.c as programs")
    parser.add_argument("--only", default="", help="regular expression: the tests to run")
    arguments = parser.parse_args()
    if os.getuid() != 0:
        print("needs root")
        sys.exit(77)
    tests = Failures(arguments.programs, arguments.only)
    tests.netlab("up", str(len(LAYOUT)), check=True)
    try:
        tests.run()
    finally:
        tests.netlab("down")
    failed = len(set(tests.failed))
    print(f"{tests.count} tests, {failed} failed")
    sys.exit(1 if failed or not tests.count else 0)


if __name__ == "__main__":
    main()
