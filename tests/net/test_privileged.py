"""A program with set-user-ID is a job of one PE, whatever variables its caller, another user, sets.

usage: test_privileged.py --oshrun OSHRUN --oshcc OSHCC
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import LIMIT, OneFolder, programs  # noqa: E402

OWNER, CALLER = 12347, 12345    # users without a name
SAID = ("copal: PE 0: shmem_init: environment variable {} is set but ignored, as are all others, because this program "
        "has privileges that its caller lacks (set-user-ID, set-group-ID or capabilities): it is a job of one PE; to "
        "make it a PE of a job, remove the privileges from its file\n")
ALONE = "PE 0 of 1, 1 near, UCX no, PMIx no\n"


@unittest.skipUnless(os.getuid() == 0, "takes root")
@unittest.skipIf("NoNewPrivs:\t1" in pathlib.Path("/proc/self/status").read_text(), "nobody gains rights here")
class Privileged(OneFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if os.statvfs(cls.folder).f_flag & os.ST_NOSUID:
            raise unittest.SkipTest("set-user-ID has no effect in the folder for temporary files")
        built = pathlib.Path(OSHRUN).parents[1]
        for pattern in "bin/oshrun", "lib/libshmem.so*":    # files that any user may read
            for path in built.glob(pattern):
                copy = cls.folder / path.relative_to(built)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
        cls.program = cls.folder / "place"
        subprocess.run([OSHCC, HERE / "place.c", "-o", cls.program, f"-Wl,-rpath,{cls.folder}/lib"], check=True)
        subprocess.run(["chmod", "-R", "a+rX", cls.folder], check=True)
        os.chown(cls.program, OWNER, OWNER)
        cls.program.chmod(0o4755)

    def run_it(self, *before, descriptors=(), **environment):
        done = subprocess.run([*before, self.program], capture_output=True, text=True, timeout=LIMIT, cwd=self.folder,
                              user=CALLER, group=CALLER, extra_groups=[], pass_fds=descriptors,
                              stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]} | environment)
        return done.returncode, done.stdout, done.stderr

    def test_alone(self):
        self.assertEqual(self.run_it(), (0, ALONE, ""))

    def test_the_callers_job_file(self):
        """If the caller passes its own file as a job file, the file stays unchanged."""
        version = int(re.search(r"JOB_VERSION (\d+)", (HERE.parents[1] / "src/job/job.h").read_text())[1])
        fd = os.memfd_create("job")
        self.addCleanup(os.close, fd)
        head = struct.pack("<QIi", 0x636f70616c6a6f62, version, 1)
        os.truncate(fd, 64 << 20)
        os.pwrite(fd, head, 0)
        got = self.run_it(descriptors=[fd], COPAL_JOB=f"{os.getpid()}:{fd}:0:1", SHMEM_SYMMETRIC_SIZE="16M")
        self.assertEqual(got, (0, ALONE, SAID.format("SHMEM_SYMMETRIC_SIZE")))
        self.assertEqual(os.pread(fd, 1 << 20, 0), head.ljust(1 << 20, b"\0"))

    def test_settings(self):
        """Also ignores wrong variables, and variables that request output."""
        for name, value in (("SHMEM_SYMMETRIC_SIZE", "nonsense"), ("SHMEM_INFO", "1"), ("SHMEM_NODES", "x"),
                            ("SHMEM_BOOT", "mpi"), ("PMIX_RANK", "3"), ("PMI_FD", "77"), ("COPAL_JOB", "nonsense")):
            more = {"PMIX_NAMESPACE": "x"} if name == "PMIX_RANK" else {}
            self.assertEqual(self.run_it(**{name: value}, **more), (0, ALONE, SAID.format(name)))
        self.assertEqual(self.run_it(SHCOLL_INFO="1", SMA_INFO="1"), (0, ALONE, ""))

    def test_oshrun(self):
        """Each process is a separate job."""
        self.assertEqual(self.run_it(self.folder / "bin/oshrun", "-n", "2"),
                         (0, ALONE * 2, SAID.format("COPAL_JOB") * 2))


OSHRUN, OSHCC = programs()
unittest.main()
