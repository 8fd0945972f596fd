"""The numbers of the course: what its pages say of their motions is what the program computes."""

import csv
import math
import pathlib
import re

import numpy as np
import pytest

PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "doc"


def run(program, page, file, *options):
    """The records of the motion that a page types, by column."""
    program.write(file, re.search(rf"```toml\n(# {re.escape(file)}\n.*?)```", (PAGES / page).read_text(), re.DOTALL)[1])
    program.run("run", f"./{file}", "--method", "auto", "--tolerance", "1e-8", *options, "--csv", "rows")
    [path] = (program.directory / "rows").glob("*.csv")
    with path.open() as rows:
        records = list(csv.DictReader(rows))
    return {name: np.array([float(record[name]) for record in records]) for name in records[0]}


def test_the_skate_has_its_closed_form(program):
    skate = run(program, "rolling-without-slipping.md", "skate.toml", "--until", "20", "--every", "0.05")
    t = skate["t"]
    assert len(t) == 401
    # "The run agrees to 7 digits"; its multiplier is 1 - 2 cos(t).
    assert np.abs(skate["x"] - (t / 2 + np.sin(2 * t) / 4 - np.sin(t))).max() < 1e-7
    assert np.abs(skate["lambda_1"] - (1 - 2 * np.cos(t))).max() < 1e-7


def test_the_tyres_of_the_car_hold(program):
    car = run(program, "your-own-vehicle.md", "car.toml", "--until", "60", "--every", "0.05")
    side = max(np.abs(car["rear"]).max(), np.abs(car["front"]).max())
    load = 1200 * 9.81 / 2
    assert 1800 < side < 1900 and 0.8 * load == pytest.approx(4700, abs=10)
    # The energy that the engine and the drag bring: without side forces the car has the speed push/drag in the end.
    assert math.hypot(car["x_dot"][-1], car["y_dot"][-1]) == pytest.approx(5, rel=0.05)
