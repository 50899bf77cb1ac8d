"""How much the page weighs, and how it bears ten thousand items."""

import asyncio
import re
import time

import pytest
from playwright.async_api import Browser, Page, Response, expect

from tests.page.conftest import Door
from tests.page.effort import effort_from_now, memory_bytes
from tests.page.looks import nodes
from tests.page.stories.place import Place

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]  # the first fills an engine

KB = 1024
FIRST_SCRIPTS_BYTES = 190 * KB
"""Until the inbox shows, with the card in it that is open."""
MOST_NODES = 3_000
MOST_MEMORY_BYTES = 220 * KB * KB
OPEN_SECONDS = 10
"""Five times the budget: the machine is shared."""
OPEN_PROCESSOR_SECONDS = 3
"""The budget of 2 s is of a quiet machine: there 1.1 s are used, on a busy one up to 2.9 s."""
ANSWER_PROCESSOR_SECONDS = 1.5
"""Until the next frame: on a busy machine that may be late without any work of the page."""


async def test_the_scripts_are_small_until_the_inbox_shows(gallery: Door, place: Place):
    context = await gallery.context()
    scripts: list[Response] = []
    context.on("response", lambda r: scripts.append(r) if r.url.endswith(".js") else None)
    page = await gallery.page("/", in_=context)
    await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    await expect(page.get_by_text("Greet customers").first).to_be_visible()
    sizes = {s.url: (await s.request.sizes())["responseBodySize"] for s in list(scripts)}

    assert 0 < sum(sizes.values()) <= FIRST_SCRIPTS_BYTES, sizes


async def test_ten_thousand_items_open_as_fast_as_a_few(
    gallery: Door, place: Place, browser: Browser
):
    context = await gallery.context()
    effort, began = await effort_from_now(browser), time.monotonic()
    page = await gallery.page(f"/threads/{place.names['flood']}", in_=context)
    await expect(page.get_by_text("That was all of it.").first).to_be_visible()
    assert time.monotonic() - began <= OPEN_SECONDS
    assert await effort.seconds() <= OPEN_PROCESSOR_SECONDS
    assert await nodes(page) <= MOST_NODES
    assert await memory_bytes(browser) <= MOST_MEMORY_BYTES

    await page.get_by_role("region", name="Conversation").hover()
    for _ in range(60):
        await page.mouse.wheel(0, -4000)
        await asyncio.sleep(0.05)
    await expect(page.get_by_text(re.compile(r"make test \(\d+\)")).first).to_be_visible()
    assert await nodes(page) <= MOST_NODES
    assert await memory_bytes(browser) <= MOST_MEMORY_BYTES


async def title_without_count(page: Page) -> str:
    """Return a page's title without how many items wait, which the page learns when it is open."""
    return re.sub(r"^\(\d+\) ", "", await page.title())


UNFOLD = """() => {
  const folded = [...document.querySelectorAll("button[aria-expanded=false]:not([aria-haspopup])")]
    .filter((button) => button.checkVisibility());
  folded.forEach((button) => button.click());
  return folded.length;
}"""
"""Opens all that is folded at once: the list changes with each, and what it held may be gone."""


LINKS = """(links) => links.map((link) =>
  [link.getAttribute("href") ?? "", link.getAttribute("rel") ?? ""])"""
"""Reads all at once: rows that are unfolded push others out of the list."""


async def test_a_hostile_transcript_does_nothing_and_the_page_answers(
    gallery: Door, place: Place, browser: Browser
):
    page = await gallery.page(f"/threads/{place.names['hostile']}")
    await expect(page.get_by_text("That was all of it.").first).to_be_visible()
    title = await title_without_count(page)
    assert await page.evaluate(UNFOLD) > 0
    effort = await effort_from_now(browser)
    await page.evaluate("() => new Promise(requestAnimationFrame)")

    assert await effort.seconds() <= ANSWER_PROCESSOR_SECONDS
    assert await page.evaluate("() => window.owned") is None
    assert await title_without_count(page) == title
    assert "a new title" not in title
    links = await page.get_by_role("main").get_by_role("link").evaluate_all(LINKS)
    assert not [to for to, _ in links if re.match(r"(javascript|data|vbscript):", to, re.I)]
    for to, rel in links:
        if to.startswith("http"):
            assert {"noopener", "noreferrer", "nofollow"} <= set(rel.split())
    assert "(evil.example)" in await page.get_by_role("main").inner_text()
    assert await page.locator("main img").count() == 0
    assert "\u202e" not in await page.get_by_role("main").inner_text()


async def test_a_diff_of_twenty_thousand_lines_can_be_read(
    gallery: Door, place: Place, browser: Browser
):
    began = time.monotonic()
    page = await gallery.page(f"/threads/{place.names['large']}/tasks/many/review")
    await expect(page.get_by_text("shop/routes.py").first).to_be_visible()
    assert time.monotonic() - began <= OPEN_SECONDS
    effort = await effort_from_now(browser)
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    assert await effort.seconds() <= ANSWER_PROCESSOR_SECONDS
