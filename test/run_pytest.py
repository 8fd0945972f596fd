"""Runs the Python tests of a folder, run_pytest.py FOLDER; further arguments go to pytest.

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

    folder = pathlib.Path(__file__).parent / sys.argv[1]
    return pytest.main(["-q", "-p", "no:cacheprovider", str(folder), *sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())
