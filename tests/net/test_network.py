"""The network of nodes that SHMEM_NODES makes of this machine: no other user can connect to it.

usage: test_network.py --oshrun OSHRUN --oshcc OSHCC
"""
import ctypes
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import LIMIT, OneFolder, outcome, programs, refusing  # noqa: E402

OWNER, STRANGER = 12345, 12346    # users without a name
HAS_OWN = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode == 0
HAS_USERS = subprocess.run(["unshare", "--user", "--net", "true"], capture_output=True, check=False,
                           **({"user": OWNER} if os.getuid() == 0 else {})).returncode == 0
SEES_ALL = os.getuid() == 0 and int(
    re.search(r"CapEff:\s*(\w+)", pathlib.Path("/proc/self/status").read_text())[1], 16) >> 19 & 1    # CAP_SYS_PTRACE
LISTENS = "0A"


def sockets_of(pid):
    """The inodes of a process's sockets."""
    found = set()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.add(os.readlink(entry).removeprefix("socket:[").removesuffix("]"))
        except OSError:
            pass    # the descriptor has been closed meanwhile
    return found


def listening(pid):
    """Addresses and ports at which a process listens, from its network namespace."""
    own, found = sockets_of(pid), []
    for family in "tcp", "tcp6":
        for line in pathlib.Path(f"/proc/{pid}/net/{family}").read_text().splitlines()[1:]:
            _, at, _, state, _, _, _, _, _, inode, *_ = line.split()
            if state == LISTENS and inode in own:
                address, port = at.split(":")
                found.append((address, int(port, 16)))
    return found


def may(user, act, *words):
    """Whether a process of that user outside the job may call the function."""
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            act(*words)
            os._exit(0)
        except (ConnectionRefusedError, PermissionError):
            os._exit(1)
        except BaseException:    # pylint: disable=broad-except
            os._exit(2)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, 1), f"{act.__name__} {words} as user {user} failed otherwise: {code}"
    return code == 0


def connect(port):
    with socket.socket() as to:
        to.settimeout(20)
        to.connect(("127.0.0.1", port))


def open_job_file(pid):
    if not os.path.exists(f"/proc/{pid}"):    # /proc is mounted with hidepid=invisible
        raise PermissionError
    for name in os.listdir(f"/proc/{pid}/fd"):
        if os.readlink(f"/proc/{pid}/fd/{name}").startswith("/memfd:copal"):
            os.close(os.open(f"/proc/{pid}/fd/{name}", os.O_RDWR))
            return
    raise FileNotFoundError


def ring(name):
    """Sends more messages to a PE's wake-up socket than its queue holds."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as bell:
        for _ in range(1000):
            try:
                bell.sendto(b"ring ring", name)
            except BlockingIOError:
                time.sleep(0.001)    # meanwhile the PE empties its queue


def bells(pid):
    """Names of a process's sockets that are in no file system: a 0 and 16 random bytes; the kernel shows each 0 as
    @."""
    own, found = sockets_of(pid), []
    for inode, name in re.findall(rb" (\d+) @(.{16})\n", pathlib.Path(f"/proc/{pid}/net/unix").read_bytes(), re.DOTALL):
        if inode.decode() in own and b"@" not in name:
            found.append(b"\0" + name)
    return found


def read_memory(pid, address):
    """Reads a number from another process's memory."""
    number, libc = ctypes.c_int(), ctypes.CDLL(None, use_errno=True)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(number), ctypes.sizeof(number))
    there = (ctypes.c_size_t * 2)(address, ctypes.sizeof(number))
    if libc.process_vm_readv(pid, here, 1, there, 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "process_vm_readv")
    assert number.value == 4711


IMAGE = """
program image
    integer, target :: number = 4711
    print '(i0, 1x, i0)', getpid(), loc(number)
    flush (6)
    read (*, *, iostat=i) i
    if (number /= 4711) error stop
end program
"""


class Network(OneFolder):    # other users can read its folder, perhaps unlike the build tree
    sources = ("net/hold",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        built = pathlib.Path(OSHRUN).parents[1]
        for pattern in "bin/oshrun", "lib/libshmem.so*", "lib/copal/libcopal-ucx.so", "lib/copal/libcopal-ofi.so", \
                "lib/copal/libcopal-emu.so", "lib/libcaf_gfortran*.so*":
            for path in built.glob(pattern):
                copy = cls.folder / path.relative_to(built)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
        subprocess.run(["chmod", "-R", "a+rX", cls.folder], check=True)

    def variables(self, **more):
        return dict(os.environ, LD_LIBRARY_PATH=f"{self.folder}/lib", SHMEM_SYMMETRIC_SIZE="16M", **more)

    def listeners(self, user, before=None, **environment):
        """The ports at which a PE of each node listens while the job runs, whether a stranger can connect, and the
        job's output."""
        job = subprocess.Popen([self.folder / "bin/oshrun", "-n", "2", self.folder / "hold"], cwd=self.folder,
                               env=self.variables(SHMEM_NODES="2", **environment), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=before,
                               **({"user": user, "group": user, "extra_groups": []} if user else {}))
        try:
            first = job.stdout.readline()
            pes = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split() if first else []
            at = [where for pid in pes for where in listening(pid)]
            connected = [may(STRANGER, connect, port) for _, port in at]
            opened = [[may(who, open_job_file, pid) for pid in (job.pid, *pes)] for who in (STRANGER, user or STRANGER)]
            out, err = job.communicate("", timeout=LIMIT)
        finally:
            job.kill()
        self.assertEqual((job.returncode, first + out), (0, "ready\n"), err)
        self.assertEqual(opened, [[False] * 3, [user > 0] * 3], "who may open the job file: a stranger, its user")
        self.assertGreaterEqual(len(at), 2, at)
        for address, _ in at:
            self.assertIn(address, ("0100007F", "00000000000000000000000001000000"), "it is not loopback's")
        return connected, err

    def modules(self):
        return [name for name in ("ucx", "ofi") if (self.folder / f"lib/copal/libcopal-{name}.so").exists()]

    @unittest.skipUnless(os.getuid() == 0 and HAS_OWN, "takes root")
    def test_a_job_of_root(self):
        for net in self.modules():
            connected, err = self.listeners(0, SHMEM_NET=net)
            self.assertEqual((any(connected), err), (False, ""), net)

    @unittest.skipUnless(os.getuid() == 0 and HAS_USERS, "takes root, and user namespaces for others")
    def test_a_job_of_a_user(self):
        for net in self.modules():
            connected, err = self.listeners(OWNER, SHMEM_NET=net)
            self.assertEqual((any(connected), err), (False, ""), net)

    @unittest.skipUnless(SEES_ALL, "takes root that may read the sockets of other users")
    def test_the_hosts_network(self):
        """The host's network is used if the user requests it or if there is no other: strangers then reach the
        endpoint."""
        for net in self.modules():
            connected, err = self.listeners(OWNER, SHMEM_NET=net, COPAL_NETWORK="host")
            self.assertEqual((all(connected), err), (True, ""), net)
        connected, err = self.listeners(OWNER, refusing("unshare"))
        said = ("oshrun: no separate network can be made for this job (unshare: Operation not permitted), so its "
                "nodes use this machine's loopback, to which other users can connect; COPAL_NETWORK=host does the "
                "same without this message\n")
        self.assertEqual((all(connected), err), (True, said))

    def held(self, *command, **environment):
        """Starts a job of a user; the job waits for the end of its standard input."""
        job = subprocess.Popen([self.folder / "bin/oshrun", *command], cwd=self.folder, stdin=subprocess.PIPE,
                               env=self.variables(**environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, user=OWNER, group=OWNER, extra_groups=[])
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        return job, job.stdout.readline()

    @unittest.skipUnless(SEES_ALL, "takes root that may read the sockets of other users")
    def test_the_bell_of_an_emulated_network(self):
        """A stranger's connections have no effect on the job."""
        for seed in range(20):    # until a name has no 0
            job, first = self.held("-n", "2", self.folder / "hold", SHMEM_NODES="2", SHMEM_NET="emu",
                                   SHMEM_FABRIC=f"disorder:{seed}")
            pes = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
            names = [name for pid in pes for name in bells(pid)]
            rung = [may(STRANGER, ring, name) for name in names]
            out, err = job.communicate("", timeout=LIMIT)
            self.assertEqual((job.returncode, first + out, err), (0, "ready\n", ""))
            if all(rung) and len(rung) >= 2:
                return
        self.fail("no bell has been found")

    @unittest.skipUnless(os.getuid() == 0, "takes root")
    def test_memory_of_coarray_programs(self):
        """The PEs' PR_SET_PTRACER allows this user to read their memory, and no other user."""
        compiler = pathlib.Path(OSHCC).with_name("caf")
        if not compiler.exists():
            self.skipTest("no coarrays are built")
        (self.folder / "image.f90").write_text(IMAGE)
        subprocess.run([compiler, "-o", self.folder / "image", self.folder / "image.f90"], check=True)
        _, line = self.held("-n", "1", self.folder / "image")
        where = [int(word) for word in line.split()]
        scope = pathlib.Path("/proc/sys/kernel/yama/ptrace_scope")
        lets = not scope.exists() or int(scope.read_text()) < 2
        self.assertEqual([may(user, read_memory, *where) for user in (OWNER, STRANGER)], [lets, False])

    def job(self, *words, **environment):
        return outcome([self.folder / "bin/oshrun", *words], self.folder, **self.variables(**environment))

    @unittest.skipUnless(HAS_OWN or HAS_USERS, "no network namespaces here")
    def test_who_sets_nodes(self):
        """oshrun checks options and variables; the first PE prints a sentence about variables that oshrun does not
        see."""
        for words, nodes in (("-n 2 -x SHMEM_NODES=2 @", ""), ("-n 2 --nodes 2 @", ""), ("-n 3 @", "2+1"),
                             ("-n 1 -x SMA_NODES=2 @ : -n 1 @", "")):
            code, out, err = self.job(*words.replace("@", "readlink /proc/self/ns/net").split(), SHMEM_NODES=nodes)
            self.assertEqual((code, err, len(set(out.split()))), (0, "", 1), words)
            self.assertNotEqual(out.split()[0], os.readlink("/proc/self/ns/net"), words)
        code, out, err = self.job("-n", "2", "env", "SHMEM_NODES=2", self.folder / "hold")
        self.assertEqual((code, out), (0, "ready\n"), err)
        self.assertIn("oshrun has not seen SHMEM_NODES, so the nodes use this machine's loopback", err)

    def test_jobs_of_one_node_have_the_hosts(self):
        for n, environment in (("2", {"SHMEM_NODES": "1"}), ("1", {"SHMEM_NODES": "2"}), ("2", {}),
                               ("2", {"SHMEM_NODES": "2", "COPAL_NETWORK": "host"}),
                               ("2", {"SHMEM_NODES": "2", "SHMEM_NET": "emu"})):
            code, out, err = self.job("-n", n, "readlink", "/proc/self/ns/net", **environment)
            self.assertEqual((code, set(out.split()), err), (0, {os.readlink("/proc/self/ns/net")}, ""), environment)

    def test_a_value_that_is_none(self):
        self.assertEqual(self.job("-n", "2", "true", COPAL_NETWORK="hosts"),
                         (2, "", 'oshrun: environment variable COPAL_NETWORK is "hosts", allowed is own or host\n'))

    @unittest.skipUnless(os.getuid() == 0 and HAS_USERS, "takes root, and user namespaces for others")
    def test_what_a_user_keeps(self):
        """User and group keep their numbers, files belong to the user, and no rights are added; a PE whose wrapper has
        closed the job file still finds it."""
        script = self.folder / "script"
        script.write_text("#!/bin/sh\nid -u; id -g; grep CapEff /proc/self/status; : >file.$$; stat -c %u:%g file.$$\n"
                          'for fd in 3 4 5 6 7 8 9; do eval "exec $fd>&-"; done\nexec ./hold\n')
        script.chmod(0o755)
        work = self.folder / "work"
        work.mkdir()
        os.chown(work, OWNER, OWNER)
        shutil.copy(self.folder / "hold", work)
        done = subprocess.run([self.folder / "bin/oshrun", "-n", "2", script], cwd=work,
                              env=self.variables(SHMEM_NODES="2"),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, user=OWNER,
                              group=OWNER, extra_groups=[])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = [f"{OWNER}\n"] * 2 + ["CapEff:\t0000000000000000\n", f"{OWNER}:{OWNER}\n"]
        self.assertEqual(sorted(done.stdout.splitlines(True)), sorted(told * 2 + ["ready\n"]))


OSHRUN, OSHCC = programs()
unittest.main()
