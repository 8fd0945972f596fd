"""Progress and Ctrl-C."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import dalembert as dal


def run_script(text, patience=60):
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=patience)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_control_c_returns_what_there_is_and_resume_goes_on():
    seconds, records, status, same = run_script("""
        import os, signal, threading, time, warnings
        import numpy as np
        import dalembert as dal
        warnings.simplefilter("ignore")
        pressed = []
        def press():
            time.sleep(0.5)
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press).start()
        result = dal.run("chaotic", "lobatto", step=0.01, until=1e6, record_every=1000)
        seconds = time.monotonic() - pressed[0]
        records, status = len(result.t), result.status
        whole = dal.run("chaotic", "lobatto", step=0.01, until=result.t[-1] + 50, record_every=1000)
        n = records - 1  # the last record of an interrupted run may be none of the whole one's
        print(seconds, records, status, np.array_equal(result.q[:n], whole.q[:n]))
    """)
    assert float(seconds) < 0.2 and int(records) > 1 and status == "interrupted" and same == "True"


def test_an_interrupted_run_goes_on_to_the_bits_of_a_whole_one():
    def stop(stage, done, total):
        if done > 20_000:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(dal.Caution, match="interrupted"):
        result = dal.run("chaotic", "lobatto", step=0.01, until=6000, record_every=100, progress=stop)
    assert result.status == "interrupted" and 0 < result.t[-1] < 6000
    kept, copy = result.q, result.q.copy()
    result.resume()
    whole = dal.run("chaotic", "lobatto", step=0.01, until=6000, record_every=100)
    np.testing.assert_array_equal(result.q, whole.q)
    np.testing.assert_array_equal(result.lam, whole.lam)
    assert result.ok
    np.testing.assert_array_equal(kept, copy)  # arrays taken before stay


def test_an_ensemble_keeps_what_there_is():
    def stop(stage, done, total):
        if done > 100_000:
            os.kill(os.getpid(), signal.SIGINT)

    options = dict(members=100, seed=1, energy=3.06, step=0.1, record_every=100)
    with pytest.warns(dal.Caution, match="interrupted"):
        result = dal.ensemble("chaotic", "dla01", until=40000, progress=stop, **options)
    assert result.status == "interrupted" and 0 < result.t[-1] < 40000
    result.resume()
    whole = dal.ensemble("chaotic", "dla01", until=40000, **options)
    np.testing.assert_array_equal(result.final.q, whole.final.q)
    np.testing.assert_array_equal(result.statistics["energy_error"].variance, whole.statistics["energy_error"].variance)


def test_progress_is_shown_and_counted():
    seen = []
    dal.run("chaotic", "dla", step=0.01, until=2000, record_every=1000, progress=lambda *told: seen.append(told))
    stages, done, totals = zip(*seen)
    assert done[-1] == totals[-1] == 200_000 and list(done) == sorted(done) and stages[-1] == "running"
    shown = run_script("""
        import io, sys
        import dalembert as dal
        sys.stderr = io.StringIO()
        dal.run("chaotic", "lobatto", step=0.01, until=10000, record_every=1000, progress=True)
        print(sys.stderr.getvalue().count("%") > 1)
    """)
    assert shown == ["True"]


def test_what_a_progress_function_raises_ends_the_run():
    class Enough(Exception):
        pass

    def fail(stage, done, total):
        raise Enough

    begin = time.monotonic()
    with pytest.raises(Enough):
        dal.run("chaotic", "lobatto", step=0.01, until=1e7, record_every=10000, progress=fail)
    assert time.monotonic() - begin < 30  # instead of hours


def test_other_threads_go_on_meanwhile():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    worker = threading.Thread(target=count)
    worker.start()
    before, begin = counted[0], time.monotonic()
    dal.run("chaotic", "lobatto", step=0.01, until=3000, record_every=1000)
    seconds = time.monotonic() - begin
    during = counted[0] - before
    stop.set()
    worker.join()
    assert during > 20 * seconds  # of the 1000 a second without a lock; with it none
