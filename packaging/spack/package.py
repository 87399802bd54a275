# Copal for Spack 1.0 and later: copy this file to your repository as packages/copal/package.py, and replace
# copal.example by the address of the sources.
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Copal(CMakePackage):
    """OpenSHMEM 1.6 for C, C++ and Fortran, within a node and between nodes; coarrays of Fortran 2018 for gfortran; and
    the collectives library SHCOLL."""

    homepage = "https://copal.example/"
    git = "https://copal.example/copal.git"

    license("BSD-3-Clause")

    version("0.1.0", tag="v0.1.0")

    variant("ucx", default=True, description="Jobs that span nodes, by UCX")
    variant("libfabric", default=True, description="Jobs that span nodes, by libfabric")
    variant("pmix", default=True, description="Start by srun, mpirun and prterun, by PMIx")
    variant("elfutils", default=True, description="Source lines in backtraces, by elfutils' libdw")
    variant("profile", default=True, description="What oshrun --profile needs")
    variant("races", default=True, description="What oshrun --races needs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type=("build", "run"))
    depends_on("mimalloc")
    depends_on("ucx", when="+ucx")
    depends_on("libfabric", when="+libfabric")
    depends_on("pmix", when="+pmix")
    depends_on("elfutils", when="+elfutils")

    # The library supports the coarray interfaces of these versions.
    requires("%gcc@12:16", msg="coarrays need gfortran 12 to 16")
    conflicts("platform=darwin", msg="Copal is for Linux")

    generator("ninja")

    # The tools call the compiler itself, not Spack's wrapper around it.
    filter_compiler_wrappers("oshcc", "oshc++", "oshfort", "caf", relative_root="bin")

    def cmake_args(self):
        return [
            self.define("COPAL_TESTS", False),
            self.define("COPAL_CCACHE", False),
            self.define_from_variant("COPAL_UCX", "ucx"),
            self.define_from_variant("COPAL_OFI", "libfabric"),
            self.define_from_variant("COPAL_PMIX", "pmix"),
            self.define_from_variant("COPAL_ELFUTILS", "elfutils"),
            self.define_from_variant("COPAL_PROFILE", "profile"),
            self.define_from_variant("COPAL_RACES", "races"),
        ]
