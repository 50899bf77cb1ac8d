"""The palette finds everything: what can be done here, threads by title, and what was said."""

import re
from typing import Literal

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.page.conftest import Door
from tests.page.stories.place import Place, rule

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Which birds nest here?"


async def chat(ground: Place) -> str:
    """Return a chat whose agent has answered."""
    rules = [rule({}, {"say": "Two storks live on the chimney."})]
    repository = ground.repository("birds", rules)
    thread = await ground.open("birds", repository, GOAL, is_planned=False)
    await ground.seen(thread, "turn_ended", "session-1")
    return thread


async def found(page: Page, words: str, name: str) -> Locator:
    """Type into the palette of a page that is there; returns what it offers under a name."""
    await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    await page.keyboard.press("Control+k")
    field = page.get_by_role("textbox", name="Commands")
    await expect(field).to_be_focused()
    await field.fill(words)
    entry = page.get_by_role("dialog").get_by_role("button", name=re.compile(name)).first
    await expect(entry).to_be_visible()
    return entry


async def test_the_palette_finds_what_was_said_and_what_can_be_done(door: Door, ground: Place):
    thread = await chat(ground)
    page = await door.page("/queue")
    await (await found(page, "stork chimney", "Two storks live")).click()
    await page.wait_for_url(re.compile(rf"/threads/{thread}\?session=session-1$"))
    await expect(page.get_by_role("main").get_by_text("Two storks live").first).to_be_visible()

    await (await found(page, "archive", "^Archive$")).click()
    await ground.seen(thread, "thread_archived")
    await (await found(page, "rename", "^Rename$")).click()
    await expect(page.get_by_role("textbox", name="Thread name")).to_be_focused()
    await page.keyboard.press("Escape")
    await (await found(page, "theme", "Theme: dark")).click()
    await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    await (await found(page, "settings", "Go to settings")).click()
    await page.wait_for_url(re.compile("/settings$"))


COLORS = """description => [description, description.closest('[data-selected]')].map(
    element => getComputedStyle(element).color)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_both_lines_of_the_selected_entry_are_readable(
    door: Door, ground: Place, theme: Literal["light", "dark"]
):
    await chat(ground)
    page = await door.page("/queue")
    await page.emulate_media(color_scheme=theme)
    await found(page, GOAL, re.escape(GOAL))
    await page.keyboard.press("ArrowDown")
    description = page.locator("[data-selected] .mantine-Spotlight-actionDescription")
    own, entry = await description.evaluate(COLORS)
    assert own == entry


async def test_a_thread_is_found_by_its_goal_where_it_is_not_among_the_recent(
    door: Door, ground: Place
):
    thread = await chat(ground)
    context = await door.context()
    asked: list[str] = []

    async def list_none(route: Route) -> None:
        asked.append(route.request.url)
        await route.fulfill(json={"threads": [], "next": None, "position": 0})

    await context.route(re.compile(r"/v1/threads\?limit=100$"), list_none)
    page = await door.page("/queue", in_=context)
    await (await found(page, "birds nest", "Which birds nest here")).click()
    await page.wait_for_url(re.compile(f"/threads/{thread}"))
    assert asked  # else it might have been among the recent
