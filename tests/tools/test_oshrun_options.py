"""oshrun's command line: every spelling of options, other launchers' options, and errors."""
import os
import re
import subprocess

import oshrun_jobs


class Options(oshrun_jobs.Jobs):
    def test_spellings(self):
        for options in (["-np", "2"], ["--n", "2"], ["-n=2"], ["--np=2", "--"], ["-v=", "-n", "2"], ["-n2"], ["-np2"],
                        ["--ntasks=2"], ["--oversubscribe", "-n", "2"], ["-n", "2", "--allow-run-as-root"],
                        ["-ppn", "2", "-n", "2"], ["-npernode", "4", "-n2"], ["--bind-to", "none", "-n", "2"],
                        ["-genvall", "-n2"]):
            with self.subTest(options):
                if options[0] == "-v=":
                    self.run_job(*options, "echo", code=2, said="oshrun: -v=: this option takes no value")
                else:
                    self.assertEqual(self.output(*options, "echo", "--", "-n", "5"), ["-- -n 5"] * 2)

    def test_options_of_other_launchers(self):
        for option in "--tag-output", "-l", "--label", "-prepend-rank":
            self.assertEqual(self.output("-n2", option, "echo", "x"), ["[0] x", "[1] x"])
        self.run_job("-n2", "--map-by", "node", "true", said="oshrun: --map-by node is ignored: PEs are placed .*")
        show = ["sh", "-c", "echo $A $B"]
        lines = self.output("-n", 1, "-genv", "A", "1 2", "-x", "B=own", "-genv", "B=all", *show, ":", "-n1", *show)
        self.assertEqual(lines, ["1 2 all", "1 2 own"])
        for options, sentence in ((["-N", "2"], "-N: in some launchers this is the number of PEs on each node"),
                                  (["-N2"], "use -ppn K or --nodes K"),
                                  (["-ppn", "2"], "2 PEs on each node are requested, but this machine would have 4"),
                                  (["--bind-to", "socket"], "--bind-to socket: expected core, numa or none")):
            self.run_job("-n4", *options, "true", code=2, said=f"oshrun: .*{re.escape(sentence)}.*")
        self.run_job("-genv", "A", code=2, said="oshrun: -genv A: the value is missing")

    def test_more_options_of_other_launchers(self):
        ignored = "oshrun: --mca btl tcp,self is ignored: components are Open MPI's; .*"
        self.run_job("--mca", "btl", "tcp,self", "-n", 2, "true", said=ignored)
        self.run_job("-n2", "--mca", "btl", code=2, said="oshrun: --mca btl: the value is missing")
        self.run_job("-n2", "--use-hwthread-cpus", "true",
                     said="oshrun: --use-hwthread-cpus is ignored: PEs get shares of the cores, .*")
        for option in "-c2", "-c":
            self.run_job(option, "2", "true", code=2,
                         said="oshrun: -c: in Open MPI this is the number of PEs, .*; use -n N")
        (self.folder / "there").mkdir(exist_ok=True)
        for option in "-wd", "--wd", "-chdir":
            self.assertEqual(self.output("-n1", "-q", "--quiet", option, "there", "pwd"), [str(self.folder / "there")])
        for option in "--report-bindings", "--display-map", "-display-allocation":
            self.run_job("-n1", option, "true", said="oshrun: PE 0 is process .* on .*: true")

    def test_this_host(self):
        """A job on this host, by any of its names, uses no launcher."""
        own = os.uname().nodename
        for hosts in "localhost", "localhost:2", own, own.split(".")[0] + ":1,localhost:1", f"{own},{own.upper()}":
            self.assertEqual(self.output("-n2", "--host", hosts, "echo", "x", environment={"PATH": "/bin:/usr/bin"}),
                             ["x", "x"], hosts)
        self.assertEqual(self.output("-n1", "--local", "--hosts", "127.0.0.1", "echo", "x"), ["x"])
        self.run_job("-n3", "--host", "localhost:2", "true", code=2,
                     said="oshrun: --hosts: the hosts take 2 PEs, but -n requests 3; .*")
        self.run_job("-n2", "--dry-run", "--host", f"localhost,{own}x", "true", code=1,
                     said="oshrun: other hosts need a launcher .*", environment={"PATH": str(self.folder)})

    def test_the_option_that_may_be_meant(self):
        for wrong, meant in (("--hsots", "hosts"), ("-timout", "timeout"), ("--bindto", "bind-to"), ("--tg", None),
                             ("-tagg", "tag"), ("--nods=2", "nodes"), ("-zz", None), ("--something-else", None)):
            hint = f"is --{meant} meant\\? " if meant else ""
            self.run_job("-n2", wrong, "true", code=2,
                         said=f"oshrun: {wrong}: no such option; {hint}oshrun --help lists them")

    def test_programs_of_another_runtime(self):
        """oshrun recognizes another runtime's program by the libraries that the program is linked with."""
        cases = (("liboshmem.so.40", "another OpenSHMEM's library, so that each process is a job of one PE: .*"),
                 ("libcaf_openmpi.so.3", "OpenCoarrays' library, so that each process is a job of one image: .*"),
                 ("libmpi.so.40", "not with libshmem, so that each process is an MPI job of one rank: start it by .*"))
        program = self.folder / "other.c"
        program.write_text("int f(void); int main(void) { return f(); }\n")
        ours = self.folder / "ours.c"
        ours.write_text("#include <shmem.h>\nint f(void);\n"
                        "int main(void) { shmem_init(); shmem_finalize(); return f(); }\n")
        for name, said in cases:
            library = self.folder / name
            run = ["cc", "-x", "c", "-", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", library]
            subprocess.run(run, input=b"int f(void) { return 0; }\n", check=True)
            link = [library, f"-Wl,-rpath,{self.folder}", "-o"]
            subprocess.run(["cc", program, *link, self.folder / "other"], check=True)
            self.run_job("-n2", "./other", said=f"oshrun: ./other is linked with {re.escape(name)},? .*{said}")
            self.run_job("-n2", "--wdir", self.folder, "other", said=f"oshrun: other is linked with .*{said}",
                         environment={"PATH": f"{self.folder}:/bin"})
            subprocess.run([oshrun_jobs.OSHCC, ours, *link, self.folder / "ours"], check=True)
            self.run_job("-n2", "./ours")
        program.write_text('#include <stdlib.h>\nint main(void) { return getenv("GFORTRAN_SHMEM_PPID") != NULL; }\n')
        subprocess.run(["cc", program, "-o", self.folder / "other"], check=True)    # libcaf_shmem is static
        self.run_job("-n2", "./other", said="oshrun: ./other is linked with libcaf_shmem, gfortran's own library, .*")

    def test_number_of_pes_from_the_environment(self):
        for environment, n in (({"SLURM_NTASKS": "3"}, 3), ({"FOR_COARRAY_NUM_IMAGES": "2", "SLURM_NTASKS": "3"}, 2)):
            self.assertEqual(self.output("echo", environment=environment), [""] * n)
            self.assertEqual(self.output("-n", 1, "echo", environment=environment), [""])
        self.run_job("true", code=2, said="oshrun: SLURM_NTASKS x: expected a number of PEs .*",
                     environment={"SLURM_NTASKS": "x"})
        for launched in "PMIX_RANK", "PMI_FD":    # under a launcher, oshrun does not read SLURM_NTASKS
            for job in ["true", ":", "-n", "1", "true"], ["true"]:
                environment = {"SLURM_NTASKS": "2", launched: "0"}
                self.run_job(*job, code=2, said="oshrun: true: how many PEs.*", environment=environment)

    def test_allocations_of_one_machine(self):
        pbs, lsf, sge = (self.folder / name for name in ("pbs", "lsf", "sge"))
        pbs.write_text("a\na\na\n")
        lsf.write_text("a\na\n")
        sge.write_text("a 4 all.q@a UNDEFINED\n")
        for environment, n in (({"PBS_NODEFILE": pbs}, 3), ({"PBS_NP": "2", "PBS_NODEFILE": pbs}, 2),
                               ({"LSB_DJOB_NUMPROC": "2", "LSB_DJOB_HOSTFILE": lsf}, 2),
                               ({"NSLOTS": "3"}, 3), ({"PE_HOSTFILE": sge}, 4),
                               ({"PE_HOSTFILE": sge, "NSLOTS": "2"}, 2)):
            environment = {name: str(value) for name, value in environment.items()}
            self.assertEqual(self.output("echo", environment=environment), [""] * n)
            self.assertEqual(self.output("-n", 1, "echo", environment=environment), [""])
        self.run_job("true", code=2, said="oshrun: PBS_NP none: expected a number of PEs .*",
                     environment={"PBS_NP": "none"})
        pbs.write_text("")
        self.run_job("true", code=2, said="oshrun: true: how many PEs.*", environment={"PBS_NODEFILE": str(pbs)})

    def test_no_memory(self):
        """A list that cannot grow ends oshrun with a sentence."""
        if "san.so" in subprocess.run(["ldd", oshrun_jobs.OSHRUN], stdout=subprocess.PIPE, text=True).stdout:
            self.skipTest("a sanitizer has its own realloc")
        (self.folder / "full.c").write_text("#include <stdlib.h>\n"
                                            "void *realloc(void *p, size_t n) { (void)p; (void)n; return NULL; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "full.c", "-o", "full.so"], cwd=self.folder, check=True)
        self.run_job("-n2", "true", code=1, said="oshrun: no memory is left", environment={"LD_PRELOAD": "./full.so"})

    def test_command_line_errors(self):
        for arguments, sentence in (
                ([], "no program to run"), (["-n", "2"], "no program to run"), (["true"], "true: how many PEs"),
                (["-n"], "-n: N is missing"), (["-n", "0", "true"], "-n 0: expected"),
                (["-n", "2x", "true"], "-n 2x: expected"), (["-n", "-3", "true"], "-n -3: expected"),
                (["-n", "99999999999999999999", "true"], "expected a number of PEs from 1 to 100000"),
                (["--np=", "true"], "--np : expected"), (["-n", "2", "--what", "true"], "--what: no such option"),
                (["-n", "2", "--bind", "socket", "true"], "--bind socket: expected core, numa or none"),
                (["-n", "2", "--nodes", "5", "true"], "--nodes 5: a job of 2 PEs has 1 to 2 nodes"),
                (["-n", "3", "--nodes", "2+2", "true"], "--nodes 2+2: these are 4 PEs, and the job has 3"),
                (["-n", "2", "--watch", "soon", "true"], "--watch soon: expected seconds"),
                (["-n", "2", "--timeout", "-1", "true"], "--timeout -1: expected seconds"),
                (["-n", "2", "-x", "=1", "true"], "-x =1: expected NAME=VALUE"),
                (["-n", "2", "-x", "NO_SUCH_NAME", "true"], "-x NO_SUCH_NAME: not set"),
                (["-n", "1", "true", ":"], "no program to run"), (["-n", "1", "true", ":", "true"], "how many PEs"),
                (["-n", "60000", "true", ":", "-n", "60000", "true"], "120000 PEs in all")):
            with self.subTest(arguments):
                self.run_job(*arguments, code=2, said=f"oshrun: .*{re.escape(sentence)}.*")

    def test_help_and_version(self):
        text = self.run_job("--help").printed()
        for option in "-n", "--np", "--wdir", "-x", "--env", "--bind", "--tag", "--watch", "--timeout", "--verbose":
            self.assertIn(option, text)
        self.assertRegex(self.run_job("--version").printed(), r"^oshrun \(Copal\) \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    oshrun_jobs.main()
