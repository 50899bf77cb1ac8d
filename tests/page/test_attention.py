"""How the page tells of what waits: by title and icon, and on the desktop while nobody looks."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.engine import DEADLINE_SECONDS
from tests.page.asking import only_inbox_of
from tests.page.conftest import Door
from tests.page.stories.place import TICK_SECONDS, Json, Place, planned, rule, task, work

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Write four notes"
DESKTOP = """
window.shown = [];
window.Notification = class extends Notification {
  constructor(title, options) {
    super(title, options);
    shown.push(this);
  }
};
window.hide = () => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""Headless Chromium hides no tab, and its notifications are seen by nobody: both are noted."""

SHOWN = "shown.map(({ tag, title, body }) => ({ tag, title, body }))"


def notes() -> list[Json]:
    """Return an agent that writes a note, another, then two at a time; a person looks at each."""
    before = {"one": [], "two": ["one"], "three": ["two"], "four": ["two"]}
    tasks = [
        task(name, f"Note {name}", gate="ask", verification=[], depends_on=depends_on)
        for name, depends_on in before.items()
    ]
    plan = {"goal": GOAL, "summary": "Four notes.", "tasks": tasks}
    writing = [work(name, {"write": f"docs/{name}.md", "text": f"# {name}\n"}) for name in before]
    return [planned(plan), *writing, rule({}, {"say": "Here."})]


async def told(pages: list[Page]) -> list[Json]:
    """Return the notifications that all tabs together have shown."""
    return [notice for page in pages for notice in await page.evaluate(SHOWN)]


async def told_of(pages: list[Page], items: int) -> list[Json]:
    """Wait until notifications have told of so many items; the title may count them before that."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            notices = await told(pages)
            more = [re.search(r"\(and (\d+) more\)", notice["body"]) for notice in notices]
            if len(notices) + sum(int(found[1]) for found in more if found) >= items:
                return notices
            await asyncio.sleep(TICK_SECONDS)


async def count(pages: list[Page], waiting: int) -> None:
    """Wait until the title and the icon of each tab say how much waits."""
    icon = f"%3E{waiting}%3C%2Ftext" if waiting else "%3Csvg"
    for page in pages:
        title = f"({waiting}) " if waiting else ""
        await expect(page).to_have_title(re.compile(f"^{re.escape(title)}[A-Z]"))
        link = page.locator("link[rel=icon]")
        await expect(link).to_have_attribute("href", re.compile(re.escape(icon)))


async def test_what_waits_is_told_on_the_desktop_once_and_only_while_nobody_looks(
    door: Door, ground: Place
):
    thread = await ground.begin("notes", ground.repository("notes", notes()), GOAL)
    gates = {"one": await ground.seen(thread, "gate_opened", "one")}
    context = await door.context()
    await only_inbox_of(context, ground, thread)
    await context.add_init_script(DESKTOP)
    await context.grant_permissions(["notifications"])
    inbox, other = pages = [await door.page(path, in_=context) for path in ("/", "/threads")]
    await count(pages, 1)
    agree = inbox.get_by_role("button", name="Turn on")
    await expect(agree).to_have_count(0)

    await ground.answer(thread, gates["one"])
    await agree.click()
    await expect(agree).to_be_hidden()
    await other.evaluate("hide()")
    gates["two"] = await ground.seen(thread, "gate_opened", "two")
    await count(pages, 1)
    assert await told(pages) == []  # one tab is seen

    await inbox.evaluate("hide()")
    await ground.answer(thread, gates["two"])
    for name in ("three", "four"):
        await ground.seen(thread, "gate_opened", name)
    await count(pages, 2)
    notices = await told_of(pages, 2)
    assert 1 <= len(notices) <= 2  # both may be new at once
    assert {(notice["title"], notice["tag"]) for notice in notices} == {(GOAL, f"treadle-{thread}")}
    assert all(notice["body"].startswith("gate: Note ") for notice in notices)

    reading = inbox if await told([inbox]) else other
    await reading.evaluate("shown.at(-1).onclick()")
    name = "three" if "three" in notices[-1]["body"] else "four"
    card = reading.get_by_role("article", name=re.compile(GOAL)).filter(has_text=f"Note {name}")
    await expect(card.get_by_role("button", name=re.compile("^Approve"))).to_be_visible()
    await expect(reading.get_by_role("listitem").filter(has=card)).to_be_focused()


async def test_a_reader_hears_of_what_waits_once_and_politely(door: Door, ground: Place):
    page = await door.page("/")
    await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    news = page.get_by_role("status", name="New in the inbox")
    await expect(news).to_have_text("")
    thread = await ground.open("heard", ground.repository("heard", notes()), GOAL)
    await ground.seen(thread, "plan_proposed")
    await expect(news).to_have_text(re.compile(f"{GOAL}, plan: "))
    assert await news.get_attribute("aria-live") == "polite"
