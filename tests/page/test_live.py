"""What happens while a page is open: killed parts, many tabs, a flood, no connection."""

import asyncio
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Locator, Page, Request, expect

from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.page.conftest import Door
from tests.page.effort import effort_from_now
from tests.page.looks import nodes
from tests.page.pace import talk_in
from tests.page.stories.hostile import sent, spoken
from tests.page.stories.place import Json, Place, rule

pytestmark = pytest.mark.e2e

COUNTED = 240
NUMBER = re.compile(r"n(\d+)\.")
LOST = ("ERR_", "Failed to load resource", "EventSource")
"""What Chromium itself writes where a connection is lost."""
PACE = 200
"""Events a second."""
MINUTE = 60 * PACE
LONG_TALK = 1_000
SETTLING_SECONDS = 3
FLOOD_SECONDS = 12
WINDOWS = 3
MOST_NODES = 3_000
MOST_CPU = 0.45


def counting() -> list[Json]:
    """Return an agent that counts, 20 numbers a second, in one message."""
    step = [sent(spoken("n${n}. ")), {"wait": 0.05}]
    return [
        rule({"prompt": "message", "text": "count"}, *step * COUNTED, {"say": "Counted."}),
        rule({"prompt": "message"}, {"say": "Ready when you are."}),
    ]


def live(page: Page) -> Locator:
    """Return what says that the page is connected."""
    return page.get_by_role("status").filter(has_text=re.compile(r"\blive\b"))


def broken(page: Page) -> Locator:
    """Return what says that the page is not."""
    return page.get_by_role("status").filter(has_text=re.compile("reconnecting|offline"))


async def chat(ground: Place, rules: list[Json]) -> str:
    thread = await ground.open("live", ground.repository("live", rules), "Begin", is_planned=False)
    await ground.seen(thread, "turn_ended", "session-1")
    return thread


async def spoken_by_journal(ground: Place, thread: str) -> list[int]:
    """Return the numbers that the journal has, in order."""
    text, after = "", 0
    while events := (page := await ground.get(f"/threads/{thread}/events?after={after}"))["events"]:
        after = page["after"]
        text += "".join(
            body["update"]["content"]["text"]
            for row in events
            if (body := row["event"]["body"])["kind"] == "agent_update"
            and body["update"]["sessionUpdate"] == "agent_message_chunk"
        )
    return [int(number) for number in NUMBER.findall(text)]


async def test_a_killed_api_leaves_no_gap_and_no_repeat(door: Door, ground: Place, engine: Engine):
    thread = await chat(ground, counting())
    page = await door.page(f"/threads/{thread}")
    door.expect(*LOST)
    await expect(live(page)).to_be_visible()
    await ground.post(f"/threads/{thread}/messages", {"text": "count"})
    await expect(page.get_by_text(re.compile(r"n\d+\.")).first).to_be_visible()
    engine.kill("api")
    await expect(broken(page)).to_be_visible()
    await engine.start("api")
    await expect(live(page)).to_be_visible()
    await expect(page.get_by_text("Counted.").first).to_be_visible(timeout=60_000)

    shown = [int(n) for n in NUMBER.findall(await page.get_by_role("main").inner_text())]
    assert shown == await spoken_by_journal(ground, thread)
    assert len(shown) == COUNTED


class Streams:
    """The streams that the tabs of a browser hold open."""

    def __init__(self) -> None:
        self.open: dict[Request, Page] = {}
        self.begun = 0

    def watch(self, page: Page) -> None:
        page.on("request", lambda request: self._begin(request, page))
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda request: self.open.pop(request, None))
        page.on("close", lambda _: self._forget(page))

    def _begin(self, request: Request, page: Page) -> None:
        if "/v1/stream" in request.url:
            self.begun += 1
            self.open[request] = page

    def _forget(self, page: Page) -> None:
        self.open = {request: owner for request, owner in self.open.items() if owner is not page}

    async def holder(self) -> Page:
        """Return the tab that holds one; it lets go for a moment where it asks for more topics."""
        async with asyncio.timeout(DEADLINE_SECONDS):
            while not self.open:  # noqa: ASYNC110  (another process)
                await asyncio.sleep(0.02)
        holders = set(self.open.values())
        assert len(holders) == 1
        return holders.pop()


async def test_eight_tabs_share_one_connection_and_outlive_the_one_that_holds_it(
    door: Door, ground: Place
):
    thread = await chat(ground, counting())
    context = await door.context()
    streams, pages = Streams(), []
    context.on("page", streams.watch)
    for _ in range(8):
        pages.append(await door.page(f"/threads/{thread}", in_=context))
        await expect(live(pages[-1])).to_be_visible()
    holder = await streams.holder()
    await holder.close()
    left = [page for page in pages if page is not holder]
    await ground.post(f"/threads/{thread}/messages", {"text": "hello to all tabs"})
    for page in left:
        await expect(page.get_by_text("hello to all tabs").first).to_be_visible()
    assert await streams.holder() in left


async def test_without_a_connection_nothing_is_sent_and_the_text_is_kept(
    door: Door, ground: Place, engine: Engine
):
    thread = await chat(ground, counting())
    page = await door.page(f"/threads/{thread}")
    door.expect(*LOST)
    await expect(live(page)).to_be_visible()
    box = page.get_by_role("textbox", name=re.compile("message", re.IGNORECASE))
    await expect(box).to_be_visible()  # the page may be connected before it has its screen
    engine.kill("api")
    await expect(broken(page)).to_be_visible()
    await box.fill("keep me")
    await box.press("Control+Enter")
    await expect(page.get_by_text(re.compile("not sent", re.IGNORECASE)).first).to_be_visible()
    await expect(box).to_have_value("keep me")
    await engine.start("api")
    await expect(live(page)).to_be_visible()
    await expect(box).to_have_value("keep me")
    await page.reload()
    await expect(box).to_have_value("keep me")
    await box.press("Control+Enter")
    await expect(box).to_have_value("")
    bodies = [await ground.seen(thread, "turn_started", "session-1", number=2)]
    assert len(bodies) == 1


async def test_a_talk_that_was_read_is_not_streamed_again(
    door: Door, ground: Place, engine: Engine
):
    thread = await chat(ground, counting())
    async with talk_in(engine.settings, thread) as talk:
        await talk.write(LONG_TALK)
    position = (await ground.get("/threads"))["position"]
    context = await door.context()
    async with context.expect_event(
        "request", lambda r: "/v1/stream" in r.url and thread in r.url
    ) as opened:
        page = await door.page(f"/threads/{thread}", in_=context)
    query = parse_qs(urlsplit((await opened.value).url).query)
    await expect(live(page)).to_be_visible()

    assert int(query["after"][0]) >= position >= LONG_TALK


async def test_two_hundred_events_a_second_keep_the_page_small_and_answering(
    door: Door, ground: Place, engine: Engine, browser: Browser
):
    thread = await chat(ground, counting())
    async with talk_in(engine.settings, thread) as talk:
        await talk.write(MINUTE)
        page = await door.page(f"/threads/{thread}")
        await expect(live(page)).to_be_visible()
        await expect(page.get_by_text(f"make test ({talk.calls - 1})")).to_be_visible()
        over, began = asyncio.Event(), talk.calls
        flow = asyncio.create_task(talk.flow(PACE, over))
        await asyncio.sleep(SETTLING_SECONDS)
        used = 1.0
        for _ in range(WINDOWS):  # the lowest one says most: a busy machine only adds to it
            effort = await effort_from_now(browser)
            await asyncio.sleep(FLOOD_SECONDS / WINDOWS)
            used = min(used, await effort.seconds() * WINDOWS / FLOOD_SECONDS)
        over.set()
        await flow
        await expect(page.get_by_text(f"make test ({talk.calls - 1})")).to_be_visible()
    written = 2 * (talk.calls - began) / (FLOOD_SECONDS + SETTLING_SECONDS)

    assert written >= 0.9 * PACE
    assert await nodes(page) <= MOST_NODES
    assert used <= MOST_CPU, f"{used:.0%} of a core"
