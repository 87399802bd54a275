"""What tests of programs share, those of the tools and others."""
import argparse
import ctypes
import functools
import os
import pathlib
import platform
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

LIMIT = 300    # seconds for a job or a tool: ten times its duration on two idle processors


def programs():
    """Where oshrun and oshcc are, by the command line; the rest of it is unittest's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc", required=True, type=os.path.abspath)
    options, sys.argv[1:] = parser.parse_known_args()
    return options.oshrun, options.oshcc


def run(*command, folder=None, **environment):
    """What a command prints that must succeed."""
    result = subprocess.run([str(word) for word in command], cwd=folder, timeout=LIMIT, text=True,
                            env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise AssertionError(f"{command} gave {result.returncode}:\n{result.stdout}")
    return result.stdout


def outcome(command, folder=None, **environment):
    """Exit code, standard output and standard error of a command, which fails if it has not ended by itself, with all
    that it has started."""
    job = subprocess.Popen([str(word) for word in command], cwd=folder, env=dict(os.environ, **environment), text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           start_new_session=True)
    try:
        out, err = job.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        raise AssertionError("{}: hangs\n{}{}".format(command, *job.communicate())) from None
    return job.returncode, out, err


NUMBERS = {"memfd_create": {"x86_64": 319, "aarch64": 279}, "fstatfs": {"x86_64": 138, "aarch64": 44},
           "unshare": {"x86_64": 272, "aarch64": 97}}


def refusing(*calls):
    """What a sandbox does: these calls give EPERM from here on, by a filter of system calls (seccomp(2))."""
    def refuse():
        load, allow, eperm = (0x20, 0, 0, 0), (0x06, 0, 0, 0x7fff0000), (0x06, 0, 0, 0x00050001)
        code = [load]
        for call in calls:
            code += [(0x15, 0, 1, NUMBERS[call][platform.machine()]), eperm]
        code.append(allow)
        filters = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
        program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code), ctypes.addressof(filters)))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:  # NO_NEW_PRIVS, SECCOMP
            raise OSError(ctypes.get_errno(), "prctl")
    return refuse


# A container without root's rights, as far as the kernel sees it: each process in a user namespace of its own.
CONTAINED = ["unshare", "--user", "--map-current-user"]


@functools.lru_cache
def has_containers():
    return subprocess.run([*CONTAINED, "true"], capture_output=True, check=False).returncode == 0


@functools.lru_cache
def network_settings():
    """What a job of several nodes needs so that oshrun says nothing of its network, where it may not make one."""
    ways = (["unshare", "--net", "true"], ["unshare", "--user", "--net", "true"])
    may = any(subprocess.run(way, capture_output=True, check=False).returncode == 0 for way in ways)
    return {} if may else {"COPAL_NETWORK": "host"}


def without_backtraces(text):
    """Standard error but for the lines that come after a sentence and say where the program was."""
    return re.sub(r"^(\[\d+\] |\w+:   )?  (at|in) .*\n", "", text, flags=re.MULTILINE)


@functools.cache
def hydra_loses_codes():
    """Whether MPICH's mpiexec ends with 0 now and then where processes failed, as 4.1 to 4.2.2 do: where a second one
    ends before it is killed, all codes are forgotten (pmodels/mpich issue 7057)."""
    told = run("mpiexec.hydra", "--version")
    return (4, 1) <= tuple(int(part) for part in re.search(r"Version: +(\d+)\.(\d+)\.?(\d*)", told).groups("0")
                           if part) <= (4, 2, 2)


def wheel(name):
    """Where scripts/install-deps has put this package of PyPI; None: it has not."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(cache) / "copal" / name
    return folder if (folder / "complete").exists() else None


def comes(condition, seconds=LIMIT):
    """Whether it does, in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)    # between looks
    return True


def wait_for(condition):
    if not comes(condition):
        raise AssertionError("what was waited for did not come")


def processes_with(variable):
    """PIDs of the processes whose environment has NAME=VALUE; a zombie has none any more."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if variable.encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            pass    # it has just ended, or is another user's
    return found


class InFolder(unittest.TestCase):
    """Tests that run commands in a folder of their own."""
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="copal-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_tool(self, *command, **environment):
        return subprocess.run([str(word) for word in command], cwd=self.folder, timeout=LIMIT, text=True,
                              env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def succeed(self, *command, **environment):
        result = self.run_tool(*command, **environment)
        self.assertEqual(result.returncode, 0, f"{command}: {result.stdout}{result.stderr}")
        return result.stdout

    def refuse(self, *command, **environment):
        result = self.run_tool(*command, **environment)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        said = without_backtraces(result.stderr)
        self.assertEqual(said.count("\n"), 1, f"not one sentence: {said}")
        return said
