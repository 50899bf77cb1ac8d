"""What is quiet, in one place and in words: transcript, sidebar, counts, conflicts, ways to stop."""

import asyncio
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page, Request, expect

from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.page.conftest import Door
from tests.page.stories.place import TICK_SECONDS, Place
from tests.page.test_live import chat
from tests.page.test_trouble import counting, message_box

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

SCROLLERS = """() => [...document.querySelectorAll("nav, nav *")]
  .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY)
    && element.scrollHeight > element.clientHeight).length"""

GROUP = """() => {
  const list = document.querySelector("[aria-label='Threads and flow runs']");
  const found = [];
  let isIn = false;
  for (const item of list.querySelectorAll("li, [role=listitem]")) {
    const link = item.querySelector("a");
    if (link === null) {
      isIn = item.textContent.trim() === "Needs you";
    } else if (isIn) {
      found.push(link.getAttribute("href"));
    }
  }
  return found;
}"""
"""Where the sidebar's entries under "Needs you" lead."""

HEBREW = "\u05dc\u05de\u05d4 C++\u200f?"


async def test_a_conflict_shows_the_lines_of_both_sides(gallery: Door, place: Place):
    page = await gallery.page(f"/threads/{place.names['conflict']}")
    lines = page.get_by_role("region", name="Conflicting lines")

    await expect(lines).to_contain_text("shop/greeting.py")
    await expect(lines.get_by_role("figure", name="A")).to_contain_text("Good day, {title}")
    await expect(lines.get_by_role("figure", name="B")).to_contain_text("Hi {name}!")


async def test_the_goal_is_the_persons_and_what_starts_the_agent_is_one_line(
    gallery: Door, place: Place
):
    page = await gallery.page(f"/threads/{place.names['one_plan']}")
    talk = page.get_by_role("region", name="Conversation")
    setup = talk.get_by_role("button", name=re.compile("Thread opened"))

    await expect(talk.get_by_role("article", name="You").first).to_contain_text("payments by card")
    await expect(setup).to_have_count(1)
    words = re.compile("Treadle to the agent")
    await expect(setup).to_have_text(words)
    await setup.click()
    await expect(talk.get_by_text(words).nth(1)).to_be_visible()


async def test_the_sidebar_has_what_waits_first_and_one_scroller(gallery: Door, place: Place):
    page = await gallery.page("/threads")
    lines = page.get_by_role("list", name="Threads and flow runs")
    heads = lines.get_by_role("listitem").filter(has_not=page.get_by_role("link"))
    await expect(heads.first).to_have_text("Needs you")
    await expect(heads.nth(1)).to_have_text("Running")
    assert await page.evaluate(SCROLLERS) <= 1

    await page.get_by_role("button", name="Actions for Keep baskets").first.click()
    await page.get_by_role("menuitem", name="Pin to the sidebar").click()
    await expect(heads.first).to_have_text("Pinned")
    await page.reload()
    await expect(heads.first).to_have_text("Pinned")
    await expect(lines.get_by_role("link").first).to_contain_text("Keep baskets")


async def test_all_places_count_what_waits_alike(gallery: Door, place: Place):
    thread = place.names["execution"]
    page = await gallery.page(f"/threads/{thread}")
    ticker = page.get_by_role("region", name="Thread status")

    async def counted() -> list[Any] | None:
        """Return the inbox once the ticker counts what it has of the thread: more may just have come."""
        items = (await place.get("/inbox"))["items"]
        own = sum(item["thread_id"] == thread for item in items)
        return items if f"{own} need you" in await ticker.inner_text() else None

    async with asyncio.timeout(DEADLINE_SECONDS):
        while (items := await counted()) is None:
            pass
    own = sum(item["thread_id"] == thread for item in items)
    main = page.get_by_role("main")
    await expect(main.get_by_text(f"{own} need you", exact=True)).to_have_count(2)
    inbox = page.get_by_role("navigation").get_by_role("link", name="Inbox")
    await expect(inbox).to_contain_text(str(len(items)))
    await page.get_by_role("navigation").get_by_role("link", name="Queue").click()
    await expect(page.get_by_text(f"{len(items)} need you").first).to_be_visible()


async def test_above_the_field_and_in_the_sidebar_is_what_the_inbox_has(
    gallery: Door, place: Place
):
    thread = place.names["execution"]
    page = await gallery.page(f"/threads/{thread}")
    tray = page.get_by_role("region", name="Needs you")
    await expect(tray).to_be_visible()
    lines = page.get_by_role("list", name="Threads and flow runs")
    await expect(lines.get_by_role("listitem").first).to_have_text("Needs you")

    async def is_alike() -> bool:
        """Tell whether both have what the inbox has now: more may just have come."""
        items = (await place.get("/inbox"))["items"]
        own = sum(item["thread_id"] == thread for item in items)
        waiting = {item["thread_id"] or item["run_id"] for item in items if item["entry_id"] == ""}
        found = {path.rsplit("/", 1)[-1] for path in await page.evaluate(GROUP)}
        return found == waiting and f"Needs you · {own}\n" in f"{await tray.inner_text()}\n"

    async with asyncio.timeout(DEADLINE_SECONDS):
        while not await is_alike():  # noqa: ASYNC110  (another process)
            await asyncio.sleep(TICK_SECONDS)


async def test_a_phone_shows_that_a_card_goes_on_below(gallery: Door, place: Place):
    page = await gallery.page(f"/threads/{place.names['conflict']}", is_phone=True)
    tray = page.get_by_role("region", name="Needs you")
    await expect(tray.get_by_text("shop/greeting.py").first).to_be_visible()
    card = tray.locator("[tabindex='-1']").first
    assert await card.evaluate("card => card.scrollHeight > card.clientHeight + 4")
    await expect(card).to_have_attribute("data-more", "")
    await card.evaluate("card => card.scrollTo(0, card.scrollHeight)")
    await expect(card).not_to_have_attribute("data-more", "")


async def test_stopping_says_what_each_way_brings(gallery: Door, place: Place):
    page = await gallery.page(f"/threads/{place.names['execution']}")
    await page.get_by_role("button", name="Stop…").click()
    dialog = page.get_by_role("dialog", name="Stop this thread?")

    await expect(dialog.get_by_role("button", name="Abort running tasks")).to_be_visible()
    await expect(dialog).to_contain_text("cannot be undone")
    await dialog.get_by_role("button", name="Keep running").click()
    await expect(dialog).to_have_count(0)


async def test_nothing_is_asked_about_half_a_path(gallery: Door, place: Place):
    page = await gallery.page("/new")
    asked: set[str] = set()

    def note(request: Request) -> None:
        asked.update(parse_qs(urlsplit(request.url).query).get("repository", ()))

    folder = str(place.folder / "shop")
    box = page.get_by_role("combobox", name="Repository")
    await expect(box).not_to_have_value("")
    suggested = await box.input_value()
    page.on("request", note)
    await box.fill(folder[:-1])
    async with page.expect_request(lambda request: "repository=" in request.url):
        await box.press_sequentially(folder[-1])
        await box.press("Tab")

    assert folder in asked
    assert asked <= {folder, suggested}


async def test_the_suggested_repository_stays_while_others_are_worked_in(door: Door, ground: Place):
    await chat(ground, counting())
    page = await door.page("/new")
    box = page.get_by_role("combobox", name="Repository")
    await expect(box).not_to_have_value("")
    suggested = await box.input_value()

    later = await chat(ground, counting())
    lines = page.get_by_role("list", name="Threads and flow runs")
    await expect(lines.locator(f"[href*='{later}']")).to_be_visible()
    await expect(box).to_have_value(suggested)
    await box.fill("")
    await page.get_by_role("textbox", name="Message").fill("Count on")
    await expect(box).to_have_value("")


async def test_words_from_right_to_left_are_shown_so(door: Door, ground: Place):
    thread = await chat(ground, counting())
    page = await door.page(f"/threads/{thread}")
    await message_box(page).fill(HEBREW)
    await message_box(page).press("Control+Enter")
    said = page.get_by_role("article", name="You").filter(has_text="C++").locator("p")

    await expect(said).to_have_css("direction", "rtl")
    await expect(said).not_to_contain_text("mark")


async def test_the_page_to_sign_in_has_its_style(browser: Browser, engine: Engine):
    page: Page = await browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    async with engine.http() as http:
        await page.goto(str(http.base_url).removesuffix("/v1/"))

    await expect(page.get_by_role("heading", name="Sign in to Treadle")).to_be_visible()
    await expect(page.get_by_role("main")).to_have_css("border-radius", "10px")
    assert not [text for text in refused if "Content Security Policy" in text]
    await page.close()
