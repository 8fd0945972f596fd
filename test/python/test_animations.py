"""Motions as they look."""

import json
import re

import numpy as np
import pytest

import dalembert as dal


def data_of(page):
    return json.loads(re.search(r'<script id="motion" type="application/json">(.*)</script>', page).group(1))


def test_a_motion_is_a_page_a_picture_and_a_cell(tmp_path):
    run = dal.run("rolling-disk", "lobatto", step=0.1, until=10)
    page = run.animate(tmp_path / "disk.html")
    assert (tmp_path / "disk.html").read_text() == page.html and page.path.endswith("disk.html")
    motion = data_of(page.html)
    assert len(motion["times"]) == 101 and [shape["kind"] for shape in motion["shapes"]] == ["trail", "circle"]
    run.solutions[0].animate(tmp_path / "disk.gif", seconds=1, size=(200, 150), frames=50)
    assert (tmp_path / "disk.gif").read_bytes()[:6] == b"GIF89a"
    cell = run.animate(frames=20)._repr_html_()
    assert cell.startswith("<iframe srcdoc=") and "<script>" not in cell and "&lt;script&gt;" in cell
    assert len(data_of(run.animate(frames=20).html)["times"]) == 20


def test_typed_systems_say_how_they_look():
    @dal.system(coordinates="x y")
    def bowl(q, v, p):
        return dal.Mechanics(kinetic=v @ v / 2, potential=q @ q / 2)

    run = dal.run(bowl, "leapfrog", q=[1, 0], v=[0, 0.5], step=0.1, until=5)
    with pytest.raises(dal.RequestError, match=r"has no table \[picture\]"):
        run.animate()
    motion = data_of(run.animate(picture={"trail": {"at": ["x", "y"]}, "point": {"at": ["x", "y"], "colour": "green"}}).html)
    frames = np.cumsum(np.reshape(motion["numbers"], (51, 4)), axis=0) * motion["scale"]
    # Coordinates are rounded to a part of what is seen.
    np.testing.assert_allclose(frames[:, :2], run.q, rtol=0, atol=motion["scale"])
    assert motion["shapes"][1]["colour"] == "#009e73"


def test_what_cannot_be_shown(tmp_path):
    run = dal.run("knife-edge", "dla", step=0.1, until=1)
    with pytest.raises(dal.RequestError, match="must end in .html"):
        run.animate(tmp_path / "x.mp4")
    with pytest.raises(dal.RequestError, match="did you mean"):
        run.animate(picture={"pont": {"at": [0, 0]}})
    with pytest.raises(dal.RequestError, match="frames"):
        run.animate(frames=1)
    with pytest.raises(dal.RequestError, match="seconds"):
        run.animate(tmp_path / "x.gif", seconds=-1)
    (tmp_path / "mine.html").write_text("mine")
    with pytest.raises(dal.RequestError, match="overwrite=True"):
        run.animate(tmp_path / "mine.html")
    run.animate(tmp_path / "mine.html", overwrite=True)
    both = dal.run("knife-edge", ["dla", "lobatto"], step=0.1, until=1)
    with pytest.raises(dal.RequestError, match="choose one of"):
        both.animate()
    assert data_of(both["lobatto"].animate().html)["times"][-1] == 1
