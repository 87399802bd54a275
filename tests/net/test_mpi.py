"""Programs that use MPI, and whose PEs find each other by it: with each MPI that is installed.

usage: test_mpi.py --oshrun OSHRUN --oshcc OSHCC
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import hydra_loses_codes, outcome, programs, without_backtraces  # noqa: E402

# The compiler, what starts 4 processes, and where it tells each which it is.
MPIS = {"Open MPI": ("mpicc.openmpi", ["mpirun.openmpi", "-n", "4", "--oversubscribe", "--bind-to", "none"],
                     "OMPI_COMM_WORLD_RANK"),
        "MPICH": ("mpicc.mpich", ["mpiexec.hydra", "-launcher", "fork", "-n", "4"], "PMI_RANK")}
INSTALLED = {name: mpi for name, mpi in MPIS.items() if shutil.which(mpi[0]) and shutil.which(mpi[1][0])}
# The first two are on one host, the others each on its own.
ON_HOSTS = ["unshare", "--uts", "sh", "-c", 'hostname h$(($RANK == 0 ? 1 : $RANK)) && exec "$@"', "sh"]
HAS_HOSTS = subprocess.run(["unshare", "--uts", "hostname", "h1"], capture_output=True, check=False).returncode == 0
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "SHMEM_SYMMETRIC_SIZE": "16M"}


class Mpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="copal-test-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        for name, (compiler, _, _) in INSTALLED.items():
            subprocess.run([OSHCC, HERE / "beside_mpi.c", "-o", cls.folder / name.replace(" ", "_")], check=True,
                           env=dict(os.environ, OSHCC_CC=compiler))

    def job(self, name, *words, hosts=False, alone=False, **environment):
        _, launcher, rank = MPIS[name]
        on_hosts = [word.replace("$RANK", f"${rank}") for word in ON_HOSTS] if hosts else []
        command = [*([] if alone else launcher), *on_hosts, self.folder / name.replace(" ", "_"), *words]
        return outcome(command, 100, self.folder, **ENVIRONMENT, **environment)

    def succeeds(self, near, name, *words, **more):
        code, out, err = self.job(name, *words, **more)
        self.assertEqual(code, 0, out + err)
        lines = sorted(line for line in out.splitlines() if line.startswith("PE "))
        self.assertEqual(lines, [f"PE {pe} of {len(near)}, {n} near" for pe, n in enumerate(near)], err)

    def test_by_mpi(self):
        for name in INSTALLED:
            with self.subTest(name):
                self.succeeds([4, 4, 4, 4], name, SHMEM_BOOT="mpi")
                self.succeeds([4, 4, 4, 4], name, "silent")
                self.succeeds([1], name, alone=True)

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_several_nodes(self):
        for name in INSTALLED:
            with self.subTest(name):
                self.succeeds([2, 2, 1, 1], name, SHMEM_BOOT="mpi", hosts=True)

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_mpi_is_left_too_early(self):
        for name in INSTALLED:
            with self.subTest(name):
                code, _, err = self.job(name, "end", "finalize", SHMEM_BOOT="mpi", hosts=True)
                self.assertIn(": shmem_finalize: the PEs cannot meet by MPI: MPI_Finalize has been called; it comes "
                              "after shmem_finalize\n", err)
                # Each PE exits with 1; Hydra kills those that have not yet, which some versions add up: 1 | 9.
                self.assertIn(code, {"Open MPI": [1], "MPICH": [0, 1, 9] if hydra_loses_codes() else [1, 9]}[name],
                              err)

    def test_the_end_has_a_code(self):
        for name in INSTALLED:
            for what, code in ("global", 7), ("bad_pe", 1):
                with self.subTest(name, what=what):
                    got, out, err = self.job(name, "end", what, SHMEM_BOOT="mpi")
                    self.assertEqual(got, code, out + err)
                    self.assertEqual("copal: PE 1: shmem_long_p: argument pe is 12345" in err, what == "bad_pe", err)

    def test_mpi_that_does_not_work(self):
        for name in INSTALLED:
            with self.subTest(name):
                code, out, err = self.job(name, "end", "finalize", alone=True, SHMEM_BOOT="mpi")
                self.assertEqual((code, without_backtraces(err)),
                                 (1, "copal: PE 0: shmem_init: cannot join the job again: the PEs are to meet by MPI, "
                                     "which works between MPI_Init and MPI_Finalize only; call MPI_Init before "
                                     "shmem_init\n"), out)
        subprocess.run([OSHCC, HERE.parent / "faults/hello.c", "-o", self.folder / "hello"], check=True)
        code, out, err = outcome([self.folder / "hello"], 60, SHMEM_BOOT="mpi")
        self.assertEqual((code, out, err),
                         (1, "", "copal: shmem_init: cannot join the job: the PEs are to meet by MPI, and this program "
                                 "is not linked with one (MPI_Get_library_version is missing)\n"))

    def test_mpi_that_is_not_known(self):
        for library, text, known in (("mpi", "MPICH Version: 9.9", True), ("mpi", "Other MPI 1.0", False),
                                     ("mpi_abi", "MPICH Version: 9.9", False)):
            with self.subTest(library, text=text):
                made, program = self.folder / f"lib{library}.so", self.folder / "with_other"
                subprocess.run(["cc", "-shared", "-fPIC", f'-DVERSION="{text}"', HERE / "other_mpi.c", "-o", made],
                               check=True)
                subprocess.run([OSHCC, HERE.parent / "faults/hello.c", "-o", program, "-Wl,--no-as-needed", made,
                                f"-Wl,-rpath,{self.folder}"], check=True)
                code, out, err = outcome([program], 60, SHMEM_BOOT="mpi", SHMEM_SYMMETRIC_SIZE="16M")
                if known:
                    self.assertEqual((code, out), (0, "hello from PE 0 of 1\n"), err)
                    continue
                by = " by libmpi_abi" if library == "mpi_abi" else ""
                said = (f'meet by MPI, and the binary interface of this program\'s, "{text}"{by}, is not known: it has '
                        "to be that of Open MPI or MPICH (Intel MPI, MVAPICH and Cray MPICH have it)")
                self.assertEqual((code, out, err),
                                 (1, "", f"copal: shmem_init: cannot join the job: the PEs are to {said}\n"))

    def test_outlive(self):
        for name in INSTALLED:
            code, out, err = self.job(name, alone=True, SHMEM_BOOT="mpi", COPAL_OUTLIVE="1")
            self.assertEqual((code, out), (1, ""))
            self.assertIn("COPAL_OUTLIVE is set, but a job whose PEs meet by MPI ends when one dies", err)


OSHRUN, OSHCC = programs()
if not INSTALLED:
    print("skipped: there is no MPI to compile with; scripts/install-deps check installs two")
    sys.exit(77)
unittest.main()
