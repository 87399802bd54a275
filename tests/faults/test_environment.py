#!/usr/bin/env python3
"""The environment: the SHMEM_ variables with their SMA_ twins, the list of all settings, a program without oshrun, and
restricted environments (few descriptors, little address space, no HOME, no /dev/shm), in which a job works or reports
why it cannot."""

import contextlib
import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import tempfile

from faults import Tests, sentences
from support import refusing

KB, MB = 1 << 10, 1 << 20

# SHMEM_SYMMETRIC_SIZE, the number of bytes that it means, and a size that must not fit: the heap may be larger than
# requested, but a misread suffix must be detected.
SIZES = (
    ("1000000", 1000000, 16 * MB), ("20k", 20 * KB, 8 * MB), ("20K", 20 * KB, 8 * MB), ("20m", 20 * MB, 60 * MB),
    ("3.1M", 3250586, 12 * MB), ("3.1m", 3250586, 12 * MB), (".5m", MB // 2, 8 * MB), ("0.5m", MB // 2, 8 * MB),
    ("20kk", 20 * KB, 8 * MB), ("2mb", 2 * MB, 10 * MB), ("0.25g", 256 * MB, 600 * MB), ("1G", 1024 * MB, 2048 * MB),
    (".001t", 1099511628, 2500 * MB), ("5.", 1, 8 * MB), ("7.5", 8, 8 * MB), ("100.0k", 100 * KB, 8 * MB),
)
BAD_SIZES = ("abc", " ", "-1", "-5m", "m", ".", "10x", "5 apples", "nan", "inf", "1..5m", "0x", "99999999999t", "1e30",
             "900000t")


def heap_of(tests, heap, env, n_pes=2):
    """The largest block that a job with this environment can allocate."""
    ended = tests.job(n_pes, heap, env=env)
    match = re.search(r"^heap (\d+)$", ended.out, re.M)
    return int(match[1]) if match else None, ended


def sizes(tests, heap):
    for text, least, too_much in SIZES:
        name = f"SHMEM_SYMMETRIC_SIZE={text}"
        if not tests.wanted(name):
            continue
        env = {"SHMEM_SYMMETRIC_SIZE": text}
        size, ended = heap_of(tests, heap, env)
        tests.check_good(name, ended)
        tests.check(name, size is not None and least <= size < too_much, f"largest block is {size}, expected {least}",
                    ended)
        ended = tests.job(2, heap, str(least), env=env)
        tests.check(name, "fits 1" in ended.out, f"{least} bytes do not fit", ended)
    if tests.wanted("SHMEM_SYMMETRIC_SIZE=0"):
        tests.check_good("SHMEM_SYMMETRIC_SIZE=0", tests.job(2, heap, "1", env={"SHMEM_SYMMETRIC_SIZE": "0"}))
    name = "the most that the address space has, as advised"
    if tests.wanted(name):
        ended = tests.job(2, heap, "100", env={"SHMEM_SYMMETRIC_SIZE": "16t"})
        advised = re.search(r"allowed for 2 PEs are at most (\d+m), which fit in the address space$", ended.err, re.M)
        tests.check(name, advised, "no size is advised", ended)
        if advised:
            tests.check_good(name, tests.job(2, heap, "100", env={"SHMEM_SYMMETRIC_SIZE": advised[1]}))
    for variable in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"):
        for text in BAD_SIZES if variable[1] == "H" else ("abc", "-1"):
            name = f"{variable}={text} is refused"
            if not tests.wanted(name):
                continue
            ended = tests.job(2, heap, "100", env={variable: text})
            tests.check_clean(name, ended)
            tests.check(name, ended.code not in (0, "hangs"), "exit code is 0", ended)
            tests.check(name, any("SYMMETRIC_SIZE" in line and (text in line or len(text) > 5) for line in
                                  sentences(ended.err)), "no sentence names variable and value", ended)


TOO_LARGE = r'SHMEM_SYMMETRIC_SIZE is "{}", which is too large: allowed for {} PEs? are at most \d+m'


def refused(tests, hello):
    """A value that is not allowed ends the job with one message, whichever program reads it, and oshrun adds no other
    reason."""
    cases = [({name: value}, re.escape(f'{name} is "{value}", allowed')) for name, value in (
        ("SHMEM_NODES", "abc"), ("SHMEM_NODES", "1+3"), ("SHMEM_BOOT", "foo"), ("SHMEM_BACKTRACE", "2"),
        ("SHMEM_TRACE", "5"), ("SMA_TRACE", "no"), ("COPAL_PMIX_COLLECT", "yes"), ("SHCOLL_INFO", "2"))]
    cases.append(({"SHMEM_BOOT": "directory"}, "allowed is auto or mpi: .*; start them over ssh by mpirun or prterun"))
    cases += [({"SHMEM_SYMMETRIC_SIZE": value}, TOO_LARGE.format(value, 3)) for value in ("9999999t", "900000t")]
    cases.append(({"SHMEM_NODES": "3", "SHMEM_NET": "emu", "SHMEM_FABRIC": "foo"}, "fabric foo: there is no such file"))
    for env, said in cases:
        name = f"{env} is refused"
        if not tests.wanted(name):
            continue
        ended = tests.job(3, hello, env=env)
        tests.check_clean(name, ended)
        tests.check(name, ended.code == 1, f"exit code is {ended.code}", ended)
        tests.check(name, len(sentences(ended.err)) == 1 and re.search(said, ended.err), f"{said} is not said", ended)
        tests.check(name, not re.search("exited with|install", ended.err), "another reason is said", ended)
    for value, code in ("nonsense", 1), ("2+", 1), ("0", 1), ("1+x", 1), ("2", 0), ("3+1", 0):
        name = f"SHMEM_NODES={value} with one PE"
        if tests.wanted(name):
            env = {"SHMEM_NODES": value}
            for ended in tests.run([hello], env=env), tests.job(1, hello, env=env):
                tests.check_clean(name, ended)
                said = f'SHMEM_NODES is "{value}", allowed is a number of nodes' in ended.err
                tests.check(name, (ended.code, said) == (code, code == 1), f"exit code is {ended.code}", ended)
    name = "SHMEM_FABRIC without SHMEM_NET"
    if tests.wanted(name):
        ended = tests.job(3, hello, env={"SHMEM_NODES": "3", "SHMEM_FABRIC": "foo"})
        tests.check_good(name, ended)
        tests.check(name, ended.err == 'copal: PE 0: shmem_init: environment variable SHMEM_FABRIC is "foo", and this '
                    'network is not emulated, because SHMEM_NET is "auto"; set SHMEM_NET=emu as well, or start the job '
                    'by oshrun --fabric\n', "that is not what is said", ended)


def default_size(tests, heap):
    """If the variable is not set, the file is not needed."""
    name = "default heap"
    if tests.wanted(name):
        size, ended = heap_of(tests, heap, {})
        tests.check_good(name, ended)
        tests.check(name, size and size >= 256 * MB, f"largest block is {size}", ended)


def twins(tests, heap, hello):
    if tests.wanted("SMA_SYMMETRIC_SIZE"):
        size, ended = heap_of(tests, heap, {"SMA_SYMMETRIC_SIZE": "20m"})
        tests.check("SMA_SYMMETRIC_SIZE", size and 20 * MB <= size < 60 * MB, f"largest block is {size}", ended)
    if tests.wanted("SHMEM_ wins over SMA_"):
        size, ended = heap_of(tests, heap, {"SMA_SYMMETRIC_SIZE": "1g", "SHMEM_SYMMETRIC_SIZE": "20m"})
        tests.check("SHMEM_ wins over SMA_", size and 20 * MB <= size < 60 * MB, f"largest block is {size}", ended)
    for prefix in ("SHMEM", "SMA"):
        for variable, wants in (("VERSION", [r"1\.6", "Copal|copal"]),
                                ("INFO", [f"SHMEM_{v}" for v in ("VERSION", "INFO", "SYMMETRIC_SIZE", "DEBUG")])):
            name = f"{prefix}_{variable}"
            if not tests.wanted(name):
                continue
            ended = tests.job(2, hello, env={name: "1"})
            tests.check_good(name, ended)
            text = ended.out + ended.err
            tests.check(name, all(re.search(want, text) for want in wants), f"output lacks one of {wants}", ended)
            tests.check(name, "hello from PE 1 of 2" in ended.out, "the program's output is gone", ended)
            quiet = tests.job(2, hello)
            more = len(text.split()) - len((quiet.out + quiet.err).split())
            tests.check(name, more > 0, "prints nothing of its own", ended)
        name = f"{prefix}_DEBUG"
        if tests.wanted(name):
            tests.check_good(name, tests.job(2, hello, env={name: "1"}))


def told(tests, hello):
    """SHMEM_INFO prints the value of each setting and where the value comes from."""
    names = ("message", "put", "nbi", "get", "stream", "later", "block", "sends", "asked", "pieces", "reach")
    bounded = {"message": 8192, "get": 4096, "block": 4096, "reach": 2**63}
    limits = [f"{name}={bounded.get(name, 2**64 - 1)}" for name in names]
    cases = (
        ("of the environment", {"SHMEM_SYMMETRIC_SIZE": "64m"}, "SHMEM_SYMMETRIC_SIZE = 64m (environment)"),
        ("of an old name", {"SMA_SYMMETRIC_SIZE": "8192k"}, "SHMEM_SYMMETRIC_SIZE = 8m (environment)"),
        ("of a default", {}, "SHMEM_PROGRESS = auto (default)"),
        ("of an old name that had no twin", {"SMA_PROGRESS": "none"}, "SHMEM_PROGRESS = none (environment)"),
        ("of SHCOLL", {"SHCOLL_REDUCE": "ring"}, "SHCOLL_REDUCE = ring (environment)"),
        ("of SHCOLL's default", {}, "SHCOLL_INFO = 0 (default)"),
        ("of oshrun", {"COPAL_OUTLIVE": "1"}, "COPAL_OUTLIVE = 0 (oshrun)"),
        ("of all limits between nodes, however large", {"SHMEM_NODES": "2", "SHMEM_NET_TUNE": ",".join(limits)},
         f"SHMEM_NET_TUNE = {','.join(limits)} (environment)"),
    )
    for what, env, wanted in cases:
        name = f"SHMEM_INFO tells the value {what}"
        if tests.wanted(name):
            ended = tests.job(2, hello, env={"SHMEM_INFO": "1", **env})
            tests.check_good(name, ended)
            tests.check(name, ended.out.count(f"  {wanted}\n") == 1, f"there is no line '{wanted}'", ended)
    name = "SHMEM_INFO tells what bounds the heap"
    if tests.wanted(name) and not tests.sanitized:
        ended = tests.job(2, hello, env={"SHMEM_INFO": "1"}, preexec_fn=limited(resource.RLIMIT_AS, 8192 * MB))
        tests.check_good(name, ended)
        tests.check(name, re.search(r"SHMEM_SYMMETRIC_SIZE = \d+m \(ulimit -v\)", ended.out), "another bound", ended)


def misspelt(tests, hello):
    """A name that differs from one of Copal's by a letter is reported once, and a similar name if SHMEM_INFO or
    SHMEM_DEBUG is set; names of other programs are ignored."""
    likely = {"SHMEM_SYMETRIC_SIZE": "SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE": "SHMEM_SYMMETRIC_SIZE",
              "SMA_DEBGU": "SHMEM_DEBUG", "SHCOLL_REDUCED": "SHCOLL_REDUCE", "COPAL_OUTLIVES": "COPAL_OUTLIVE"}
    one_letter = ("SHMEM_SYMETRIC_SIZE", "SMA_SYMMETRIC_SIZES", "SHMEM_DEPUG", "SHCOLL_REDUCED", "COPAL_OUTLIVES")
    likely.update({"SMA_SYMMETRIC_SIZES": "SHMEM_SYMMETRIC_SIZE", "SHMEM_DEPUG": "SHMEM_DEBUG"})
    for asked in ("SHMEM_INFO", "SMA_DEBUG", None):
        for wrong, right in likely.items():
            name = f"{wrong} is told by {asked}" if asked else f"{wrong} is told unasked"
            if tests.wanted(name) and (asked or wrong in one_letter):
                ended = tests.job(2, hello, env={**({asked: "1"} if asked else {}), wrong: "1"})
                tests.check_good(name, ended)
                sentence = (f"copal: PE 0: shmem_init: environment variable {wrong} is not known, and not read; "
                            f"is {right} meant?\n")
                tests.check(name, ended.err == sentence, "it says something else", ended)
    others = {"SHMEM_HOME": "/usr", "SHMEM_TEST": "1", "COPAL_NETLAB": "1", "SHCOLL": "1", "SMART": "1",
              "SHMEM_DEBUG": "1", "SMA_SYMMETRIC_SIZE": "64m", "SHMEM_NODES": "1", "SHCOLL_SCAN": "linear"}
    name = "names of others are not told"
    if tests.wanted(name):
        ended = tests.job(2, hello, env=others)
        tests.check_good(name, ended)
        tests.check(name, not ended.err, "something is told", ended)
    name = "what is less like ours is not told unasked"
    if tests.wanted(name):
        ended = tests.job(2, hello, env={wrong: "1" for wrong in likely if wrong not in one_letter})
        tests.check_good(name, ended)
        tests.check(name, not ended.err, "something is told", ended)


def off(tests, heap):
    """The value "no" switches a flag off."""
    quiet = tests.job(2, heap)
    for value in "0", "no", "False":
        name = f"flags that are {value}"
        if tests.wanted(name):
            env = {f"{prefix}_{flag}": value for prefix in ("SHMEM", "SMA")
                   for flag in ("VERSION", "INFO", "DEBUG", "NET_STATS")}
            ended = tests.job(2, heap, env={**env, "SHMEM_NODES": "2"})
            tests.check_good(name, ended)
            tests.check(name, (ended.out, ended.err) == (quiet.out, quiet.err), "not what is printed without", ended)


def empty(tests, heap):
    """An empty value counts as not set."""
    name = "settings that are empty"
    if tests.wanted(name):
        variables = [f"{prefix}_{name}" for prefix in ("SHMEM", "SMA") for name in
                     ("VERSION", "INFO", "SYMMETRIC_SIZE", "DEBUG", "NBI_NODE")]
        ended = tests.job(2, heap, env={name: "" for name in [*variables, "SHMEM_NODES", "SHMEM_PROGRESS"]})
        tests.check_good(name, ended)
        tests.check(name, re.fullmatch(r"heap \d{9,}\n", ended.out), "not what is printed without", ended)
        size, ended = heap_of(tests, heap, {"SHMEM_SYMMETRIC_SIZE": "", "SMA_SYMMETRIC_SIZE": "20m"})
        tests.check(name, size and 20 * MB <= size < 60 * MB, f"largest block is {size}", ended)


def alone(tests, hello):
    """A program without oshrun is a job of one PE, also if a PE starts it."""
    if tests.wanted("without oshrun"):
        ended = tests.run([hello])
        tests.check_good("without oshrun", ended)
        tests.check("without oshrun", ended.out == "hello from PE 0 of 1\n", "other output", ended)
    if tests.wanted("behind a shell"):
        ended = tests.job(2, "sh", "-c", f"{hello}; exit $?")
        tests.check_good("behind a shell", ended)
        tests.check("behind a shell", "hello from PE 1 of 2" in ended.out, "not the job's PEs", ended)


# Variables of launchers that give a process the job's size and its rank, without a method to join the other processes.
LAUNCHERS = (("PMI_SIZE", "PMI_RANK"), ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
             ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"), ("JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK"),
             ("FLUX_JOB_SIZE", "FLUX_TASK_RANK"), ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"))


def pals_describes(file, n):
    """The head of pals.h's file, up to the number of processes."""
    file.seek(0)
    file.write(struct.pack("@iNNNiNNiNNiNNi", 5, 4096, 32, 160, 0, 12, 160, 1, 12, 172, n, 68, 172 + 12 * n, 1))
    file.flush()


def one_of_several(tests, hello):
    """Processes of one launch that cannot find each other end with a message, instead of running as separate jobs."""
    for size, rank in LAUNCHERS:
        name = f"one of several, says {size}"
        if not tests.wanted(name):
            continue
        right = [("1", {}), ("3", {rank: None}), ("3", {"COPAL_PE_PID": "1"})]
        if rank == "SLURM_PROCID":
            right += [("3", {"SLURM_STEP_ID": str(step)}) for step in (0xfffffffa, 0xfffffffb)]    # salloc's, sbatch's
        for value, more in right:
            ended = tests.run([hello], env={size: value, rank: "0", **more})
            tests.check_good(name, ended)
            tests.check(name, ended.out == "hello from PE 0 of 1\n", "other output", ended)
        tests.check_good(name, tests.job(2, hello, env={size: "3", rank: "0"}))
        ended = tests.run([hello], env={size: "3", rank: "2"})
        tests.check_clean(name, ended)
        tests.check(name, ended.code == 1 and "hello" not in ended.out, f"exit code is {ended.code}", ended)
        tests.check(name, ended.err.count("\n") == 1 and f"number 2 of 3 ({size})" in ended.err, "no sentence", ended)

    name = "one of several, says ALPS_APP_PE"    # launchers set this variable without the number of processes
    if tests.wanted(name):
        for env in {"ALPS_APP_PE": "0"}, {"ALPS_APP_PE": "2", "COPAL_PE_PID": "1"}:
            tests.check_good(name, tests.run([hello], env=env))
        ended = tests.run([hello], env={"ALPS_APP_PE": "2"})
        tests.check_clean(name, ended)
        tests.check(name, ended.code == 1 and "number 2 of several (ALPS_APP_PE)" in ended.err, "no sentence", ended)
    name = "one of several, says PALS_RANKID"    # a file has the number of processes
    if tests.wanted(name):
        with tempfile.NamedTemporaryFile() as file:
            for n, rank, more in (1, "0", {}), (3, "0", {"COPAL_PE_PID": "1"}):
                pals_describes(file, n)
                tests.check_good(name, tests.run([hello], env={"PALS_RANKID": rank, "PALS_APINFO": file.name, **more}))
            tests.check_good(name, tests.job(2, hello, env={"PALS_RANKID": "0", "PALS_APINFO": file.name}))
            for rank in "0", "2":
                for described, n in (file.name, "3"), ("/nowhere", "an unknown number"), (None, "an unknown number"):
                    ended = tests.run([hello], env={"PALS_RANKID": rank, "PALS_APINFO": described})
                    tests.check_clean(name, ended)
                    tests.check(name, ended.code == 1 and f"number {rank} of {n} (PALS_RANKID)" in ended.err,
                                "no sentence", ended)
    name = "one of several of MVAPICH's mpirun_rsh"
    if tests.wanted(name):
        ended = tests.run([hello], env={"PMI_PORT": "host:1234", "PMI_ID": "0", "MPIRUN_NPROCS": "2"})
        tests.check(name, ended.code == 1 and "mpirun_rsh" in ended.err, "no sentence", ended)


def another_file(tests, hello):
    """COPAL_JOB names a file that is not oshrun's job file."""
    name = "a job file that is none"
    if tests.wanted(name):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(1 << 20))
            file.flush()
            ended = tests.run([hello], env={"COPAL_JOB": f"{os.getpid()}:{file.fileno()}:0:1"})
        tests.check(name, ended.code == 1 and "it is another file" in ended.err, "says something else", ended)


def limited(which, value):
    """Limits that a child process sets for itself before it executes oshrun."""
    return lambda: resource.setrlimit(which, (value, value))


def works_or_explains(tests, name, ended):
    tests.check_clean(name, ended)
    if ended.code != 0:
        said = [line for line in ended.err.splitlines() if re.match(r"(copal|oshrun):", line)]
        tests.check(name, said, f"exit code is {ended.code} and nothing is explained", ended)


def poor_surroundings(tests, hello, heap):
    limits = (
        ("RLIMIT_NOFILE", 64, 4), ("RLIMIT_NOFILE", 16, 4), ("RLIMIT_NOFILE", 6, 2),
        ("RLIMIT_AS", 64 * MB, 2), ("RLIMIT_AS", 1024 * MB, 2), ("RLIMIT_AS", 8192 * MB, 4),
        ("RLIMIT_DATA", 32 * MB, 2), ("RLIMIT_FSIZE", 4096, 2), ("RLIMIT_FSIZE", 0, 2), ("RLIMIT_STACK", 256 * KB, 2),
        ("RLIMIT_MEMLOCK", 0, 2), ("RLIMIT_CORE", 0, 2),
    )
    for limit, value, n_pes in limits:
        name = f"{limit} of {value} -n {n_pes}"
        if tests.sanitized and limit in ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_STACK"):
            continue  # the sanitizer itself needs more
        if tests.wanted(name):
            ended = tests.job(n_pes, hello, preexec_fn=limited(getattr(resource, limit), value))
            works_or_explains(tests, name, ended)
    good = {"no HOME": {"HOME": None}, "no PATH": {"PATH": None}, "C locale": {"LC_ALL": "C", "LANG": None},
            "TMPDIR nowhere": {"TMPDIR": "/nonexistent"}}
    for name, env in good.items():
        if tests.wanted(name):
            tests.check_good(name, tests.job(2, hello, env=env))
    if tests.wanted("heap larger than memory is not touched"):
        name = "heap larger than memory is not touched"
        tests.check_good(name, tests.job(2, heap, "1000000", env={"SHMEM_SYMMETRIC_SIZE": "64g"}))
    streams = {"stdin closed": 0, "stdout closed": 1, "stderr closed": 2}
    for name, fd in streams.items():
        if tests.wanted(name):
            close = f'exec "$@" {fd}{"<" if fd == 0 else ">"}&-'
            ended = tests.run(["sh", "-c", close, "sh", tests.args.oshrun, "-n", "2", hello])
            tests.check_clean(name, ended)
            tests.check(name, ended.code == 0 or fd == 1, f"exit code is {ended.code}", ended)


def closed_files(tests, closed):
    """A program that has closed its standard files before shmem_init."""
    for name, command in (("alone", [closed]), ("beside others", [tests.args.oshrun, "-n", "2", closed])):
        if tests.wanted(f"standard files closed, {name}"):
            ended = tests.run(command)
            tests.check_clean(name, ended)
            tests.check(name, ended.code == 0, f"exit code is {ended.code}", ended)


def no_memfd(tests, hello):
    """If memfds are refused, a file without a name is used; if this is not possible either, a message says so."""
    name = "memfd_create is refused"
    if not tests.wanted(name):
        return
    try:
        subprocess.run(["true"], preexec_fn=refusing("memfd_create"))
    except subprocess.SubprocessError:
        print(f"skipped {name}: filters of system calls are not allowed here")
        return
    for command in ([hello], [tests.args.oshrun, "-n", "1", hello], [tests.args.oshrun, "-n", "4", hello]):
        tests.check_good(name, tests.run(command, preexec_fn=refusing("memfd_create")))
        ended = tests.run(command, preexec_fn=refusing("memfd_create", "fstatfs"))
        tests.check(name, ended.code == 1 and "memfd_create: Operation not permitted" in ended.err
                    and "/dev/shm" in ended.err, f"exit code is {ended.code}, or what is refused is not named", ended)


def no_shm(tests, hello):
    """A job works although /dev/shm cannot be written."""
    name = "/dev/shm read-only"
    if "FAULTS_PRIVATE_SHM" not in os.environ or not tests.wanted(name):
        return
    readonly = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o ro tmpfs /dev/shm && exec "$@"', "sh"]
    if subprocess.run([*readonly, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        tests.check_good(name, tests.run([*readonly, tests.args.oshrun, "-n", "4", hello]))


def full_disk(tests, hello):
    """A file that cannot be written completely is reported and removed."""
    name = "a full disk"
    folder = pathlib.Path("/dev/shm/full")
    tools = pathlib.Path(tests.launcher).parent
    if not tests.wanted(name) or not (tools / "copal-profile").exists() or \
            os.environ.get("FAULTS_PRIVATE_SHM") != "1":
        return
    (folder / "profile").mkdir(parents=True)
    with open(folder / "filling", "wb") as filling:
        for size in 4096, 1:
            with contextlib.suppress(OSError):
                while True:
                    os.write(filling.fileno(), bytes(size))
    full = "No space left on device"
    ended = tests.job(2, f"--profile={folder}/profile", "--trace", hello)
    tests.check(name, re.search(f"copal: PE 0: the profile cannot be written to .*: {full}", ended.err),
                "of the profile nothing is told", ended)
    ended = tests.run([tools / "copal-tune", "--quick", "--pes", "2", "--collective", "sync", "-o", folder / "table"])
    tests.check(name, f"the table cannot be written to {folder}/table: {full}" in ended.err, "of the table nothing is "
                "told", ended)
    log = ["sh", "-c", 'log=$1; shift; exec "$@" >"$log" 2>&1', "sh", folder / "log"]
    ended = tests.run([*log, tests.launcher, "-n", "2", hello])
    tests.check(name, (ended.code, (folder / "log").stat().st_size) == (1, 0), "the job does not go on", ended)
    (folder / "log").unlink()
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    tests.check(name, left == ["filling"], f"left are {left}", ended)
    shutil.rmtree(folder)


def main():
    tests = Tests()
    heap, hello, closed = tests.build("heap", "hello", "closed")
    sizes(tests, heap)
    refused(tests, hello)
    default_size(tests, heap)
    twins(tests, heap, hello)
    told(tests, hello)
    misspelt(tests, hello)
    off(tests, heap)
    empty(tests, heap)
    alone(tests, hello)
    one_of_several(tests, hello)
    another_file(tests, hello)
    poor_surroundings(tests, hello, heap)
    closed_files(tests, closed)
    no_shm(tests, hello)
    no_memfd(tests, hello)
    full_disk(tests, hello)
    tests.verdict()


if __name__ == "__main__":
    main()
