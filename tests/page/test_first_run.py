"""The first thread: a ready agent, the repository of last time, one sentence; and what to do where no agent is ready."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from tests.page.conftest import Door
from tests.page.looks import broken_rules, overflowing
from tests.page.pictures import kept
from tests.page.stories.place import Json, Place, rule

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

AGENTS = re.compile(r"/v1/agents(\?|$)")
NO_LOGIN = {"what": "not logged in", "fix": "claude /login", "is_in_the_way": True}
RULES = [rule({}, {"say": "Here."})]


async def with_agents(page: Page, ground: Place, agents: Sequence[Json]) -> None:
    """Let the page see other agents than there are."""
    known = await ground.get("/agents")

    async def answer(route: Route) -> None:
        await route.fulfill(json={**known, "agents": [*agents]})

    await page.route(AGENTS, answer)


def agent(name: str, **more: object) -> Json:
    known = {"name": name, "scope": "built-in", "path": "", "title": name.title()}
    return {**known, "is_trusted": True, "is_installed": True, "missing": [], **more}


async def test_one_sentence_starts_a_thread_where_one_worked_last(door: Door, ground: Place):
    repository = ground.repository("first", RULES)
    opened = await ground.open("first", repository, "Say hello", is_planned=False)
    await ground.seen(opened, "turn_ended", "session-1")
    page = await door.page("/new")
    form = page.get_by_role("form", name="New thread")
    await expect(form.get_by_role("combobox", name="Repository")).to_have_value(repository)
    await expect(form.get_by_label("Message")).to_be_focused()
    await page.keyboard.type("Say it louder")
    await page.keyboard.press("Control+Enter")
    await page.wait_for_url(re.compile("/threads/thread-"))


async def test_the_agent_that_is_ready_is_chosen_where_the_default_is_not(
    door: Door, ground: Place
):
    page = await door.page("/settings")
    blocked = agent("claude", is_default=True, missing=[NO_LOGIN])
    await with_agents(page, ground, [blocked, agent("codex")])
    await page.goto(f"{door.origin}/new")
    chosen = page.get_by_role("combobox", name="Agent", exact=True)
    await expect(chosen).to_have_value("codex")
    await expect(page.get_by_role("region", name="Set up an agent")).to_have_count(0)


async def test_without_a_ready_agent_it_says_what_to_run(
    door: Door, ground: Place, pictures: Path | None
):
    page = await door.page("/settings")
    missing = {"what": "not installed", "fix": "npm install -g codex", "is_in_the_way": True}
    agents = [
        agent("codex", is_installed=False, missing=[missing]),
        agent("claude", is_default=True, missing=[NO_LOGIN]),
    ]
    await with_agents(page, ground, agents)
    await page.goto(f"{door.origin}/new")
    told = page.get_by_role("region", name="Set up an agent")
    await expect(told.get_by_role("listitem").first).to_contain_text("claude /login")
    await expect(told).to_contain_text("npm install -g codex")
    wrong = [*await broken_rules(page), *await overflowing(page)]
    await kept(page, pictures, "first-run")
    assert wrong == []

    agents[1] = agent("claude", is_default=True)
    await told.get_by_role("button", name="Check again").click()
    await expect(told).to_have_count(0)


async def test_a_folder_is_completed_while_it_is_typed(door: Door, ground: Place):
    repository = ground.repository("completed-path", RULES)
    page = await door.page("/new")
    field = page.get_by_role("combobox", name="Repository")
    await field.fill(repository[:-3])
    await page.get_by_role("option", name=repository, exact=True).click()
    await expect(field).to_have_value(repository)
