"""A plan of two hundred tasks: what is in view is drawn, and keys still reach all of it."""

import pytest
from playwright.async_api import expect

from tests.page.conftest import Door
from tests.page.stories.place import Place, planned, rule, task

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GOAL = "Greet in two hundred languages"
MANY = 200
MOST_DRAWN = 80


async def test_a_graph_draws_what_is_in_view_and_keys_go_beyond_it(door: Door, ground: Place):
    names = [f"greet-{n:03}" for n in range(MANY)]
    tasks = [
        task(name, f"Greet {n}", gate="ask", depends_on=names[n - 20 : n - 19] if n >= 20 else [])
        for n, name in enumerate(names)
    ]
    plan = {"goal": GOAL, "summary": "Many files.", "tasks": tasks}
    rules = [planned(plan), rule({}, {"say": "Here."})]
    thread = await ground.open("large", ground.repository("large", rules), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}?panel=plan")
    await page.get_by_text("Graph", exact=True).click()
    nodes = page.locator("[data-node]")
    await expect(nodes.first).to_be_visible()
    assert await nodes.count() < MOST_DRAWN
    await expect(page.locator(".react-flow__edge").first).to_be_attached()

    focused = "() => document.activeElement?.closest('[data-node]')?.dataset.node ?? null"
    begin = page.locator('[data-node="greet-000"]')
    await begin.focus()
    for step in range(1, 10):
        before = await page.evaluate(focused)
        key = await page.evaluate(
            """() => document.activeElement.querySelector('.react-flow__handle-left')
                 ? 'ArrowRight' : 'ArrowDown'"""
        )
        await page.keyboard.press(key)
        await page.wait_for_function(f"(was) => ![was, null].includes(({focused})())", arg=before)
        assert await page.evaluate(focused) == f"greet-{step * 20:03}"
    assert await begin.count() == 0
    assert await nodes.count() < MOST_DRAWN
    await expect(page.locator('[data-node="greet-180"]')).to_be_in_viewport()


async def test_a_task_among_many_is_found_read_and_edited(door: Door, ground: Place):
    names = [f"greet-{n:03}" for n in range(MANY)]
    tasks = [task(name, f"Greet {n}", gate="ask") for n, name in enumerate(names)]
    plan = {"goal": GOAL, "summary": "Many files.", "tasks": tasks}
    thread = await ground.open("found", ground.repository("found", [planned(plan)]), GOAL)
    await ground.seen(thread, "plan_proposed")
    page = await door.page(f"/threads/{thread}?panel=plan")
    await page.get_by_text(f"Tasks {MANY}", exact=True).click()
    listed = page.locator("li:has(details)")
    await expect(listed).to_have_count(100)
    await page.get_by_role("button", name="Show 100 more of 100").click()
    await expect(listed).to_have_count(MANY)
    await page.get_by_role("searchbox", name="Find a task").fill("greet-177")
    await expect(listed).to_have_count(1)
    await expect(listed).to_contain_text("Greet 177")

    await page.get_by_role("button", name="Edit…").click()
    await expect(page.get_by_role("group", name="Task greet-099")).to_be_attached()
    assert await page.get_by_role("group", name="Task greet-").count() == 100
    await page.get_by_role("searchbox", name="Find a task").fill("greet-177")
    edited = page.get_by_role("group", name="Task greet-177")
    await edited.get_by_label("Title").fill("Greet everybody")
    await page.get_by_role("button", name="Save as new revision").click()
    revised = await ground.seen(thread, "plan_proposed", number=2)
    assert next(t for t in revised["plan"]["tasks"] if t["id"] == "greet-177")["title"] == (
        "Greet everybody"
    )
