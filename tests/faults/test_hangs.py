#!/usr/bin/env python3
"""The reports of oshrun and cafrun about a job that hangs: the PEs that each PE waits for, in every kind of wait, the
source line, and whether it is a deadlock."""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

from faults import HERE, Tests

COUNTS = (2, 3, 5, 8)
SYNCS = ("dissemination", "counter", "linear", "kary", "knomial", "two_level")
ROUTINES = {
    "barrier_all": "shmem_barrier_all", "sync_all": "shmem_sync_all", "team_sync": "shmem_team_sync",
    "barrier": "shmem_barrier", "reduce": "shmem_long_sum_reduce", "fcollect": "shmem_long_fcollect",
    "collect": "shmem_long_collect", "alltoall": "shmem_long_alltoall", "malloc": "shmem_malloc",
    "finalize": "shmem_finalize", "lock": "shmem_set_lock", "wait": "shmem_long_wait_until",
}
STATEMENTS = {
    "sync_all": "sync all", "sync_images": "sync images", "co_sum": "co_sum", "co_broadcast": "co_broadcast",
    "allocate": "allocate", "event": r"event wait \(0 of 2 posts have arrived\)", "lock": "lock",
    "critical": "critical", "change_team": "change team", "end_team": "end team",
}
JOBS = 4    # concurrent jobs, which mostly sleep


class TestsTogether(Tests):
    """With concurrent jobs a file's owner is unknown: the test searches for remaining files when all jobs have
    ended."""

    def leftovers(self, mark, before):
        return self.processes_left(mark)


def line_of(source, mark):
    """The number of the line with that comment."""
    lines = (HERE / source).read_text().splitlines()
    number, = (number for number, line in enumerate(lines, 1) if re.search(rf"HERE {mark}( \*/)?$", line))
    return number


def waits(pe, routine, whom, mark, source="hang.c"):
    tool, unit, pe = ("oshrun", "PE", pe) if source == "hang.c" else ("cafrun", "image", pe + 1)
    return (rf"^{tool}:   {unit} {pe} \(process \d+\) in {routine} for .*, waiting for {whom}\n"
            rf"{tool}:     at \S*{source}:{line_of(source, mark)} in \w+$")


class Hangs:
    """The two programs."""

    def __init__(self):
        self.tests = TestsTogether()
        self.pool, self.cases, self.files = concurrent.futures.ThreadPoolExecutor(JOBS), [], self.tests.files()
        self.hang, = self.tests.build("hang")
        folder = pathlib.Path(self.tests.launcher).parent
        self.cafrun, self.hang_caf = folder / "cafrun", str(self.tests.folder / "bin" / "hang_caf")
        self.has_caf = (folder / "caf").exists()
        if self.has_caf and subprocess.run([folder / "caf", "-g", "-w", HERE / "hang_caf.f90", "-o", self.hang_caf],
                                           cwd=self.tests.folder / "bin").returncode:
            sys.exit("hang_caf.f90 does not compile")

    def reports(self, name, n_pes, program, arguments, wanted, env=None):
        """Runs a job that --timeout ends, and compares its report with these regular expressions: see judge()."""
        if self.tests.wanted(name):
            self.cases.append((name, wanted, self.pool.submit(self.run, n_pes, program, arguments, wanted, env)))

    def run(self, n_pes, program, arguments, wanted, env):
        """How the job ended, and the missing parts of the report."""
        launcher = self.cafrun if program == self.hang_caf else self.tests.launcher

        def missing(ended):
            return [line for line in wanted if not re.search(line, ended.err, re.MULTILINE)]
        ended = self.tests.with_time(lambda seconds: self.tests.run(
            [launcher, "-n", str(n_pes), "--timeout", seconds, program, *arguments], env), lambda end: not missing(end))
        return ended, missing(ended)

    def judge(self):
        for name, wanted, case in self.cases:
            ended, missing = case.result()
            self.tests.check_clean(name, ended)
            self.tests.check(name, ended.code == 124, f"exit code is {ended.code}, expected 124", ended)
            self.tests.check(name, not missing, f"not said: {missing}", ended)
            self.tests.check(name, "a deadlock" not in ended.err or any("deadlock" in line for line in wanted),
                             "it is said to be a deadlock", ended)
        left = self.tests.files_left(self.files)
        self.tests.check("files", not left, f"all together have left {', '.join(left)}")

    def waiters(self, where, n_pes, away):
        """The expected report about all PEs except the sleeping ones."""
        whom = f"PE{'s' * (len(away) > 1)} {', '.join(map(str, away))}" if where != "wait" else "another PE"
        return [waits(pe, ROUTINES[where], whom, where) for pe in range(n_pes) if pe not in away]

    def each_wait(self):
        for n_pes in COUNTS:
            for number, where in enumerate(ROUTINES):
                away = number % n_pes
                self.reports(f"{where} -n {n_pes}", n_pes, self.hang, [where, str(away)],
                             self.waiters(where, n_pes, [away]))
            for number, algorithm in enumerate(SYNCS):
                away = sorted({number % n_pes, (number + 2) % n_pes}) if n_pes > 3 else [number % n_pes]
                self.reports(f"barrier_all by {algorithm} -n {n_pes}", n_pes, self.hang,
                             ["barrier_all", *map(str, away)], self.waiters("barrier_all", n_pes, away),
                             {"SHCOLL_SYNC": algorithm})
        for where in ("barrier_all", "reduce", "lock", "finalize"):
            self.reports(f"{where} on two nodes", 4, self.hang, [where, "2"], self.waiters(where, 4, [2]),
                         {"SHMEM_NODES": "2"})

    def each_statement(self):
        """The expected report about images, with image numbers."""
        for n in COUNTS:
            for number, where in enumerate(STATEMENTS):
                away = number % n
                if where == "sync_images":    # image 1 waits for the others, which wait for image 1
                    away = max(away, 1)
                here = [image for image in range(n) if image != away]
                if where in ("change_team", "end_team"):
                    here = [image for image in here if image % 2 == away % 2]
                elif where == "sync_images":
                    here = here[:1]
                whom = "another image" if where == "event" else f"image {away + 1}"
                wanted = [waits(image, STATEMENTS[where], whom, where, "hang_caf.f90") for image in here]
                self.reports(f"{where} -n {n} images", n, self.hang_caf, [where, str(away + 1)], wanted)
        for where in ("sync_all", "co_sum"):
            wanted = [waits(image, STATEMENTS[where], "image 3", where, "hang_caf.f90") for image in (0, 1, 3)]
            self.reports(f"{where} on two nodes of images", 4, self.hang_caf, [where, "3"], wanted,
                         {"SHMEM_NODES": "2"})

    def deadlocks(self):
        both = r"^oshrun: a deadlock: PEs 0, 1 wait for each other, or for ended ones"
        lock, barrier, reduce = (ROUTINES[name] for name in ("lock", "barrier_all", "reduce"))
        self.reports("two locks", 2, self.hang, ["two_locks"],
                     [waits(0, lock, "PE 1", "two_locks"), waits(1, lock, "PE 0", "two_locks"), both])
        self.reports("different collectives", 2, self.hang, ["different"],
                     [waits(0, reduce, "PE 1", "different_reduce"), waits(1, barrier, "PE 0", "different_barrier"),
                      both])
        for nodes in ("1", "2"):    # UCX has a thread of its own, which does not end a deadlock
            self.reports(f"all wait for anybody, nodes {nodes}", 2, self.hang, ["all_wait"],
                         [waits(0, ROUTINES["wait"], "another PE", "all_wait"), both], {"SHMEM_NODES": nodes})
        self.reports("a lock of one's own", 1, self.hang, ["lock_twice"],
                     [waits(0, lock, "PE 0 itself, which has the lock already", "lock_twice"),
                      "^oshrun: a deadlock: PE 0 waits for itself"])
        self.reports("the holder has left", 3, self.hang, ["lock_left"],
                     [waits(0, lock, "PE 2", "lock_left"), waits(2, ROUTINES["finalize"], "PEs 0, 1", "left"),
                      r"a deadlock: PEs 0-2 wait"])

    def deadlocks_of_images(self):
        def wait(image, statement, whom, mark):
            return waits(image - 1, statement, whom, mark, "hang_caf.f90")
        both = r"^cafrun: a deadlock: images 1, 2 wait for each other"
        self.reports("two locks of images", 2, self.hang_caf, ["two_locks"],
                     [wait(1, "lock", "image 2", "two_locks"), wait(2, "lock", "image 1", "two_locks"), both])
        self.reports("different statements", 2, self.hang_caf, ["different"],
                     [wait(1, "sync all", "image 2", "different_sync"), wait(2, "co_sum", "image 1", "different_sum"),
                      both])
        self.reports("all wait for posts", 2, self.hang_caf, ["all_wait"],
                     [wait(1, r"event wait \(0 of 1 posts have arrived\)", "another image", "all_wait"), both])
        self.reports("three images in a circle", 3, self.hang_caf, ["circle"],
                     [wait(1, "sync images", "image 2", "circle"), wait(2, "sync images", "image 3", "circle"),
                      wait(3, "sync images", "image 1", "circle"), "^cafrun: a deadlock: images 1-3 wait"])


def main():
    hangs = Hangs()
    hangs.each_wait()
    hangs.deadlocks()
    if hangs.has_caf:
        hangs.each_statement()
        hangs.deadlocks_of_images()
    hangs.judge()
    hangs.tests.verdict()


if __name__ == "__main__":
    main()
