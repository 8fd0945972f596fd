"""Runs the Python tests of a folder, run_pytest.py FOLDER [--part K/N]; further arguments go to pytest.

With --part every N-th test from the K-th on, so that N calls run all of them side by side. Exit status 77, which ctest reports as
skipped, where a module that they need is missing.
"""

import importlib.util
import os
import pathlib
import sys

MODULES = ("pytest", "h5py", "numpy")
MORE = {"python": ("distributed", "ipykernel", "matplotlib", "mypy", "nbclient", "pandas", "scipy", "xarray")}


def part(text):
    """A plugin that leaves the tests of one part, K/N, of those that are left by other choices."""
    import pytest

    first, count = map(int, text.split("/"))

    class Part:
        @pytest.hookimpl(trylast=True)
        def pytest_collection_modifyitems(self, config, items):
            kept = items[first - 1::count]
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = kept

    return Part()


def main():
    missing = [name for name in (*MODULES, *MORE.get(sys.argv[1], ())) if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)}")
        return 77
    # Small systems: threads of the linear algebra would only wait, on processors that other tests could use.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import pytest

    folder, arguments, plugins = pathlib.Path(__file__).parent / sys.argv[1], sys.argv[2:], []
    if arguments[:1] == ["--part"]:
        plugins.append(part(arguments[1]))
        arguments = arguments[2:]
    return pytest.main(["-q", "-p", "no:cacheprovider", str(folder), *arguments], plugins=plugins)


if __name__ == "__main__":
    sys.exit(main())
