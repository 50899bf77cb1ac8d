"""The first minutes with Treadle: the demo by one click, then back in time, and on from there."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.engine import Engine
from tests.page.conftest import Door
from tests.page.test_main_job import button, decide

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture
async def first(
    browser: Browser, is_built: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Door]:
    """Pages of an engine on which nothing was ever done."""
    engine = Engine(tmp_path_factory.mktemp("first"))
    try:
        await engine.start("temporal", "api", "worker")
        async with engine.http() as http:
            door = Door(browser, http)
            yield door
            assert await door.close() == []
    finally:
        engine.stop()


async def test_a_new_person_starts_the_demo_goes_back_in_it_and_forks_it(first: Door):
    page = await first.page("/")
    await button(page, "Start the demo thread").click()
    await page.wait_for_url(re.compile("/threads/thread-"))
    thread = page.url
    bar = page.get_by_role("region", name=re.compile("^Decide"))
    await bar.get_by_role("checkbox").check()
    await decide(bar, "Approve")
    await expect(page.get_by_role("tab", name=re.compile("^Tasks"))).to_be_visible()

    at = await go_back(page)
    await page.goto(thread)
    await page.goto(f"{thread.partition('?')[0]}?at={at}")
    await expect(page.get_by_text("read only").first).to_be_visible()
    await expect(page.get_by_role("button", name=re.compile("^Pause"))).to_have_count(0)
    await fork(page, thread)


async def go_back(page: Page) -> str:
    """Step back from now; returns the position that the address then has."""
    await page.get_by_role("region", name="Conversation").focus()
    await page.keyboard.press("h")
    await page.get_by_role("button", name="Previous moment").click()
    await expect(page).to_have_url(re.compile(r"[?&]at=\d+"))
    await expect(page.get_by_text("read only").first).to_be_visible()
    found = re.search(r"[?&]at=(\d+)", page.url)
    assert found
    await page.keyboard.press("Escape")
    await expect(page).not_to_have_url(re.compile("at="))
    return found[1]


async def fork(page: Page, thread: str) -> None:
    """Begin a new thread from the moment that is shown."""
    await button(page, "Fork from here").click()
    await page.get_by_role("dialog").get_by_role("button", name="Fork", exact=True).click()
    await expect(page).not_to_have_url(re.compile(re.escape(thread.partition("?")[0])))
    await expect(page.get_by_text(re.compile("forked from", re.IGNORECASE)).first).to_be_visible()
