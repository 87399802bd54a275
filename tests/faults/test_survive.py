#!/usr/bin/env python3
"""A PE's death does not end a job with --outlive: the other PEs leave their waits and continue, and the job ends
normally."""

import os
import random
import re
import signal

from faults import NOTICED_US, Tests, without_backtraces

PLACES = ("barrier", "sync", "lock", "wait", "wait_any", "signal", "broadcast", "reduce", "alltoall", "scan", "malloc",
          "loop", "finalize")
ENDINGS = {    # the message about the image
    "kill": r"was killed by signal 9 \(Killed\)",
    "exit7": "exited with code 7 without normal termination",
    "_exit0": "exited with code 0 without normal termination",
    "fail": None,
}


def check_said(tests, name, ended, *patterns):
    """Checks that standard error has exactly these lines."""
    lines = without_backtraces(ended.err).splitlines()
    matching = len(lines) == len(patterns) and all(map(re.fullmatch, patterns, lines))
    tests.check(name, matching, f"stderr is not {patterns}", ended)


def check_code(tests, name, ended, code):
    tests.check_clean(name, ended)
    tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)


def others(n_pes):
    return "; the other images go on" if n_pes > 2 else "; the other image goes on"


def death(tests, survive, how, place, n_pes):
    """A PE ends at a random moment while the others are in one place."""
    who, delay = random.randrange(n_pes), random.choice((0, random.randrange(1000), random.randrange(20000)))
    name = f"{how} PE {who} after {delay} us while the others are in {place} -n {n_pes}"
    ended = tests.run([tests.cafrun, "-n", str(n_pes), survive, how, str(who), place, str(delay)])
    tests.check_good(name, ended)
    said = ENDINGS[how]
    check_said(tests, name, ended, *([f"cafrun: image {who + 1} {said}{others(n_pes)}"] if said else []))
    left = dict(map(int, pair) for pair in re.findall(r"^PE (\d+) left after (\d+) us$", ended.out, re.MULTILINE))
    expected = set() if place == "finalize" else set(range(n_pes)) - {who}
    tests.check(name, set(left) == expected, "not every other PE has left its wait and worked on", ended)
    tests.check(name, all(us < NOTICED_US for us in left.values()), f"a death was noticed late: {left}", ended)


def deaths(tests, survive):
    number = 0
    for place in PLACES:
        for n_pes in (2, 3, 5, 8):
            how = list(ENDINGS)[number % len(ENDINGS)]
            number += 1 + (n_pes == 8)  # the next routine gets another ending for each number of PEs
            if tests.wanted(f"{how} in {place} -n {n_pes}"):
                death(tests, survive, how, place, n_pes)
    for repeat in range(20):
        place, n_pes = random.choice(PLACES), random.choice((2, 3, 5, 8))
        if tests.wanted(f"random kill {repeat}"):
            death(tests, survive, "kill", place, n_pes)


def codes(tests, survive, hello):
    """The exit code is that of the survivors, or of the first death if there are none."""
    def job(name, code, *patterns, tool=tests.cafrun, options=(), program):
        if tests.wanted(name):
            ended = tests.run([tool, *options, *program])
            check_code(tests, name, ended, code)
            check_said(tests, name, ended, *patterns)

    killed = r"was killed by signal 9 \(Killed\)"
    job("worst code", 6, f"cafrun: image 1 {killed}; the other images go on",
        r"cafrun: image [234] exited with code [456]", options=["-n", "4"],
        program=[survive, "kill", "0", "wait", "1000", "3"])
    job("all die", 137, f"cafrun: image 1 {killed}; the other image goes on",
        "cafrun: image 2 exited with code 7 without normal termination",
        program=["-n", "1", survive, "kill", "0", "loop", "0", ":",
                 "-n", "1", survive, "exit7", "1", "loop", "1000000"])
    job("the only one dies", 137, f"cafrun: image 1 {killed}", options=["-n", "1"],
        program=[survive, "kill", "0", "loop", "0"])
    job("all fail", 1, "cafrun: 1 image has failed", options=["-n", "1"], program=[survive, "fail", "0", "loop", "0"])
    job("fail is told", 0, *["cafrun: image . is process .*"] * 2, "cafrun: image 2 has failed on request",
        options=["-n", "2", "-v"], program=[survive, "fail", "1", "sync", "1000"])
    job("two die", 0, f"cafrun: image 1 {killed}; the other images go on",
        f"cafrun: image 2 {killed}; the other images go on",
        program=["-n", "1", survive, "kill", "0", "loop", "1000", ":",
                 "-n", "1", survive, "kill", "1", "loop", "1000000", ":",
                 "-n", "2", survive, "kill", "0", "finalize", "0"])
    job("global exit", 5, options=["-n", "3"], program=[survive, "global5", "1", "barrier", "1000"])
    job("mistake of a survivor", 1, f"cafrun: image 1 {killed}; the other image goes on",
        "copal: PE 1: shmem_long_p: argument pe is 12345, .*", options=["-n", "2"],
        program=[survive, "kill", "0", "reduce", "1000", "bad"])
    job("end before shmem_init", 4, "cafrun: image 2 exited with code 4",
        program=["-n", "1", hello, ":", "-n", "1", "sh", "-c", "sleep 0.1; exit 4"])
    job("no coarrays", 3, "cafrun: image . exited with code 3", options=["-n", "2"], program=["sh", "-c", "exit 3"])
    job("behind a wrapper", 0, "cafrun: image 3 exited with code 7 without normal termination; the other images go on",
        options=["-n", "3"], program=["sh", "-c", '"$@"; exit $?', "sh", survive, "exit7", "2", "reduce", "1000"])
    name = "a second program after a failure"
    if tests.wanted(name):
        two = '"$1" fail 1 barrier 1000; "$2"; exit $?'
        ended = tests.run([tests.cafrun, "-n", "3", "sh", "-c", two, "sh", survive, hello])
        check_code(tests, name, ended, 1)
        said = r"^copal: PE [02]: shmem_init: PE 1 has failed in an earlier program of this job; "
        tests.check(name, re.search(said, ended.err, re.MULTILINE), f"not said: {said}", ended)
    job("--outlive", 0, f"oshrun: PE 1 {killed}; the other PEs go on", tool=tests.args.oshrun,
        options=["-n", "3", "--outlive"], program=[survive, "kill", "1", "barrier", "1000"])
    job("no --outlive", 137, f"oshrun: PE 1 {killed}", tool=tests.args.oshrun, options=["-n", "3"],
        program=[survive, "kill", "1", "barrier", "1000"])
    job("fail without --outlive", 1, "oshrun: PE 1 exited with code 1 before shmem_finalize", tool=tests.args.oshrun,
        options=["-n", "3"], program=[survive, "fail", "1", "barrier", "1000"])


def words(tests, survive, hello):
    """cafrun counts images from 1 in all messages."""
    name = "cafrun --tag"
    if tests.wanted(name):
        ended = tests.run([tests.cafrun, "-n", "2", "--tag", hello])
        tests.check_good(name, ended)
        said = sorted(ended.out.splitlines())
        tests.check(name, said == ["[1] hello from PE 0 of 2", "[2] hello from PE 1 of 2"], "other tags", ended)
    for place, watched in (
            ("wait", r"cafrun:   image {} \(process \d+\) in the test of survival for .*, waiting for image 1"),
            ("reduce", r"cafrun:   image {} \(process \d+\) in shmem_long_sum_reduce for .*, waiting for image \d")):
        name = f"cafrun --watch while in {place}"
        if tests.wanted(name):
            job = tests.start([tests.cafrun, "-n", "3", "--watch", "0.4", survive, "kill", "0", place, "900000000"])
            report = ["cafrun: 2 of 3 images wait for others",
                      r"cafrun:   image 1 \(process (\d+)\) waits for no other image, its process is asleep",
                      watched.format(2), watched.format(3)]    # in an earlier report, an image may still be starting
            told = job.wait_for_said("".join(rf"^{line}\n(?:cafrun:     at .*\n)*" for line in report))
            os.kill(int(told[1]) if told else job.process.pid, signal.SIGKILL)
            ended = job.wait()
            tests.check_good(name, ended)
            tests.check(name, told, f"it does not report {report}", ended)
            ended.err = re.sub(r"^cafrun: (  image|\d of 3 images wait) .*\n", "", without_backtraces(ended.err),
                               flags=re.MULTILINE)
            check_said(tests, name, ended, r"cafrun: image 1 was killed by signal 9 \(Killed\); the other images go on")
    name = "cafrun --help"
    if tests.wanted(name):
        ended = tests.run([tests.cafrun, "--help"])
        tests.check_good(name, ended)
        tests.check(name, ended.out.startswith("usage: cafrun ") and "images" in ended.out and not
                    re.search(r"\bPEs?\b|oshrun", ended.out), "help speaks of something else", ended)


def meetings(tests, meet):
    """No PE waits at the end for a PE that dies there: between nodes, and in a nested initialization's end."""
    for nodes in "2+2", "1+1+1+1", "3+1+2", "2+2+2+2":
        n_pes = sum(map(int, nodes.split("+")))
        name = f"nested shmem_finalize, nodes {nodes}"
        if tests.wanted(name):
            ended = tests.run([tests.cafrun, "-n", str(n_pes), meet], {"SHMEM_NODES": nodes})
            tests.check_good(name, ended)
        for who in range(n_pes):
            delay = random.choice((0, random.randrange(1, 1500), random.randrange(1, 1500)))
            name = f"kill PE {who} {delay} us after shmem_finalize has begun, nodes {nodes}"
            if not tests.wanted(name):
                continue
            ended = tests.run([tests.cafrun, "-n", str(n_pes), meet, str(who), str(delay)], {"SHMEM_NODES": nodes})
            tests.check_good(name, ended)
            left = set(map(int, re.findall(r"^PE (\d+) has left$", ended.out, re.MULTILINE)))
            tests.check(name, left | {who} == set(range(n_pes)), "not every other PE has left", ended)


def alerts(tests, alert):
    for n_pes in (1, 2, 3, 5, 8):
        for tool in (tests.args.oshrun, tests.cafrun):
            name = f"alerts by {os.path.basename(tool)} -n {n_pes}"
            if tests.wanted(name):
                ended = tests.run([tool, "-n", str(n_pes), alert])
                tests.check_good(name, ended)
                check_said(tests, name, ended)
                fine = [f"alerts of PE {pe} are fine" for pe in range(n_pes)]
                tests.check(name, sorted(ended.out.splitlines()) == fine, "not all of them are fine", ended)
    if tests.wanted("alerts without a launcher"):
        tests.check_good("alerts without a launcher", tests.run([alert]))
    name = "an alert in the wait for a lock between nodes"
    if tests.wanted(name) and tests.has_network:
        ended = tests.run([tests.args.oshrun, "-n", "2", alert, "lock"], {"SHMEM_NODES": "2"})
        check_code(tests, name, ended, 1)
        check_said(tests, name, ended,
                   r"copal: PE 1: shmem_long_p: argument dest is .* it is below the symmetric heap, .*")


def main():
    tests = Tests()
    tests.cafrun = os.path.join(os.path.dirname(tests.args.oshrun), "cafrun")
    ucx = os.path.join(os.path.dirname(tests.args.oshrun), "..", "lib", "copal", "libcopal-ucx.so")
    tests.has_network = os.path.exists(ucx)
    survive, alert, hello, meet, reused = tests.build("survive", "alert", "hello", "meet", "reused")
    deaths(tests, survive)
    codes(tests, survive, hello)
    words(tests, survive, hello)
    alerts(tests, alert)
    if tests.wanted("a process with the number of a dead PE"):
        tests.check_good("a process with the number of a dead PE", tests.run([tests.cafrun, "-n", "2", reused]))
    if tests.has_network:
        meetings(tests, meet)
    tests.verdict()


if __name__ == "__main__":
    main()
