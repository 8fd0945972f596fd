"""The package as a user imports it, from the folder of the build tree that is on the path."""

import ctypes
import gc
import os
import warnings

import matplotlib
import pytest

import dalembert as dal

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def cautions_are_errors():
    """A test that does not expect a warning has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", dal.Caution)
        yield


def memory_in_use():
    """The memory that this process has now, in kB: no high-water mark, below which a leak would hide. What is free goes back first."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.fixture
def grown():
    """What a call leaves behind, in kB."""

    def measured(work, *arguments):
        before = memory_in_use()
        work(*arguments)
        return memory_in_use() - before

    return measured
