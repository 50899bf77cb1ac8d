"""Who gets in, and under which policy."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.engine import Engine
from tests.page.conftest import Door

pytestmark = pytest.mark.e2e

SOURCES = Path(__file__).parents[2] / "web" / "src"
SINKS = re.compile(
    r"dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write|srcdoc"
    r"|\beval\(|new Function\("
)
POLICY = {
    "default-src": {"'none'"},
    "script-src": {"'self'"},
    "img-src": {"'self'", "data:"},
    "font-src": {"'self'"},
    "connect-src": {"'self'"},
    "worker-src": {"'self'"},
    "manifest-src": {"'self'"},
    "trusted-types": {"treadle-scripts"},
    "base-uri": {"'none'"},
    "form-action": {"'self'"},
    "frame-ancestors": {"'none'"},
    "require-trusted-types-for": {"'script'"},
}


def test_no_source_turns_a_string_into_html():
    files = [file for kind in ("ts", "tsx") for file in SOURCES.rglob(f"*.{kind}")]
    assert files
    assert not [file.name for file in files if SINKS.search(file.read_text())]


async def test_the_page_comes_with_the_strictest_policy(engine: Engine):
    async with engine.http() as http:
        answers = [await http.get(path) for path in ("/", "/threads/any")]
    said = [answer.headers["content-security-policy"] for answer in answers]
    policies = [
        {words[0]: set(words[1:]) for part in policy.split(";") if (words := part.split())}
        for policy in said
    ]
    nonces = [re.findall(r"'nonce-([^']+)'", policy) for policy in said]

    assert all(policy.items() >= POLICY.items() for policy in policies)
    assert "unsafe" not in "".join(said)
    assert nonces[0] != nonces[1]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"


async def test_a_link_signs_one_browser_in_once(door: Door, engine: Engine):
    async with engine.http() as http:
        link = (await http.post("/v1/browser-links", json={})).json()["url"]
    page = await door.page()
    door.expect("401", "410", "MIME type", "Unable to preload")  # what is loaded ahead is refused
    await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    await page.context.clear_cookies()
    await page.goto(link)
    await expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    again = await page.goto(link)
    assert again is not None
    assert again.status == 410


async def test_without_a_link_the_page_says_how_to_get_one(door: Door):
    context = await door.context()
    await context.clear_cookies()
    page = await door.page(in_=context)
    door.expect("401")
    await expect(page.get_by_text("treadle open").first).to_be_visible()


async def test_a_person_confirms_the_command_line_and_signs_out(
    door: Door, engine: Engine, tmp_path: Path
):
    laptop = {**engine.environment, "TREADLE_DATA_DIR": str(tmp_path / "laptop")}
    treadle = (sys.executable, "-m", "treadle")
    program = await asyncio.create_subprocess_exec(
        *(*treadle, "login", engine.settings.api_url), env=laptop, stderr=asyncio.subprocess.PIPE
    )
    assert program.stderr is not None
    line = (await program.stderr.readline()).decode()
    page = await door.page(f"/device/{line.strip().rpartition('/')[2]}")
    await expect(page.get_by_text("with at most the role approver")).to_be_visible()
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("The command line is signed in")).to_be_visible()
    _, said = await program.communicate()
    assert b"Signed in at" in said

    listing = await asyncio.create_subprocess_exec(
        *(*treadle, "tokens", "list"), env=laptop, stdout=asyncio.subprocess.PIPE
    )
    listed, _ = await listing.communicate()
    assert b"treadle login on " in listed

    door.expect("401", "MIME type", "Unable to preload")
    await page.goto(f"{door.origin}/settings")
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_text("treadle open").first).to_be_visible()
