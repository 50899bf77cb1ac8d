"""A card is snoozed in the inbox, is in no count, and comes back as it was."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.page.conftest import Door
from tests.page.pictures import kept
from tests.page.stories.place import Place
from tests.page.test_deciding import begun
from tests.page.test_main_job import button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


async def test_a_snoozed_card_is_apart_and_is_shown_again(
    door: Door, ground: Place, pictures: Path | None
):
    thread, _ = await begun(ground, "snoozed")
    waiting = (await ground.get("/inbox"))["items"]
    [card] = [each for each in waiting if each["thread_id"] == thread]
    item = f"/?item={card['item_id'].replace('#', '%23').replace('/', '%2F')}"
    page = await door.page(item)
    await button(page.locator("[data-inbox-card]"), "Snooze").click()
    await kept(page, pictures, "snooze")
    await page.get_by_role("menuitem", name="Tomorrow 9:00").click()
    apart = page.get_by_text("Snoozed (1)")
    await expect(apart).to_be_visible()
    [asleep] = [e for e in (await ground.get("/inbox"))["items"] if e["thread_id"] == thread]
    assert asleep["is_mine"] is False
    assert asleep["request"] == card["request"]
    await apart.click()
    await kept(page, pictures, "snoozed")
    await button(page, "Show again").click()
    await expect(apart).to_have_count(0)
    [awake] = [e for e in (await ground.get("/inbox"))["items"] if e["thread_id"] == thread]
    assert awake["is_mine"] is True
    assert awake["snoozed_until"] is None
