"""Starts programs on the machine, ends them cleanly, and describes the machine."""

import datetime
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

RUNNER = "bench/runner"
QUIET_LOAD, QUIET_OTHERS = 0.5, 0.25  # figures are noisy above these: load average, other tasks
AROUND = os.environ.get("BENCH_AROUND", "").split()  # a command that starts each measured program, and may wait first
interrupts, starting = [], []  # received signals; starting is not empty while a program is being started


def on_interrupt(number, _):
    """Raises KeyboardInterrupt, except while Python forks, because the exception would get lost there."""
    interrupts.append(number)
    if not starting:
        raise KeyboardInterrupt


for number in (signal.SIGINT, signal.SIGTERM):  # both also end the running program
    signal.signal(number, on_interrupt)


def output_of(command, cores=None):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, preexec_fn=on_cores(cores))
        return done.stdout or done.stderr
    except (OSError, subprocess.TimeoutExpired):
        return ""


def first_line(command):
    return next((line.strip() for line in output_of(command).splitlines()), "")


def end(process):
    """Requests the launcher to end its job, which only the launcher can do cleanly; then kills remaining processes."""
    for ask in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, ask)
            return process.communicate(timeout=5)
        except ProcessLookupError:
            return process.communicate()
        except subprocess.TimeoutExpired:
            pass
    return process.communicate()


def first_cores(number):
    return sorted(os.sched_getaffinity(0))[:number]


def on_cores(number):
    """Restricts a new process to the first cores, before it executes its program."""
    return lambda: os.sched_setaffinity(0, first_cores(number))


def execute(command, env, cores, limit_s, folder):
    """Runs a program on the first cores, in the folder; returns (stdout, stderr, exit code, seconds). All its processes
    have ended then."""
    start = time.perf_counter()
    starting.append(command)
    process = subprocess.Popen([*AROUND, *command], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
                               preexec_fn=on_cores(cores), cwd=folder)
    starting.clear()
    try:
        if interrupts:
            raise KeyboardInterrupt
        out, err = process.communicate(timeout=limit_s * (10 if AROUND else 1))
    except subprocess.TimeoutExpired:
        out, err = end(process)
        return out, f"{err}\nended by {RUNNER} after {limit_s} s", process.returncode, limit_s
    except KeyboardInterrupt:
        end(process)
        sys.exit(f"\n{RUNNER}: interrupted; the running program has been ended, start again to continue from here")
    return out, err, process.returncode, time.perf_counter() - start


def others_running():
    """The number of other tasks that run or wait for a core; before a run, these belong to other programs."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].split("/")[0]) - 1
    except OSError:
        return 0


def is_busy(machine):
    """Whether other programs ran before or during the measurement (older results lack their number). Emulated
    measurements do not depend on other programs."""
    busy = machine["load_average_at_start"] > QUIET_LOAD or machine.get("others", 0) > QUIET_OTHERS
    return busy and not machine.get("emulated")


def cpu_name():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def describe_machine():
    return {
        "cpu": cpu_name(), "architecture": platform.machine(), "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(), "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "compiler": first_line(["cc", "--version"]), "load_average_at_start": os.getloadavg()[0],
    }


def machine_line(machine):
    return f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, {machine['date'][:10]}"
