"""The main job without a mouse: every step is reached and taken by keys."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.job import git
from tests.page.conftest import Door
from tests.page.main_job import COMMENT, GOAL, REWORKED, repository
from tests.page.stories.place import Place
from tests.page.test_main_job import ARMED_MILLISECONDS, button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

MOST_TABS = 70
"""As many Tab stops as a screen may have, whatever has the focus at first (test_screens)."""

HAS_FOCUS = "element => element === document.activeElement"


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until something has the focus."""
    await expect(wanted).to_be_visible()
    await expect(wanted).to_be_enabled()
    for _ in range(MOST_TABS):
        if await wanted.evaluate(HAS_FOCUS):
            return
        await page.keyboard.press(key)
    raise AssertionError(f"no key leads to {wanted}")


async def open_entry(page: Page, card: Locator) -> None:
    """Go down the inbox until an entry is the open one: others may have waited for longer."""
    for _ in range(await page.get_by_role("article").count() + 1):
        if await card.get_attribute("data-open") == "true":
            return
        await press(page, "j")
    raise AssertionError(f"j does not lead to {card}")


async def decide(page: Page, wanted: Locator, key: str = "Enter") -> None:
    """Press a key on what decides, once that would be meant, until it is recorded or is gone."""
    await tab_to(page, wanted)
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await page.keyboard.press(key)
    await expect(wanted).to_be_hidden()


async def test_the_main_job_is_done_whole_by_keys(door: Door, ground: Place):
    folder = repository(ground)
    page = await door.page("/")
    await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    thread = await open_thread(page, folder)
    await select_plan(page)
    await answer_decision(page)
    await ground.seen(thread, "gate_opened", "greet")
    await review_with_a_comment(page)
    await approve_what_changed(page)
    await ground.seen(thread, "plan_completed")
    await see_it_merged(page)
    branch = (await ground.get(f"/threads/{thread}"))["branch"]
    assert REWORKED in git(Path(folder), "show", f"{branch}:shop/greeting.py")


async def open_thread(page: Page, folder: str) -> str:
    """Ask for two plans of a goal; the palette is looked into on the way. Returns the thread."""
    await press(page, "Control+k")
    commands = page.get_by_role("textbox", name="Commands")
    await expect(commands).to_be_focused()
    await page.keyboard.type("new thread")
    await press(page, "Enter")
    form = page.get_by_role("form", name="New thread")
    await expect(form.get_by_label("Message")).to_be_focused()
    await page.keyboard.type(GOAL)
    await tab_to(page, form.get_by_role("combobox", name="Repository"))
    await press(page, "Control+a")
    await page.keyboard.type(folder)
    await tab_to(page, form.get_by_role("combobox", name="Agent", exact=True))
    await page.keyboard.type("Scripted")
    await tab_to(page, form.locator("summary", has_text="More options"))
    await press(page, "Enter")
    await tab_to(page, button(form, "Add another planner"))
    await press(page, "Enter")
    await tab_to(page, form.get_by_role("combobox", name="Planner 2"), "Shift+Tab")
    await page.keyboard.type("Thorough")
    await press(page, "Control+Enter")
    await page.wait_for_url(re.compile("/threads/thread-"))
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    return page.url.rpartition("/")[2].partition("?")[0]


async def select_plan(page: Page) -> None:
    """Compare the plans and approve the simpler one, by the key of its bar."""
    await tab_to(page, page.get_by_role("link", name="Compare").first)
    await press(page, "Enter")
    table = page.get_by_role("region", name="Comparison")
    await expect(table.get_by_text("A function", exact=True)).to_be_visible()
    await expect(table.get_by_text("A module", exact=True)).to_be_visible()
    cells = table.get_by_role("row", name=re.compile("Approach")).get_by_role("cell")
    letter = "AB"[(await cells.all_inner_texts()).index("A function")]
    await tab_to(page, button(table, f"Select {letter}"))
    await press(page, "Enter")
    bar = page.get_by_role("region", name=re.compile("^Decide"))
    await tab_to(page, bar.get_by_role("checkbox"))
    await press(page, "Space")
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await press(page, "a")
    await expect(bar).to_be_hidden()
    await tab_to(page, page.get_by_role("link", name="Back to thread"))
    await press(page, "Enter")


async def answer_decision(page: Page) -> None:
    """Answer the planner's question, for which the task waits."""
    card = page.get_by_role("group", name="How shall customers be greeted?").first
    await tab_to(page, card.get_by_role("radio", name="formal"))
    await press(page, "ArrowDown")
    await expect(card.get_by_role("radio", name="friendly")).to_be_checked()
    await decide(page, button(card, "Decide"))


async def review_with_a_comment(page: Page) -> None:
    """Go to the gate by the inbox, comment on a line, leave it half way, and send it back."""
    await press(page, "g", "i")
    card = page.get_by_role("article", name=re.compile(GOAL)).filter(has_text="Greet by name")
    await expect(card).to_be_visible()
    await open_entry(page, card)
    await press(page, "o")
    await expect(page.get_by_text('return "Hello " + name').first).to_be_visible()
    await press(page, "?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(sheet.get_by_text("Next hunk")).to_be_visible()
    await press(page, "Escape")
    await expect(sheet).to_be_hidden()
    await press(page, "v", "n", "p", "n", "Alt+ArrowDown", "c")
    comment = page.get_by_role("textbox", name=re.compile("^Comment on line"))
    await expect(comment).to_be_focused()
    await page.keyboard.type(COMMENT)
    await press(page, "Escape")
    await expect(comment).to_be_hidden()
    await press(page, "c")
    await expect(comment).to_have_value(COMMENT)
    await press(page, "Control+Enter")
    await decide(page, button(page.get_by_role("region", name="Decide"), "Send 1 comment"))


async def approve_what_changed(page: Page) -> None:
    """Look at what the agent made of the comment, since the review, and approve."""
    await expect(page.get_by_role("radio", name=re.compile("^Since"))).to_be_checked()
    await expect(page.get_by_text(REWORKED).first).to_be_visible()
    approval = button(page.get_by_role("region", name="Decide"), "Approve")
    await expect(approval).to_be_enabled()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await press(page, "a")
    await expect(approval).to_be_focused()
    await expect(approval).to_be_hidden()


async def see_it_merged(page: Page) -> None:
    """Go to the thread by the list of all, and see that its plan is completed."""
    await press(page, "g", "t")
    first = page.get_by_role("main").locator("[data-row]").filter(has_text=GOAL).first
    await tab_to(page, first, "j")
    await press(page, "Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text(GOAL)
    await expect(page.get_by_text("completed").first).to_be_visible()
