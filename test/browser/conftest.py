"""Debian's Chromium without a window. Needs chromium, chromium-driver and python3-selenium."""
import tempfile

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    with tempfile.TemporaryDirectory() as profile:
        for option in [*OPTIONS, f"--user-data-dir={profile}", "--window-size=1000,900"]:
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        yield driver
        driver.quit()


def fetched_from_elsewhere(browser):
    """Addresses outside the machine that the page in the window has asked."""
    sources = browser.execute_script("return performance.getEntriesByType('resource').map((one) => one.name)")
    return [source for source in sources if source.startswith("http")]


def complaints(browser):
    """What the browser has found wrong since it was asked last."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
