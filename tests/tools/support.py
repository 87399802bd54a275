"""Common parts of the tests that run programs."""
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

TESTS = pathlib.Path(__file__).resolve().parents[1]
for number in signal.SIGINT, signal.SIGHUP, signal.SIGQUIT:    # nohup or a shell's `&` ignores them; jobs must not
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
LIMIT = 300    # seconds for a job or a tool: ten times its duration on two idle processors


def programs():
    """The paths of oshrun and oshcc from the command line, whose other words are unittest's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc", required=True, type=os.path.abspath)
    options, sys.argv[1:] = parser.parse_known_args()
    OneFolder.oshcc = options.oshcc
    return options.oshrun, options.oshcc


def run(*command, folder=None, **environment):
    """The output of a command, which must succeed."""
    result = subprocess.run([str(word) for word in command], cwd=folder, timeout=LIMIT, text=True,
                            env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise AssertionError(f"{command} gave {result.returncode}:\n{result.stdout}")
    return result.stdout


def outcome(command, folder=None, **environment):
    """Exit code, standard output and standard error of a command. Fails unless it and all its children end by
    themselves."""
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
           "unshare": {"x86_64": 272, "aarch64": 97}, "getrandom": {"x86_64": 318, "aarch64": 278}}


def refusing(*calls):
    """Acts like a sandbox: from now on these system calls return EPERM, by a filter (seccomp(2))."""
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


# Acts like a container without root's rights: each process is in its own user namespace.
CONTAINED = ["unshare", "--user", "--map-current-user"]


@functools.lru_cache
def has_containers():
    return subprocess.run([*CONTAINED, "true"], capture_output=True, check=False).returncode == 0


@functools.lru_cache
def network_settings():
    """Variables with which oshrun prints no message if it may not create the network for a job of several nodes."""
    ways = (["unshare", "--net", "true"], ["unshare", "--user", "--net", "true"])
    may = any(subprocess.run(way, capture_output=True, check=False).returncode == 0 for way in ways)
    return {} if may else {"COPAL_NETWORK": "host"}


def without_backtraces(text):
    """Standard error without the lines after a sentence that show the place in the program."""
    return re.sub(r"^(\[\d+\] |\w+:   )?  (at|in) .*\n", "", text, flags=re.MULTILINE)


@functools.cache
def hydra_loses_codes():
    """Whether MPICH's mpiexec sometimes ends with 0 although processes failed, as 4.1 to 4.2.2 do: if a second process
    ends before it is killed, all codes are lost (pmodels/mpich issue 7057)."""
    told = run("mpiexec.hydra", "--version")
    return (4, 1) <= tuple(int(part) for part in re.search(r"Version: +(\d+)\.(\d+)\.?(\d*)", told).groups("0")
                           if part) <= (4, 2, 2)


def wheel(name):
    """The folder in which scripts/install-deps has installed this package of PyPI, or None."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(cache) / "copal" / name
    return folder if (folder / "complete").exists() else None


def comes(condition, seconds=LIMIT):
    """Whether the condition becomes true within the time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)    # between checks
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


class OneFolder(unittest.TestCase):
    """Tests that share a folder, in which programs of tests are compiled first: sources = "net/place", ..."""
    sources = ()
    oshcc = None    # set by programs()

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="copal-test-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        for name in cls.sources:
            subprocess.run([cls.oshcc, "-pthread", TESTS / f"{name}.c", "-o", cls.folder / pathlib.Path(name).name],
                           check=True)


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
