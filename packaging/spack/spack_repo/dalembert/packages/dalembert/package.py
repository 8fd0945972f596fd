# Spack's package, in a repository of its own for Spack 1.0 and later (doc/installing.md). Its directives are checked by tool/check packaging;
# it has not been built.
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Dalembert(CMakePackage):
    """Simulation of mechanical systems with nonholonomic constraints by published structure-preserving methods."""

    # What is committed in this clone. At publication: homepage, url, and sha256 of the version.
    git = f"file://{Path(__file__).resolve().parents[6]}"

    license("BSD-3-Clause")

    version("0.2.0", branch="main")

    variant("app", default=True, description="The program and the library that reads problem and study files")
    variant("python", default=True, description="The Python package")
    variant("mpi", default=False, description="Ensembles of many processes")
    variant("shared", default=True, description="Shared libraries")

    conflicts("+python", when="~app", msg="The Python package has the program inside")
    conflicts("+mpi", when="~app", msg="Processes are those of the program")
    conflicts("platform=darwin", msg="macOS does not compile it yet")
    conflicts("platform=windows", msg="Windows does not compile it yet")
    conflicts("%gcc@:11")
    conflicts("%clang@:13")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")

    # Pictures are drawn by gnuplot, where it is on the PATH.
    with when("+app"):
        depends_on("boost@1.74:", type="build")
        depends_on("cli11", type="build")
        depends_on("eigen@3.3:", type="build")
        depends_on("nlohmann-json", type="build")
        depends_on("random123", type="build")
        depends_on("fmt")
        depends_on("hdf5@1.10.7:~mpi")
        depends_on("tomlplusplus")

    depends_on("mpi", when="+mpi")

    with when("+python"):
        extends("python")
        depends_on("python@3.10:", type=("build", "link", "run"))
        depends_on("py-pybind11@2.12:", type="build")
        depends_on("py-numpy@1.22:", type=("build", "run"))

    def cmake_args(self):
        arguments = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("DALEMBERT_BUILD_APP", "app"),
            self.define_from_variant("DALEMBERT_BUILD_PYTHON", "python"),
            self.define_from_variant("DALEMBERT_MPI", "mpi"),
            self.define("CMAKE_UNITY_BUILD", True),
            self.define("DALEMBERT_BUILD_EXAMPLES", False),
            self.define("DALEMBERT_BUILD_TESTS", False),
        ]
        if self.spec.satisfies("+python"):
            arguments.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
        return arguments

    @run_after("install", when="+python")
    def install_python(self):
        cmake("--install", self.builder.build_directory, "--component", "python", "--prefix", python_platlib)

    @run_after("install", when="+app")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.dalembert)("run", "rolling-coin", "--method", "gauss", "--step", "0.05", "--until", "5")
