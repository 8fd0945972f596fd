"""The package as a user imports it, from the folder of the build tree that is on the path."""

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
