"""The main job, done whole in a browser: from a wish to a merged change."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.job import git
from tests.page.conftest import Door
from tests.page.main_job import COMMENT, GOAL, REWORKED, RIVAL, repository
from tests.page.stories.place import Place

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

ARMED_MILLISECONDS = 600
"""A little longer than a decision that has just come takes no click."""


def button(where: Page | Locator, name: str) -> Locator:
    """Return a button whose name begins like this, whatever keys stand behind it."""
    return where.get_by_role("button", name=re.compile(f"^{name}")).first


async def decide(where: Page | Locator, name: str) -> None:
    """Click what decides, once it may be clicked, until it says that it is recorded or is gone."""
    found = button(where, name)
    await expect(found).to_be_enabled()
    await found.page.wait_for_timeout(ARMED_MILLISECONDS)
    await found.click()
    await expect(found).to_be_hidden()


@pytest.mark.smoke
async def test_the_main_job_is_done_whole_in_the_browser(door: Door, ground: Place):
    folder = repository(ground)
    page = await door.page("/")
    thread = await open_thread(page, folder)
    await select_plan(page)
    await answer_decision(page)
    await see_verification_fail_and_pass(page, ground, thread)
    await review_with_a_comment(page)
    await approve_what_changed(page)
    await see_it_merged(page, ground, thread, folder)


async def open_thread(page: Page, folder: str) -> str:
    """Ask for two plans of a goal; returns the thread."""
    await page.get_by_role("link", name="New thread").first.click()
    form = page.get_by_role("form", name="New thread")
    await form.get_by_label("Message").fill(GOAL)
    await form.get_by_role("combobox", name="Repository").fill(folder)
    await form.get_by_role("combobox", name="Agent", exact=True).select_option("scripted")
    await form.get_by_text("More options").click()
    await button(form, "Add another planner").click()
    await form.get_by_role("combobox", name="Planner 2").select_option(RIVAL)
    await button(form, "Plan first").click()
    await page.wait_for_url(re.compile("/threads/thread-"))
    await expect(page.get_by_role("heading", level=1)).to_contain_text(GOAL)
    return page.url.rpartition("/")[2].partition("?")[0]


async def select_plan(page: Page) -> None:
    """Compare the plans and take the simpler one."""
    await page.get_by_role("link", name="Compare").first.click()
    table = page.get_by_role("region", name="Comparison")
    await expect(table.get_by_text("A function", exact=True)).to_be_visible()
    await expect(table.get_by_text("A module", exact=True)).to_be_visible()
    cells = table.get_by_role("row", name=re.compile("Approach")).get_by_role("cell")
    letter = "AB"[(await cells.all_inner_texts()).index("A function")]
    await button(table, f"Select {letter}").click()
    bar = page.get_by_role("region", name=re.compile("^Decide"))
    await bar.get_by_role("checkbox").check()
    await decide(bar, f"Approve {letter}")
    await page.get_by_role("link", name="Back to thread").click()


async def answer_decision(page: Page) -> None:
    """Answer the planner's question, for which the task waits."""
    card = page.get_by_role("group", name="How shall customers be greeted?").first
    await card.get_by_role("radio", name="friendly").check()
    await decide(card, "Decide")


async def see_verification_fail_and_pass(page: Page, ground: Place, thread: str) -> None:
    """Look at the attempts of the task, the first of which failed."""
    await ground.seen(thread, "gate_opened", "greet")
    await page.goto(re.sub("/threads/.*", f"/threads/{thread}/tasks/greet", page.url))
    await page.get_by_role("tab", name=re.compile("Verification")).click()
    await expect(page.get_by_text(re.compile("attempt 1", re.IGNORECASE)).first).to_be_visible()
    await expect(page.get_by_text(re.compile("attempt 2", re.IGNORECASE)).first).to_be_visible()


async def review_with_a_comment(page: Page) -> None:
    """Comment on a line of the diff, and send it back."""
    gate = page.get_by_role("region", name="Gate of Greet by name")
    await gate.get_by_role("link", name=re.compile("Review")).click()
    await expect(page.get_by_text('return "Hello " + name').first).to_be_visible()
    for key in ("n", "Alt+ArrowDown", "c"):
        await page.keyboard.press(key)
    await page.get_by_role("textbox", name=re.compile("^Comment on line")).fill(COMMENT)
    await button(page, "Add comment").click()
    await decide(page.get_by_role("region", name="Decide"), "Send 1 comment as feedback")


async def approve_what_changed(page: Page) -> None:
    """Look at what the agent made of the comment, since the review, and approve."""
    await expect(page.get_by_role("radio", name=re.compile("^Since"))).to_be_checked()
    await expect(page.get_by_text(REWORKED).first).to_be_visible()
    await decide(page.get_by_role("region", name="Decide"), "Approve")


async def see_it_merged(page: Page, ground: Place, thread: str, folder: str) -> None:
    """Wait until the plan is completed, on the page and in the repository."""
    await ground.seen(thread, "plan_completed")
    await page.goto(re.sub("/threads/.*", f"/threads/{thread}?panel=table", page.url))
    await expect(page.get_by_text("completed").first).to_be_visible()
    await expect(page.get_by_text("2/2").first).to_be_visible()
    branch = (await ground.get(f"/threads/{thread}"))["branch"]
    assert REWORKED in git(Path(folder), "show", f"{branch}:shop/greeting.py")
