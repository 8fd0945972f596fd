"""The notebooks run from an empty kernel, without a complaint, and find what they tell of."""

import os
import pathlib
import re

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import dalembert as dal

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = sorted((ROOT / "example/notebook").glob("*.ipynb"))


def kept(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Notebooks with their outputs, each run once."""
    done = {}

    def run(name):
        if name not in done:
            notebook = kept(ROOT / f"example/notebook/{name}.ipynb")
            folder = tmp_path_factory.mktemp(name)
            environment = os.environ | {"PYDEVD_DISABLE_FILE_VALIDATION": "1", "IPYTHONDIR": str(folder), "MPLCONFIGDIR": str(folder)}
            client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
            done[name] = client.execute(env=environment)
        return done[name]

    return run


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def printed(notebook):
    return "".join(output.get("text", "") for output in outputs(notebook))


def test_notebooks_are_kept_without_results():
    assert len(NOTEBOOKS) >= 3
    for path in NOTEBOOKS:
        for cell in kept(path).cells:
            assert not cell.get("outputs") and cell.get("execution_count") is None, path.name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(executed, path):
    notebook = executed(path.stem)
    for output in outputs(notebook):
        # Cautions are what one of them is about; whatever else is written beside results is a fault of a cell or of what it shows.
        complaint = output.get("text", "") if output.get("name") == "stderr" else ""
        assert output.output_type != "error" and ("Caution" in complaint or not complaint), complaint
    kinds = {kind for output in outputs(notebook) for kind in output.get("data", {})}
    assert {"image/png", "text/latex"} <= kinds


def test_a_first_afternoon_meets_the_closed_form(executed):
    text = printed(executed("first_afternoon"))
    errors = [float(number) for number in re.search(r"errors up to t = 1000: \[(\S+) (\S+)\]", text).groups()]
    # Order 4: h^4 = 1e-4, of a path that is 500 long.
    assert max(errors) < 1e-4 and "verdict" in text and "BROKEN" not in text


def test_the_own_integrator_has_its_orders(executed):
    text = printed(executed("own_integrator"))
    two, four = (np.array(row.split(), float) for row in re.findall(r"^order \[(.*)\]", text, re.MULTILINE))
    # Slopes of errors at steps that are not small: the next terms are of relative size h^2 = 1e-2.
    assert np.abs(two - 2).max() < 0.05 and np.abs(four - 4).max() < 0.1
    shown = [output["data"].get("text/plain", "") for output in outputs(executed("own_integrator")) if "data" in output]
    assert any("Breach(method='braver', property='energy'" in one for one in shown)


def test_the_robot_gets_to_its_goal(executed):
    text = printed(executed("robot"))
    assert "wall reached at t =" in text
    # The price of effort pulls the end away from the goal in proportion to its weight squared.
    last = re.findall(r"weight 1e-04: distance to the goal (\S+),", text)
    assert float(last[0]) < 1e-6
    # Three constraints of velocities of size 1, to round-off.
    assert float(re.search(r"constraints to (\S+)", text)[1]) < 1e-14


def test_methods_are_formulas_in_notebooks():
    shown = dal.library_method("leapfrog")._repr_latex_()
    assert shown.startswith(r"$$\begin{aligned}a_{1} &= v_{0} +") and r"\lambda_{1} &= \lambda\end{aligned}$$" in shown
    # Words are no formulas: of those that have them the text is shown.
    shown = {name: dal.library_method(name)._repr_latex_() for name in dal.methods()}
    assert shown["lobatto"] is None and shown["frame-splitting"] is None
    assert sum(text is not None for text in shown.values()) >= 9 and not any(r"\text{" in (text or "") for text in shown.values())
    # One that needs more coordinates than the formal system has.
    needy = dal.method(lambda s, a, u, h: dal.Step(after=(a.q + a.q[1], a.v)), name="needy", order=1)
    assert needy._repr_latex_() is None
