"""Pages that play a motion, in a real browser without a window: they play, stop, go to a time, follow, and are dragged.

DALEMBERT_PROGRAM: the program.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import time

import pytest
from conftest import complaints
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")
RUNS = {
    "pendulum-cvt": ["leapfrog", "0.1"], "knife-edge": ["dla", "0.05"], "snakeboard": ["lobatto", "0.05"],
    "car-with-trailers": ["lobatto", "0.05"], "rolling-disk": ["lobatto", "0.05"], "ball-on-turntable": ["lobatto", "0.05"],
    "rattleback": ["gauss", "0.005"], "bicycle": ["gauss", "0.01"],
}


def opened(browser, folder, name, *more):
    method, step = RUNS[name]
    result, page = folder / "r.h5", folder / f"{name}.html"
    subprocess.run([PROGRAM, "run", name, "--method", method, "--step", step, "--until", "6", "--out", result, "--quiet"], check=True)
    subprocess.run([PROGRAM, "animate", result, "--out", page, *more], check=True)
    browser.get(page.as_uri())


def state(browser, key):
    return browser.execute_script(f"return dalembert.state.{key}")


def shapes(browser):
    """What is drawn of every shape: its path, or the place of a dot."""
    return browser.execute_script("return [...document.querySelectorAll('#view > *')].map((one) => (one.getAttribute('d') || '') + one.getAttribute('cx') + one.getAttribute('cy'))")


@pytest.mark.parametrize("name", RUNS)
def test_every_page_plays_and_stops(browser, tmp_path, name):
    opened(browser, tmp_path, name)
    browser.execute_script("dalembert.play(true)")
    before, drawn = state(browser, "t"), shapes(browser)
    time.sleep(0.5)
    button = browser.find_element(By.ID, "play")
    assert button.text == "Pause"
    button.click()
    assert button.text == "Play"
    stopped, now = state(browser, "t"), shapes(browser)
    # It plays by the clock: half a second, and what it takes to look.
    assert 0.3 < (stopped - before) % 6 < 3 and now != drawn
    assert all("NaN" not in shape and "Infinity" not in shape for shape in now) and len(now) > 2
    time.sleep(0.2)
    assert state(browser, "t") == stopped and shapes(browser) == now
    assert complaints(browser) == []
    # All of it is within the window at all times, but for what is left behind.
    box = browser.find_element(By.ID, "view").size
    assert box["width"] > 800 and box["height"] > 400


def test_any_time_and_speed(browser, tmp_path):
    opened(browser, tmp_path, "snakeboard")
    browser.execute_script("dalembert.play(false); const s = document.getElementById('time'); s.value = 500; s.dispatchEvent(new Event('input'))")
    assert state(browser, "t") == pytest.approx(3) and browser.find_element(By.ID, "clock").text == "t = 3.000"
    Select(browser.find_element(By.ID, "speed")).select_by_visible_text("10 x real time")
    assert state(browser, "speed") == 10
    browser.execute_script("dalembert.play(true)")
    time.sleep(0.4)
    browser.execute_script("dalembert.play(false)")
    assert state(browser, "t") != 3
    # The frame at the end is that of the run.
    browser.execute_script("const m = dalembert.motion; dalembert.state.t = m.times[m.times.length - 1]; dalembert.draw()")
    assert browser.find_element(By.ID, "clock").text == "t = 6.000"


def test_a_plane_is_moved_and_space_is_turned(browser, tmp_path):
    for name, turned in (("snakeboard", False), ("bicycle", True)):
        opened(browser, tmp_path, name)
        browser.execute_script("dalembert.play(false)")
        before, azimuth, pan = shapes(browser), state(browser, "azimuth"), state(browser, "panX")
        view = browser.find_element(By.ID, "view")
        ActionChains(browser).move_to_element(view).click_and_hold().move_by_offset(80, 40).release().perform()
        assert shapes(browser) != before
        assert (state(browser, "azimuth") != azimuth) == turned and (state(browser, "panX") != pan) == (not turned)
        # Nothing moves when the button is up.
        after = shapes(browser)
        ActionChains(browser).move_by_offset(30, 30).perform()
        assert shapes(browser) == after
        browser.execute_script("document.getElementById('view').dispatchEvent(new WheelEvent('wheel', { deltaY: -300, cancelable: true }))")
        assert state(browser, "zoom") > 1.2
        ActionChains(browser).double_click(view).perform()
        assert state(browser, "zoom") == 1 and shapes(browser) == before
        (tmp_path / "r.h5").unlink()


def test_a_view_follows_or_shows_it_all(browser, tmp_path):
    opened(browser, tmp_path, "bicycle")
    box = browser.find_element(By.ID, "follow")
    assert box.is_displayed() and box.is_selected()
    browser.execute_script("dalembert.play(false)")
    before = shapes(browser)
    box.click()
    assert not state(browser, "following") and shapes(browser) != before
    opened(browser, pathlib.Path(tempfile.mkdtemp(dir=tmp_path)), "snakeboard")
    assert not browser.find_element(By.ID, "follow").is_displayed()


def test_a_page_fits_a_phone(browser, tmp_path):
    opened(browser, tmp_path, "rolling-disk")
    browser.set_window_size(500, 900)
    try:
        wide = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0 and browser.find_element(By.ID, "play").is_displayed()
    finally:
        browser.set_window_size(1000, 900)


@pytest.mark.parametrize("payload", ["<img src=x onerror=hit()>", "</script><script>hit()</script>", "<!--<script>", "\"><svg onload=hit()>", "]]>", "{braces} ${hit()}"])
def test_texts_of_strangers_do_not_run_in_a_page_that_plays(browser, tmp_path, payload):
    text = json.dumps(payload)
    (tmp_path / "s.toml").write_text(f"""
title = {text}
[system]
name = {text}
description = {text}
coordinates = ["x", "y"]
units = {{ t = {text}, x = "m", y = "m" }}
lagrangian = {{ kinetic = "(x_dot^2 + y_dot^2)/2" }}
[[system.picture.trail]]
at = ["x", "y"]
[system.initial.{text}]
q = [0, 0]
v = [1, 1]
[initial]
name = {text}
[run]
step = 0.1
until = 6
[[method]]
name = "gauss"
label = {text}
""")
    subprocess.run([PROGRAM, "run", tmp_path / "s.toml", "--out", tmp_path / "r.h5", "--quiet"], check=True)
    subprocess.run([PROGRAM, "animate", tmp_path / "r.h5", "--out", tmp_path / "page.html"], check=True)
    browser.get_log("browser")
    browser.get((tmp_path / "page.html").as_uri())
    assert complaints(browser) == []
    assert browser.find_elements(By.CSS_SELECTOR, "img, iframe, body script:not([id]) ~ script") == []
    before = state(browser, "t")
    browser.execute_script("dalembert.play(true)")
    time.sleep(0.4)
    assert state(browser, "t") != before and len(shapes(browser)) > 0
