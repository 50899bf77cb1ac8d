"""A plan without tasks in the browser: the session that planned it works on, and the thread has its gate."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.page.conftest import Door
from tests.page.stories.place import Place, call, planned, rule
from tests.page.test_main_job import decide

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GREETING = 'def greet(name: str) -> str:\n    return "Hello " + name\n'
PLAN = {
    "goal": "Greet customers",
    "summary": "One function in shop/greeting.py.",
    "verification": [{"type": "command", "label": "there", "command": "test -s shop/greeting.py"}],
}
RULES = [
    rule({"prompt": "message"}, {"say": "Hello, what shall we build?"}),
    planned(PLAN),
    rule(
        {"prompt": "task"},
        {"say": "I write the greeting."},
        {"write": "shop/greeting.py", "text": GREETING},
        call("report_done", summary="Customers are greeted."),
    ),
    rule({"prompt": "coordinator"}, {"say": "It says hello."}),
]


async def no_task(page: Page) -> None:
    """See that nothing of a task is shown; the list beside it has other tests' threads."""
    await expect(page.get_by_role("tab", name=re.compile("^Tasks"))).to_have_count(0)
    main = page.get_by_role("main")
    counted = main.get_by_text(re.compile(r"\b[01]/1\b|\b[01] (of 1 )?tasks?\b"))
    await expect(counted).to_have_count(0)
    await expect(page.get_by_text(re.compile("the-work|^main$"))).to_have_count(0)


@pytest.mark.smoke
async def test_the_work_its_verification_and_its_gate_are_in_the_thread(door: Door, ground: Place):
    folder = ground.repository("simple", RULES)
    thread = await ground.open("simple", folder, "Hello", is_planned=False)
    await ground.seen(thread, "turn_ended", "session-1")
    await ground.post(f"/threads/{thread}/plans", {"goal": "Greet customers"})
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}")
    bar = page.get_by_role("region", name=re.compile("^Decide"))
    await expect(bar).to_be_visible()
    await expect(page.get_by_text("the-work")).to_have_count(0)
    await decide(bar, "Approve")

    gate = page.get_by_role("region", name=re.compile("^Gate of"))
    await expect(gate).to_be_visible()
    sessions = page.get_by_role("tablist", name="Sessions").get_by_role("tab")
    await expect(sessions).to_have_count(1)
    talk = page.locator("#talk")
    await expect(talk.get_by_text("Context reset · plan approved")).to_be_visible()
    await expect(talk.get_by_text("I write the greeting.")).to_be_visible()
    await expect(talk.get_by_text(re.compile("Verification, attempt 1"))).to_be_visible()
    await expect(page.get_by_role("tab", name=re.compile("^Work"))).to_be_visible()
    await no_task(page)

    await gate.get_by_role("link", name=re.compile("Review")).click()
    await expect(page.get_by_text("shop/greeting.py").first).to_be_visible()
    await page.goto(re.sub("/review.*", "", page.url))  # the work has no page of its own
    await expect(page).to_have_url(re.compile(f"/threads/{thread}\\?panel=work"))
    await decide(gate, "Approve")
    await ground.seen(thread, "plan_completed")
    await expect(page.get_by_role("region", name="Summary")).to_be_visible()
    await no_task(page)
    agent = page.get_by_role("button", name=re.compile("^scripted"))
    await expect(agent).to_be_visible()
    await expect(agent).not_to_contain_text("Plan")  # the session is a chat again

    await page.get_by_role("textbox", name="Message to the agent").fill("What does it say?")
    await page.keyboard.press("Control+Enter")
    await expect(talk.get_by_text("It says hello.")).to_be_visible()
    await expect(sessions).to_have_count(1)


async def test_a_phone_shows_the_gate_under_the_conversation(door: Door, ground: Place):
    folder = ground.repository("simple-phone", RULES)
    thread = await ground.begin("simple-phone", folder, "Greet customers")
    await ground.seen(thread, "gate_opened", "the-work")
    page = await door.page(f"/threads/{thread}", is_phone=True)
    await expect(page.get_by_role("region", name=re.compile("^Gate of"))).to_be_visible()
    await expect(page.get_by_text("I write the greeting.")).to_be_visible()
    await no_task(page)
