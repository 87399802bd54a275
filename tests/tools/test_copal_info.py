"""copal-info: its facts, as text and as JSON; with network modules, without them, and with broken ones."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import uuid

from support import LIMIT, OneFolder, programs

BIN = OSHCC = None    # set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]

# A module whose begin ends the process; its other functions are NULL.
MODULE = r"""
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
static const char *begin(bool no_shared_memory, bool watched) { (void)no_shared_memory, (void)watched; _exit(3); }
struct {
    uint32_t version;
    const char *name, *(*begin)(bool, bool);
    void *more[30];
} copal_provider = {VERSION, "x", begin, {0}};
"""


def clean_environment(**changes):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM_", "PBS_", "LSB_", "PMIX_", "PMI_", "UCX_"))}
    return {**kept, **changes}


class CopalInfo(OneFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.has_ucx = (BIN.parent / "lib/copal/libcopal-ucx.so").exists()
        cls.has_ofi = (BIN.parent / "lib/copal/libcopal-ofi.so").exists()

    def run_info(self, *arguments, code=0, **environment):
        mark = uuid.uuid4().hex
        result = subprocess.run([BIN / "copal-info", *arguments], capture_output=True, text=True, timeout=LIMIT,
                                env=clean_environment(COPAL_INFO_TEST=mark, **environment))
        self.assertEqual(result.returncode, code, result.stderr)
        left = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark.encode() in (process / "environ").read_bytes():
                    left.append(process.name)
            except OSError:
                pass    # it has just ended, or is another user's
        self.assertEqual(left, [], "processes are left")
        return result

    def facts(self, *arguments, **environment):
        result = self.run_info("--json", *arguments, **environment)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def library_folder(self, name):
        """The folder of a copy of the library that has no modules yet."""
        folder = self.folder / name
        (folder / "copal").mkdir(parents=True)
        shutil.copy(BIN.parent / "lib/libshmem.so.2", folder)
        return folder

    @staticmethod
    def labels(text):
        """Maps each title of a text (a line without indentation) to its labels (indented by two spaces), in order."""
        found = {}
        for line in text.splitlines():
            if re.match(r"\S", line):
                found[line] = title = []
            elif match := re.match(r"  (\S.*?)(?:  |$)", line):
                title.append(match[1])
        return found

    def test_samples_of_the_page(self):
        """The samples of docs/copal-info.md have the titles, labels and version that the tool prints."""
        page = (SOURCE / "docs/copal-info.md").read_text()
        for arguments in [], ["--scale"]:
            command = " ".join(["copal-info", *arguments])
            sample = re.search(rf"```sh run\n{command}\n```\n\n((?:(?:    .*)?\n)+)", page)[1].replace("\n    ", "\n")
            printed = self.run_info(*arguments).stdout
            if self.has_ucx and self.has_ofi and (BIN / "caf").exists():
                self.assertEqual(self.labels(sample[4:]), self.labels(printed), command)
        version = re.search(r'define COPAL_VERSION "(.*)"', (SOURCE / "include/shmem/version.h").read_text())[1]
        self.assertRegex(page, rf"\n      Copal +{re.escape(version)}\n")

    def test_text(self):
        for arguments, titles in (([], ["What was built in", "What this machine has", "Which path a put takes"]),
                                  (["--scale"], ["Measured with peers in another process of this machine"
                                                 if self.has_ucx else "What a peer costs"])):
            result = self.run_info(*arguments)
            self.assertEqual(result.stderr, "")
            lines = result.stdout.splitlines()
            for title in titles:
                self.assertIn(title, lines)
            paths = str(BIN.parent)
            self.assertEqual([line for line in lines if len(line) > 80 and paths not in line], [])

    def test_options(self):
        self.assertRegex(self.run_info("--version").stdout, r"^copal-info \(Copal\) \d+\.\d+\.\d+\n$")
        for option in "--scale", "--json":
            self.assertIn(option, self.run_info("--help").stdout)
        for wrong in "--what", "x", "":
            self.assertEqual(self.run_info(wrong, code=2).stderr,
                             f"copal-info: {wrong}: no such option; copal-info --help lists them\n")

    def test_built(self):
        built = self.facts()["built"]
        self.assertEqual(f"copal-info (Copal) {built['version']}\n", self.run_info("--version").stdout)
        self.assertEqual(built["openshmem"], "1.6")
        self.assertEqual(pathlib.Path(built["library"]).resolve(), (BIN.parent / "lib/libshmem.so").resolve())
        self.assertRegex(built["coarrays"], r"^caf, cafrun: for gfortran 12 to 16")
        self.assertEqual(built["fortran"].startswith("gfortran"), (BIN / "oshfort").exists())
        self.assertEqual(built["ucx"].startswith("UCX 1."), self.has_ucx)
        self.assertEqual([built[name] for name in ("pmi", "mpi")],
                         ["PMI 1.1", "for Open MPI, MPICH and its like"])
        self.assertEqual(bool(re.match(r"libfabric \d+\.\d+$", built["libfabric"])), self.has_ofi)

    def test_machine(self):
        machine = self.facts()["machine"]
        self.assertEqual(machine["cpus"], len(os.sched_getaffinity(0)))
        self.assertEqual(machine["memory"], os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        self.assertIn(os.uname().nodename, machine["host"])
        self.assertTrue(machine["allocation"].startswith("none"))
        machine = self.facts(SLURM_JOB_ID="17", SLURM_JOB_NUM_NODES="3", SLURM_JOB_NODELIST="n[1-3]",
                             PMIX_RANK="4")["machine"]
        self.assertEqual(machine["allocation"], "Slurm job 17: 3 nodes, n[1-3]")
        self.assertEqual(machine["rank"], "PE 4 of a job, through PMIx")
        machine = self.facts(PMI_FD="7", PMI_RANK="3", PMI_SIZE="4")["machine"]
        self.assertEqual(machine["rank"], "PE 3 of a job, through PMI")

    def test_quota(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("there is one processor")
        own = [line.split(":", 2)[1:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()]
        old = [path for names, path in own if "cpu" in names.split(",")]
        group = pathlib.Path("/sys/fs/cgroup/cpu" if old else "/sys/fs/cgroup") / f"copal-test-{os.getpid()}"
        try:
            group.mkdir()
            self.addCleanup(group.rmdir)
            (group / ("cpu.cfs_quota_us" if old else "cpu.max")).write_text("50000" if old else "50000 100000")
        except OSError as error:
            self.skipTest(f"a control group with a quota cannot be made: {error}")
        entering = ["sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh", BIN / "copal-info"]
        result = subprocess.run([*entering, "--json"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(result.stdout)["machine"]["cpus"], 1)
        result = subprocess.run(entering, capture_output=True, text=True, check=True)
        self.assertRegex(result.stdout, r"processors +\d+, limited by the control group to the time of 1;")

    def test_launchers(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "timeout").symlink_to(shutil.which("timeout"))
        for name, script in ("mpirun", "echo 'mpirun (Open MPI) 9.9'; echo more"), ("srun", "echo broken; exit 1"):
            (tools / name).write_text(f"#!/bin/sh\n{script}\n")
            (tools / name).chmod(0o755)
        machine = self.facts(PATH=str(tools))["machine"]
        self.assertEqual(machine["mpirun"], f"mpirun (Open MPI) 9.9 ({tools}/mpirun)")
        self.assertEqual(machine["srun"], f"prints no version ({tools}/srun)")
        self.assertEqual(machine["prterun"], "not installed")

    def test_path(self):
        if not self.has_ucx:
            self.skipTest("the UCX module is not built")
        path = self.facts()["path"]
        self.assertIs(path["spans_nodes"], True)
        self.assertTrue(path["far"].startswith("UCX 1."))
        self.assertIn("messages: ", path["transports"])
        self.assertIn("by the target's processor", path["atomics"])
        path = self.facts(UCX_TLS="tcp")["path"]
        self.assertIn("tcp", path["transports"])
        self.assertIs(path["one_sided"], False)

    def test_choice(self):
        """SHMEM_NET decides; without UCX, libfabric is chosen."""
        if not self.has_ucx or not self.has_ofi:
            self.skipTest("the modules are not built")
        for word, name, why in ("ucx", "UCX 1.", "SHMEM_NET says so"), ("ofi", "libfabric ", "SHMEM_NET says so"):
            path = self.facts(SHMEM_NET=word)["path"]
            self.assertIs(path["spans_nodes"], True)
            self.assertTrue(path["far"].startswith(name), path)
            self.assertIn(why, path["chosen"])
        folder = self.library_folder("ofi_alone")
        (folder / "copal/libcopal-ofi.so").symlink_to((BIN.parent / "lib/copal/libcopal-ofi.so").resolve())
        path = self.facts(LD_LIBRARY_PATH=str(folder))["path"]
        self.assertTrue(path["far"].startswith("libfabric "), path)
        self.assertRegex(path["chosen"], "no UCX: .*libcopal-ucx.so: cannot open shared object file")

    def test_no_network(self):
        """UCX cannot reach another process by this transport."""
        if not self.has_ucx:
            self.skipTest("the UCX module is not built")
        for arguments, where in ([], ("path", "far")), (["--scale"], ("measured", "provider")):
            facts = self.facts(*arguments, UCX_TLS="self")
            self.assertRegex(facts[where[0]][where[1]], "^none, so jobs have one node only: .+")

    def test_without_modules(self):
        folder = self.library_folder("none")
        facts = self.facts(LD_LIBRARY_PATH=str(folder))
        self.assertEqual(facts["built"]["library"], f"{folder}/libshmem.so")
        for name in "ucx", "pmix", "pmi":
            self.assertRegex(facts["built"][name],
                             f"^no: {folder}/copal/libcopal-{name}.so: cannot open shared object file")
        self.assertIs(facts["path"]["spans_nodes"], False)
        self.assertRegex(facts["path"]["far"],
                         "^none, so jobs have one node only: .*libcopal-ucx.so.*libcopal-ofi.so")
        self.assertIn("libcopal-ucx.so", self.facts("--scale", LD_LIBRARY_PATH=str(folder))["measured"]["provider"])

    def test_broken_modules(self):
        folder = self.library_folder("broken")
        module = folder / "copal/libcopal-ucx.so"
        module.write_text("no library")
        self.assertIn("libcopal-ucx.so: file too short", self.facts(LD_LIBRARY_PATH=str(folder))["path"]["far"])
        header = (pathlib.Path(__file__).parents[2] / "src/net/provider.h").read_text()
        ours = int(re.search(r"#define PROVIDER_VERSION (\d+)", header)[1])
        for version, why in (99, "libcopal-ucx.so is of another version of Copal"), (ours, "ended or did not reply"):
            (self.folder / "module.c").write_text(MODULE.replace("VERSION", str(version)))
            subprocess.run([OSHCC, "-shared", "-fPIC", self.folder / "module.c", "-o", module], check=True)
            self.assertIn(why, self.facts(LD_LIBRARY_PATH=str(folder))["path"]["far"])

    def test_scale(self):
        if not self.has_ucx:
            self.skipTest("the UCX module is not built")
        facts = self.facts("--scale")
        measured, job, million = facts["measured"], facts["job"], facts["million"]
        self.assertEqual(measured["peers"], 64)
        self.assertGreater(measured["peer_bytes"], 0)
        self.assertLess(measured["endpoint_bytes"], 1 << 20)
        self.assertLessEqual(job["table_bytes"], 16)
        self.assertLessEqual(job["card_bytes"], 1024)
        each = max(measured["endpoint_bytes"], measured["resident_bytes"]) + measured["peer_bytes"]
        self.assertEqual(million["tables"], job["table_bytes"] * 10**6 + job["node_bytes"] * 10**6 / 64)
        self.assertAlmostEqual(million["peers_1000"], million["tables"] + 1000 * each, delta=1)
        self.assertAlmostEqual(million["cards"], job["card_bytes"] * 10**6, delta=1)


if __name__ == "__main__":
    oshrun, OSHCC = programs()
    BIN = pathlib.Path(oshrun).resolve().parent
    unittest.main(verbosity=2)
