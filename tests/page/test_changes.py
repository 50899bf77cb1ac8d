"""What a finished thread has changed is a diff on its own screen, from where it is merged."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.page.conftest import Door
from tests.page.stories.place import Place, fills, planned, task, work

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


def holds(repository: str, name: str) -> bool:
    return Path(repository, name).exists()


async def test_a_finished_thread_shows_its_diff(door: Door, ground: Place):
    tasks = [
        task("store", "Keep baskets", verification=fills("shop")),
        task("notes", "Describe baskets", mode="docs", verification=fills("docs")),
    ]
    rules = [
        planned({"goal": "Keep baskets", "summary": "Two steps.", "tasks": tasks}),
        work("store", {"write": "shop/store.py", "text": "KEPT = 7\n"}),
        work("notes", {"write": "docs/baskets.md", "text": "# Baskets\n"}),
    ]
    repository = ground.repository("baskets", rules)
    thread = await ground.begin("changes", repository, "Keep baskets")
    await ground.seen(thread, "plan_completed")
    page = await door.page(f"/threads/{thread}?panel=table")

    await page.get_by_text("2 files changed").click()
    await page.get_by_role("link", name="shop/store.py").first.click()

    await expect(page.get_by_role("tab", name="Changes")).to_have_attribute("aria-selected", "true")
    changes = page.get_by_role("region", name="Change", exact=True)
    await expect(changes.get_by_role("region", name="shop/store.py")).to_contain_text("KEPT = 7")
    await expect(changes.get_by_role("region", name="docs/baskets.md")).to_contain_text("# Baskets")

    await page.get_by_role("combobox", name="Show changes of").select_option("tasks/notes")

    await expect(changes.get_by_role("region", name="shop/store.py")).to_have_count(0)
    await expect(changes.get_by_role("region", name="docs/baskets.md")).to_be_visible()
    await expect(page).to_have_url(re.compile("of=tasks"))

    await page.get_by_role("combobox", name="Show changes of").select_option("")
    await page.get_by_role("button", name="Merge into main…").click()
    dialog = page.get_by_role("dialog", name="Merge into main")
    await dialog.get_by_role("button", name="Merge", exact=True).click()
    merged = await ground.seen(thread, "branch_merged")
    assert merged["failure"] == ""
    await dialog.get_by_role("button", name="Close").last.click()

    await expect(page.get_by_text("All changes are in main")).to_be_visible()
    assert holds(repository, "docs/baskets.md")
