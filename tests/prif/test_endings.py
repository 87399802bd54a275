#!/usr/bin/env python3
"""Ends of a program that uses the module prif: exit code, output, callbacks, and that nothing remains."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))
from faults import Tests, without_backtraces  # noqa: E402

# Ends of image 2: arguments, exit code, its standard output after its first line and the callbacks, and its standard
# error. Arguments of a callback: code, text, whether the end is an error stop, whether it is quiet.
ENDS = (
    (("stop",), 0, [], [], "none none F F"),
    (("stop_code", "0"), 0, ["STOP 0"], [], "0 none F F"),
    (("stop_code", "7"), 7, ["STOP 7"], [], "7 none F F"),
    (("stop_code", "-1"), 255, ["STOP -1"], [], "-1 none F F"),
    (("stop_text", "that is all"), 0, ["STOP that is all"], [], "none [that is all] F F"),
    (("stop_quiet", "nothing"), 0, [], [], "none [nothing] F T"),
    (("error_stop",), 1, [], [], "none none T F"),
    (("error_stop_code", "9"), 9, [], ["ERROR STOP 9"], "9 none T F"),
    (("error_stop_code", "256"), 1, [], ["ERROR STOP 256"], "256 none T F"),
    (("error_stop_text", "no more"), 1, [], ["ERROR STOP no more"], "none [no more] T F"),
    (("error_stop_quiet", "3"), 3, [], [], "3 none T T"),
)


# {mistake: the procedure that its sentence names}
MISTAKES = {
    "put": "prif_put", "get": "prif_get", "strided": "prif_put_strided", "dim": "prif_lcobound_with_dim",
    "bounds": "prif_lcobound_no_dim", "team": "change team", "team_number": "prif_num_images_with_team_number",
    "level": "prif_get_team", "end_team": "end team", "form_team": "form team", "alias": "prif_alias_create",
    "alias_destroy": "prif_alias_destroy", "unlock": "unlock", "atomic": "prif_atomic_add",
    "event": "prif_event_wait", "operation": "co_reduce", "result_image": "co_sum", "sync_images": "sync images",
    "image_status": "image_status", "stale_put": "prif_put", "stale_critical": "prif_critical",
    "stale_atomic": "prif_atomic_add",
}


class Endings(Tests):
    def __init__(self):
        super().__init__(("oshrun", "program"), [("--mistake", {"required": True})])


def main():
    tests = Endings()
    for arguments, code, out, err, told in ENDS:
        for n in (1, 2, 5):
            name = f"{' '.join(arguments)} -n {n}"
            if not tests.wanted(name):
                continue
            ended = tests.job(n, tests.compiler, *arguments)
            tests.check_clean(name, ended)
            tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)
            lines = ended.out.splitlines()
            expected = [f"words of image {min(2, n)}", f"first {told}", f"second {told}", *out]
            tests.check(name, all(line in lines for line in expected), f"stdout is not {expected}", ended)
            calls = [line.split()[0] for line in lines if line.startswith(("first", "second"))]
            tests.check(name, calls == ["first", "second"], f"callbacks are {calls}, the last must be first", ended)
            if "error" not in arguments[0]:
                words = {f"words of image {i}" for i in range(1, n + 1)}
                tests.check(name, words <= set(lines), "what the others have printed is lost", ended)
            said = without_backtraces(ended.err).splitlines()
            if code and "error" not in arguments[0]:
                err = [f"oshrun: PE {min(2, n) - 1} exited with code {code}"]
            tests.check(name, said == err, f"stderr is not {err}", ended)
    for arguments, n in ((("fail",), 2), (("fail",), 5), (("end",), 1), (("end",), 4)):
        name = f"{' '.join(arguments)} -n {n}"
        if not tests.wanted(name):
            continue
        launcher = str(pathlib.Path(tests.launcher).with_name("cafrun"))
        ended = tests.run([launcher, "-n", str(n), tests.compiler, *arguments])
        tests.check_good(name, ended)
        words = {f"words of image {i}" for i in range(1, n + 1)}
        tests.check(name, words <= set(ended.out.splitlines()), "what images have printed is lost", ended)
        tests.check(name, ended.err == "", "something is on stderr", ended)
    for mistake, procedure in MISTAKES.items():
        for n in (1, 3):
            name = f"{mistake} -n {n}"
            if not tests.wanted(name):
                continue
            ended = tests.job(n, tests.args.mistake, mistake)
            tests.check_clean(name, ended)
            tests.check(name, ended.code == 1, f"exit code is {ended.code}, expected 1", ended)
            said = [line for line in ended.err.splitlines() if line.startswith("copal:")]
            many = n if mistake == "form_team" else 1   # all images make this mistake
            tests.check(name, 0 < len(said) <= many and re.match(rf"copal: (image \d+: )?{procedure}: .", said[0]),
                        f"not one sentence of {procedure}", ended)
    tests.verdict()


if __name__ == "__main__":
    main()
