"""What must be read before an approval: once, only what is unusual, and whole on a phone."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.page.browser import PHONE
from tests.page.conftest import Door
from tests.page.stories.place import Place, planned, rule, task
from tests.page.test_main_job import ARMED_MILLISECONDS, button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in Irish"
WARNING = "2 tasks will be merged without your approval: one, two"


async def proposed(ground: Place, story: str) -> str:
    """Return a thread whose plan asks for no gates, though its template does."""
    tasks = [task("one", "Greet"), task("two", "Say goodbye")]
    plan = {"goal": GOAL, "summary": "Two files.", "tasks": tasks}
    rules = [planned(plan), rule({}, {"say": "Here."})]
    thread = await ground.open(story, ground.repository(story, rules), GOAL)
    await ground.seen(thread, "plan_proposed")
    return thread


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Decide"))


async def test_who_chooses_where_a_plan_stops_is_not_warned_of_its_gates(door: Door, ground: Place):
    thread = await proposed(ground, "chosen")
    page = await door.page(f"/threads/{thread}?panel=plan")
    await expect(bar(page).get_by_text(WARNING)).to_be_visible()
    await expect(button(bar(page), "Approve")).to_be_disabled()
    await bar(page).get_by_role("radio", name="approve at gates").check()
    await expect(bar(page).get_by_text(WARNING)).to_have_count(0)
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(bar(page), "Approve").click()
    decided = await ground.seen(thread, "plan_decided")
    await ground.post(f"/threads/{thread}/cancel")  # its tasks fail, which others would hear of
    assert decided["outcome"]["autonomy"] == "gates"


async def test_warnings_that_were_read_are_not_read_again_after_an_edit(door: Door, ground: Place):
    thread = await proposed(ground, "edited")
    page = await door.page(f"/threads/{thread}?panel=plan")
    await bar(page).get_by_role("checkbox").check()
    await button(bar(page), "Edit").click()
    title = page.get_by_role("textbox", name="Title").first
    await title.fill("Greet everybody")
    await button(page, "Save").click()
    await ground.seen(thread, "plan_proposed", number=2)
    await expect(page.get_by_role("combobox", name="Revision", exact=True)).to_have_value("2")
    await expect(bar(page).get_by_role("checkbox")).to_be_checked()
    await expect(button(bar(page), "Approve")).to_be_enabled()


async def test_a_phone_keeps_its_screen_and_shows_every_warning_whole(door: Door, ground: Place):
    thread = await proposed(ground, "phone")
    page = await door.page(f"/threads/{thread}?panel=plan", is_phone=True)
    await expect(bar(page)).to_be_visible()
    box = await bar(page).bounding_box()
    assert box is not None
    assert box["height"] <= 72

    await button(bar(page), "Read 1 warning to approve").click()
    sheet = page.get_by_role("dialog")
    warning = sheet.get_by_text(WARNING)
    await expect(warning).to_be_in_viewport(ratio=1)
    frame = await sheet.bounding_box()
    assert frame is not None
    assert frame["height"] < PHONE["height"]
    assert frame["y"] + frame["height"] == PHONE["height"]
    await sheet.get_by_role("checkbox").check()
    await expect(button(sheet, "Approve")).to_be_in_viewport(ratio=1)
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(sheet, "Approve").click()
    await ground.seen(thread, "plan_decided")
    await ground.post(f"/threads/{thread}/cancel")
