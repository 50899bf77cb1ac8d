"""Shows a page as it is: opens an address in Chromium, does a few things, saves a picture.

`python tests/page/look.py URL OUT.png [--dark] [--phone] [--wait TEXT] [--click NAME] [--press KEY]`
has more to say with `--help`.
"""

import argparse
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page, sync_playwright
from playwright.sync_api import TimeoutError as TimedOutError

from tests.page.browser import FLAGS, PHONE, WIDE
from tests.page.chromium import found
from tests.page.looks import AXE, OVERFLOWING, violation_lines

ROLES = ("button", "tab", "link", "menuitem", "option", "radio", "checkbox", "treeitem", "row")
SETTLE_MILLISECONDS = 1200
PATIENCE_MILLISECONDS = 15_000


def main() -> int:
    """Look once; what the page's console says goes to standard output, and errors end with 1."""
    said = _arguments()
    with sync_playwright() as playwright:
        program = found(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        size = PHONE if said.phone else {"width": said.width, "height": said.height}
        context = browser.new_context(
            viewport=size,
            color_scheme="dark" if said.dark else "light",
            has_touch=said.phone,
            reduced_motion="reduce" if said.still else "no-preference",
        )
        page = context.new_page()
        errors = _listen(page)
        if said.token:
            page.goto(_link(said.url, said.token))
        page.goto(said.url)
        is_done = _act(page, said)
        page.wait_for_timeout(said.settle)
        page.screenshot(path=said.out, full_page=said.full)
        if said.check:
            page.evaluate(AXE_SCRIPT)
            for line in (*violation_lines(page.evaluate(AXE)), *page.evaluate(OVERFLOWING)):
                _say(f"check: {line}")
        if said.text:
            _say(page.locator("body").aria_snapshot())
        browser.close()
    return 1 if errors or not is_done else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="look", description=__doc__)
    parser.add_argument("url")
    parser.add_argument("out")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--phone", action="store_true", help="390 pixels wide")
    parser.add_argument("--full", action="store_true", help="the whole height, not the window's")
    parser.add_argument("--still", action="store_true", help="ask for reduced motion")
    parser.add_argument("--text", action="store_true", help="print roles and names as well")
    parser.add_argument("--token", type=Path, help="sign in first: a file with an engine's token")
    parser.add_argument("--check", action="store_true", help="say what axe finds, and overflow")
    parser.add_argument("--width", type=int, default=WIDE["width"])
    parser.add_argument("--height", type=int, default=WIDE["height"])
    parser.add_argument("--settle", type=int, default=SETTLE_MILLISECONDS, help="milliseconds")
    for name, what in (
        ("wait", "until this text is there"),
        ("click", "what has this name"),
        ("press", "keys like Control+K or g"),
        ("type", "into what has the focus"),
    ):
        parser.add_argument(f"--{name}", action=_Ordered, metavar=name.upper(), help=what)
    return parser.parse_args()


def _link(url: str, token: Path) -> str:
    """Return a one-time link of the engine that serves a page."""
    headers = {"Authorization": f"Bearer {token.read_text().strip()}", "X-Treadle": "1"}
    api = f"http://127.0.0.1:{urlsplit(url).port}/v1/browser-links"
    return httpx.post(api, headers=headers, json={}, trust_env=False).json()["url"]


class _Ordered(argparse.Action):
    """Keeps what is done in the order in which it was said."""

    def __call__(self, _parser: object, said: argparse.Namespace, value: object, *_: object):
        said.acts = [*getattr(said, "acts", []), (self.dest, value)]


def _act(page: Page, said: argparse.Namespace) -> bool:
    for act, value in getattr(said, "acts", []):
        try:
            if act == "wait":
                page.get_by_text(value).first.wait_for(timeout=PATIENCE_MILLISECONDS)
            elif act == "click":
                _named(page, value).click(timeout=PATIENCE_MILLISECONDS)
            elif act == "press":
                page.keyboard.press(value)
            else:
                page.keyboard.type(value)
        except TimedOutError as error:
            _say(f"--{act} {value!r}: {str(error).splitlines()[0]}")
            return False
    return True


def _named(page: Page, name: str) -> Locator:
    """Return what can be clicked and has a name, or has it in its name; else what has this text."""
    for pattern in (re.compile(f"^{re.escape(name)}$", re.IGNORECASE), name):
        found = page.get_by_role(ROLES[0], name=pattern)
        for role in ROLES[1:]:
            found = found.or_(page.get_by_role(role, name=pattern))
        try:
            found.first.wait_for(timeout=PATIENCE_MILLISECONDS // 5)
        except TimedOutError:
            continue
        return found.first
    return page.get_by_text(name).first


def _listen(page: Page) -> list[str]:
    errors: list[str] = []

    def tell(kind: str, text: str) -> None:
        _say(f"{kind}: {text}")
        if kind in {"error", "pageerror"}:
            errors.append(text)

    page.on("console", lambda message: tell(message.type, message.text))
    page.on("pageerror", lambda error: tell("pageerror", str(error)))
    return errors


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
