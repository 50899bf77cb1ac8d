"""Two people at one engine: the one who comes later is told why their answer was not taken."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.page.conftest import Door
from tests.page.stories.place import Json, Place, planned, rule, task, work
from tests.page.test_main_job import ARMED_MILLISECONDS, button, decide

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in French"
WORDS = "More French"


def greeting() -> list[Json]:
    """Return an agent that plans one task, whose work a person looks at."""
    greet = task("greet", "Say bonjour", gate="ask")
    plan = {"goal": GOAL, "summary": "One file.", "key_risk": "none", "tasks": [greet]}
    writing = work("greet", {"write": "docs/greeting.md", "text": "Bonjour\n"})
    return [planned(plan), writing, rule({}, {"say": "Here."})]


def bar_of(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Decide"))


def refusal(page: Page) -> Locator:
    return page.get_by_role("alert", name="Your answer was not accepted")


async def begin_feedback(page: Page) -> Locator:
    """Write what is to change, and do not send it."""
    await expect(button(bar_of(page), "Reject")).to_be_visible()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(bar_of(page), "Reject").click()
    box = bar_of(page).get_by_role("textbox", name="What should change?")
    await box.fill(WORDS)
    return box


async def approve(page: Page) -> None:
    """Approve the plan, warnings or not."""
    await expect(button(bar_of(page), "Reject")).to_be_visible()
    for box in await bar_of(page).get_by_role("checkbox").all():
        await box.check()
    await decide(bar_of(page), "Approve")


async def test_of_two_who_answer_at_once_the_later_is_told_that_it_was_refused(
    door: Door, ground: Place
):
    thread = await ground.open("two", ground.repository("two", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    first = await door.page(f"/threads/{thread}?panel=plan")
    second = await door.page(f"/threads/{thread}?panel=plan")
    door.expect("409")
    box = await begin_feedback(second)
    going = asyncio.Event()

    async def hold(route: Route) -> None:
        await going.wait()
        await route.continue_()

    await second.route("**/approvals", hold)
    await box.press("Control+Enter")
    await approve(first)
    await expect(bar_of(second)).to_be_hidden()
    going.set()
    await expect(refusal(second)).to_contain_text("Your answer was not accepted")
    await expect(refusal(second)).to_contain_text("Already approved by")
    await expect(refusal(second)).to_contain_text(WORDS)
    await second.reload()
    await button(refusal(second), "Send as a message").click()
    await expect(refusal(second)).to_be_hidden()
    await expect(refusal(first)).to_be_hidden()
    await ground.seen(thread, "prompt_sent", "session-2")
    assert WORDS in str(await ground.get(f"/threads/{thread}/events?after=0"))


async def test_one_who_writes_while_another_approves_is_reported_and_keeps_the_words(
    door: Door, ground: Place
):
    other = await ground.open("other", ground.repository("other", greeting()), GOAL)
    await ground.seen(other, "plan_proposed")  # a request of the same name waits elsewhere
    thread = await ground.open("late", ground.repository("late", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    first = await door.page(f"/threads/{thread}?panel=plan")
    second = await door.page(f"/threads/{thread}?panel=plan")
    await begin_feedback(second)
    await approve(first)
    await expect(refusal(second)).to_contain_text("decided while you were writing")
    await expect(refusal(second)).to_contain_text("Already approved by")
    await expect(refusal(second)).to_contain_text(WORDS)
    await button(refusal(second), "Discard").click()
    await expect(refusal(second)).to_be_hidden()


async def test_one_who_wrote_and_approves_after_all_is_told_nothing(door: Door, ground: Place):
    thread = await ground.open("own", ground.repository("own", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}?panel=plan")
    await begin_feedback(page)
    await button(bar_of(page), "Back").click()
    await approve(page)
    await ground.seen(thread, "gate_opened", "greet")
    await expect(page.get_by_text("gate").first).to_be_visible()
    await expect(refusal(page)).to_have_count(0)


async def test_what_a_person_chooses_at_the_approval_is_how_freely_the_plan_runs(
    door: Door, ground: Place
):
    thread = await ground.open("freely", ground.repository("freely", greeting()), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}?panel=plan")
    choice = bar_of(page).get_by_role("radiogroup", name="Run:")
    await expect(choice).to_have_accessible_description(
        re.compile("^asks for your approval at 1 gate")
    )
    await choice.get_by_role("radio", name="approve each task plan").check()
    await expect(choice).to_have_accessible_description(re.compile("1 task plan and 1 gate"))
    await approve(page)
    await expect(page.get_by_text("mode: approve each task plan")).to_be_visible()
    assert (await ground.get(f"/threads/{thread}"))["running"]["autonomy"] == "each_plan"
