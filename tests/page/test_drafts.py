"""What a person wrote outlives a decision that came first; plans are read, then decided."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.page.browser import Trouble
from tests.page.conftest import Door
from tests.page.stories.place import Json, Place, planned, rule, task, work
from tests.page.test_main_job import button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in Catalan"
TITLE = "Say bona nit as well"
WORDS = "And what in the evening?"
RIVAL = "wordy"


def greeting(summary: str = "One file.") -> list[Json]:
    """Return an agent that plans one task, whose work a person looks at."""
    greet = task("greet", "Say bon dia", gate="ask")
    plan = {"goal": GOAL, "summary": summary, "key_risk": "none", "tasks": [greet]}
    writing = work("greet", {"write": "docs/greeting.md", "text": "Bon dia\n"})
    return [planned(plan), writing, rule({}, {"say": "Here."})]


def bar_of(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Decide: "))


async def test_changes_to_a_plan_that_another_approves_are_kept_and_can_be_proposed(
    door: Door, ground: Place
):
    thread = await ground.open("catalan", ground.repository("catalan", greeting()), GOAL)
    asked = await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}")
    await button(bar_of(page), "Edit").click()
    await page.get_by_role("group", name="Task greet").get_by_label("Title").fill(TITLE)
    await ground.answer(thread, asked)
    kept = page.get_by_role("alert", name="Unsaved changes to revision 1")
    await expect(kept).to_contain_text("Your changes were not sent. Revision 1 of the plan was app")
    await expect(kept).to_contain_text(f"Task greet, title: {TITLE}")
    await expect(button(kept, "Copy")).to_be_visible()
    await page.reload()
    await button(kept, "Propose as an amendment").click()
    assert TITLE in (await ground.seen(thread, "amendment_requested"))["text"]
    await expect(kept).to_have_count(0)


async def test_words_for_a_gate_that_another_closes_stay_to_be_copied(door: Door, ground: Place):
    thread = await ground.begin("evening", ground.repository("evening", greeting()), GOAL)
    gate = await ground.seen(thread, "gate_opened", "greet")
    page = await door.page(f"/threads/{thread}/tasks/greet/review")
    tray = page.get_by_role("region", name="Decide")
    await tray.get_by_role("textbox").fill(WORDS)
    await ground.answer(thread, gate)
    await ground.seen(thread, "plan_completed")
    changed = page.get_by_role("alert").filter(has_text="Changed since you opened it").first
    await changed.get_by_role("button").first.click()
    kept = tray.get_by_role("region", name="Your comments")
    await expect(kept).to_contain_text(WORDS)
    await expect(button(kept, "Copy")).to_be_visible()


@pytest.mark.parametrize("is_revision_known_first", [True, False])
async def test_no_plan_is_approved_below_a_comparison_that_could_not_be_read(
    door: Door, ground: Place, is_revision_known_first: bool
):
    ground.agent(RIVAL, "Wordy (scripted)", greeting("Two files."))
    thread = await ground.open("compared", ground.repository("compared", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    await ground.post(f"/threads/{thread}/plans/planners", {"agent": RIVAL})
    second = await ground.seen(thread, "plan_proposed", number=2)
    context = await door.context()
    trouble = Trouble(is_on=False)
    await trouble.at(context, re.compile(f"/v1/threads/{thread}/plans/compare"))
    page = await door.page(f"/threads/{thread}/compare", in_=context)
    door.expect("503")
    await button(page.get_by_role("region", name="Comparison"), "Select A").click()
    await expect(button(bar_of(page), "Approve A")).to_be_visible()
    may_be_told = asyncio.Event()
    if is_revision_known_first:
        may_be_told.set()

    async def tell(route: Route) -> None:
        await may_be_told.wait()
        await route.continue_()

    await context.route(re.compile(f"/v1/threads/{thread}$"), tell)
    trouble.is_on = True
    changed = second["plan"] | {"summary": "Three files."}
    await ground.post(f"/threads/{thread}/plans/{second['revision']}/edits", {"plan": changed})
    again = button(page.get_by_role("main"), "Try again")
    await expect(again).to_be_visible()
    await expect(bar_of(page)).to_have_count(0)
    trouble.may_answer.clear()
    async with page.expect_request(re.compile("/plans/compare")):
        await again.click()
    if not may_be_told.is_set():
        async with page.expect_request(re.compile(r"/plans/compare\?revisions=1%2C3")):
            may_be_told.set()
    await expect(again).to_be_visible()  # and what was shown before stands in no gap
    await expect(bar_of(page)).to_have_count(0)
    trouble.may_answer.set()
    await expect(page.get_by_text("Three files.").first).to_be_visible()
    await expect(bar_of(page)).to_be_visible()
