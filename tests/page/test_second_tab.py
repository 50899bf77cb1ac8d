"""Another tab decides at the wrong moment: nothing else comes under the finger."""

from urllib.parse import quote

import pytest
from playwright.async_api import Locator, Page, expect

from tests.page.asking import SCENES, Asked, Scene, amendment, plan
from tests.page.browser import WIDE
from tests.page.conftest import Door
from tests.page.stories.place import Json, Place
from tests.page.test_main_job import ARMED_MILLISECONDS, button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

LOW = 300
"""A window whose inbox scrolls: what comes above the open card then moves it, or does not."""


def elsewhere(page: Page) -> Locator:
    return page.get_by_role("alert", name="Answered elsewhere")


def open_card(page: Page) -> Locator:
    return page.locator("article[data-open=true]")


async def press_there(page: Page, place: Json) -> None:
    """Press where a button was, once what came in its place would take it."""
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    await page.mouse.click(x, y)


async def go_on(page: Page) -> None:
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(elsewhere(page), "Continue").click()
    await expect(elsewhere(page)).to_have_count(0)


@pytest.mark.parametrize("height", [WIDE["height"], LOW])
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_what_another_answers_stays_in_its_place_until_the_person_goes_on(
    door: Door, ground: Place, scene: Scene, height: int
):
    asked = await scene(ground)
    after = await plan(ground)
    address = f"/?item={quote(asked.item['item_id'], safe='')}"
    page = await door.page(address, viewport={**WIDE, "height": height})
    finger = button(open_card(page), asked.button)
    await finger.scroll_into_view_if_needed()
    place = await finger.bounding_box()
    assert place is not None

    await asked.answer(ground)

    await expect(elsewhere(page)).to_be_visible()
    await expect(button(open_card(page), asked.button)).to_have_count(0)
    await press_there(page, dict(place))
    await expect(elsewhere(page)).to_be_visible()
    waiting = [item["item_id"] for item in (await ground.get("/inbox"))["items"]]
    assert after.item["item_id"] in waiting
    await go_on(page)
    await expect(open_card(page)).to_have_count(1)


async def neighbours(ground: Place) -> tuple[Asked, Asked]:
    """Return two plans that wait one after the other: what an earlier test began may come between."""
    asked = await plan(ground)
    while True:
        after = await plan(ground)
        waiting = [item["item_id"] for item in (await ground.get("/inbox"))["items"]]
        if waiting.index(after.item["item_id"]) == waiting.index(asked.item["item_id"]) + 1:
            return asked, after
        asked = after


async def test_after_ones_own_answer_the_next_takes_its_place(door: Door, ground: Place):
    asked, after = await neighbours(ground)
    page = await door.page(f"/?item={quote(asked.item['item_id'], safe='')}")
    await expect(button(open_card(page), "Approve")).to_be_visible()
    for box in await open_card(page).get_by_role("checkbox").all():
        await box.check()
    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(open_card(page), "Approve").click()
    await ground.seen(asked.item["thread_id"], "plan_started")
    next_thread = open_card(page).locator(f"a[href*='{after.item['thread_id']}']")
    await expect(next_thread.first).to_be_visible()
    await expect(elsewhere(page)).to_have_count(0)
    await after.answer(ground)
    await expect(elsewhere(page)).to_be_visible()


async def test_in_a_thread_too_nothing_takes_the_place_of_what_another_answered(
    door: Door, ground: Place
):
    asked = await amendment(ground)
    thread = asked.item["thread_id"]
    added = {"change": "add", "task": {"id": "last", "title": "Say goodbye", "gate": "ask"}}
    more = {"why": "A last one is missing", "base_version": 1, "changes": [added]}
    await ground.post(f"/threads/{thread}/amendments", {"amendment": more})
    await ground.seen(thread, "amendment_proposed", number=2)
    page = await door.page(f"/threads/{thread}")
    tray = page.get_by_role("region", name="Needs you")
    await expect(button(tray, asked.button)).to_be_visible()
    # a refusal: what approves one amendment closes the other, which is based on the same version
    await ground.post(asked.path, {**asked.body, "choice": "reject", "feedback": "Not now"})
    await expect(elsewhere(page)).to_be_visible()
    await expect(button(tray, asked.button)).to_have_count(0)
    await go_on(page)
