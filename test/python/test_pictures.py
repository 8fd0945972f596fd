"""Pictures show the columns."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import dalembert as dal


@pytest.fixture
def result():
    return dal.run("pendulum-cvt", ["dla", "leapfrog"], step=0.1, until=20, start="rotating",
                   diagnostics=[{"kind": "section", "name": "upright", "of": "sin(xi)"}])


def test_columns_against_time(result):
    figure, axes = plt.subplots()
    assert result.plot("energy_error", ax=axes, linewidth=0.5) is axes
    assert [line.get_label() for line in axes.lines] == ["dla", "leapfrog"]
    for line, run in zip(axes.lines, result.solutions):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([run.t, run.energy_error]))
        assert line.get_linewidth() == 0.5
    assert axes.get_legend() is not None and axes.get_ylabel() == "energy_error"
    plt.close(figure)


def test_paths_and_sections(result):
    axes = result["dla"].plot_path("x1", "x2")
    np.testing.assert_array_equal(axes.lines[0].get_xydata(), result["dla"].q[:, :2])
    axes = result.plot_section("upright", "x1", "x1_dot")
    crossings = result["dla"].sections["upright"]
    assert len(crossings["t"]) > 3 and np.max(np.abs(np.sin(crossings["q"][:, 2]))) < 1e-14
    np.testing.assert_array_equal(axes.lines[0].get_xydata(), np.column_stack([crossings["q"][:, 0], crossings["v"][:, 0]]))
    plt.close("all")


def test_what_cannot_be_drawn(result):
    for ask in (lambda: result.plot("speed"), lambda: result.plot_path("x1", "y"), lambda: result.plot_section("upright", "x1", "energy"),
                lambda: result.plot_section("lying", "x1", "x2")):
        with pytest.raises(dal.RequestError):
            ask()
    assert not plt.get_fignums()
