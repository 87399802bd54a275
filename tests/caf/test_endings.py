#!/usr/bin/env python3
"""All ways in which images end, in all activities of the other images: exit code, messages, statuses, and that nothing
remains."""

import itertools
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
from faults import LIMIT, NOTICED_US, Tests, comes, processes_with, sentences, without_backtraces  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent / "endings"
ACROSS_NODES = "SHMEM_NODES" in os.environ    # making connections takes time
WORDS = "first line of it\nlast words\n"  # the output of the image before it ends

# {name of a statement in the program: the beginning of its message}. After "kill" every image that executes one of
# these statements prints its message, with stat= and without.
STATEMENTS = {
    "sync_all": "sync all", "sync_images": "sync images", "sync_images_star": "sync images",
    "allocate": "((de)?allocate|sync all)", "event_wait": "event wait", "event_post": "event post",
    "atomics": "atomic_add", "get": "get", "get_array": "get", "co_sum": "co_sum", "co_min": "co_min",
    "co_max": "co_max", "co_broadcast": "co_broadcast", "co_reduce": "co_reduce",
}
NO_STAT = {   # gfortran 12 to 15 do not accept stat= there, or ignore it
    "put": "put", "put_array": "put", "teams": "((form|change|end) team|allocate|sync all)", "form_team": "form team",
    "sync_team": "(form|sync) team", "end_team": "((form|change|end) team|allocate|sync all)",
}
MAY_SUCCEED = {"lock": "(un)?lock", "critical": "critical"}  # the image that dies may not have taken part
ONCE = {      # executed once; another image has ended before, or ends meanwhile
    "allocate_only": "allocate", "deallocate_only": "deallocate", "event_wait_idle": "event wait",
    "lock_held": "lock",
}


class Endings(Tests):
    def __init__(self):
        super().__init__(("cafrun", "caf"), [("--repeats", {"type": int, "default": 1, "help": "of each random kill"})])
        version = subprocess.run([self.compiler, "-dumpversion"], capture_output=True, text=True).stdout
        self.has_all_stats = int(version.split(".")[0]) >= 16
        compile_c = [os.environ.get("CC", "cc"), "-O1", "-c", SOURCES / "end.c", "-o", self.folder / "bin/end.o"]
        flags = ["-cpp", "-std=gnu", "-O1", "-g", "-Wall", "-Wextra", "-Wno-maybe-uninitialized"]
        self.check_call(compile_c)
        compilers = []
        for name, more in (("plain", []), ("stat", ["-DWITH_STAT"]), ("in_itself", ["-static-libgfortran"])):
            modules = self.folder / "bin" / f"{name}.mod"
            modules.mkdir()
            compilers.append(subprocess.Popen(
                [self.compiler, *flags, *more, "-J", modules, SOURCES / "places.F90", self.folder / "bin/end.o",
                 "-o", self.folder / "bin" / name]))
        if any(compiler.wait() != 0 for compiler in compilers):
            sys.exit("a test program does not compile")
        for name in ("no_team", "printed"):
            self.check_call([self.compiler, *flags, SOURCES / f"{name}.f90", "-o", self.folder / "bin" / name])
        self.no_team, self.printed = (str(self.folder / "bin" / name) for name in ("no_team", "printed"))
        self.start_dead = str(self.folder / "bin" / "start_dead")
        self.check_call([compile_c[0], "-c", SOURCES / "start.c", "-o", self.folder / "bin/start.o"])
        self.check_call([self.compiler, *flags, SOURCES / "printed.f90", self.folder / "bin/start.o", "-o",
                         self.start_dead])
        self.plain, self.stat, self.in_itself = (str(self.folder / "bin" / name)
                                                 for name in ("plain", "stat", "in_itself"))

    @staticmethod
    def check_call(command):
        if subprocess.run(command).returncode != 0:
            sys.exit("a test program does not compile")

    def images(self, n, how, who, place, delay=2000, program=None, options=(), **more):
        command = [self.launcher, "-n", str(n), *options, program or self.plain, how, str(who), place, str(delay)]
        return self.start(command, **more).wait()

    def check_code(self, name, ended, code):
        self.check_clean(name, ended)
        self.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)

    def check_said(self, name, ended, *patterns):
        """Checks that standard error has exactly these lines, in any order."""
        lines = without_backtraces(ended.err).splitlines()
        left = list(lines)
        for pattern in patterns:
            match = next((line for line in left if re.fullmatch(pattern, line)), None)
            if match is not None:
                left.remove(match)
        self.check(name, len(lines) == len(patterns) and not left, f"stderr is not {patterns}", ended)


def goes_on(n):
    return "; the other images go on" if n > 2 else "; the other image goes on"


def killed(who, n, sign=9, word="Killed"):
    return rf"cafrun: image {who} was killed by signal {sign} \({word}(, core dumped)?\){goes_on(n)}"


def has(statement, who, what):
    owner = r"(, which owns the lock,|, which held the lock on image \d+,)?"
    return rf"copal: image \d+: {statement}: image {who}( of the initial team)?{owner} has {what}" \
           r"(; this image has the lock now)?"


def random_place(n):
    return random.randint(1, n), random.choice((0, random.randrange(2000), random.randrange(20000)))


# --- one image is killed ----------------------------------------------------------------------------------------------

def check_survivors(tests, name, ended, n, who, code=0):
    """Checks that all other images noticed the end in time, continued, and ended normally."""
    tests.check_code(name, ended, code)
    left = dict(map(int, pair) for pair in re.findall(r"^image (\d+) left after (-?\d+) us$", ended.out, re.MULTILINE))
    through = {int(i) for i in re.findall(r"^image (\d+) is through$", ended.out, re.MULTILINE)}
    others = set(range(1, n + 1)) - {who}
    tests.check(name, set(left) == others and through == others, "not every other image has gone on", ended)
    tests.check(name, all(us < NOTICED_US for us in left.values()), f"noticed late: {left}", ended)


def kill_with_stat(tests, place, n, how="kill"):
    who, delay = random_place(n)
    name = f"{how} image {who} after {delay} us, the others in {place} with stat= -n {n}"
    ended = tests.images(n, how, who, place, delay, tests.stat)
    check_survivors(tests, name, ended, n, who)
    tests.check_said(name, ended, *([] if how == "fail" else [killed(who, n)]))


def kill_without_stat(tests, place, statement, n, how="kill"):
    who, delay = random_place(n)
    name = f"{how} image {who} after {delay} us, the others in {place} -n {n}"
    ended = tests.images(n, how, who, place, delay)
    said = [] if how == "fail" else [killed(who, n)]
    if place in MAY_SUCCEED and ended.code == 0:
        tests.check_code(name, ended, 0)
        tests.check_said(name, ended, *said)
    else:
        tests.check_code(name, ended, 1)
        tests.check_said(name, ended, *said, has(statement, who, "failed"))


def kills(tests):
    for place in (*STATEMENTS, *MAY_SUCCEED, *NO_STAT, *ONCE):
        statement = {**STATEMENTS, **MAY_SUCCEED, **NO_STAT, **ONCE}[place]
        for n in (2, 3, 5):
            if not tests.wanted(f"kill in {place} -n {n}"):
                continue
            for repeat in range(tests.args.repeats):
                how = "kill_idle" if place in ONCE else "kill"
                if tests.has_all_stats or (place not in NO_STAT and place != "critical"):
                    kill_with_stat(tests, place, n, how)
                kill_without_stat(tests, place, statement, n, how)
    for place in ("sync_all", "sync_images", "event_wait_idle", "lock_held", "co_sum", "allocate_only", "get"):
        if tests.wanted(f"fail image in {place}"):
            n = random.choice((2, 3, 5))
            kill_with_stat(tests, place, n, "fail")
            kill_without_stat(tests, place, {**STATEMENTS, **ONCE}[place], n, "fail")
    for how, who in itertools.product(("kill_idle", "fail", "term", "segv", "_exit_0"), (1, 2)):
        name = f"{how} at the end of the program, image {who}"
        if tests.wanted(name):
            ended = tests.images(3, how, who, "nothing", 30000)
            tests.check_code(name, ended, 0)
            tests.check(name, how == "fail" or len(ended.err.splitlines()) >= 1, "nothing is said of it", ended)
            tests.check(name, not sentences(ended.err), "others complain", ended)
    for n, said in (1, "1 image has failed"), (3, "all 3 images have failed"):
        name = f"fail image on all -n {n}"
        if tests.wanted(name):
            ended = tests.images(n, "fail", 0, "nothing")
            tests.check_code(name, ended, 1)
            tests.check_said(name, ended, f"cafrun: {said}")
    for n in (5, 8):
        name = f"several end -n {n}"
        if tests.wanted(name):
            ended = tests.images(n, "none", 0, "several")
            tests.check_code(name, ended, 0)
            tests.check_said(name, ended, killed(4, n))
            tests.check(name, ended.out == (n - 3) * "several are fine\n", "not all are fine", ended)


# --- images end by themselves -----------------------------------------------------------------------------------------

EXIT = "exit with code {}, by the program or by the Fortran library after an error, ends all images"
# {error termination of an image: exit code, and a line of standard error}
ERRORS = {
    "error_stop": (1, "ERROR STOP"), "error_stop_0": (1, "ERROR STOP 0"), "error_stop_5": (5, "ERROR STOP 5"),
    "error_stop_256": (1, "ERROR STOP 256"), "error_stop_minus": (255, "ERROR STOP -1"),
    "error_stop_text": (1, "ERROR STOP it is enough"), "error_stop_quiet": (6, None),
    "error_stop_loud": (1, "ERROR STOP loud"), "error_stop_within": (21, "ERROR STOP 21"),
    "exit_4": (4, None), "read": (2, "Fortran runtime error: .*"), "write": (2, "Fortran runtime error: .*"),
    "allocate": (2, "Fortran runtime error: .*"),
}
# {end that makes the image a failed image: the message of cafrun}
CRASHES = {
    "segv": r"was killed by signal 11 \(Segmentation fault(, core dumped)?\)",
    "abort": r"was killed by signal 6 \(Aborted(, core dumped)?\)",
    "fpe": r"was killed by signal 8 \(Floating point exception(, core dumped)?\)",
    "term": r"was killed by signal 15 \(Terminated\)",
    "kill_idle": r"was killed by signal 9 \(Killed\)", "_exit_0": "exited with code 0 without normal termination",
    "_exit_4": "exited with code 4 without normal termination",
}
# {normal termination: exit code and message}
STOPS = {
    "stop": (0, None), "stop_0": (0, "STOP 0"), "stop_1": (1, "STOP 1"), "stop_7": (7, "STOP 7"),
    "stop_255": (255, "STOP 255"), "stop_256": (0, "STOP 256"), "stop_minus": (255, "STOP -1"),
    "stop_text": (0, "STOP well done"), "stop_quiet": (3, None), "end": (0, None), "exit_0": (0, None),
}
WAITS = ("sync_all", "sync_images", "event_wait_idle", "lock_held", "co_sum", "compute", "allocate_only", "sync_team",
         "nothing")


def error_terminations(tests):
    number = 0
    for how, (code, line) in ERRORS.items():
        for place in WAITS if how in ("error_stop_5", "exit_4", "read") else random.sample(WAITS, 2):
            number += 1
            n, who = (2, 3, 5)[number % 3], number % 2 + 1
            name = f"{how} of image {who}, the others in {place} -n {n}"
            if not tests.wanted(name):
                continue
            ended = tests.images(n, how, who, place, 20000)
            tests.check_code(name, ended, code)
            tests.check(name, WORDS in ended.out, "what the image has written is lost", ended)
            is_stop = how.startswith("error_stop")
            whole = rf"{line} \(image {who}\)" if is_stop else line
            if not is_stop:    # only this line names the image
                exits = [f"copal: image {who}: {EXIT.format(code)}"]
                tests.check(name, sentences(ended.err) == exits, f"{exits} is not said", ended)
            tests.check(name, line is None or any(re.fullmatch(whole, said) for said in ended.err.splitlines()),
                        f"no line is {whole}", ended)
            has_trace = all(re.search(part, ended.err, re.MULTILINE)
                            for part in (r"^Error termination\. Backtrace:$", r"^\s+at .*\bplaces\.F90:\d+$"))
            tests.check(name, has_trace or not line or not is_stop, "there is no backtrace", ended)
            tests.check(name, line or not is_stop or not ended.err, "something is said", ended)
            tests.check(name, not re.search("copal:|cafrun:" if is_stop else "cafrun:", ended.err),
                        "more is said than that", ended)
        name = f"{how} of a single image"
        if tests.wanted(name):
            ended = tests.images(1, how, 1, "nothing", 0)
            tests.check_code(name, ended, code)
            tests.check(name, not re.search(r"\(image|copal:", ended.err), "it is said which image of one", ended)
    name = "output comes before ERROR STOP"
    if tests.wanted(name):
        ended = tests.start(["sh", "-c", 'exec "$@" 2>&1', "sh", tests.launcher, "-n", "2", tests.plain, "error_stop_5",
                             "1", "sync_all", "3000"]).wait()
        tests.check_code(name, ended, 5)
        tests.check(name, ended.out.startswith(WORDS + "ERROR STOP 5 (image 1)\n\nError termination. Backtrace:\n#0"),
                    "another order", ended)
    name = "what the others have printed at ERROR STOP"
    if tests.wanted(name):
        to = tests.folder / "printed.out"
        ended = tests.start(["sh", "-c", 'exec "$@" >' + str(to), "sh", tests.launcher, "-n", "4",
                             tests.printed]).wait()
        tests.check_code(name, ended, 3)
        tests.check(name, sorted(to.read_text().splitlines()) == [f"image {k}" for k in range(1, 5)], "it is lost",
                    ended)


def crashes(tests):
    for number, (how, line) in enumerate(CRASHES.items()):
        n, place = (2, 3, 5)[number % 3], ("sync_all", "event_wait_idle", "co_sum")[number // 3]
        who = random.randint(1, n)
        name = f"{how} of image {who}, the others in {place} -n {n}"
        if not tests.wanted(name):
            continue
        ended = tests.images(n, how, who, place, 20000, tests.stat)
        check_survivors(tests, name, ended, n, who)
        tests.check(name, re.search(rf"^cafrun: image {who} {line}{goes_on(n)}$", ended.err, re.MULTILINE),
                    "cafrun does not say how", ended)
        ended = tests.images(n, how, who, place, 20000)
        tests.check_code(name + ", no stat=", ended, 1)
        tests.check(name, len(sentences(ended.err)) == 1, "not one sentence", ended)


def normal_terminations(tests):
    for how, (code, line) in STOPS.items():
        for n in (1, 4):
            name = f"{how} of all images -n {n}"
            if tests.wanted(name):
                ended = tests.images(n, how, 0, "nothing")
                tests.check_code(name, ended, code)
                said = [line for line in ended.err.splitlines() if not line.startswith("cafrun: ")]
                tests.check(name, said == ([line] if line else []) * n, f"{line} is not said by all", ended)
                tests.check(name, ended.out.count("last words\n") == n, "output is lost", ended)
    for place, statement in (*ONCE.items(), ("sync_all", "sync all"), ("sync_images", "sync images"),
                             ("co_sum", "co_sum"), ("sync_team", "form team")):
        how, n = random.choice(("stop", "stop_text", "stop_7", "end", "exit_0")), random.choice((2, 3, 5))
        who = random.randint(1, n)
        if place == "event_wait_idle":
            n, who = 2, 2   # with more images, others could still post
        name = f"{how} of image {who}, the others in {place} -n {n}"
        if not tests.wanted(name):
            continue
        ended = tests.images(n, how, who, place, 5000)
        tests.check_code(name, ended, 1)
        ending = rf"copal: image \d+: {statement}: .*\b(image {who}\b.* has|images of the team have) stopped"
        said = [line for line in sentences(ended.err) if re.fullmatch(ending, line)]
        tests.check(name, len(said) == len(sentences(ended.err)) == 1, "not one sentence that says it", ended)
        tests.check(name, WORDS in ended.out, "what the image has written is lost", ended)
        if place == "sync_team":
            continue
        name += " with stat="
        ended = tests.images(n, how, who, place, 5000, tests.stat)
        code = 7 if how == "stop_7" else 0
        check_survivors(tests, name, ended, n, who, code)


# --- team variables without a team ----------------------------------------------------------------------------

NO_TEAM = {
    "change": r"change team: the team was not formed by FORM TEAM in the current team",
    "sync": r"sync team: the team is none of this image's",
    "put": r"put: the team variable is undefined, or its team has ended; FORM TEAM defines it",
    "number": r"team_number: the team variable is undefined, or its team has ended; FORM TEAM defines it",
}


def at_start(tests):
    """An image dies before all have synchronized for the first time: no image can continue without it."""
    for n in (2, 4):
        name = f"image 2 dies as the program begins -n {n}"
        if tests.wanted(name):
            ended = tests.start([tests.launcher, "-n", str(n), tests.start_dead]).wait()
            tests.check_code(name, ended, 1)
            tests.check(name, "start: image 2 has failed" in ended.err, "not told that image 2 has failed", ended)


def no_teams(tests):
    for what in ("zero", "random", "ended"):
        for statement, sentence in NO_TEAM.items():
            if (what, statement) == ("zero", "number"):
                continue    # so gfortran writes team_number()
            name = f"{statement} with a team variable that is {what}"
            if not tests.wanted(name):
                continue
            ended = tests.start([tests.launcher, "-n", "3", tests.no_team, what, statement]).wait()
            tests.check_code(name, ended, 1)
            tests.check_said(name, ended, rf"copal: image \d: {sentence}")


# --- cafrun -----------------------------------------------------------------------------------------------------------

def launcher(tests):
    for sig, place in ((signal.SIGKILL, "sync_all"), (signal.SIGKILL, "compute"), (signal.SIGINT, "co_sum"),
                       (signal.SIGINT, "lock_held"), (signal.SIGTERM, "event_wait_idle"), (signal.SIGHUP, "compute")):
        name = f"{sig.name} to cafrun, images in {place}"
        if not tests.wanted(name):
            continue
        who = 1 if place == "lock_held" else 9
        job = tests.start([tests.launcher, "-n", "3", tests.plain, "stop", str(who), place, "20000000"])
        tests.check(name, comes(lambda: len(processes_with(job.mark)) == 4, LIMIT), "not three images and cafrun")
        time.sleep(random.uniform(0, 0.3))    # at any point of their start
        job.process.send_signal(sig)
        ended = job.wait()
        tests.check_clean(name, ended)
        allowed = (-sig,) if sig == signal.SIGKILL else (128 + sig,)
        tests.check(name, ended.code in allowed, f"exit code is {ended.code}, expected {allowed}", ended)
        complaints = [line for line in sentences(ended.err)    # an image that is in shmem_init may notice the death
                      if sig != signal.SIGKILL or not re.search(r"shmem_init: oshrun, process \d+, has ended", line)]
        tests.check(name, not complaints, "images complain", ended)
    name = "a program that is none of coarrays"
    if tests.wanted(name):
        ended = tests.start([tests.launcher, "-n", "1", tests.plain, "none", "9", "nothing", "0", ":", "-n", "1",
                             "true"]).wait()
        tests.check_code(name, ended, 1)
        tests.check_said(name, ended, r"cafrun: image 2 ended and is no coarray program \(compile it by caf\), where "
                         "image 1 waits for it")
    name = "two jobs at once"
    if tests.wanted(name):
        jobs = [tests.start([tests.launcher, "-n", "3", tests.stat, how, who, "sync_all", "100000"])
                for how, who in (("kill", "2"), ("none", "9"), ("kill", "1"), ("fail", "3"))]
        tests.check(name, comes(lambda: len(processes_with(jobs[1].mark)) == 4, LIMIT), "not three images and cafrun")
        jobs[1].process.send_signal(signal.SIGINT)
        for number, job in enumerate(jobs):
            ended = job.wait()
            tests.check_code(f"{name}, job {number}", ended, 130 if number == 1 else 0)
    name = "16 images"
    if tests.wanted(name):
        ended = tests.images(16, "kill", 7, "sync_all", 30000, tests.stat)
        check_survivors(tests, name, ended, 16, 7)
    name = "no /dev/shm can be written"
    if tests.wanted(name) and "FAULTS_PRIVATE_SHM" in os.environ:
        ended = tests.start(["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o ro tmpfs /dev/shm && exec "$@"', "sh",
                             tests.launcher, "-n", "3", tests.stat, "kill", "2", "co_sum", "3000"]).wait()
        check_survivors(tests, name, ended, 3, 2)


WHOM = r"(image \d|another image)"  # an image that waits for many may name any
# {statement in which images wait for image 2, which computes: the name of the statement in --watch, the awaited image}
WATCHED = {
    "sync_all": ("sync all", WHOM), "sync_images": ("sync images", "image 2"), "sync_team": ("form team", WHOM),
    "allocate_only": ("allocate", WHOM), "deallocate_only": ("deallocate", WHOM),
    "lock_held": ("lock", "(image 2|another image)"),
    "event_wait_idle": (r"event wait \(0 of 1 posts have arrived\)", "another image"), "co_sum": ("co_sum", WHOM),
    "co_min": ("co_min", WHOM), "co_max": ("co_max", WHOM), "co_broadcast": ("co_broadcast", WHOM),
    "co_reduce": ("co_reduce", WHOM), "nothing": ("the end of the program", "(image 2|another image)"),
}

WATCHED_ACROSS_NODES = ("sync_all", "sync_images", "lock_held", "event_wait_idle", "co_sum", "nothing")

# Seconds until the images reach their statements; the next value if they have not.
TIMES = (2, 8, 40) if ACROSS_NODES else (0.4, 4, 40)


def watch(tests):
    for place, (statement, whom) in WATCHED.items():
        name = f"--watch and --timeout, images in {place}"
        if ACROSS_NODES and place not in WATCHED_ACROSS_NODES or not tests.wanted(name):
            continue
        waits = rf"in {statement} for \d+\.\d s, since [\d:]+, waiting for {whom}"
        expected = [rf"^cafrun:   image {image} \(process \d+\) {waits}$" for image in (1, 3)]
        expected.append(r"^cafrun:   image 2 .* waits for no other image, its process is running$")

        def missing(ended):
            return [line for line in expected if not re.search(line, ended.err, re.MULTILINE)]
        ended = tests.with_time(lambda seconds: tests.images(3, "stop", 2, place, 100000000, options=(
            "--watch", str(float(seconds) / 2), "--timeout", seconds)), lambda end: not missing(end), TIMES)
        tests.check_code(name, ended, 124)
        tests.check(name, not missing(ended), f"not said: {missing(ended)}", ended)
    for name, program in ("SIGQUIT", tests.plain), ("SIGQUIT, libgfortran in the program", tests.in_itself):
        if not tests.wanted(name):
            continue
        for seconds in TIMES:
            job = tests.start([tests.launcher, "-n", "2", program, "stop", "2", "sync_all", "100000000"])
            time.sleep(seconds)    # the next attempt waits longer if they have not reached it
            for pid in processes_with(job.mark):    # as a terminal does
                os.kill(pid, signal.SIGQUIT)
            job.wait_for_said(r"^cafrun:   image 2 ")
            job.process.send_signal(signal.SIGINT)
            ended = job.wait()
            told = re.search(r"image 1 .* in sync all for .* waiting for image 2", ended.err)
            if told:
                break
        tests.check(name, ended.code == 130 and told, "no report", ended)
        tests.check(name, "killed" not in ended.err and "SIGQUIT" not in ended.err, "images take it too", ended)


def main():
    tests = Endings()
    kills(tests)
    error_terminations(tests)
    crashes(tests)
    normal_terminations(tests)
    at_start(tests)
    no_teams(tests)
    launcher(tests)
    watch(tests)
    tests.verdict()


if __name__ == "__main__":
    main()
