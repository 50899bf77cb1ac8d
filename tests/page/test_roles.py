"""A page of somebody who may only read: what they may not do is off, and says why."""

import re

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from tests.page.conftest import Door
from tests.page.stories.place import Place
from tests.page.test_main_job import button
from tests.page.test_people import bar_of, greeting

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

REASON = "You are a viewer of this project. This needs the role approver."


async def page_of_viewer(browser: Browser, ground: Place, path: str) -> tuple[Door, Page]:
    """Open a page whose session was made with a token that only reads."""
    token = (await ground.post("/tokens", {"name": "reader", "scope": "viewer"}))["token"]
    headers = {"Authorization": f"Bearer {token}", "X-Treadle": "1"}
    async with httpx.AsyncClient(
        base_url=ground.http.base_url, headers=headers, trust_env=False
    ) as http:
        door = Door(browser, http)
        return door, await door.page(path)


async def test_a_viewer_sees_a_plan_that_waits_and_cannot_decide(browser: Browser, ground: Place):
    thread = await ground.open("read", ground.repository("read", greeting()), "Greet in French")
    await ground.seen(thread, "plan_proposed")
    door, page = await page_of_viewer(browser, ground, f"/threads/{thread}?panel=plan")
    await expect(page.get_by_text(REASON)).to_be_visible()
    await expect(button(bar_of(page), "Approve")).to_be_disabled()
    await expect(button(bar_of(page), "Reject")).to_be_disabled()
    await bar_of(page).focus()
    await page.keyboard.press("r")
    await expect(page.get_by_role("textbox", name="What should change?")).to_have_count(0)
    composer = page.get_by_role("region", name="Message")
    await expect(composer.get_by_text("This needs the role author")).to_be_visible()
    await composer.get_by_role("textbox").fill("Please go on")
    await expect(composer.get_by_role("button", name=re.compile("^Send"))).to_be_disabled()
    await page.get_by_role("button", name="More thread actions").click()
    await expect(page.get_by_role("menuitem", name="Delete…")).to_be_disabled()
    await expect(page.get_by_role("menuitem", name="Export as Markdown")).to_be_enabled()
    assert await door.close() == []
