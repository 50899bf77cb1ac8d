"""Changes of a chat that conflict: the card over the composer leads to the merge."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.page.conftest import Door
from tests.page.stories.place import Json, Place, rule
from tests.page.test_main_job import ARMED_MILLISECONDS, button, decide

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

FILE = "shop/greeting.py"


def chats() -> list[Json]:
    """Return an agent whose chats write the same lines, and that joins them."""

    def write(word: str) -> Json:
        return rule({"text": word}, {"write": FILE, "text": f'HELLO = "{word}"\n'})

    joined = {"write": FILE, "text": 'HELLO = "formal and friendly"\n'}
    return [rule({"prompt": "chat-conflict"}, joined), write("formal"), write("friendly")]


async def at_odds(ground: Place) -> str:
    """Return a thread whose first chat is merged; the second wrote the same lines."""
    repository = ground.repository("greeting-chats", chats())
    thread = await ground.open("chat-conflict", repository, "formal", is_planned=False)
    await ground.seen(thread, "turn_ended", "session-1")
    await ground.post(f"/threads/{thread}/sessions", {"has_own_worktree": True})
    said = {"text": "friendly", "session_id": f"{thread}/session-2"}
    await ground.post(f"/threads/{thread}/messages", said)
    await ground.seen(thread, "turn_ended", "session-2")
    await ground.post(f"/threads/{thread}/sessions/1/merge")
    await ground.seen(thread, "session_merge_ended")
    return thread


async def test_a_chat_s_agent_resolves_its_conflict_and_the_person_merges_the_result(
    door: Door, ground: Place, pictures: Path | None
):
    thread = await at_odds(ground)
    page = await door.page(f"/threads/{thread}?session=session-2")
    await button(page, "More thread actions").click()
    await page.get_by_role("menuitem", name="Merge this session's changes").click()
    card = page.get_by_role("region", name="Conflict of session-2")
    await expect(card).to_contain_text(FILE)
    for way in ("Keep A", "Keep B", "Let its agent merge", "Merge manually", "Leave unmerged"):
        await expect(button(card, way)).to_be_visible()
    if pictures:
        await page.screenshot(path=pictures / "chat-conflict.png")

    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(card, "Let its agent merge").click()
    await expect(card).to_contain_text("Its agent merged both sides")
    if pictures:
        await page.screenshot(path=pictures / "chat-conflict-resolved.png")
    await card.get_by_role("link", name="Look at its changes").click()
    await expect(page.get_by_text("formal and friendly").first).to_be_visible()
    await decide(card, "Merge the result")
    merged = await ground.seen(thread, "session_merge_ended", number=3)

    await expect(card).to_have_count(0)
    assert merged["commit"]
