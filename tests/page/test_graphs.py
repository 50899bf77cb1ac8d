"""Graphs: seen whole at any size, in full screen, and with nothing in front of a node."""

import pytest
from playwright.async_api import Page, expect

from tests.page.conftest import Door
from tests.page.looks import unsettled
from tests.page.stories.place import Place, fills, planned, rule, task, work

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in forty languages"
MANY = 40

CUT = """
() => {
  const pane = document.querySelector(".react-flow").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("[data-node]")].map((n) => n.getBoundingClientRect());
  return boxes.filter((box) => (box.left < pane.left - 1 && box.right > pane.left)
    || (box.top < pane.top - 1 && box.bottom > pane.top)).length;
}
"""
"""How many nodes are cut where the pane begins."""

OUTSIDE = """
() => {
  const pane = document.querySelector(".react-flow").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("[data-node]")].map((n) => n.getBoundingClientRect());
  return boxes.filter((box) => box.left < pane.left || box.right > pane.right
    || box.top < pane.top || box.bottom > pane.bottom).length;
}
"""
"""How many nodes are not whole in the pane."""

COVERED = """
() => {
  const pane = document.querySelector(".react-flow").getBoundingClientRect();
  const map = document.querySelector(".react-flow__minimap").getBoundingClientRect();
  return map.top < pane.bottom && map.height > 0;
}
"""
"""Whether the minimap lies over the pane."""


async def settled(page: Page) -> None:
    """Wait until the graph is drawn and nothing on its way moves any more."""
    await expect(page.locator("[data-node]").first).to_be_visible()
    assert await unsettled(page) == []


async def test_a_plan_of_many_tasks_is_seen_whole_and_in_full_screen(door: Door, ground: Place):
    first = task("first", "Find the languages", gate="ask")
    others = [
        task(f"greet-{n}", f"Greet {n}", gate="ask", depends_on=["first"]) for n in range(MANY)
    ]
    plan = {"goal": GOAL, "summary": "Many files.", "tasks": [first, *others]}
    rules = [planned(plan), rule({}, {"say": "Here."})]
    thread = await ground.open("forty", ground.repository("forty", rules), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}?panel=plan")
    await page.get_by_text("Graph", exact=True).click()
    await settled(page)
    await page.wait_for_function(f"({CUT})() === 0")  # nodes are drawn before the view is set
    assert not await page.evaluate(COVERED)

    await page.keyboard.press("f")
    frame = page.get_by_role("region", name="Plan graph")
    await expect(page.get_by_role("button", name="Exit full screen")).to_be_visible()
    await settled(page)
    box = await frame.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, 1440)
    await page.get_by_role("button", name="Show all of it").click()
    await page.wait_for_function(f"({OUTSIDE})() === 0")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


async def test_a_running_plan_fits_its_place_anew_in_full_screen(door: Door, ground: Place):
    names = [f"step-{n}" for n in range(5)]
    tasks = [
        task(name, f"Do {name}", verification=fills(name), depends_on=names[max(0, n - 1) : n])
        for n, name in enumerate(names)
    ]
    tasks[-1]["gate"] = "ask"
    plan = {"goal": "Five steps", "summary": "One after the other.", "tasks": tasks}
    steps = [work(name, {"write": f"{name}/done", "text": "done\n"}) for name in names]
    repository = ground.repository("steps", [planned(plan), *steps])
    thread = await ground.begin("steps", repository, "Five steps")
    await ground.seen(thread, "gate_opened", names[-1])

    page = await door.page(f"/threads/{thread}?panel=graph")
    await settled(page)
    await page.get_by_role("button", name="Full screen", exact=True).click()
    await expect(page.get_by_role("button", name="Exit full screen")).to_be_visible()
    await page.wait_for_function(f"({OUTSIDE})() === 0")
