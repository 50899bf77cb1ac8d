"""The board: all threads by where they stand, the order of the queue, and how it bears many events."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from settings import Settings
from tests.free_ports import free_ports
from tests.page.busy import Busy, busy_place
from tests.page.conftest import Door
from tests.page.effort import effort_from_now
from tests.page.looks import broken_rules, nodes, overflowing
from tests.page.pictures import kept
from tests.page.stories.place import Place

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

THREADS, QUEUED = 1_000, 40
PACE = 200
"""Events a second."""

FLOOD_SECONDS = 10
MOST_NODES = 3_000
MOST_CPU = 0.45
"""Of one processor, while the events come: to scroll as fast as it draws takes all there is."""

COUNTS = """() => Object.fromEntries([...document.querySelectorAll("section > h2")]
  .map((heading) => heading.textContent.split(/ (?=[\\d+]+$)/)))"""

FRAMES = """async ([seconds, pixels]) => {
  const list = document.querySelector("[aria-label='Running'][role=list]");
  const gaps = [];
  const end = performance.now() + 1000 * seconds;
  for (let last = performance.now(); last < end;) {
    list.scrollBy(0, pixels);
    if (list.scrollTop + list.clientHeight + 1 >= list.scrollHeight) list.scrollTo(0, 0);
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
  }
  return gaps.sort((one, other) => one - other);
}"""


@pytest.fixture
async def busy(
    is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Busy]:
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    settings = Settings(
        data_dir=tmp_path / "data",
        api_port=free_ports(1)[0],
        temporal_port=1,
        is_temporal_ui_on=False,
    )
    async with busy_place(settings, THREADS, QUEUED) as place:
        yield place


async def board(door: Door, **more: object) -> Page:
    page = await door.page("/threads?view=board", **more)
    await expect(page.get_by_role("list", name="Planned")).to_be_visible()
    return page


async def test_a_thousand_threads_are_counted_and_followed_at_two_hundred_events_a_second(
    busy: Busy, browser: Browser, pictures: Path | None
):
    door = Door(browser, busy.http)
    page = await board(door)
    await expect(page.get_by_role("heading", name=f"Merged {0.35 * THREADS:.0f}")).to_be_visible()
    counts = await page.evaluate(COUNTS)
    listed = (await busy.http.get("/v1/threads", params={"limit": 1000})).json()["threads"]
    columns = [line["column"] for line in listed]
    assert counts == {
        "Planned": str(columns.count("planned") + QUEUED),
        "Running": str(columns.count("running")),
        "Needs you": str(columns.count("waiting")),
        "In review": str(columns.count("in_review")),
        "Merged": str(columns.count("merged")),
        "Closed": str(columns.count("closed")),
    }
    asked = page.get_by_role("navigation").get_by_role("link", name="Inbox")
    await expect(asked).to_contain_text(counts["Needs you"])

    over, effort = asyncio.Event(), await effort_from_now(browser)
    flow = asyncio.create_task(busy.flow(PACE, over))
    await page.evaluate(FRAMES, [FLOOD_SECONDS, 0])
    used = await effort.seconds()
    gaps = await page.evaluate(FRAMES, [FLOOD_SECONDS, 40])
    over.set()
    await flow
    assert busy.written >= PACE * FLOOD_SECONDS
    assert len(gaps) >= FLOOD_SECONDS  # it goes on drawing, however busy the machine is
    assert used / FLOOD_SECONDS <= MOST_CPU
    assert await nodes(page) <= MOST_NODES
    await kept(page, pictures, "board-busy")

    listed = (await busy.http.get("/v1/threads", params={"limit": 1000})).json()["threads"]
    for column, title in (("running", "Running"), ("in_review", "In review")):
        now = sum(line["column"] == column for line in listed)
        heading = page.get_by_role("heading", name=f"{title} {now}", exact=True)
        await expect(heading).to_be_visible()
    assert await door.close() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("is_phone", [False, True])
async def test_the_board_is_accessible(
    busy: Busy, browser: Browser, pictures: Path | None, scheme: str, *, is_phone: bool
):
    door = Door(browser, busy.http)
    page = await door.page("/threads?view=board", color_scheme=scheme, is_phone=is_phone)
    await expect(page.get_by_role("list", name="Needs you", exact=True)).to_be_visible()
    assert await broken_rules(page) == []
    assert await overflowing(page) == []
    if is_phone:
        assert await page.get_by_role("tab").count() == 6
        await page.get_by_role("tab", name=re.compile("^Merged")).click()
        await expect(page.get_by_role("list", name="Merged")).to_be_visible()
    await kept(page, pictures, f"board-{scheme}-{'phone' if is_phone else 'wide'}")
    assert await door.close() == []


async def test_list_and_board_are_narrowed_by_the_same_filter(busy: Busy, browser: Browser):
    door = Door(browser, busy.http)
    page = await board(door)
    await page.get_by_label("Search threads").fill("coupon")
    await page.get_by_label("Project").select_option(label="shop")
    await expect(page).to_have_url(re.compile("q=coupon"))
    await expect(page.get_by_role("main").get_by_text("Upgrade the ORM")).to_have_count(0)
    query = {"q": "coupon", "project": "shop", "limit": 1000}
    found = (await busy.http.get("/v1/threads", params=query)).json()["threads"]
    assert 0 < len(found) < THREADS / 5
    columns = [line["column"] for line in found]
    counts = await page.evaluate(COUNTS)
    assert counts["Merged"] == str(columns.count("merged"))
    assert counts["Running"] == str(columns.count("running"))
    await page.get_by_text("List", exact=True).click()
    rows = page.get_by_role("list", name="Threads, recently updated first")
    await expect(rows.get_by_role("listitem").first).to_contain_text("coupon")
    await expect(rows.get_by_text("Upgrade the ORM")).to_have_count(0)
    assert await door.close() == []


FIRST, SECOND, THIRD = "Write the parser", "Test the parser", "Describe the parser"


async def queued(ground: Place, door: Door, name: str) -> Page:
    """Open the board of a repository with three entries that wait, as the queue is held."""
    repository = ground.repository(name, [])
    await ground.post("/queue/hold", {"reason": "while it is put in order"})
    items = [
        {"goal": f"{goal} of {name}", "repository": repository, "agent": "scripted"}
        for goal in (FIRST, SECOND, THIRD)
    ]
    await ground.post("/queue", {"items": items})
    page = await door.page(f"/threads?view=board&project={name}")
    await expect(cards(page)).to_have_count(3)
    return page


def cards(page: Page) -> Locator:
    return page.get_by_role("list", name="Planned").get_by_role("article")


async def in_order(page: Page, *titles: str) -> None:
    for place, title in enumerate(titles):
        await expect(cards(page).nth(place)).to_contain_text(title)


MOVES = re.compile(r"/v1/queue/.*/move")


async def test_the_queue_is_put_in_order_by_dragging_keys_and_menu(door: Door, ground: Place):
    page = await queued(ground, door, "ordered")
    last, first = cards(page).filter(has_text=THIRD), cards(page).filter(has_text=FIRST)
    await in_order(page, FIRST, SECOND, THIRD)
    async with page.expect_response(MOVES) as moved:
        title = last.get_by_role("link")  # no link is dragged, but the card
        await title.drag_to(first, target_position={"x": 60, "y": 4})
    assert (await moved.value).status == 200
    await in_order(page, THIRD, FIRST, SECOND)

    await page.get_by_role("list", name="Planned").locator("[data-row]").first.focus()
    async with page.expect_response(MOVES):
        await page.keyboard.press("Shift+J")
    await in_order(page, FIRST, THIRD, SECOND)
    await expect(page.get_by_role("status").filter(has_text="moved to position")).to_have_count(1)

    await cards(page).filter(has_text=SECOND).hover()
    await page.get_by_role("button", name=f"Actions for {SECOND}").click()
    async with page.expect_response(MOVES):
        await page.get_by_role("menuitem", name="Move up").click()
    await in_order(page, FIRST, SECOND, THIRD)


async def test_a_move_that_was_overtaken_is_told_gently(door: Door, ground: Place):
    page = await queued(ground, door, "overtaken")
    await in_order(page, FIRST, SECOND, THIRD)
    door.expect("Failed to load resource")
    entries = (await ground.get("/queue"))["entries"]
    gone = next(
        e["entry"]["entry_id"]
        for e in entries
        if e["entry"]["title"].startswith(SECOND) and e["entry"]["title"].endswith("overtaken")
    )

    async def overtaken(route: Route) -> None:
        await ground.post(f"/queue/{gone}/remove")
        await route.continue_()

    await page.route(MOVES, overtaken, times=1)
    await page.get_by_role("list", name="Planned").locator("[data-row]").first.focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Shift+K")
    await expect(page.get_by_role("alert").filter(has_text="Not moved")).to_be_visible()
    await in_order(page, FIRST, THIRD)
    await expect(cards(page)).to_have_count(2)
