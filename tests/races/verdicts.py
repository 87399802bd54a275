#!/usr/bin/env python3
"""Compares the reports of `oshrun --races` about a program of this folder with the program's comments.

A rule is a function with a comment before it, in Fortran after "!":

    /* SECTION, ROUTINE: the rule. */

Called with wrong, two lines of the function race; each ends in a comment of one word. If the function has further such
comments, or if the lines are in functions that it calls, the comment's last line names the two lines:

     * wrong: race: LINE LINE */

All rules run in one job with right, without any report. Then they run with wrong, with exactly one report for each
rule, which names its lines. With --each every rule has its own jobs. The file `open` lists rules whose verdict still
differs. With --plain the rules run with right and without --races, compiled as usual, and the script checks their
results."""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMENT = re.compile(r"^(?:/\*|!) (?P<where>[^,:\n]+), (?P<what>[^:]+): "
                     r"(?P<text>[^\n]+?(?:\n(?: \*|!) (?!wrong:)[^\n]+?)*)"
                     r"(?:\n(?: \*|!) wrong: race: (?P<marks>\w+ \w+))?(?: \*/)?\n"
                     r"(?:RULE\(|subroutine )(?P<name>\w+)", re.M)
MARK = re.compile(r"(?:/\*|!) (\w+)(?: \*/)?$")
REPORT = re.compile(r"^(?:\[\d+\] )?copal: race: ", re.M)
OPEN = pathlib.Path(__file__).parent / "open"
RACE = 66    # oshrun's exit code
LIMIT_S = 300
COMPILERS = {".c": "oshcc", ".cpp": "oshc++", ".f90": "oshfort"}

Rule = collections.namedtuple("Rule", "name where what text lines")


def marked(lines, mark=None):
    """Numbers of the lines with that mark, or with any mark."""
    return [number for number, line in lines.items() if (m := MARK.search(line)) and mark in (None, m[1])]


def lines_that_race(marks, here, elsewhere):
    """The line of each named mark in the rule or in a function that it calls; without names, the two marked lines."""
    places = [marked(here, mark) or marked(elsewhere, mark) for mark in marks.split()] if marks else [marked(here)]
    lines = [line for place in places for line in place]
    if len(lines) != 2 or len(places) > 1 and not all(places):
        raise SystemExit(f"the rule in line {min(here)} has not two lines that race, but {lines}")
    return tuple(sorted(lines, key=str))


def rules_of(path):
    """The rules of a source, in their order."""
    text = path.read_text()
    elsewhere = dict(enumerate(text.splitlines(), 1))
    bodies = []
    for comment in COMMENT.finditer(text):
        begin = 1 + text[:comment.end()].count("\n")
        end = next(n for n in elsewhere if n > begin and re.match(r"}|end subroutine", elsewhere[n]))
        bodies.append((comment, {n: elsewhere.pop(n) for n in range(begin, end)}))
    if len(bodies) != len(re.findall(r"^(?:RULE\(|subroutine )", text, re.M)):
        raise SystemExit(f"{path}: a rule has no comment, or one of another form")
    return [Rule(comment["name"], comment["where"], comment["what"], re.sub(r"\n(?: \*|!)", "", comment["text"]),
                 lines_that_race(comment["marks"], body, elsewhere))
            for comment, body in bodies]


def pairs_in(said, path):
    """The two lines of each report; a line of another file is a text."""
    pairs = []
    for report in REPORT.split(said)[1:]:
        places = re.findall(r" at ([^\s:,]+):(\d+)", report)[:2]
        lines = (int(line) if os.path.basename(file) == path.name else f"{file}:{line}" for file, line in places)
        pairs.append(tuple(sorted(lines, key=str)))
    return pairs


class Suite:
    def __init__(self, options):
        self.path = pathlib.Path(options.source).resolve()
        self.rules = rules_of(self.path)
        self.oshrun = options.oshrun
        head = self.path.read_text()[:800]
        self.pes, is_coarrays = re.search(r"^(?:/\*|!) (?:pes|(images)): (\d+)", head, re.M).group(2, 1)
        self.flags = " ".join(re.findall(r"^(?:/\*|!) flags: (.*?)(?: \*/)?$", head, re.M)).split()
        self.compiler = pathlib.Path(options.oshrun).parent / ("caf" if is_coarrays else COMPILERS[self.path.suffix])
        self.wrong = []

    def build(self, program, *flags):
        warnings = ["-Wall", "-Werror"] + ["-Wextra"] * (self.path.suffix != ".f90")
        subprocess.run([self.compiler, *flags, *self.flags, "-g", "-O1", *warnings, self.path, "-o", program],
                       check=True, cwd=program.parent)

    def run(self, program, *words, races=("--races",)):
        job = subprocess.run([self.oshrun, *races, "-n", self.pes, program, *words], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S)
        return job.returncode, job.stdout

    def faults(self, program, words, wanted):
        """Runs a job; returns the differences from the expected exit code and reports."""
        code, said = self.run(program, *words)
        got = collections.Counter(pairs_in(said, self.path))
        names = {rule.lines: rule.name for rule in self.rules}
        wrong = [f"{names[lines]}: the race of lines {lines[0]} and {lines[1]} is not reported"
                 for lines in (wanted - got).elements()]
        wrong += [f"reported, but not a race, or not once: {' and '.join(map(str, lines))}"
                  for lines in (got - wanted).elements()]
        if code != (RACE if wanted else 0):
            wrong.append(f"the exit code is {code}")
        return [f"{self.path.name} {words[0]}: {sentence}" for sentence in wrong] + [said] * bool(wrong)

    def faults_of(self, program, rules):
        names = [rule.name for rule in rules]
        return (self.faults(program, ["right", *names], collections.Counter())
                + self.faults(program, ["wrong", *names], collections.Counter(rule.lines for rule in rules)))

    def verdicts(self, program, each):
        self.build(program, "--races")
        still_open = re.findall(rf"^{re.escape(self.path.name)} (\w+):", OPEN.read_text(), re.M)
        closed = [rule for rule in self.rules if rule.name not in still_open]
        for part in [[rule] for rule in closed] if each else [closed] * bool(closed):
            self.wrong += self.faults_of(program, part)
        for rule in self.rules:
            if rule.name in still_open and not self.faults_of(program, [rule]):
                self.wrong.append(f"{self.path.name}: {rule.name} is as it should be: take it out of {OPEN}")

    def plain(self, program):
        self.build(program)
        code, said = self.run(program, "right", races=())
        if code:
            self.wrong += [f"{self.path.name} right: the exit code is {code}", said]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("source")
    options = parser.parse_args()
    suite = Suite(options)
    with tempfile.TemporaryDirectory(prefix="copal-races-") as folder:
        program = pathlib.Path(folder) / "program"
        if options.plain:
            suite.plain(program)
        else:
            suite.verdicts(program, options.each)
    print("\n".join(suite.wrong) or f"{len(suite.rules)} rules, right and wrong: as they should be")
    return 1 if suite.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
