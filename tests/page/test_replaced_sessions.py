"""A session that was terminated in Temporal goes on in another: what was being written goes along."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.engine import Engine
from tests.page.conftest import Door
from tests.page.stories.place import Place, rule

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

HALF = "What was half"


async def opened(door: Door, ground: Place, story: str) -> tuple[str, Page]:
    repository = ground.repository(story, [rule({}, {"say": "Here."})])
    thread = await ground.open(story, repository, "Greet", is_planned=False)
    await ground.seen(thread, "turn_ended", "session-1")
    page = await door.page(f"/threads/{thread}")
    await expect(page.get_by_text("Here.")).to_be_visible()
    return thread, page


def terminate(engine: Engine, session: str) -> None:
    address = f"127.0.0.1:{engine.settings.temporal_port}"
    at = ("--workflow-id", session, "--address", address)
    assert engine.run("temporal", "workflow", "terminate", *at).returncode == 0


async def test_what_was_half_typed_stands_in_the_box_of_the_session_that_takes_its_place(
    door: Door, ground: Place, engine: Engine
):
    thread, page = await opened(door, ground, "half-typed")
    field = page.get_by_label("Message to the agent")
    await field.press_sequentially(HALF)
    terminate(engine, f"{thread}/session-1")
    await ground.seen(thread, "session_lost")
    await expect(page.get_by_text("this session takes its place")).to_be_visible()
    await expect(field).to_have_value(HALF)
    await expect(field).to_be_focused()
    await page.keyboard.type(" typed")
    await page.keyboard.press("ControlOrMeta+Enter")
    await ground.seen(thread, "turn_ended", "session-2")
    await expect(page.get_by_label("Conversation").get_by_text(f"{HALF} typed")).to_be_visible()
    await expect(field).to_have_value("")


async def test_a_message_that_was_sent_at_the_end_of_its_session_is_said_or_still_in_the_box(
    door: Door, ground: Place, engine: Engine
):
    thread, page = await opened(door, ground, "sent-late")
    field = page.get_by_label("Message to the agent")
    await field.fill(HALF)
    door.expect("409", "404", "503")
    terminate(engine, f"{thread}/session-1")
    await field.press("ControlOrMeta+Enter")
    await ground.seen(thread, "session_lost")
    await expect(page.get_by_text("this session takes its place")).to_be_visible()
    said = page.get_by_label("Conversation").get_by_text(HALF)
    kept = field.filter(has_text=HALF)  # for a moment it may be both
    await expect(said.or_(kept).first).to_be_visible()
