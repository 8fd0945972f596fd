"""Runs the tests of faults; arguments go to pytest.

The environment: DALEMBERT_PROGRAM, the program; DALEMBERT_FAULT_LIBRARY, what CMake makes of fault.c;
DALEMBERT_FAULT_KILLS, the number of kills at random moments (20; a night may take 200 or more);
DALEMBERT_FAULT_STRIDE, 1 to try every write in every case, which takes many minutes.
Exit status 77, which ctest reports as skipped, where a module that they need is missing.
"""

import importlib.util
import pathlib
import sys

MODULES = ("pytest", "h5py", "numpy")


def main():
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)}")
        return 77
    import pytest

    return pytest.main(["-q", "-p", "no:cacheprovider", str(pathlib.Path(__file__).parent), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
