"""Trouble beneath the page: what hangs, a tab that slept, an address of nothing."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.page.conftest import Door
from tests.page.stories.hostile import sent, spoken
from tests.page.stories.place import Json, Place, rule
from tests.page.test_live import LOST, NUMBER, broken, chat, live, spoken_by_journal

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

COUNTED = 40
SILENCE_MILLISECONDS = 21_000
"""Longer than the page goes without a ping before it says so."""

PATIENCE_MILLISECONDS = 46_000
"""Longer than the page waits for the answer to a command."""


DEATH_MILLISECONDS = 10_000
"""The longest that the death of a worker may go unseen."""


def counting() -> list[Json]:
    """Return an agent that counts for two seconds, and answers everything else at once."""
    step = [sent(spoken("n${n}. ")), {"wait": 0.05}]
    return [
        rule({"prompt": "message", "text": "count"}, *step * COUNTED, {"say": "Counted."}),
        rule({"prompt": "message"}, {"say": "Ready when you are."}),
    ]


async def clocked(door: Door) -> BrowserContext:
    """Return a browser whose clock runs as it should, and ahead where a test says so."""
    context = await door.context()
    await context.clock.install()
    return context


def message_box(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("message", re.IGNORECASE))


async def shown_numbers(page: Page) -> list[int]:
    return [int(n) for n in NUMBER.findall(await page.get_by_role("main").inner_text())]


async def said(ground: Place, thread: str) -> list[str]:
    """Return what an agent was told, as often as it was."""
    rows = (await ground.get(f"/threads/{thread}/events?after=0"))["events"]
    bodies = [row["event"]["body"] for row in rows]
    return [body["text"] for body in bodies if body["kind"] == "prompt_sent"]


async def test_an_engine_that_hangs_is_missed_and_what_was_sent_to_it_is_done_once(
    door: Door, ground: Place, engine: Engine
):
    thread = await chat(ground, counting())
    context = await clocked(door)
    page = await door.page(f"/threads/{thread}", in_=context)
    door.expect(*LOST)
    await expect(live(page)).to_be_visible()
    await ground.post(f"/threads/{thread}/messages", {"text": "count"})
    await expect(page.get_by_text(re.compile(r"n\d+\.")).first).to_be_visible()
    box = message_box(page)
    with engine.hung("api"):
        await box.fill("keep me")
        await box.press("Control+Enter")
        await context.clock.run_for(SILENCE_MILLISECONDS)
        await expect(broken(page)).to_be_visible()
        await context.clock.run_for(PATIENCE_MILLISECONDS)
        await expect(page.get_by_text("No response").first).to_be_visible()
        await expect(box).to_have_value("keep me")
    await expect(live(page)).to_be_visible()
    await expect(page.get_by_text("Counted.").first).to_be_visible()
    await box.press("Control+Enter")
    await expect(box).to_have_value("")
    await ground.seen(thread, "turn_ended", "session-1", number=3)

    counted = await shown_numbers(page)
    assert counted == await spoken_by_journal(ground, thread)
    assert len(counted) == COUNTED
    assert await said(ground, thread) == ["Begin", "count", "keep me"]


@pytest.mark.parametrize("how", ["waiting", "reloaded", "accepted"])
async def test_what_no_worker_took_is_said_once_when_one_is_back(
    door: Door, ground: Place, engine: Engine, how: str
):
    thread = await chat(ground, counting())
    page = await door.page(f"/threads/{thread}")
    box = message_box(page)
    with engine.hung("worker"):
        await box.fill("only once")
        async with page.expect_response(lambda answer: answer.status == 202):
            await box.press("Control+Enter")
        if how == "reloaded":
            await page.reload()
            await expect(box).to_have_value("only once")
        if how == "accepted":
            await expect(box).to_have_value("", timeout=PATIENCE_MILLISECONDS)
    await expect(box).to_have_value("")
    await expect(page.get_by_text("Not confirmed", exact=True)).to_have_count(0)
    await box.fill("the next")
    await box.press("Control+Enter")
    await ground.seen(thread, "turn_ended", "session-1", number=3)

    assert await said(ground, thread) == ["Begin", "only once", "the next"]


async def test_a_dead_worker_is_told_of_within_ten_seconds(
    door: Door, ground: Place, engine: Engine
):
    page = await door.page("/")
    await expect(live(page)).to_be_visible()
    banner = page.get_by_text("No worker is running.")
    await expect(banner).to_have_count(0)
    engine.kill("worker")
    await expect(banner).to_be_visible(timeout=DEATH_MILLISECONDS)
    await engine.repair()
    await expect(banner).to_have_count(0)


async def test_a_screen_whose_files_are_gone_offers_the_new_page(door: Door, ground: Place):
    page = await door.page("/")
    door.expect(*LOST, "dynamically imported module", "preload CSS")
    await expect(live(page)).to_be_visible()
    await page.evaluate("sessionStorage.setItem('treadle.reloaded', String(Date.now() + 1e7))")
    await page.route("**/assets/queue-*", lambda route: route.fulfill(status=404))
    await page.get_by_role("link", name="Queue").first.click()
    await expect(page.get_by_text("This screen could not be loaded")).to_be_visible()
    await page.unroute("**/assets/queue-*")
    await page.get_by_role("button", name="Reload").click()
    await expect(page.get_by_role("heading", name="Queue", exact=True)).to_be_visible()


async def sleep(page: Page, *, is_asleep: bool) -> None:
    """Freeze a tab as a browser does with those that nobody looks at, or wake it."""
    devtools = await page.context.new_cdp_session(page)
    state = "frozen" if is_asleep else "active"
    await devtools.send("Page.setWebLifecycleState", {"state": state})


async def test_a_tab_that_slept_has_all_that_happened_once(door: Door, ground: Place):
    thread = await chat(ground, counting())
    page = await door.page(f"/threads/{thread}")
    await expect(live(page)).to_be_visible()
    await sleep(page, is_asleep=True)
    await ground.post(f"/threads/{thread}/messages", {"text": "count"})
    await ground.seen(thread, "turn_ended", "session-1", number=2)
    await sleep(page, is_asleep=False)
    await expect(page.get_by_text("Counted.").first).to_be_visible()

    assert await shown_numbers(page) == await spoken_by_journal(ground, thread)


async def test_another_tab_reads_in_place_of_one_that_sleeps(door: Door, ground: Place):
    thread = await chat(ground, counting())
    context = await clocked(door)
    first = await door.page(f"/threads/{thread}", in_=context)
    await expect(live(first)).to_be_visible()
    second = await door.page(f"/threads/{thread}", in_=context)
    await expect(live(second)).to_be_visible()
    await sleep(first, is_asleep=True)
    await ground.post(f"/threads/{thread}/messages", {"text": "count"})
    await ground.seen(thread, "turn_ended", "session-1", number=2)
    await second.clock.run_for(SILENCE_MILLISECONDS)
    await expect(second.get_by_text("Counted.").first).to_be_visible()
    await sleep(first, is_asleep=False)
    await expect(first.get_by_text("Counted.").first).to_be_visible()
    await ground.post(f"/threads/{thread}/messages", {"text": "to both"})
    for page in (first, second):
        await expect(page.get_by_text("to both").first).to_be_visible()
        assert await shown_numbers(page) == await spoken_by_journal(ground, thread)


@pytest.mark.parametrize("address", ["/agents/%F0", "/flows/%FF", "/flow-runs/%", "/threads/%F0"])
async def test_a_bad_address_says_what_is_not_there(door: Door, ground: Place, address: str):
    page = await door.page(address)
    door.expect("404", "422")
    said = page.get_by_role("main").get_by_text(
        re.compile("not found|there is no|invalid name", re.IGNORECASE)
    )
    await expect(said.first).to_be_visible()
    await expect(page.get_by_text("Something went wrong")).to_have_count(0)


async def test_an_answer_that_is_cut_off_is_asked_for_again(door: Door, ground: Place):
    thread = await chat(ground, [rule({"prompt": "message"}, {"say": "All of it."})])
    context = await door.context()
    async with cut_off() as (url, was_cut):
        await context.route(
            re.compile(rf"/v1/threads/{thread}/events"), lambda route: route.continue_(url=url)
        )
        page = await door.page(f"/threads/{thread}", in_=context)
        door.expect(*LOST)
        await asyncio.wait_for(was_cut.wait(), DEADLINE_SECONDS)
        again = page.get_by_role("button", name="Try again").first
        await expect(again).to_be_visible()
        await context.unroute_all()
        await again.click()
    await expect(page.get_by_text("All of it.").first).to_be_visible()


@asynccontextmanager
async def cut_off() -> AsyncIterator[tuple[str, asyncio.Event]]:
    """Serve an answer that ends before it is whole; yields its URL, and whether it was asked for."""
    was_cut = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
        writer.write(f'{head}{{"eve'.encode())
        await writer.drain()
        writer.close()
        was_cut.set()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/", was_cut
