"""The page that computes, in a real browser, opened as a file: problems are typed, runs give the program's numbers, stop, and are seen."""
import json
import os
import pathlib
import subprocess
import time

import pytest
from conftest import complaints, fetched_from_elsewhere
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "build/browser/page/index.html"
PROGRAM = os.environ.get("DALEMBERT_PROGRAM", str(ROOT / "build/release/bin/dalembert"))


def at(browser, name):
    return browser.find_element(By.ID, name)


def wait(condition, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("nothing has come of it")


def wait_for_state(browser, *states):
    def has_come():
        state = at(browser, "state").text
        if state in ("refused", "cannot compute here") and state not in states:
            pytest.fail(at(browser, "problem-message").text)
        return state in states
    wait(has_come)


def opened(browser, fragment="", width=1400, page=PAGE):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 500})
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get(page.as_uri() + fragment)
    wait_for_state(browser, "ready")


def write(browser, name, text):
    browser.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", at(browser, name), text)


def text_of(browser):
    return browser.execute_script("return document.querySelector('.CodeMirror').CodeMirror.getValue()")


def set_text(browser, text):
    browser.execute_script("document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0])", text)


def click(browser, name):
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].click()", at(browser, name))


def run(browser, *states):
    click(browser, "run")
    wait_for_state(browser, *(states or ("done",)))


def saved(browser, button, tmp_path):
    """The file that a button saves."""
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    at(browser, button).click()
    wait(lambda: any(file.suffix != ".crdownload" for file in tmp_path.iterdir()))
    [file] = tmp_path.iterdir()
    return file


def test_a_run_has_the_numbers_of_the_command_that_the_page_shows(browser, tmp_path):
    opened(browser, "#problem=pendulum-cvt&methods=leapfrog,%20gauss(stages=3)&step=0.1&until=200&start=rotating&settings=parameters.epsilon=0.5")
    run(browser)
    command = at(browser, "command").text
    assert command == "dalembert run pendulum-cvt --method leapfrog --method 'gauss(stages=3)' --step 0.1 --until 200 --start rotating --set parameters.epsilon=0.5"
    at(browser, "tab-numbers").click()
    file = saved(browser, "save-result", tmp_path)
    found = json.loads(file.read_text())
    printed = subprocess.run(command.replace("dalembert", PROGRAM, 1) + " --json - --quiet", shell=True, capture_output=True, text=True, check=True).stdout
    for ours, its in zip(found["runs"], json.loads(printed)["runs"], strict=True):
        for key in ("label", "final", "diagnostics", "steps", "status"):
            assert ours[key] == its[key]
    rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in browser.find_elements(By.CSS_SELECTOR, "#results tr")[1:]]
    assert [row[0] for row in rows] == ["leapfrog", "gauss(stages=3)"] and all(row[2] == "ok" for row in rows)
    assert float(rows[0][4]) == pytest.approx(found["runs"][0]["diagnostics"]["energy_error_max"], rel=1e-3)


def test_curves_are_drawn_and_chosen(browser):
    opened(browser)
    run(browser)
    inked = """const canvas = document.querySelectorAll('#graph canvas')[0], data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0; for (let i = 3; i < data.length; i += 4) count += data[i] > 0; return count;"""
    assert browser.execute_script(inked) > 2000
    quantity = Select(at(browser, "quantity"))
    assert [option.text for option in quantity.options][:4] == ["error of energy", "error of driver_energy", "error of passenger_energy", "|constraint|"]
    before = at(browser, "graph").text
    quantity.select_by_visible_text("x1")
    assert at(browser, "graph").text != before and "x1" in at(browser, "graph").text


def test_the_motion_plays(browser):
    opened(browser, "#problem=snakeboard&methods=gauss&step=0.02&until=20")
    run(browser)
    at(browser, "tab-motion").click()
    wait(lambda: at(browser, "player").is_displayed())
    time.sleep(1)
    browser.switch_to.frame(at(browser, "player"))
    browser.execute_script("dalembert.play(true)")
    before = browser.execute_script("return dalembert.state.t")
    time.sleep(0.5)
    assert browser.execute_script("return dalembert.state.t") != before
    browser.switch_to.default_content()


def test_an_own_problem_is_typed_its_mistakes_are_shown_at_their_line(browser):
    opened(browser, "#problem=&methods=gauss&step=0.01&until=5")
    good = text_of(browser)
    set_text(browser, good.replace("x_dot*sin(phi)", "x_dot*sin(phy)"))
    message = at(browser, "problem-message")
    wait(lambda: message.is_displayed())
    line = 1 + [number for number, text in enumerate(good.splitlines()) if "x_dot*sin(phi)" in text][0]
    assert message.text.startswith(f"my-problem.toml:{line}: ") and "phy" in message.text and "phi" in message.text
    assert len(browser.find_elements(By.CSS_SELECTOR, ".wrong-line")) == 1
    set_text(browser, good)
    wait(lambda: not message.is_displayed())
    assert not browser.find_elements(By.CSS_SELECTOR, ".wrong-line")
    run(browser)
    write(browser, "methods", "gaus")
    run(browser, "refused")
    assert 'did you mean "gauss"' in message.text


def test_a_run_stops_and_keeps_what_there_is(browser):
    opened(browser, "#problem=chaotic&methods=energy-collocation&step=0.01&until=1e6")
    at(browser, "run").click()
    wait(lambda: float(at(browser, "progress").get_attribute("value")) > 0)
    at(browser, "stop").click()
    wait_for_state(browser, "stopped")
    at(browser, "tab-numbers").click()
    [row] = browser.find_elements(By.CSS_SELECTOR, "#results tr")[1:]
    cells = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
    assert cells[2] == "interrupted" and 0 < int(cells[3]) < 1e8
    write(browser, "until", "1")
    run(browser)


def test_a_link_brings_an_edited_problem_back(browser):
    opened(browser, "#problem=pendulum-cvt&methods=leapfrog&step=0.1&until=10&start=rotating")
    set_text(browser, text_of(browser).replace("/2 + 1 - cos(xi)", "/2 + 2 - 2*cos(xi)") + "\n# übrig\n")
    edited = text_of(browser)
    at(browser, "link").click()
    address = browser.execute_script("return location.href")
    opened(browser, "#" + address.split("#", 1)[1])
    assert text_of(browser) == edited and at(browser, "until").get_attribute("value") == "10"
    assert Select(at(browser, "start")).first_selected_option.text == "rotating"
    run(browser)


@pytest.mark.parametrize(("fragment", "sentence"), [
    ("#problem=pendulum-cvd", 'there is no problem "pendulum-cvd" in the library; did you mean "pendulum-cvt"?'),
    ("#problem=pendulum-cvt&text=%C3%BC", "the link is cut off or damaged"),
    ("#problem=pendulum-cvt&start=nowhere", 'the start "nowhere", which the problem does not have')])
def test_what_is_wrong_with_a_link_is_said(browser, fragment, sentence):
    opened(browser, fragment)
    assert sentence in at(browser, "problem-message").text


@pytest.mark.parametrize("width", [1400, 390])
def test_it_fits_the_window_loads_nothing_from_elsewhere_and_complains_of_nothing(browser, width):
    pages = [PAGE]
    if "DALEMBERT_SITE" in os.environ:
        pages.append(pathlib.Path(os.environ["DALEMBERT_SITE"]).resolve() / "try.html")
    for page in pages:
        opened(browser, width=width, page=page)
        run(browser)
        for tab in ("motion", "numbers", "equations", "curves"):
            click(browser, f"tab-{tab}")
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, (page, tab)
        assert fetched_from_elsewhere(browser) == [] and complaints(browser) == []


# Texts of a stranger that would run, each in every free text of a problem.
PAYLOADS = ["<img src=x onerror=hit()>", "<script>hit()</script>", "\"><svg onload=hit()>", "' onmouseover='hit()", "<!--<script>", "</script><script>hit()</script>",
            "&lt;img src=x onerror=hit()&gt;", "javascript:hit()", "<iframe srcdoc='<script>parent.hit()</script>'>", "<style>*{display:none}</style>", "${hit()}"]
STRANGER = """
name = "stranger"
description = TEXT
source = TEXT
coordinates = ["x", "y"]
units = { x = TEXT, y = TEXT, t = TEXT, energy = TEXT }
[parameters]
k = { default = 1.0, description = TEXT }
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "k*x^2/2"
[[picture.trail]]
at = ["x", "y"]
[initial.TEXT]
description = TEXT
source = TEXT
q = [1, 0]
v = [0, 1]
"""


@pytest.mark.parametrize("payload", PAYLOADS)
def test_texts_of_strangers_are_shown_and_do_not_run(browser, payload):
    opened(browser, "#problem=&methods=gauss&step=0.1&until=5")
    browser.execute_script("window.hits = 0; window.hit = () => { ++window.hits; };")
    set_text(browser, STRANGER.replace("TEXT", json.dumps(payload)))
    wait(lambda: not at(browser, "problem-message").is_displayed())
    run(browser)
    for tab in ("tab-motion", "tab-equations", "tab-numbers", "tab-curves"):
        for found in browser.find_elements(By.ID, tab):
            found.click()
            time.sleep(0.2)
    quantity = Select(at(browser, "quantity"))
    for option in ("x", "error of energy"):
        quantity.select_by_visible_text(option)
    label = browser.find_element(By.CSS_SELECTOR, ".dygraph-ylabel").text
    assert browser.execute_script("return window.hits") == 0
    assert complaints(browser) == [] and fetched_from_elsewhere(browser) == []
    assert payload.split()[0] in label


def test_the_page_may_do_what_it_does_and_no_more(browser):
    """Its policy: scripts that somebody brings in do not run, and nothing is asked of anybody."""
    opened(browser)
    browser.execute_script("const one = document.createElement('img'); one.setAttribute('onerror', 'window.hit = 1'); one.src = 'x'; document.body.append(one);")
    browser.execute_script("const one = document.createElement('div'); one.innerHTML = '<b onclick=\"window.hit = 1\" id=bait>b</b>'; document.body.append(one);")
    browser.execute_script("document.getElementById('bait').click()")
    time.sleep(0.3)
    assert browser.execute_script("return window.hit === undefined")
    assert any("Content Security Policy" in entry for entry in complaints(browser))
