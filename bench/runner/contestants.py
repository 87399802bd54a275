"""The sides of a comparison that can run here: how each compiles a program and how it starts one."""

import os
import re
import shutil
from dataclasses import dataclass, field

from model import SIDES
from sides import (HERE, MPI_OVER_TCP, MPICH_ENV, OPEN_MPI_CROWDED, OPEN_MPI_ENV, OPEN_MPI_OPTIONS, OSHMEM_OPTIONS,
                   copal, find_mpi, find_opencoarrays, find_oshmem, first_line, open_mpi_files, output_of)

COMMON_ENV = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # one thread for each PE in whatever library it calls
# As between nodes, on one machine.  Of Open MPI's one-sided components "sm" uses shared memory whatever its messages do.
OPEN_MPI_OVER_TCP = ["--mca", "osc", "pt2pt", *MPI_OVER_TCP]


@dataclass
class Contestant:
    """One side.  compilers: {(interface, suffix of the last source): command}; launchers: {interface: command}; over_tcp is
    the launcher's command where a job spans nodes (None: it cannot), crowded its options with more PEs than cores."""
    name: str
    version: str
    compilers: dict
    launchers: dict
    env: dict = field(default_factory=dict)
    crowded: tuple = ()
    over_tcp: list | None = None
    peer: bool = True
    flags: tuple = ()        # of the compiler, in front of the sources
    made_of: tuple = ()      # files of the side itself: where they change, what was measured is no longer of this side

    def can_run(self, run, program):
        return program.interface in SIDES[self.name] and (run.nodes == 1 or self.name == "copal" or bool(self.over_tcp))

    def own_environment(self, run):
        """What is particular to this run."""
        if self.name == "oshmem":
            return {**oshmem_heap(run.pes), **dict(run.env)}
        nodes = {"SHMEM_NODES": str(run.nodes)} if self.name == "copal" and run.nodes > 1 else {}
        return {**nodes, **dict(run.env)}

    def environment(self, run):
        return {**os.environ, **COMMON_ENV, **self.env, **self.own_environment(run)}

    def command(self, run, program, binary, cores):
        launcher = self.over_tcp if run.nodes > 1 and self.over_tcp else self.launchers[program.interface]
        crowded = self.crowded if run.pes > cores else ()
        pes = [str(run.pes)] if self.name == "floor" else ["-n", str(run.pes)]
        return [*launcher, *crowded, *pes, str(binary), *run.arguments]


def oshmem_heap(pes):
    """Its symmetric heaps take all their memory at once: 2 GiB for a job where that leaves each PE enough.  A run that needs
    more says so in its env."""
    size = f"{min(max(2048 // pes, 128), 1024)}M"
    return {"SHMEM_SYMMETRIC_SIZE": size, "SHMEM_SYMMETRIC_HEAP_SIZE": size}


def find_copal(build):
    found = copal(build)
    if not found:
        return f"Copal: {build / 'bin/oshcc'} is not built"
    oshcc, oshrun, version = found
    tools = build / "bin"
    libraries = sorted(file for file in (build / "lib").glob("*.so*") if not file.is_symlink())
    headers = sorted((HERE.parent / "include").rglob("*.h"))
    return Contestant("copal", re.sub(r"^\w+ \((.*)\)", r"\1", version), peer=False, made_of=(*libraries, *headers),
                      compilers={("shmem", ".c"): [oshcc], ("shmem", ".f90"): [str(tools / "oshfort")],
                                 ("caf", ".f90"): [str(tools / "caf")]},
                      launchers={"shmem": [oshrun], "caf": [str(tools / "cafrun")]})


def of_open_mpi(scratch):
    return {"env": {**OPEN_MPI_ENV, **open_mpi_files(scratch)}, "crowded": tuple(OPEN_MPI_CROWDED)}


def find_open_mpi_oshmem(scratch):
    found = find_oshmem()
    if not found:
        return "Open MPI OSHMEM: not on the path (Debian: openmpi-bin, libopenmpi-dev)"
    oshcc, oshrun, version = found
    return Contestant("oshmem", version, launchers={"shmem": [oshrun, *OSHMEM_OPTIONS]},
                      compilers={("shmem", ".c"): [oshcc], ("shmem", ".f90"): [oshcc.replace("oshcc", "oshfort")]},
                      over_tcp=[oshrun, *OPEN_MPI_OPTIONS, *MPI_OVER_TCP, "-x", "UCX_TLS=tcp,self"], **of_open_mpi(scratch))


def find_coarrays(scratch):
    found = find_opencoarrays()
    if not found:
        return "OpenCoarrays: not on the path (Debian: libcoarrays-openmpi-dev)"
    caf, mpirun, version = found
    return Contestant("opencoarrays", version, {("caf", ".f90"): [caf]}, {"caf": [mpirun, *OPEN_MPI_OPTIONS]},
                      over_tcp=[mpirun, *OPEN_MPI_OVER_TCP], **of_open_mpi(scratch))


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


def find_floor(output):
    cc = shutil.which("cc")
    if not cc:
        return "floor: there is no C compiler cc"
    return Contestant("floor", "bare processes", {("bare", ".c"): [cc]}, {"bare": [str(output / "bin/floor/launch")]},
                      peer=False, flags=(f"-I{HERE / 'floor/node'}",))


def find_installed(scratch, programs):
    """The programs that packages brought; those that did not come are said by name."""
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
    """Those of the sides named that can run here, {name: Contestant}, and what is missing, sentence by sentence."""
    installed = [program for program in programs if program.interface == "installed"]
    find = {"copal": lambda: find_copal(build), "oshmem": lambda: find_open_mpi_oshmem(scratch),
            "opencoarrays": lambda: find_coarrays(scratch), "openmpi": lambda: find_open_mpi(scratch),
            "mpich": find_mpich, "floor": lambda: find_floor(output), "system": lambda: find_installed(scratch, installed)}
    found = {name: find[name]() for name in SIDES if name in names}
    there = {name: side for name, side in found.items() if isinstance(side, Contestant)}
    return there, [text for text in found.values() if isinstance(text, str)]
