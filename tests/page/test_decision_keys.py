"""The keys do what they say: they decide on what is shown, from a fresh screen, and never as a word."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.page.asking import only_inbox_of
from tests.page.conftest import Door
from tests.page.stories.place import Json, Place, planned, rule, task, work
from tests.page.test_main_job import ARMED_MILLISECONDS

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in Welsh"
TYPED = """
(word) => {
  for (const key of word) {
    const press = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(press);
  }
}
"""
"""A word that is typed at once, however busy the machine is."""


def greeting() -> list[Json]:
    """Return an agent whose only task waits at its gate."""
    plan = {"goal": GOAL, "summary": "One file.", "tasks": [task("greet", "Greet", gate="ask")]}
    writing = work("greet", {"write": "docs/greeting.md", "text": "Shwmae\n"})
    return [planned(plan), writing, rule({}, {"say": "Here."})]


async def inbox_of(door: Door, ground: Place, thread: str) -> Page:
    """Open the inbox as it is where nothing but one thread waits."""
    context = await door.context()
    await only_inbox_of(context, ground, thread)
    page = await door.page("/", in_=context)
    await expect(page.get_by_role("button", name=re.compile("^Approve"))).to_be_enabled()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    return page


async def test_a_fresh_inbox_approves_and_rejects_what_is_open(door: Door, ground: Place):
    thread = await ground.open("fresh", ground.repository("fresh", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await inbox_of(door, ground, thread)
    await page.evaluate(TYPED, "apply")
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await expect(page.get_by_role("button", name=re.compile("^Approve"))).to_be_enabled()

    await page.keyboard.press("a")
    await ground.seen(thread, "plan_decided")
    await ground.seen(thread, "gate_opened", "greet")
    await expect(page.get_by_role("region", name="Gate of Greet")).to_be_visible()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await page.keyboard.press("r")
    field = page.get_by_role("textbox", name="What should change?")
    await expect(field).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(field).to_be_hidden()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await page.keyboard.press("a")
    await ground.seen(thread, "plan_completed")


async def test_enter_goes_into_the_open_card_of_a_fresh_inbox(door: Door, ground: Place):
    thread = await ground.open("enter", ground.repository("enter", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await inbox_of(door, ground, thread)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name=re.compile("^Approve"))).to_be_focused()


async def test_a_plan_is_approved_from_anywhere_in_its_thread(door: Door, ground: Place):
    thread = await ground.open("anywhere", ground.repository("anywhere", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}?panel=plan")
    bar = page.get_by_role("region", name=re.compile("^Decide"))
    await expect(bar.get_by_role("button", name=re.compile("^Approve"))).to_be_enabled()
    await page.get_by_role("tab", name="Files").first.focus()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await page.keyboard.press("a")
    await ground.seen(thread, "plan_decided")
    await expect(bar).to_be_hidden()
