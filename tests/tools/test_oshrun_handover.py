"""oshrun hands a job over to the right launcher, srun, prterun or mpirun, and the options keep their meaning.

Most launchers here are scripts that record how they were called. Open MPI's real mpirun runs where it is installed."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import LIMIT

OSHRUN = CAFRUN = None    # set from the command line

VERSIONS = {"mpirun": "mpirun (Open MPI) 4.1.4", "mpirun.openmpi": "mpirun.openmpi (Open MPI) 4.1.4",
            "prterun": "prterun (PRRTE) 3.0.3"}
RECORDER = r"""#!/usr/bin/python3
import json, os, sys
name = os.path.basename(sys.argv[0])
if sys.argv[1:] == ["--version"]:
    print(os.environ.get("FAKE_VERSION_" + name, {versions!r}.get(name, "")))
elif sys.argv[1:] == ["--mpi=list"]:
    print("MPI plugin types are...\n\t" + os.environ.get("FAKE_PLUGINS", "none\n\tpmix\n\tpmix_v4"))
else:
    with open(os.environ["RECORD"], "w") as f:
        json.dump(dict(argv=[name] + sys.argv[1:], env=dict(os.environ), folder=os.getcwd()), f)
    sys.exit(int(os.environ.get("FAKE_CODE", 0)))
"""
SLURM = {"SLURM_JOB_ID": "17", "SLURM_JOB_NUM_NODES": "3", "SLURM_JOB_CPUS_PER_NODE": "8(x3)"}
MPI_HEAD = ["--map-by", "slot", "--bind-to", "numa:overload-allowed,if-supported"]


def real_mpirun():
    for name in "mpirun", "mpirun.openmpi":
        if shutil.which(name) and "(Open MPI)" in subprocess.run([name, "--version"], capture_output=True,
                                                                 text=True).stdout:
            return True
    return False


class Handover(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="test-handover-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        (self.folder / "bin").mkdir()
        (self.folder / "record").mkdir()

    def run_oshrun(self, *arguments, launchers=("srun", "mpirun", "prterun", "timeout"), code=0, tool=None,
                   **environment):
        """Runs oshrun with only these launchers on PATH; returns its result, and the record of a called launcher."""
        for file in (self.folder / "bin").iterdir():
            file.unlink()
        for name in launchers:
            file = self.folder / "bin" / name
            file.write_text(RECORDER.format(versions=VERSIONS))
            file.chmod(0o755)
        clean = {name: value for name, value in os.environ.items()
                 if not re.match("SLURM|PMIX|SHMEM|SMA_|SHCOLL|UCX|COPAL|OMP|GFORTRAN|LD_LIBRARY", name)}
        record = self.folder / "record" / "call"
        record.unlink(missing_ok=True)
        result = subprocess.run([tool or OSHRUN, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                                timeout=LIMIT, stdin=subprocess.DEVNULL,
                                env={**clean, "PATH": f"{self.folder}/bin", "RECORD": str(record), **environment})
        self.assertEqual(result.returncode, code, result.stderr)
        result.call = json.loads(record.read_text()) if record.exists() else None
        return result

    def call(self, *arguments, **options):
        result = self.run_oshrun(*arguments, **options)
        self.assertIsNotNone(result.call, f"no launcher was called: {result.stdout}{result.stderr}")
        return result.call["argv"]

    def says(self, sentence, *arguments, code=1, **options):
        result = self.run_oshrun(*arguments, code=code, **options)
        self.assertIsNone(result.call)
        self.assertRegex(result.stderr, rf"\A(oshrun|cafrun): [^\n]*{sentence}[^\n]*\n\Z")

    # --- which

    def test_this_machine(self):
        for environment in ({}, {**SLURM, "SLURM_JOB_NUM_NODES": "1"}, {**SLURM, "PMIX_RANK": "0"},
                            {**SLURM, "PMI_FD": "7"}):
            with self.subTest(environment):
                result = self.run_oshrun("-n", 2, "/bin/echo", "here", **environment)
                self.assertEqual((result.stdout, result.stderr, result.call), ("here\nhere\n", "", None))
        for option in ["--local"], ["--launcher", "none"]:
            result = self.run_oshrun(*option, "-n", 2, "/bin/echo", "here", **SLURM)
            self.assertEqual((result.stdout, result.stderr, result.call), ("here\nhere\n", "", None))
        result = self.run_oshrun("--dry-run", "-n", 2, "true")
        self.assertEqual(result.stdout, "oshrun itself starts 2 PEs on this machine\n")

    def test_allocations_of_other_systems(self):
        """A job on several hosts is handed over with the hosts in their order."""
        hosts = self.folder / "hosts"
        for variable, text in (("PBS_NODEFILE", "b\nb\na\n"), ("LSB_DJOB_HOSTFILE", "b\nb\na\n"),
                               ("PE_HOSTFILE", "b 2 all.q@b UNDEFINED\na 1 all.q@a UNDEFINED\n")):
            hosts.write_text(text)
            for count, listed in ([], "b:2,a:1"), (["-n", 2], "b:2"):
                argv = self.call(*count, "./a", launchers=["mpirun"], **{variable: str(hosts)})
                self.assertEqual(argv[argv.index("--host") + 1], listed)
            for option, more in (["--local"], {}), ([], {"PMI_FD": "7"}):
                result = self.run_oshrun(*option, "-n", 1, "/bin/echo", "here", **{variable: str(hosts)}, **more)
                self.assertEqual((result.stdout, result.call), ("here\n", None))

    def test_nodes_of_one_machine(self):
        show = ["/bin/sh", "-c", "echo $SHMEM_NODES"]
        for nodes in "2", "3+1":
            self.assertEqual(self.run_oshrun("--nodes", nodes, "-n", 4, *show).stdout, f"{nodes}\n" * 4)
        for nodes in "0", "", "two", "3+", "+1", "2,2", "99999999999":
            self.says("expected a number of nodes, or the numbers of PEs", "--nodes", nodes, "-n", 4, "true", code=2)

    def test_choice(self):
        for arguments, launchers, environment, sentence in (
                (["--hosts", "a,b"], ("prterun", "mpirun"), {}, r"prterun (PRRTE 3.0.3): 6 PEs on 2 hosts"),
                (["--hosts", "a,b"], ("mpirun", "srun"), {}, r"mpirun (Open MPI 4.1.4): 6 PEs on 2 hosts"),
                (["--hosts", "a"], ("mpirun",), {}, r"mpirun (Open MPI 4.1.4): 6 PEs on 1 host"),
                (["--hosts", "a,b"], ("mpirun", "mpirun.openmpi"),
                 {"FAKE_VERSION_mpirun": "HYDRA build details:"},
                 r"mpirun.openmpi (Open MPI 4.1.4): 6 PEs on 2 hosts"),
                ([], ("mpirun", "prterun", "srun"), SLURM, "srun: 6 PEs on 3 nodes of Slurm job 17"),
                (["--nodes", "2"], ("srun",), SLURM, "srun: 6 PEs on 2 nodes of Slurm job 17"),
                (["--hosts", "a,b"], ("mpirun", "prterun", "srun"), SLURM, "srun: 6 PEs on 2 hosts of Slurm job 17"),
                (["--launcher", "mpirun"], ("mpirun", "srun"), SLURM, "mpirun (Open MPI 4.1.4): 6 PEs"),
                (["--launcher", "prterun"], ("mpirun", "prterun"), {}, "prterun (PRRTE 3.0.3): 6 PEs"),
                (["--launcher", "srun"], ("mpirun", "srun"), {}, "srun: 6 PEs")):
            with self.subTest((arguments, launchers, sentence)):
                result = self.run_oshrun(*arguments, "-n", 6, "./a", launchers=launchers, **environment)
                self.assertEqual(result.stderr, f"oshrun: handing over to {sentence}\n")
                self.assertEqual(result.call["argv"][0], sentence.split()[0].rstrip(":"))
                self.assertEqual(result.stdout, "")

    def test_nothing_to_hand_over_to(self):
        job = ["--hosts", "a,b", "-n", 2, "true"]
        self.says("there is none: prterun is not installed, mpirun is not installed; .*openmpi-bin", *job,
                  launchers=["srun"])
        self.says("the mpirun that is installed is not Open MPI's; ", *job, launchers=["mpirun"],
                  FAKE_VERSION_mpirun="HYDRA")
        self.says("this is Slurm job 17, and srun is not on PATH", *job, launchers=["mpirun"], **SLURM)
        self.says("this Slurm has no PMIx", *job, FAKE_PLUGINS="none\n\tpmi2", **SLURM)
        for name in "srun", "mpirun", "prterun":
            self.says(f"--launcher {name}: {name} is not installed", "--launcher", name, "-n", 2, "true", launchers=[])
        self.says("--launcher aprun: expected srun, prterun, mpirun or none", "--launcher", "aprun", "-n", 2, "true",
                  code=2)
        self.says("--hosts names other machines, --local", "--local", *job, code=2)

    def test_what_cannot_be_kept(self):
        self.says("--watch: waits of PEs can be reported on one machine only", "--hosts", "a,b", "--watch", 5, "-n", 2,
                  "true", code=2)
        self.says("--timeout: .*needs the command timeout", "--hosts", "a,b", "--timeout", 5, "-n", 2, "true",
                  launchers=["mpirun"])
        self.says("--nodes 3\\+1: .*--hosts a:3,b:1", "--nodes", "3+1", "-n", 4, "true", code=2, **SLURM)

    # --- hosts

    def hosts(self, text, n, *more):
        argv = self.call("--hosts", text, "-n", n, *more, "./a", launchers=["mpirun"])
        return argv[argv.index("--host") + 1]

    def test_hosts(self):
        for text, n, expected in (
                ("a,b,c", 6, "a:2,b:2,c:2"), ("a,b,c", 7, "a:3,b:3,c:1"), ("a,b,c", 2, "a:1,b:1"),
                ("a,b,c,d", 5, "a:2,b:2,c:1"),
                ("a:2,b:2", 4, "a:2,b:2"), ("a:2,b:2", 3, "a:2,b:1"), ("a:2,b:2", 2, "a:2"), ("a:3,b:1", 4, "a:3,b:1"),
                ("a,a,b,b", 4, "a:2,b:2"), ("n1.example.org", 3, "n1.example.org:3")):
            with self.subTest((text, n)):
                self.assertEqual(self.hosts(text, n), expected)
        self.assertEqual(self.hosts("a,b,c", 4, "--nodes", 2), "a:2,b:2")
        self.assertEqual(self.hosts("a,b,c", 4, "-ppn", 2), "a:2,b:2")
        for option in ["-host", "a,b"], ["-H", "a,b"]:
            argv = self.call(*option, "-n4", "./a", launchers=["mpirun"])
            self.assertEqual(argv[argv.index("--host") + 1], "a:2,b:2")

    def test_hosts_of_a_file(self):
        file = self.folder / "hosts"
        for text, expected in (("a\nb\n", "a:2,b:2"), ("# ours\na slots=3   # big\n\n  b:1\r\n", "a:3,b:1"),
                               ("a\na\na\nb\n", "a:3,b:1"), ("a slots=3\nb slots=3", "a:3,b:1")):
            with self.subTest(text):
                file.write_text(text)
                self.assertEqual(self.hosts("@hosts", 4), expected)
        for option in "--hostfile", "-machinefile", "-f":
            argv = self.call(option, "hosts", "-n4", "./a", launchers=["mpirun"])
            self.assertEqual(argv[argv.index("--host") + 1], "a:3,b:1")
        file.write_text("\n# none\n")
        self.says("--hosts @hosts: it names no host", "--hosts", "@hosts", "-n", 2, "true", code=2)
        self.says("--hosts @missing: No such file", "--hosts", "@missing", "-n", 2, "true", code=2)

    def test_hosts_that_are_wrong(self):
        for text, sentence in (("a:x", '"a:x": expected HOST or HOST:COUNT'), ("a,,b", '"": expected'),
                               ("a:0", "expected HOST"),
                               (":2", "expected HOST"), ("-a", "expected HOST"), ("", "expected HOST"),
                               ("a:2 3", "expected"), ("a:2,b", "give a count for every host or for none"),
                               ("a:1,b:2", "the hosts take 3 PEs, but -n")):
            with self.subTest(text):
                self.says(re.escape(sentence), "--hosts", text, "-n", 4, "true", code=2)
        self.says("--nodes 3: --hosts names 2", "--hosts", "a,b", "--nodes", 3, "-n", 4, "true", code=2)

    # --- command lines

    def test_srun(self):
        argv = self.call("-n", 6, "./a", "x y", **SLURM)
        self.assertEqual(argv, ["srun", "--mpi=pmix", "--export=ALL", "--ntasks=6", "--nodes=3", "--ntasks-per-node=2",
                                "--distribution=block", "--input=0", "--wait=0", "--quit-on-interrupt",
                                "--kill-on-bad-exit=1", f"--chdir={self.folder}", "./a", "x y"])
        placement = lambda *arguments, **slurm: [
            word for word in self.call(*arguments, "./a", **slurm)
            if re.match("--(nodes|ntasks-per-node|distribution|nodelist)=", word)]
        self.assertEqual(placement("-n", 7, **SLURM), ["--nodes=3", "--distribution=plane=3"])
        for cpus in "5,1(x2)", "2(x3)":
            self.assertEqual(placement("-n", 7, **{**SLURM, "SLURM_JOB_CPUS_PER_NODE": cpus}),
                             ["--nodes=3", "--distribution=block"])
        self.assertEqual(placement("-n", 2, **SLURM), ["--nodes=2", "--ntasks-per-node=1", "--distribution=block"])
        self.assertEqual(placement("-n", 4, "--nodes", 1, **SLURM),
                         ["--nodes=1", "--ntasks-per-node=4", "--distribution=block"])
        self.assertEqual(placement("-n", 4, "--launcher", "srun"), ["--distribution=block"])
        self.assertEqual(placement("-n", 4, "--hosts", "b,a", **SLURM),
                         ["--distribution=arbitrary", "--nodelist=b,b,a,a"])
        self.assertEqual(placement("-n", 60000, "--hosts", "b,a", **SLURM),
                         ["--nodelist=b,a", "--nodes=2", "--ntasks-per-node=30000", "--distribution=block"])
        self.assertEqual(placement("-n", 4, "--hosts", "a:1,b:2,c:1", **SLURM),
                         ["--distribution=arbitrary", "--nodelist=a,b,b,c"])
        self.assertEqual(placement("-n", 5, "-ppn", 3, **SLURM), ["--nodes=2", "--distribution=plane=3"])

    def test_cpus_of_srun(self):
        """Each PE gets as many processors as the job requested, if the nodes have them."""
        job = {**SLURM, "SLURM_JOB_CPUS_PER_NODE": "8(x3)"}
        for arguments, environment, expected in (
                (["-n", 6], {"SLURM_CPUS_PER_TASK": "4"}, ["--cpus-per-task=4"]),
                (["-n", 5], {"SLURM_CPUS_PER_TASK": "4"}, ["--cpus-per-task=4"]),
                (["-n", 7], {"SLURM_CPUS_PER_TASK": "4"}, []), (["-n", 6], {}, []),
                (["-n", 6], {"SLURM_CPUS_PER_TASK": "4", "SRUN_CPUS_PER_TASK": "2"}, []),
                (["-n", 6], {"SLURM_CPUS_PER_TASK": "4", "SLURM_JOB_CPUS_PER_NODE": "8(x2),4"}, [])):
            argv = self.call(*arguments, "./a", **{**job, **environment})
            self.assertEqual([word for word in argv if word.startswith("--cpus-per-task")], expected, argv)

    def test_srun_options(self):
        argv = self.call("-n", 3, "--tag", "--outlive", "--bind", "numa", "-v", "--timeout", 90, "--wdir", "in", "-x",
                         "A=1 2", "./a", **SLURM)
        self.assertEqual(argv[:4] if argv[0] == "timeout" else argv,
                         ["timeout", "--foreground", "--kill-after=10", "90"])
        for word in ("--label", "--kill-on-bad-exit=0", "--no-kill", "--cpu-bind=verbose,ldoms",
                     f"--chdir={self.folder}/in"):
            self.assertIn(word, argv)
        self.assertEqual(argv[-4:], ["env", "A=1 2", "COPAL_OUTLIVE=1", "./a"])
        for bind, expected in ("core", "cores"), ("none", "none"):
            self.assertIn(f"--cpu-bind={expected}", self.call("--bind", bind, "-n", 3, "./a", **SLURM))

    def test_srun_with_several_programs(self):
        """A shell in each task finds its program: this test uses a real shell."""
        (self.folder / "in'ner").mkdir()
        argv = self.call("-n", 1, "-x", "A=1 2", "/bin/sh", "-c", "echo first $A $*", "sh", "it's",
                         ":", "-n", 2, "--wdir", "in'ner", "/bin/sh", "-c", "echo second $(basename $PWD); exit 5",
                         ":", "-n", 1, "--wdir", "missing", "true", **SLURM)
        self.assertEqual(argv[-3:-1], ["sh", "-c"])
        self.assertIn("--ntasks=4", argv)
        for pe, output, code in ((0, "first 1 2 it's\n", 0), (1, "second in'ner\n", 5), (2, "second in'ner\n", 5),
                                 (3, "", 1)):
            result = subprocess.run(argv[-3:], env={**os.environ, "SLURM_PROCID": str(pe)}, text=True,
                                    capture_output=True)
            self.assertEqual((result.stdout, result.returncode), (output, code), result.stderr)

    def test_mpirun(self):
        argv = self.call("--hosts", "a,b", "-n", 4, "./a", "x y", launchers=["mpirun"], SHMEM_DEBUG="1", UCX_TLS="tcp",
                         OMP_NUM_THREADS="2", LD_LIBRARY_PATH="/x", OTHER="1", SHCOLL_TABLE="t", COPAL_JOB="1:2:3:4")
        carried = argv[argv.index("--wdir") + 2:-2]
        self.assertEqual(argv[:-2 - len(carried)],
                         ["mpirun", "--host", "a:2,b:2", *MPI_HEAD, "-n", "4", "--wdir", str(self.folder)])
        self.assertEqual(argv[-2:], ["./a", "x y"])
        self.assertEqual(set(carried[::2]), {"-x"})
        self.assertEqual(sorted(carried[1::2]),
                         ["LD_LIBRARY_PATH", "OMP_NUM_THREADS", "SHCOLL_TABLE", "SHMEM_DEBUG", "UCX_TLS"])

    def test_mpirun_options(self):
        argv = self.call("--hosts", "a,b", "--tag", "--bind", "core", "-n", 1, "-x", "HOME", "-x", "SHMEM_X=own", "./a",
                         ":", "-n", 3, "--wdir", "/usr", "./b", launchers=["mpirun"], SHMEM_X="outer", HOME="/h o")
        self.assertEqual(argv, ["mpirun", "--host", "a:2,b:2", "--map-by", "slot", "--bind-to",
                                "core:overload-allowed,if-supported", "--tag-output",
                                "-n", "1", "--wdir", str(self.folder), "-x", "HOME=/h o", "-x", "SHMEM_X=own", "./a",
                                ":", "-n", "3", "--wdir", "/usr", "-x", "SHMEM_X", "./b"])
        argv = self.call("--launcher", "mpirun", "--nodes", 2, "--bind", "none", "-n", 3, "./a")
        self.assertEqual(argv[1:5], ["--map-by", "ppr:2:node:OVERSUBSCRIBE", "--bind-to", "none"])
        self.assertEqual(self.call("--launcher", "mpirun", "-n", 3, "./a")[1:3], ["--map-by", "slot:OVERSUBSCRIBE"])

    def test_outlive(self):
        for options, tool in ([], CAFRUN), (["--outlive"], OSHRUN):
            argv = self.call(*options, "--hosts", "a,b", "-n", 4, "./a", launchers=["mpirun"], tool=tool)
            self.assertIn("--enable-recovery", argv)
            self.assertEqual(argv[-3:], ["-x", "COPAL_OUTLIVE=1", "./a"])
        self.assertNotIn("--enable-recovery", self.call("--hosts", "a,b", "-n", 4, "./a", launchers=["mpirun"]))
        result = self.run_oshrun("-n", 6, "./a", tool=CAFRUN, **SLURM)
        self.assertEqual(result.stderr, "cafrun: handing over to srun: 6 images on 3 nodes of Slurm job 17\n")

    def test_prterun(self):
        expected = ["--host", "a:2,b:2", "--map-by", "slot", "--bind-to", "numa:overload-allowed:if-supported",
                    "--output", "tag", "--display", "map", "--runtime-options", "recoverable,continuous",
                    "-n", "4", "--wdir", str(self.folder), "-x", "COPAL_OUTLIVE=1", "./a"]
        job = ["--hosts", "a,b", "--tag", "-v", "--outlive", "-n", 4, "./a"]
        self.assertEqual(self.call(*job), ["prterun"] + expected)
        argv = self.call(*job, launchers=["mpirun"], FAKE_VERSION_mpirun="mpirun (Open MPI) 5.0.1")
        self.assertEqual(argv, ["mpirun"] + expected)
        for version, launchers, program in (("5.0.7", ["mpirun", "prterun"], "prterun"),
                                            ("5.0.7", ["mpirun"], "mpirun"),
                                            ("6.0.0rc2", ["mpirun", "prterun"], "mpirun")):
            argv = self.call("--launcher", "mpirun", "-n1", "./a", ":", "-n1", "./b", launchers=launchers,
                             FAKE_VERSION_mpirun=f"mpirun (Open MPI) {version}")
            self.assertEqual(argv[0], program)
        result = self.run_oshrun("--launcher", "mpirun", "-n1", "./a", ":", "-n1", "./b",
                                 launchers=["mpirun", "prterun"],
                                 FAKE_VERSION_mpirun="mpirun (Open MPI) 5.0.7", OMPI_ALLOW_RUN_AS_ROOT="1")
        self.assertIn("PRTE_ALLOW_RUN_AS_ROOT", result.call["env"])

    def test_environment_and_exit_code(self):
        result = self.run_oshrun("-n", 3, "--nodes", 3, "./a", code=7, FAKE_CODE="7", COPAL_JOB="1:2:3:4",
                                 SHMEM_NODES="2", **SLURM)
        for name in "COPAL_JOB", "SHMEM_NODES":
            self.assertNotIn(name, result.call["env"])
        self.assertEqual(result.call["folder"], str(self.folder))

    def test_dry_run_is_what_is_run(self):
        job = ["-n", 1, "-x", "A=$HOME `x` \"q\"", "./a", "it's", "a\\b", "", "*", "~", ":x", "\n", ":", "-n", 5, "./b"]
        for more, environment in (["--hosts", "a,b"], {}), ([], SLURM):
            argv = self.call(*more, *job, launchers=["srun", "mpirun"], **environment)
            result = self.run_oshrun("--dry-run", *more, *job, launchers=["srun", "mpirun"], **environment)
            self.assertIsNone(result.call)
            self.assertIn("oshrun: would hand over to ", result.stderr)
            words = subprocess.run(["sh", "-c", f"printf '%s\\0' {result.stdout}"], capture_output=True,
                                   text=True).stdout
            self.assertEqual(words.split("\0")[:-1], argv)


@unittest.skipUnless(real_mpirun(), "Open MPI's mpirun is not installed")
class RealMpirun(unittest.TestCase):
    """On this machine, the only host of a test."""

    def run_job(self, *arguments, code=0, stdin=None, tool=None):
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "SHCOLL_REDUCE": "ring"}
        result = subprocess.run([tool or OSHRUN, "--launcher", "mpirun", *map(str, arguments)], input=stdin or "",
                                text=True, capture_output=True, timeout=LIMIT, env=environment)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertRegex(result.stderr, r"\A(oshrun|cafrun): handing over to (mpirun\S*|prterun) \(Open MPI [^\n]+\): ")
        return sorted(result.stdout.splitlines())

    def test_ranks_and_environment(self):
        # The number of PEs is missing under Open MPI 5: its mpirun crashes on several programs (launcher.c). A stands
        # for each program, because Open MPI 6 passes the first program's variables to all.
        show = ["sh", "-c", "echo $PMIX_RANK ${OMPI_COMM_WORLD_SIZE:-3} $PWD $A $SHCOLL_REDUCE $1", "sh"]
        lines = self.run_job("--hosts", "localhost:3", "-n", 1, "-x", "A=1 2;x,y", "--wdir", "/", *show, "it's",
                             ":", "-n", 2, "-x", "A=3", "--wdir", "/usr", *show, "b")
        self.assertEqual(lines, ["0 3 / 1 2;x,y ring it's", "1 3 /usr 3 ring b", "2 3 /usr 3 ring b"])

    def test_more_than_processors_and_binding(self):
        n = len(os.sched_getaffinity(0)) + 1
        for bind in [], ["--bind", "core"], ["--bind", "numa"], ["--bind", "none"]:
            with self.subTest(bind):
                self.assertEqual(self.run_job(*bind, "-n", n, "echo", "x"), ["x"] * n)

    def test_stdin_and_tags(self):
        lines = self.run_job("--tag", "-n", 2, "cat", stdin="line\n")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^\[1,0\]<stdout>: ?line$")

    def test_exit_codes(self):
        # Each runs for a while: Open MPI 6 assumes that a process which ends before all have begun did not start, and
        # exits with 255.
        self.run_job("-n", 2, "sh", "-c", "test $PMIX_RANK = 0 || { sleep 0.3; exit 7; }", code=7)
        self.run_job("-n", 2, "sh", "-c", "test $PMIX_RANK = 0 || { sleep 0.3; kill -9 $$; }", code=137)
        self.run_job("-n", 2, "--timeout", 1, "sleep", 30, code=124)

    def test_outlive(self):
        script = "test $PMIX_RANK != 1 || kill -9 $$; sleep 1; echo $PMIX_RANK $COPAL_OUTLIVE"
        self.assertEqual(self.run_job("-n", 3, "sh", "-c", script, tool=CAFRUN), ["0 1", "2 1"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc")
    options, rest = parser.parse_known_args()
    OSHRUN = options.oshrun
    CAFRUN = os.path.join(os.path.dirname(OSHRUN), "cafrun")
    unittest.main(argv=["test_oshrun_handover.py", *rest], verbosity=2)
