"""Workspace recipes on the page: proposed, tried, saved, trusted; a failed set-up is edited and retried."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from domain.recipes.recipe import FILE
from tests.page.conftest import Door
from tests.page.stories.place import Place, rule
from tests.page.test_main_job import decide

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

MAKEFILE = {"Makefile": "setup:\n\tmkdir deps && echo made > deps/library\n"}
PLAN = {
    "goal": "Sell",
    "summary": "One task.",
    "tasks": [{"id": "sell", "title": "Sell", "gate": "auto", "verification": []}],
}
RULES = [
    rule({"prompt": "planner"}, {"call": "propose_plan", "with": {"plan": PLAN}}),
    rule(
        {"prompt": "task"},
        {"run": "test -s deps/library"},
        {"write": "sold.txt", "text": "sold\n"},
        {"call": "report_done", "with": {"summary": "sold"}},
    ),
]


def recipe_of(repository: str) -> str:
    return Path(repository, FILE).read_text()


def change_recipe(repository: str, text: str) -> None:
    Path(repository, FILE).write_text(text)


async def test_a_button_stays_under_the_pointer_when_the_repository_is_left(
    door: Door, ground: Place
):
    page = await door.page("/new")
    form = page.get_by_role("form", name="New thread")
    await form.get_by_text("More options").click()
    button = form.get_by_role("button", name="Add another planner")
    await form.get_by_role("combobox", name="Repository").fill(ground.repository("still", []))
    await button.hover()  # once it stands still: what the form has loads meanwhile
    await page.mouse.down()
    await expect(form.get_by_role("button", name="Propose a workspace recipe")).to_be_visible()
    await page.mouse.up()
    await expect(form.get_by_role("combobox", name="Planner 2")).to_be_visible()


async def test_a_proposed_recipe_is_tried_saved_and_asked_about_again_when_it_changes(
    door: Door, ground: Place
):
    repository = ground.repository("proposed", RULES, MAKEFILE)
    page = await door.page(f"/new?repository={quote(repository)}")
    await page.get_by_role("button", name="Propose a workspace recipe").click()
    text = page.get_by_label("Saved as .treadle/workspace.toml")
    await expect(text).to_have_value(
        "# Makefile: its target 'setup'\nsetup = [\n    \"make setup\",\n]\n"
    )
    await page.get_by_role("button", name="Try it").click()
    await expect(page.get_by_text("It works:")).to_be_visible()
    await page.get_by_role("button", name="Save to repository").click()
    await expect(page.locator("summary", has_text="Workspace recipe")).to_be_visible()
    assert "make setup" in recipe_of(repository)
    change_recipe(repository, 'setup = ["make setup", "echo more"]\n')
    await page.reload()
    await expect(page.get_by_text("Trust the workspace recipe?")).to_be_visible()
    await expect(page.get_by_text("runs before agents work: echo more")).to_be_visible()
    await decide(page, "Trust")
    await expect(page.get_by_text("Trust the workspace recipe?")).to_be_hidden()


async def test_a_failed_set_up_is_edited_where_it_is_shown(door: Door, ground: Place):
    repository = ground.repository("broken", RULES, MAKEFILE)
    broken = 'setup = ["echo looking; no-such-tool"]\n'
    await ground.post("/recipes", {"repository": repository, "text": broken})
    thread = await ground.open("broken-set-up", repository, "Sell")
    await ground.seen(thread, "set_up_ended")
    page = await door.page("/")
    await page.get_by_text("Setting up workspaces failed").first.click()
    card = page.get_by_role("region", name="Failure of the set-up")
    await expect(card.get_by_text("exit code 127")).to_be_visible()
    await expect(card.get_by_text("$ echo looking")).to_be_visible()
    await card.get_by_role("button", name="Edit recipe").click()
    await card.get_by_label("Recipe for this thread").fill('setup = ["make setup"]\n')
    await decide(card, "Retry with these changes")
    await expect(card).to_be_hidden()
    again = await ground.seen(thread, "set_up_ended", number=2)
    assert again["result"]["failure"] == ""
