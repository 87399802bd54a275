#!/usr/bin/python3
"""Measure Copal between nodes beside Open MPI's OpenSHMEM and the floor, UCP alone, all over TCP, interleaved.

The nodes are hosts made of namespaces (scripts/netlab), started by Open MPI's mpirun on all sides; or, where that cannot be
had, one machine: Copal's job cut into nodes by SHMEM_NODES, the others kept from sharing memory.

Prints one table; writes results.json and table.md into the output folder.  Installs nothing.  docs/bench-net.md says what the
figures mean."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import net_report as report
from report import summary
from sides import (CFLAGS, HERE, MPI_OVER_TCP, OPEN_MPI_CROWDED, OPEN_MPI_ENV, OPEN_MPI_OPTIONS, Progress, Samples, Side, copal,
                   describe_machine, execute, find_oshmem, first_line, load_results, load_samples, machine_line, output_of,
                   parser, print_notes, run_checked, warn)

# Puts a program's session before all others on the machine; where the kernel does not let it, nothing changes.
PRECEDENCE = ["/bin/sh", "-c", "echo -19 2>/dev/null >/proc/self/autogroup; exec \"$0\" \"$@\""]
LIMIT_S = 120  # of one program
NETLAB = HERE.parent / "scripts/netlab"
LAB = "bench"  # its name, so that a lab for tests may stand beside it
NODES = {2: 2, 6: 3}  # PEs: nodes

# Source, with how many PEs, and whether the floor has it.
PROGRAMS = [("programs/rma/rma", 2, True), ("programs/rma/amo", 2, True), ("programs/rma/strided", 2, False),
            ("programs/sync/sync", 2, True), ("programs/nonblocking/nbi", 2, True), ("programs/sync/busy", 2, True),
            ("programs/sync/idle", 2, True), ("programs/sync/sync", 6, False),
            ("programs/collectives/collective", 6, False)]
HELLO_PES, HELLO_REPEATS = [2, 6], 3
CROWDED_ROUNDS = 3  # 6 PEs on the cores of most machines take longer: this many rounds, spread over all

# TCP for all.  Open MPI's barrier and collectives are those of its MPI, which on one machine has to be told so too; between
# hosts it uses TCP by itself, and shared memory within each.
UCX_ENV = {"UCX_TLS": "tcp,self", "UCX_WARN_UNUSED_ENV_VARS": "n"}
OSHMEM_OPTIONS = [*OPEN_MPI_OPTIONS, "--mca", "spml", "ucx"]

# What ucx_perftest measures of the same: row, bytes, its test, how many of its operations one of ours is, iterations.
# Of a latency the median counts, of the others the time of all by their number.  Not ucp_get: while it runs, the other side
# sleeps for a millisecond between looks at the network.
PERFTEST_PORT = 18517
PERFTESTS = [
    ("fetch_add", 8, ["ucp_fadd", "-O", "1"], "latency", 1, 4000),
    ("flag", 8, ["ucp_put_lat"], "latency", 2, 4000),
    ("put_nbi_64", 8, ["ucp_put_bw"], "rate", 1, 20000),
    ("add", 8, ["ucp_add"], "rate", 1, 20000),
    ("put_nbi_large", 64 << 10, ["ucp_put_bw"], "rate", 1, 2000),
]


class Where:
    """How jobs get onto nodes: hosts of a lab, or one machine."""

    def __init__(self, lab):
        self.lab = lab

    def __enter__(self):
        if self.lab:
            subprocess.run([NETLAB, "down"], env={**os.environ, "COPAL_NETLAB": LAB}, check=False)
            run_checked([NETLAB, "up", str(max(NODES.values()))], {**os.environ, "COPAL_NETLAB": LAB})
        return self

    def __exit__(self, *_):
        if self.lab:
            subprocess.run([NETLAB, "down"], env={**os.environ, "COPAL_NETLAB": LAB}, check=False)

    def mpirun(self, pes, options):
        nodes = NODES[pes]
        return [str(NETLAB), "mpirun", "--layout", ",".join([str(pes // nodes)] * nodes), *options]

    def on(self, host, command):
        return [str(NETLAB), "exec", f"h{host}", *command] if self.lab else command

    def address(self, host):
        return f"10.77.0.{host}" if self.lab else "127.0.0.1"


class NetSide(Side):
    """A side whose programs start on nodes; alone is its command on one machine, options are mpirun's in a lab."""

    def __init__(self, name, folder, compiler, where, alone, options=(), libraries=(), **more):
        env = {**OPEN_MPI_ENV, **UCX_ENV, "COPAL_NETLAB": LAB, **more.pop("env", {})}
        super().__init__(name, folder, compiler, [], env=env, **more)
        self.where, self.alone, self.libraries, self.before = where, alone, list(libraries), []
        self.options = [*options, *(word for name in env if name.startswith(("UCX_", "BENCH_")) for word in ("-x", name))]

    def build(self, program):
        self.folder.mkdir(parents=True, exist_ok=True)
        source, target = HERE / f"{program}.c", self.folder / Path(program).name
        run_checked([*self.compiler, *CFLAGS, str(source), "-o", str(target), *self.libraries], self.env)

    def command(self, program, pes, arguments, crowded):
        start = self.where.mpirun(pes, self.options) if self.where.lab else self.alone(pes)
        return [*start, *self.before, str(self.folder / program), *arguments]


class Bench(Samples):
    def __init__(self, sides, where, raw_file, rounds, options):
        super().__init__(sides, LIMIT_S)
        self.where, self.raw_file, self.quick, self.only = where, raw_file, options.quick, options.only
        self.figure = "min" if options.least else "us"
        self.crowded_rounds = range(0, rounds, -(-rounds // CROWDED_ROUNDS))
        self.perftest = shutil.which("ucx_perftest")
        self.perftest_port = PERFTEST_PORT
        if self.perftest:
            self.samples["perftest"] = {}

    def program(self, side, name, pes):
        if side.name == "floor":
            self.raw_file.write_bytes(b"")
        self.run(side, name, pes, ["quick"] if self.quick else [], False, None)

    def hello(self, side, pes):
        out, err, code, seconds = execute(side.command("hello", pes, [], False), side.env, None, LIMIT_S)
        missing = [pe for pe in range(pes) if f"hello from PE {pe} of {pes}" not in out]
        if missing or code != 0:
            self.trouble(side, f"{side.name}, hello with {pes} PEs: exit code {code}, nothing from PEs {missing}\n{err[-500:]}")
        if not missing:
            self.add(side, ("hello", pes, 0), seconds * 1e6)

    def run_perftest(self, row, size, test, kind, operations, iterations):
        """A server on the first host, a client on the second one.  It is a reference only: what fails costs its figure."""
        self.perftest_port += 1
        env = {**os.environ, **UCX_ENV, "COPAL_NETLAB": LAB}
        port, before = ["-p", str(self.perftest_port)], self.sides[0].before
        server = subprocess.Popen(self.where.on(1, [*before, self.perftest, *port]), env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            time.sleep(0.3)
            client = [*before, self.perftest, self.where.address(1), *port, "-t", *test, "-s", str(size), "-n", str(iterations),
                      "-w", str(iterations // 10), "-f", "-v"]
            out, err, code, _ = execute(self.where.on(2, client), env, None, LIMIT_S)
            last = out.strip().splitlines()[-1].split("]")[-1].split(",")
            us = float(last[1 if kind == "latency" else 3])
            self.samples["perftest"].setdefault((row, 2, size), []).append(us * operations)
        except (IndexError, ValueError):
            self.notes.append(f"ucx_perftest -t {' '.join(test)}: exit code {code}, no figure\n{err[-500:]}")
        finally:
            server.terminate()
            server.wait()

    def round(self, number, progress):
        """Everything once, the sides taking turns in an order that moves on with each round."""
        turn = [self.sides[(number + i) % len(self.sides)] for i in range(len(self.sides))]
        for source, pes, of_floor in PROGRAMS:
            if Path(source).name not in self.only or pes > 2 and number not in self.crowded_rounds:
                continue
            for side in turn:
                if of_floor or side.name != "floor":
                    progress(f"{source}, {pes} PEs, {side.name}")
                    self.program(side, Path(source).name, pes)
        for pes in HELLO_PES if "hello" in self.only else []:
            for side in turn:
                for _ in range(HELLO_REPEATS if side.name != "floor" else 0):
                    progress(f"hello, {pes} PEs, {side.name}")
                    self.hello(side, pes)
        for test in PERFTESTS if self.perftest and "perftest" in self.only else []:
            progress(f"ucx_perftest {' '.join(test[2])}")
            self.run_perftest(*test)


def has_lab():
    """Whether a lab of hosts can be made here: None, or why not."""
    if not NETLAB.exists():
        return f"there is no {NETLAB.name}"
    if os.geteuid() != 0:
        return "hosts made of namespaces need root"
    if not shutil.which("ip"):
        return "there is no ip (Debian: iproute2)"
    if not find_oshmem():
        return "there is no mpirun of Open MPI"
    return None


def make_sides(build, output, where, only):
    """The sides that can run here, their versions, and what is missing."""
    sides, versions, missing = [], {}, []
    ours = copal(build)
    if ours:
        compiler, launcher, versions["ours"] = ours
        sides.append(NetSide("ours", output / "ours", [compiler], where,
                             lambda pes: ["env", f"SHMEM_NODES={NODES[pes]}", launcher, "-n", str(pes)]))
    else:
        missing.append(f"ours: {build / 'bin/oshcc'} is not built")
    peer = find_oshmem()
    if peer:
        peer_compiler, peer_launcher, versions["peer"] = peer
        options = [*OSHMEM_OPTIONS, *MPI_OVER_TCP, *(word for name in UCX_ENV for word in ("-x", name))]
        sides.append(NetSide("peer", output / "peer", [peer_compiler], where,
                             lambda pes: [peer_launcher, *OPEN_MPI_CROWDED, *options, "-n", str(pes)], OSHMEM_OPTIONS,
                             peer=True))
    else:
        missing.append("peer: no Open MPI with OpenSHMEM on the path (Debian: openmpi-bin, libopenmpi-dev)")
    version = output_of(["ucx_info", "-v"]).splitlines()[:1]
    if Path("/usr/include/ucp/api/ucp.h").exists() or shutil.which("ucx_info"):
        versions["floor"] = "UCP alone, UCX" + (version[0].lower().rpartition("version")[2] if version else "")
        sides.append(NetSide("floor", output / "floor", [shutil.which("cc") or "cc", f"-I{HERE / 'floor/network'}"], where,
                             lambda pes: [str(output / "floor/launch"), str(pes)], libraries=["-lucp", "-lucs"],
                             env={"BENCH_RAW_FILE": str(output / "raw")}))
    else:
        missing.append("floor: no UCX to compile with (Debian: libucx-dev)")
    if not shutil.which("ucx_perftest"):
        missing.append("perftest: there is no ucx_perftest (Debian: ucx-utils)")
    if only:
        sides = [side for side in sides if side.name in only]
    return sides, versions, missing


def build_all(sides):
    for side in sides:
        for source, of_floor in dict((source, of_floor) for source, pes, of_floor in PROGRAMS if pes == 2).items():
            if of_floor or side.name != "floor":
                side.build(source)
        if side.name == "floor":
            side.build("floor/node/launch")
        else:
            side.build("programs/collectives/collective")
            side.build("programs/sync/hello")


def heading(results):
    return (f"{machine_line(results['machine'])}; {results['nodes']}\n"
            + "; ".join(f"{side}: {version}" for side, version in results["versions"].items())
            + f"\nmedians of {results['rounds']} interleaved rounds, of {results['crowded_rounds']} with 6 PEs"
            + ("; of each program its best batch" if results["least"] else ""))


def show(results, markdown):
    sections = report.evaluate(load_samples(results["samples"]))
    table = report.markdown_table(sections) if markdown else report.text_table(sections)
    print(f"{heading(results)}\n\n{table}\n\n{summary(sections)}")
    print_notes(results)
    return sections


def measure(options, rounds):
    output = (options.output or options.build / "bench-net").resolve()
    why_no_lab = "as asked" if options.one_machine else has_lab()
    nodes = ("one machine, SHMEM_NODES, loopback" if why_no_lab
             else "hosts made of namespaces, joined by veth and a bridge, Open MPI's mpirun")
    with Where(why_no_lab is None) as where:
        sides, versions, missing = make_sides(options.build.resolve(), output, where, options.sides)
        for side in sides:
            side.before = PRECEDENCE if options.precedence else []
        if why_no_lab and not options.one_machine:
            missing.append(f"no lab of hosts: {why_no_lab}; nodes are forced on one machine")
        build_all(sides)
        machine = describe_machine()
        warn(missing, machine)
        bench = Bench(sides, where, output / "raw", rounds, options)
        progress = Progress(rounds)
        for number in range(rounds):
            bench.round(number, progress)
            progress.end_round()

    machine["load_average_at_end"] = os.getloadavg()[0]
    results = {
        "machine": machine, "versions": versions, "nodes": nodes, "rounds": rounds, "quick": options.quick,
        "crowded_rounds": len(bench.crowded_rounds), "least": options.least,
        "precedence": options.precedence, "environment": UCX_ENV,
        "commands": {side.name: [" ".join(side.command("PROGRAM", pes, [], False)) for pes in NODES] for side in sides},
        "cflags": CFLAGS, "notes": missing + bench.notes, "problems": bench.problems, "samples": bench.stored(),
    }
    sections = show(results, options.markdown)
    results["table"] = [{"section": title, "rows": rows} for title, rows in sections]
    (output / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (output / "table.md").write_text(f"{heading(results)}\n\n{report.markdown_table(sections)}\n{summary(sections)}\n")
    return 1 if bench.problems else 0


def main():
    arguments = parser(__doc__, "bench-net", "2 rounds with fewer sizes and batches, a few minutes", "5, quick 2")
    arguments.add_argument("--one-machine", action="store_true", help="force nodes on one machine, make no lab of hosts")
    arguments.add_argument("--sides", type=lambda text: text.split(","), help="of ours, peer and floor these alone")
    programs = [*dict.fromkeys(Path(source).name for source, _, _ in PROGRAMS), "hello", "perftest"]
    arguments.add_argument("--only", type=lambda text: text.split(","), default=programs,
                           help=f"of the programs these alone, with commas between: {', '.join(programs)}")
    arguments.add_argument("--least", action="store_true",
                           help="of each program take the best batch, not the median one: for a machine that others use")
    arguments.add_argument("--precedence", action="store_true",
                           help="let the programs go before whatever else runs on the machine (needs root)")
    options = arguments.parse_args()
    if options.stored:
        show(load_results(options.stored), options.markdown)
        return 0
    for name in options.only:
        if name not in programs:
            arguments.error(f"--only: '{name}' is none of {', '.join(programs)}")
    for name in options.sides or []:
        if name not in ("ours", "peer", "floor"):
            arguments.error(f"--sides: '{name}' is none of ours, peer and floor")
    rounds = options.rounds or (2 if options.quick else 5)
    if rounds < 1:
        arguments.error(f"--rounds {rounds}: at least 1 is needed")
    return measure(options, rounds)


if __name__ == "__main__":
    sys.exit(main())
