"""Where Chromium is, and how it comes to a machine that has none: `python -m tests.page.chromium`."""

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.debian import CHROMIUM, alone, install

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "the page's tests need Chromium: `apt-get install chromium`, or any package of it on PATH"


def found(fetched: str) -> str | None:
    """Return the path of a Chromium: one on PATH, else the one that Playwright has `fetched`."""
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    return on_path or (fetched if Path(fetched).exists() else None)


def install_chromium() -> None:
    """Get Chromium from Debian where this user may install, else by Playwright from its makers."""
    if not install(CHROMIUM, "the tests of the page"):
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> None:
    """See to it that there is a Chromium.

    Raises:
        SystemExit: None could be had; says what to do.
    """
    with alone(), sync_playwright() as playwright:  # not one that is half installed
        fetched = playwright.chromium.executable_path
    if found(fetched) is None:
        install_chromium()
    if found(fetched) is None:
        raise SystemExit(MISSING)


if __name__ == "__main__":
    main()
