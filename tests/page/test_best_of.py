"""The best of three on the page: one table, changes side by side, files of one put into another, one taken."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.page.browser import PHONE
from tests.page.conftest import Door
from tests.page.stories.place import Place, call, planned, work
from tests.page.test_main_job import button
from tests.page.test_updating_from_base import shown

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

GOAL = "Round the tax"
CHECK = "python3 -m unittest -q && grep -q round shop/prices.py"
PLAN = {
    "goal": GOAL,
    "summary": "Tax is rounded, not cut.",
    "verification": [{"type": "command", "label": "unit tests", "command": CHECK}],
}
PRICES = '"""Prices, in cents."""\n\nVAT = 19\n\n\ndef gross(net: int) -> int:\n'
WORKS = {
    "a": '    """Add the tax."""\n    return net + round(net * VAT / 100)\n',
    "b": '    """Add the tax, rounded."""\n    return round(net * (100 + VAT) / 100)\n',
    "c": '    """Add the tax."""\n    return net + net * VAT // 100  # TODO\n',
}


def told(usd: float) -> dict[str, object]:
    cost = {"amount": usd, "currency": "USD"}
    return {"update": {"sessionUpdate": "usage_update", "used": 10, "size": 1000, "cost": cost}}


RULES = [
    planned(PLAN),
    *(
        work(
            f"the-goal.{letter}",
            {"write": "shop/prices.py", "text": PRICES + text},
            {"write": f"docs/{letter}.md", "text": f"# What {letter} did\n\n{text}"},
            told(0.25 * number),
        )
        for number, (letter, text) in enumerate(WORKS.items(), 1)
    ),
    {
        "when": {"prompt": "verification-failed"},
        "steps": [call("report_done", summary="It cannot be better.")],
    },
]


async def contest_of(door: Door, ground: Place, story: str, goal: str) -> tuple[str, Page]:
    """Have three agents do a goal; return the thread and the inbox with its card open."""
    best_of = {"agents": [f"scripted:{model}" for model in ("small", "large", "cheap")]}
    thread = await ground.begin(
        story, ground.repository(story, RULES), goal, best_of=best_of, planner={"own_turns": 0}
    )
    await ground.seen(thread, "candidates_shown")
    page = await door.page("/")
    card = page.get_by_role("listitem").filter(has_text=goal).filter(has_text="best of")
    await card.first.click()
    return thread, page


async def test_three_are_compared_and_one_is_taken(
    door: Door, ground: Place, pictures: Path | None
):
    thread, page = await contest_of(door, ground, "best-of-taken", GOAL)
    table = page.get_by_role("region", name="Candidates of")
    rows = table.get_by_role("table").first.get_by_role("row")
    await expect(rows).to_have_count(4)
    await expect(rows.nth(1)).to_contain_text("scripted:small")
    await expect(rows.nth(2)).to_contain_text("$0.50")
    await expect(button(rows.nth(3), "Take candidate C")).to_have_count(0)
    sides = table.get_by_role("region", name="Changes side by side")
    await expect(sides.get_by_text("return round(net").first).to_be_visible()
    await expect(sides.get_by_text("net + round(net").first).to_be_visible()
    wrong = await shown(page, pictures, "best-of-inbox")
    await page.set_viewport_size(PHONE)
    wrong += await shown(page, pictures, "best-of-phone")
    await page.set_viewport_size({"width": 1280, "height": 900})

    await button(table, "Take candidate B").click()

    await ground.seen(thread, "plan_completed")
    await page.goto(f"{door.origin}/threads/{thread}/tasks/the-goal")
    await expect(rows.nth(2)).to_contain_text("merged")
    await expect(sides.get_by_text("net + round(net").first).to_be_visible()
    wrong += await shown(page, pictures, "best-of-over")
    assert not wrong, "\n".join(wrong)


async def test_files_of_one_and_the_rest_of_another_become_a_candidate(
    door: Door, ground: Place, pictures: Path | None
):
    thread, page = await contest_of(door, ground, "best-of-parts", f"{GOAL} in parts")
    await page.goto(f"{door.origin}/threads/{thread}/tasks/the-goal")
    table = page.get_by_role("region", name="Candidates of")
    sides = table.get_by_role("region", name="Changes side by side")

    await sides.get_by_label("Take docs/b.md of B").check()
    await sides.get_by_label("All other files from").select_option("A")
    await button(sides, "Put together and verify").click()

    await ground.seen(thread, "candidates_shown", number=2)
    newest = table.get_by_role("button", name="Show newest")
    fourth = table.get_by_role("table").first.get_by_role("row").nth(4)
    ready = fourth.filter(has_text=re.compile("ready", re.IGNORECASE))
    await expect(newest.or_(ready).first).to_be_visible()
    while not await ready.count():  # what was shown in between stays until the person wants newer
        await newest.click()
        await expect(newest.or_(ready).first).to_be_visible()
    wrong = await shown(page, pictures, "best-of-parts")
    await button(table, "Take candidate D").click()

    await ground.seen(thread, "plan_completed")
    diff = await ground.http.get(f"/v1/threads/{thread}/tasks/the-goal.d/diff")
    assert "docs/a.md" in diff.text
    assert "docs/b.md" in diff.text
    assert not wrong, "\n".join(wrong)
