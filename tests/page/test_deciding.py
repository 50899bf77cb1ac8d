"""A decision is on what stands on the screen: never on what came since."""

import re

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.page.browser import Trouble
from tests.page.conftest import Door
from tests.page.stories.place import Json, Place, planned, rule, task, work
from tests.page.test_main_job import ARMED_MILLISECONDS, button, decide

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in Breton"
FIRST, SECOND, THIRD = "Demat", "Demat deoc'h", "Demat deoc'h holl"
FILE = "docs/greeting.md"


def greeting() -> list[Json]:
    """Return an agent whose work is reworked each time that it is sent back."""
    greet = task("greet", "Say demat", gate="ask")
    plan = {"goal": GOAL, "summary": "One file.", "key_risk": "none", "tasks": [greet]}

    def rework(before: str, after: str) -> Json:
        edit = {"edit": FILE, "old": f"{before}\n", "new": f"{after}\n"}
        return work("greet", edit, prompt="gate-rejected", done="Reworked.") | {"times": 1}

    return [
        planned(plan),
        work("greet", {"write": FILE, "text": f"{FIRST}\n"}),
        rework(FIRST, SECOND),
        rework(SECOND, THIRD),
        rule({}, {"say": "Here."}),
    ]


async def begun(ground: Place, story: str) -> tuple[str, Json]:
    """Return a thread whose task waits at its gate for the first time, and that gate."""
    thread = await ground.begin(story, ground.repository(story, greeting()), GOAL)
    return thread, await ground.seen(thread, "gate_opened", "greet")


async def sent_back(ground: Place, thread: str, gate: Json) -> Json:
    """Reject at another door; returns the gate of what the agent made of it."""
    await ground.answer(thread, gate, choice="reject", feedback="Say it to somebody.")
    return await ground.seen(thread, "gate_opened", "greet", number=2)


def review(thread: str) -> str:
    return f"/threads/{thread}/tasks/greet/review"


def tray(page: Page) -> Locator:
    return page.get_by_role("region", name="Decide")


def changed(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has_text="Changed since you opened it")


def line(page: Page, text: str) -> Locator:
    return page.get_by_role("region", name="Change").get_by_text(text, exact=True).first


async def approved_hash(ground: Place, thread: str, number: int) -> str:
    """Return the hash of what the n-th decision at the gate was on."""
    body = await ground.seen(thread, "gate_decided", "greet", number=number)
    return body["outcome"]["content_hash"]


async def test_after_ones_own_feedback_the_review_shows_what_the_agent_made_of_it(
    door: Door, ground: Place
):
    thread, _ = await begun(ground, "own-feedback")
    page = await door.page(review(thread))
    await expect(line(page, FIRST)).to_be_visible()
    await tray(page).get_by_role("textbox").fill("Say it to somebody.")
    await expect(button(tray(page), "Send feedback")).to_be_enabled()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(tray(page), "Send feedback").click()
    second = await ground.seen(thread, "gate_opened", "greet", number=2)
    await expect(page.get_by_role("radio", name=re.compile("^Since"))).to_be_checked()
    await expect(line(page, SECOND)).to_be_visible()
    await expect(changed(page)).to_have_count(0)
    await decide(tray(page), "Approve")
    assert await approved_hash(ground, thread, 2) == second["request"]["content_hash"]


async def test_what_changed_while_it_was_read_is_approved_only_once_it_is_shown(
    door: Door, ground: Place
):
    thread, first = await begun(ground, "other-tab")
    page = await door.page(review(thread))
    await expect(line(page, FIRST)).to_be_visible()
    await expect(button(tray(page), "Approve")).to_be_enabled()
    second = await sent_back(ground, thread, first)
    await expect(changed(page)).to_be_visible()
    await expect(line(page, FIRST)).to_be_visible()
    await expect(button(tray(page), "Approve")).to_be_disabled()
    await button(changed(page), "Show newest").click()
    await expect(line(page, SECOND)).to_be_visible()
    await decide(tray(page), "Approve")
    assert await approved_hash(ground, thread, 2) == second["request"]["content_hash"]


async def test_a_gate_that_opens_over_work_that_is_not_shown_cannot_be_approved(
    door: Door, ground: Place
):
    thread, first = await begun(ground, "no-gate-yet")
    context = await door.context()
    is_open = False

    async def without_request(route: Route) -> None:
        if is_open:
            await route.continue_()
            return
        view = await ground.get(f"/threads/{thread}/tasks/greet")
        await route.fulfill(json=view | {"request": None, "status": "running"})

    await context.route(re.compile(f"/v1/threads/{thread}/tasks/greet$"), without_request)
    page = await door.page(review(thread), in_=context)
    await expect(line(page, FIRST)).to_be_visible()
    await expect(tray(page)).to_contain_text("You can decide once it is verified")
    is_open = True
    await sent_back(ground, thread, first)
    await expect(changed(page)).to_be_visible()
    await expect(tray(page)).to_contain_text("show it to decide")
    await expect(button(tray(page), "Approve")).to_have_count(0)
    await button(changed(page), "Show newest").click()
    await expect(line(page, SECOND)).to_be_visible()
    await expect(button(tray(page), "Approve")).to_be_enabled()


async def test_a_change_that_cannot_be_read_cannot_be_approved(door: Door, ground: Place):
    thread, _ = await begun(ground, "unread")
    context = await door.context()
    await Trouble(is_on=True).at(context, re.compile(r"/tasks/greet/diff\?"))
    page = await door.page(review(thread), in_=context)
    door.expect("503")
    await expect(button(page.get_by_role("main"), "Try again")).to_be_visible()
    await expect(button(tray(page), "Approve")).to_be_disabled()
    await button(page.get_by_role("main"), "Try again").click()
    await expect(line(page, FIRST)).to_be_visible()
    await expect(button(tray(page), "Approve")).to_be_enabled()
