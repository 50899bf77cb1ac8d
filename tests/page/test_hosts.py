"""Hosts on the page: one that fell silent is in the inbox, and an admin gives it up there."""

import os
import re
import time
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from adapters.journal import open_journal
from domain.hosts.host import HostFacts
from tests.e2e.engine import Engine
from tests.page.conftest import Door
from tests.page.looks import broken_rules, overflowing
from tests.page.stories.place import Place, rule

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

NAME = "build-2"
HOST = "b2b2b2b2b2b2"
SILENT_SECONDS = 310


async def fell_silent(engine: Engine, thread: str) -> None:
    """Put a host on the engine whose worker died 5 minutes ago, and move a thread's place there."""
    facts = HostFacts(host=HOST, name=NAME, labels=("gpu", "zone=a"), slots=4, version="0.3.9")
    async with open_journal(engine.settings.journal) as journal:
        await journal.hosts.register(facts)
        await journal.presence.beat(HOST)
        await journal.hosts.note(thread, HOST)
    (beat,) = engine.settings.data_dir.rglob(f"*.worker-{HOST}")
    os.utime(beat, (0, time.time() - SILENT_SECONDS))


async def looks(page: Page, name: str, pictures: Path | None) -> list[str]:
    """Return what is wrong with how a page looks in both themes."""
    wrong: list[str] = []
    for theme in ("light", "dark"):
        await page.emulate_media(color_scheme=theme)
        wrong += await broken_rules(page)
        if pictures:
            await page.screenshot(path=pictures / f"{name}-{theme}.png")
    return [*wrong, *await overflowing(page)]


async def offers_hosts_for_work(page: Page, door: Door, pictures: Path | None) -> list[str]:
    """Check that a new thread can wish for a host that is not lost; returns what is wrong with how it looks."""
    await page.goto(f"{door.origin}/new")
    await page.get_by_text("More options").click()
    await page.get_by_label("Host labels").fill("gpu")
    offered = page.get_by_label("Host", exact=True).get_by_role("option")
    await expect(offered.first).to_have_text("Any that can do it")
    await expect(offered.filter(has_text=NAME)).to_have_count(0)  # it is lost
    return await looks(page, "new-thread-hosts", pictures)


async def keeps_the_host_of_agents(page: Page, door: Door, pictures: Path | None) -> list[str]:
    """Check that agents are read from a chosen host, and an opened one too; returns as `looks`."""
    await page.goto(f"{door.origin}/agents")
    chooser = page.get_by_label("Host", exact=True)
    own = await chooser.get_by_role("option").nth(1).get_attribute("value")
    async with page.expect_response(lambda answer: f"host={own}" in answer.url) as asked:
        await chooser.select_option(own)
    assert (await asked.value).ok
    await page.get_by_role("region", name="All agents").get_by_role("link").first.click()
    await expect(page.get_by_role("heading", name="Launch settings")).to_be_visible()
    await expect(page).to_have_url(re.compile(r"/agents/[a-z]+\?host="))
    return await looks(page, "agents-host", pictures)


async def test_a_silent_host_is_in_the_inbox_and_is_given_up_there(
    door: Door, ground: Place, engine: Engine, pictures: Path | None
):
    repository = ground.repository("hosts", [rule({}, {"say": "Here."})])
    thread = await ground.open("hosts", repository, "Port the kernels", is_planned=False)
    await ground.seen(thread, "turn_ended", "session-1")
    await fell_silent(engine, thread)
    page = await door.page("/")
    card = page.get_by_role("article", name=f"host silent: {NAME}")
    await expect(card).to_contain_text("is silent (5 min), 1 thread waits")
    await page.get_by_role("link", name="Hosts", exact=True).click()

    panel = page.get_by_role("region", name=NAME)
    await expect(panel).to_contain_text("silent")
    await expect(panel.get_by_role("link", name="Port the kernels")).to_be_visible()
    wrong = await looks(page, "hosts-two", pictures)
    await panel.get_by_role("button", name="Cordon").click()
    await panel.get_by_role("group", name="Cordon").get_by_role("button", name="Cordon").click()
    await expect(panel).to_contain_text("cordoned, silent")

    await page.get_by_role("link", name="Inbox").click()
    await card.click()
    await card.get_by_role("button", name="Declare lost").click()
    wrong += await looks(page, "inbox-host", pictures)
    await card.get_by_role("group").get_by_role("button", name="Declare lost").click()
    await expect(card).to_have_count(0)
    await page.goto(f"{door.origin}/hosts")
    await expect(panel.get_by_role("button", name="Uncordon")).to_be_visible()
    await expect(panel.get_by_role("button", name="Declare lost")).to_have_count(0)
    wrong += await offers_hosts_for_work(page, door, pictures)
    wrong += await keeps_the_host_of_agents(page, door, pictures)
    assert wrong == []
