"""Writing to an agent: messages that wait come back, and files are named by a few letters."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.engine import Engine
from tests.page.conftest import Door
from tests.page.looks import broken_rules
from tests.page.stories.place import Place

pytestmark = pytest.mark.e2e


def rules(go: Path) -> list[dict[str, object]]:
    return [
        {"when": {"text": "begin"}, "steps": [{"wait": {"file": str(go)}}, {"say": "I began."}]},
        {"when": {"prompt": "message"}, "steps": [{"say": "I got ${blocks}."}]},
    ]


async def test_a_message_is_withdrawn_completed_with_a_file_and_sent(
    door: Door, ground: Place, engine: Engine, tmp_path: Path
):
    go = engine.outside / f"{tmp_path.name}-go"
    repository = ground.repository("composing", rules(go))
    thread = await ground.open("composing", repository, "begin", is_planned=False)
    await ground.seen(thread, "turn_started", "session-1")
    page = await door.page(f"/threads/{thread}")
    field = page.get_by_label("Message to the agent")
    waiting = page.get_by_role("list", name="Queued messages")

    await field.fill("Use tabs")
    await field.press("ControlOrMeta+Enter")
    await expect(waiting.get_by_text("Use tabs")).to_be_visible()
    await expect(field).to_have_value("")
    await field.press("Alt+ArrowUp")
    await expect(field).to_have_value("Use tabs")
    await expect(waiting).to_have_count(0)
    await ground.seen(thread, "message_withdrawn", "session-1")

    await field.press("End")
    await field.press_sequentially(" and read @pric")
    files = page.get_by_role("listbox", name="Files")
    await expect(files.get_by_role("option").first).to_have_text("shop/prices.py")
    assert not await broken_rules(page)
    await field.press("Enter")
    await expect(field).to_have_value("Use tabs and read @shop/prices.py ")
    await field.press("ControlOrMeta+Enter")
    await expect(waiting.get_by_text("@shop/prices.py")).to_be_visible()

    go.touch()
    await expect(page.get_by_text("I got text resource_link.")).to_be_visible()
    await expect(waiting).to_have_count(0)
    await field.press("Alt+ArrowUp")
    await expect(page.get_by_text("You have no queued messages")).to_be_visible()
