"""Money on the page: what a thread costs, a limit in its way, and a raise that has its work go on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.engine import Engine
from tests.page.browser import PHONE
from tests.page.conftest import Door
from tests.page.stories.place import Place, fills, planned, task, work
from tests.page.test_main_job import button
from tests.page.test_updating_from_base import shown

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]


def told(usd: float) -> dict[str, object]:
    cost = {"amount": usd, "currency": "USD"}
    return {"update": {"sessionUpdate": "usage_update", "used": 10, "size": 1000, "cost": cost}}


PLAN = {
    "goal": "Write three notes",
    "summary": "Three files.",
    "tasks": [
        task("first", "Write the first note", mode="docs", verification=fills("docs")),
        task("second", "Write two", mode="docs", depends_on=["first"], verification=fills("docs")),
        task(
            "third", "Write three", mode="docs", depends_on=["second"], verification=fills("docs")
        ),
    ],
}
RULES = [
    planned(PLAN, told(0.02)),
    work("first", {"write": "docs/first.md", "text": "one\n"}, told(0.75)),
    work("second", {"write": "docs/second.md", "text": "two\n"}, told(0.5)),
    work("third", {"write": "docs/third.md", "text": "three\n"}, told(0.25)),
]


@pytest.fixture
async def paid(
    browser: Browser, is_built: None, tmp_path: Path
) -> AsyncIterator[tuple[Door, Place]]:
    """Pages of an engine with a limit of one dollar a month."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "repositories").mkdir()
    engine = Engine(tmp_path / "engine", money={"month_usd": 1.0, "turn_usd": 0.1})
    await engine.start("temporal", "api", "worker")
    async with engine.http() as http:
        door = Door(browser, http)
        yield door, Place(http, tmp_path / "repositories", engine.config)
        complaints = await door.close()
    engine.stop()
    assert not complaints, "\n".join(complaints)


async def test_a_limit_is_raised_from_its_card(
    paid: tuple[Door, Place], pictures: Path | None
) -> None:
    door, ground = paid
    thread = await ground.open("notes", ground.repository("notes", RULES), "Write three notes")
    proposed = await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}")
    await expect(page.get_by_text("no estimate yet: too few tasks").first).to_be_visible()
    wrong = await shown(page, pictures, "money-plan")
    await ground.answer(thread, proposed)
    await ground.seen(thread, "turn_delayed", under="third")

    await page.goto(f"{door.origin}/threads/{thread}?panel=table")
    await expect(page.get_by_text("$1.27").first).to_be_visible()
    await expect(page.get_by_label("$1.27 of $1.00 spent")).to_be_visible()
    await expect(page.locator("[data-verbs=Thread]").get_by_text("needs you").first).to_be_visible()
    wrong += await shown(page, pictures, "money-thread")
    await page.goto(f"{door.origin}/threads/{thread}/tasks/third")
    await expect(page.locator("[data-verbs=Task]").get_by_text("needs you").first).to_be_visible()

    await page.goto(f"{door.origin}/")
    await expect(page.get_by_text("limit reached").first).to_be_visible()
    await page.get_by_text("Spending limit reached for all work").first.click()
    await expect(page.get_by_label("New limit, more than $1.27")).to_have_value("$1.91")
    wrong += await shown(page, pictures, "money-card")
    await page.set_viewport_size(PHONE)
    wrong += await shown(page, pictures, "money-card-phone")
    await page.get_by_label("New limit, more than $1.27").fill("1")
    await expect(page.get_by_role("button", name="Raise", exact=True)).to_be_disabled()
    await page.get_by_label("New limit, more than $1.27").fill("5")
    await page.get_by_role("button", name="Raise to $5.00").click()

    await ground.seen(thread, "plan_completed")
    await page.goto(f"{door.origin}/threads")
    await expect(page.get_by_text("$1.52").first).to_be_visible()
    wrong += await shown(page, pictures, "money-threads-phone")
    await page.set_viewport_size({"width": 1280, "height": 900})
    wrong += await shown(page, pictures, "money-threads")
    await page.goto(f"{door.origin}/report")
    await expect(page.get_by_text("Spending and limits, ")).to_be_visible()
    await page.get_by_label("Each repository").fill("20")
    await button(page, "Set limits").click()
    await expect(button(page, "Reset to settings")).to_be_visible()
    wrong += await shown(page, pictures, "money-report")
    assert not wrong, "\n".join(wrong)
