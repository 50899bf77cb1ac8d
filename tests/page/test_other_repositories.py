"""A thread on two repositories, opened on the page."""

from urllib.parse import quote

import pytest
from playwright.async_api import expect

from tests.page.conftest import Door
from tests.page.stories.place import Place, rule
from tests.page.test_main_job import decide
from tests.page.test_recipes import change_recipe

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

RULES = [rule({"prompt": "planner"}, {"say": "Both are here."})]


async def test_another_repository_is_added_with_its_recipe_and_shown(door: Door, ground: Place):
    own = ground.repository("client", RULES)
    other = ground.repository("server", RULES)
    change_recipe(other, 'setup = ["mkdir deps"]\n')
    page = await door.page(f"/new?repository={quote(own)}")
    door.expect("422")
    await page.get_by_label("Message").fill("Rename the field")
    await page.get_by_role("combobox", name="Agent", exact=True).select_option("scripted")
    await page.get_by_text("More options").click()
    await page.get_by_role("button", name="Add another repository").click()
    second = page.get_by_role("combobox", name="Repository 2")
    await second.fill(f"{other}/nowhere")
    await page.get_by_role("button", name="Start").click()
    others = page.get_by_role("group", name="Other repositories")
    await expect(others.get_by_role("alert")).to_contain_text("does not exist")

    await second.fill(other)
    await second.press("Tab")
    await expect(page.get_by_text("runs before agents work: mkdir deps")).to_be_visible()
    await decide(page, "Trust")
    await page.get_by_role("button", name="Start").click()

    await expect(page.locator("header").get_by_text("client + server")).to_be_visible()
