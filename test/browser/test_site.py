"""The documentation site in a real browser, on a desk and on a phone. DALEMBERT_SITE: its folder."""
import os
import pathlib
import time

import pytest
from conftest import complaints, fetched_from_elsewhere
from selenium.webdriver.common.by import By

SITE = pathlib.Path(os.environ.get("DALEMBERT_SITE", "build/site/html")).resolve()
PAGES = ["index.html", "doc/tutorial.html", "doc/audit.html", "doc/open-problems.html", "method/index.html", "method/leapfrog.html",
         "problem/snakeboard.html", "claims.html", "command-line.html", "python/running.html", "cpp/run.html", "gallery/index.html",
         "gallery/motion-bicycle.html", "example/notebook/own_integrator.html", "program/python-steer-py.html", "bench/README.html", "bibliography.html"]
WIDTHS = {"desk": (1400, 1000, False), "phone": (390, 844, True)}


def opened(browser, page, width="desk"):
    across, down, mobile = WIDTHS[width]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": across, "height": down, "deviceScaleFactor": 1, "mobile": mobile})
    browser.get_log("browser")
    browser.get((SITE / page).as_uri())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_the_window_and_complain_of_nothing(browser, page, width):
    opened(browser, page, width)
    across = browser.execute_script("return document.documentElement.scrollWidth")
    assert across <= WIDTHS[width][0]
    pictures = browser.execute_script("""
        return [...document.images].filter((one) => one.loading !== 'lazy' && one.complete && one.naturalWidth === 0).map((one) => one.src)""")
    assert not pictures
    assert complaints(browser) == []


def test_pages_load_nothing_from_elsewhere(browser):
    for page in PAGES:
        opened(browser, page)
        assert fetched_from_elsewhere(browser) == [], page


def test_formulas_are_mathematics(browser):
    for page, least in (("method/leapfrog.html", 10), ("problem/pendulum-cvt.html", 6), ("example/notebook/own_integrator.html", 4)):
        opened(browser, page)
        heights = browser.execute_script("return [...document.querySelectorAll('math')].map((one) => one.getBoundingClientRect().height)")
        assert len(heights) >= least and min(heights) > 5, page
    # A fraction is higher than a line.
    assert max(heights) > 30


def test_the_gallery_shows_pictures_and_its_motions_play(browser):
    opened(browser, "gallery/index.html")
    shown = browser.find_elements(By.CSS_SELECTOR, ".gallery img")
    assert len(shown) >= 18
    for picture in shown:
        browser.execute_script("arguments[0].scrollIntoView()", picture)
        for _ in range(50):
            if browser.execute_script("return arguments[0].naturalWidth", picture):
                break
            time.sleep(0.1)
        else:
            pytest.fail(picture.get_attribute("src"))
    opened(browser, "gallery/motion-snakeboard.html")
    browser.switch_to.frame(browser.find_element(By.CSS_SELECTOR, "iframe.motion"))
    browser.execute_script("dalembert.play(true)")
    before = browser.execute_script("return dalembert.state.t")
    time.sleep(0.5)
    assert browser.execute_script("return dalembert.state.t") != before
    browser.switch_to.default_content()


def test_the_side_shows_where_one_reads_and_the_colours_change(browser):
    opened(browser, "doc/studies.html")
    browser.execute_script("document.getElementById('every-key').scrollIntoView()")
    for _ in range(50):
        marked = browser.find_elements(By.CSS_SELECTOR, ".toc-tree .scroll-current")
        if marked and "Every key" in marked[-1].get_attribute("textContent"):
            break
        time.sleep(0.1)
    else:
        pytest.fail(str([one.get_attribute("textContent") for one in marked]))
    theme = browser.execute_script("return document.body.dataset.theme")
    browser.execute_script("document.querySelector('.theme-toggle').click()")
    assert browser.execute_script("return document.body.dataset.theme") != theme


def test_search_finds_methods_problems_and_names(browser):
    for word, page in (("leapfrog", "method/leapfrog"), ("snakeboard", "problem/snakeboard"), ("periodic_orbit", "python/orbits"),
                       ("simulate", "cpp/run")):
        browser.get((SITE / "search.html").as_uri() + f"?q={word}")
        for _ in range(100):
            found = [one.get_attribute("href") for one in browser.find_elements(By.CSS_SELECTOR, "#search-results a")]
            if any(page in link for link in found):
                break
            time.sleep(0.1)
        else:
            pytest.fail(f"{word}: {found}")
