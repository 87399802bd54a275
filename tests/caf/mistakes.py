#!/usr/bin/env python3
"""Mistakes in coarray programs, and in their settings: one message names the error, and the job ends."""

import pathlib
import re
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))
from faults import Tests, sentences  # noqa: E402

IMAGE = r"image \d: "
NOT_ALLOCATED = "the coarray is not allocated; or it is one of a recursive procedure, .*"
NOTHING = "the argument, or an allocatable component of it, is not allocated; allocate it on all images, .*"
COMPONENT = "a component of a type that also has allocatable components, whose address gfortran does not pass; .*"
SAME = "; all images of a team must make the same call"
FAILED = "image 4 of the initial team has failed"
DEALLOCATE = (r"deallocate: coarrays of \d+ bytes here, and deallocate of \d+ bytes on image [12]; "
              "all images must execute the same statements in the same order, with the same sizes")
POINTERS = ("allocate: gfortran 12 overwrites the descriptor of an allocatable coarray array whose type has pointer "
            "components; make it a scalar coarray, or one of constant shape, or use a newer gfortran")

# {mistake: the number of images, and the sentence (regular expression)}
MISTAKES = (
    *((f"not_allocated {how}", 2, f"{how.replace('event_', 'event ')}: {NOT_ALLOCATED}")
      for how in ("get", "put", "lock", "unlock", "event_post", "atomic_or", "atomic_define")),
    ("not_allocated co_sum", 2, f"co_sum: {NOTHING}"),
    ("not_allocated co_broadcast", 2, f"co_broadcast: {NOTHING}"),
    ("not_allocated component", 2, f"co_broadcast: {NOTHING}"),
    ("lost_with_team get", 2, f"get: {NOT_ALLOCATED}"),
    ("lost_with_team put", 2, f"put: {NOT_ALLOCATED}"),
    ("index add", 2, "atomic_add: image index 3, allowed are 1 to 2"),
    ("index fetch_xor", 2, "atomic_fetch_xor: image index 3, allowed are 1 to 2"),
    ("atomic_component add", 2, f"atomic_add: {COMPONENT}"),
    ("atomic_component ref", 2, f"atomic_ref: {COMPONENT}"),
    ("fetch_failed", 2, "atomic_fetch_add: image 2 has failed"),
    ("critical_twice", 2, "critical: this image holds the lock on image 1 already"),
    ("critical_failed", 3,
     "critical: image 2, which held the lock on image 1, has failed; this image has the lock now"),
    ("in_team index", 4, "put: image index 3 of the current team, allowed are 1 to 2"),
    ("in_team put", 4, f"put: {FAILED}"),
    ("in_team lock", 4, "lock: image 4 of the initial team, which owns the lock, has failed"),
    ("in_team lock_twice", 4, "lock: this image holds the lock on image [24] of the initial team already"),
    ("in_team event_post", 4, f"event post: {FAILED}"),
    ("in_team atomic_add", 4, f"atomic_add: {FAILED}"),
    ("in_team sync_images", 4, f"sync images: {FAILED}"),
    ("in_team sync_all", 4, f"sync all: {FAILED}"),
    ("in_team co_sum", 4, f"co_sum: {FAILED}"),
    ("in_team form_team", 4, "form team: team number 0 on image 4 of the initial team, allowed are positive numbers"),
)

# A section that begins inside a coarray of 20 bytes and ends outside; gfortran 15 and 16 do not pass the section.
REACHES = ("{}: a section that reaches from byte {} to byte {} of a coarray, which has {} bytes: a subscript is out of "
           "bounds")
OUTSIDE = (
    ("put", "put", 0, 160, 20),
    ("fill", "put", 0, 160, 20),
    ("stride", "put", 4, 160, 20),
    ("backwards", "put", -152, 20, 20),
    ("vector", "put", 4, 160, 20),
    ("get", "get", 0, 160, 20),
    ("columns", "get", 0, 156, 20),
    ("list", "get", 4, 160, 20),
    ("both", "put", 0, 160, 20),
    ("component", "get", 0, r"\d{4}", r"\d{3}"),
)

# With SHMEM_DEBUG.
DIFFERENCES = (
    ("size", "co_sum: of 1000 elements of integer(4) here, and co_sum of 4 elements of integer(4) on image 1"),
    ("none", "co_sum: of 0 elements of integer(4) here, and co_sum of 4 elements of integer(4) on image 1"),
    ("large", "co_sum: of {n}0000 elements of integer(4) here, and co_sum of 20000 elements of integer(4) on image 1"),
    ("type", "co_sum: of 4 elements of real(4) here, and co_sum of 4 elements of integer(4) on image 1"),
    ("kind", "co_max: of 4 elements of real(4) here, and co_max of 4 elements of real(8) on image 1"),
    ("routine", "co_sum: of 4 elements of real(8) here, and co_max of 4 elements of real(8) on image 1"),
    ("result_image", "co_sum: of 4 elements of real(8), result_image {k} here, "
                     "and co_sum of 4 elements of real(8), result_image 1 on image 1"),
    ("source_image", "co_broadcast: of 4 elements of real(8), source_image {k} here, "
                     "and co_broadcast of 4 elements of real(8), source_image 1 on image 1"),
    ("broadcast", "co_broadcast: of 1000 elements of integer(4), source_image 2 here, "
                  "and co_broadcast of 4 elements of integer(4), source_image 2 on image 1"),
)

# {setting: the whole sentence}
SETTINGS = (
    ({"CAF_NEAR": "2"}, 'environment variable CAF_NEAR is "2", allowed is 0 or 1'),
    ({"CAF_STRIDED": "foo"},
     'environment variable CAF_STRIDED is "foo", allowed is auto, direct, naive, iput, 2dim or matrix'),
    ({"SHMEM_SYMMETRIC_SIZE": "1m"},
     "start: no memory for coarrays; SHMEM_SYMMETRIC_SIZE=16m would do"),
)


class Mistakes(Tests):
    def __init__(self):
        super().__init__(("cafrun", "caf"), [("--net", {"action": "store_true", "help": "also between nodes"})])
        version = subprocess.run([self.compiler, "-dumpversion"], capture_output=True, text=True).stdout
        self.version = int(version.split(".")[0])
        shown = subprocess.run([self.compiler, "-showme:compile"], capture_output=True, text=True).stdout
        self.has_plugin = "-fplugin=" in shown    # the plugin corrects gfortran's code for atomic components
        folder = self.folder / "bin"
        self.program = str(folder / "mistakes")
        self.outside = str(folder / "outside")
        names = ("mistakes", "outside") if self.version < 15 else ("mistakes",)
        for name in names:
            subprocess.check_call([self.compiler, "-w", "-O1", "-J", folder, HERE / f"endings/{name}.f90",
                                   "-o", folder / name])

    def mistake(self, what, n, sentence, env, program=None):
        """One image prints the sentence, and no other output appears."""
        name = f"{what} -n {n} {env}"
        if not self.wanted(name):
            return
        ended = self.job(n, program or self.program, *what.split(), env=env)
        self.check_clean(name, ended)
        self.check(name, ended.code == 1, f"exit code is {ended.code}, expected 1", ended)
        said = sentences(ended.err)
        self.check(name, len(said) == 1 and re.fullmatch(rf"copal: {sentence}", said[0]),
                   f"not the sentence '{sentence}' alone", ended)
        self.check(name, "exited" not in ended.err, "the launcher has something to say, too", ended)


def no_room(tests):
    """If a limit allows no larger heap, the message advises none."""
    name = "no room under ulimit -v"
    if not tests.wanted(name):
        return
    limit = (2 << 30, 2 << 30)
    ended = tests.job(2, tests.program, "no_room", env={"SHMEM_SYMMETRIC_SIZE": "64m"},
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
    wanted = (r"copal: image \d: allocate: no memory for a coarray of 1073741824 bytes on this image; each PE would "
              r"need a heap of \d+ MiB, and for 2 PEs on this node ulimit -v allows \d+ MiB each")
    said = sentences(ended.err)
    tests.check(name, ended.code == 1 and len(said) == 1 and re.fullmatch(wanted, said[0]), f"not '{wanted}'", ended)


def main():
    tests = Mistakes()
    no_room(tests)
    for nodes in ("1", "2")[:1 + tests.args.net]:
        env = {"SHMEM_NODES": nodes}
        for what, n, sentence in MISTAKES:
            if (tests.version < 15 or what != "not_allocated component") and \
                    not (tests.has_plugin and what.startswith("atomic_component")):
                tests.mistake(what, n, IMAGE + sentence, env)
        for how, *values in OUTSIDE:
            if tests.version < 15:
                tests.mistake(how, 2, IMAGE + REACHES.format(*values), env, tests.outside)
        if tests.version < 15:
            beyond = "get: an access [0-9]{4} bytes from the beginning .*"
            tests.mistake("object", 2, IMAGE + beyond, env, tests.outside)
        if tests.version == 12:
            tests.mistake("pointers", 1, IMAGE + POINTERS, env)
        tests.mistake("deallocate", 2, IMAGE + DEALLOCATE, {**env, "SHMEM_DEBUG": "1"})
        for how, sentence in DIFFERENCES:
            for n in (2, 3):
                one = re.escape(sentence + SAME).replace(r"\{n\}", "[46]").replace(r"\{k\}", "[23]")
                tests.mistake(f"differ {how}", n, IMAGE + one, {**env, "SHMEM_DEBUG": "1"})
        for n in (1, 2, 5):
            name = f"collective subroutines that agree -n {n} on {nodes} nodes"
            if n > int(nodes) - 1 and tests.wanted(name):
                ended = tests.job(n, tests.program, "agree", env={**env, "SHMEM_DEBUG": "1"})
                tests.check_clean(name, ended)
                tests.check(name, ended.code == 0 and not ended.err, "they do not go through", ended)
        for settings, sentence in SETTINGS:
            tests.mistake("nothing", 4, re.escape(sentence), {**env, **settings})
    tests.verdict()


if __name__ == "__main__":
    main()
