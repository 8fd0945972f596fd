"""What should not be handed to the package, and the end of the interpreter while it works."""

import subprocess
import sys

import numpy as np
import pytest

import dalembert as dal
from dalembert import _core

RUN = {"run": {"step": 0.1, "until": 1}, "method": [{"name": "dla"}]}


def nested(depth):
    table = {"a": 1}
    for _ in range(depth):
        table = {"a": table}
    return table


def cyclic():
    table = {}
    table["a"] = table
    return table


def cyclic_list():
    entries = []
    entries.append(entries)
    return entries


@pytest.mark.parametrize("document, said", [
    (nested(300), "nested more than 200 levels deep"),
    (nested(20000), "nested more than 200 levels deep"),
    (cyclic(), "nested more than 200 levels deep"),
    ({"a": cyclic_list()}, "nested more than 200 levels deep"),
    ({"problem": "pendulum-cvt", "title": "\x1b[31m", **RUN}, "has a control character"),
    ({"problem": "pendulum-cvt", "title": "\ud800", **RUN}, "halves of surrogate pairs"),
    ({"problem": "pendulum-cvt", "\ud800": 1, **RUN}, "halves of surrogate pairs"),
])
def test_documents(document, said):
    with pytest.raises(dal.RequestError, match=said):
        dal.run_study(document)


def test_starts_and_records_without_bound():
    with pytest.raises(dal.RequestError, match="more than 2000000 in one study"):
        dal.run("pendulum-cvt", "dla", step=0.1, until=1, q=np.zeros(10**7), v=[0, 0, 0])
    with pytest.raises(dal.RequestError, match="one step of 0.1 has 1e\\+08 records"):
        dal.run("pendulum-cvt", "dla", step=0.1, until=3, every=1e-9)
    with pytest.raises(dal.RequestError, match="the records of the study are more than 300000000 numbers of 8 bytes"):
        dal.run("pendulum-cvt", "dla", step=0.1, steps=10**9, record_every=1)
    with pytest.raises((dal.RequestError, TypeError), match="Unicode"):
        dal.load("pend\ud800")


def test_objects_without_a_value_are_refused():
    """Made by __new__ alone: whatever is asked of them is an error, and no end of the process."""
    classes = [one for one in vars(_core).values() if isinstance(one, type) and not issubclass(one, BaseException)]
    assert len(classes) > 8 and _core.Expression in classes
    for one in classes:
        empty = one.__new__(one)
        for key, member in vars(one).items():
            if not key.startswith("_") and isinstance(member, property):
                with pytest.raises(TypeError):
                    getattr(empty, key)
    with pytest.raises(TypeError):
        _core.Expression.__new__(_core.Expression) + 1


def test_the_interpreter_ends_while_threads_run():
    """Daemon threads in a run, which ask for the interpreter's lock every 50 ms."""
    program = """
import threading, time, warnings
import dalembert as dal
warnings.simplefilter("ignore")
for _ in range(3):
    threading.Thread(target=lambda: dal.run("chaotic", "energy-collocation", step=0.01, until=1e5), daemon=True).start()
time.sleep(0.3)
print("end")
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and done.stdout == "end\n", done.stderr


def test_without_numpy(tmp_path):
    (tmp_path / "numpy.py").write_text('raise ImportError("there is none")\n')
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import dalembert"], capture_output=True, text=True, timeout=60)
    assert "ImportError: dalembert needs NumPy in this Python: pip install numpy" in done.stderr
