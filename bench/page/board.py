"""How the board bears many threads and a stream of events: frames, processor time, memory; without Temporal.

    python bench/page/board.py [threads] [events a second] [seconds]
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.async_api import Page, async_playwright

from settings import Settings
from tests.free_ports import free_ports
from tests.page.browser import FLAGS
from tests.page.busy import Busy, busy_place
from tests.page.chromium import MISSING, found
from tests.page.conftest import Door
from tests.page.effort import effort_from_now
from tests.page.looks import nodes
from tests.page.test_board import FRAMES

THREADS, PACE, SECONDS = 1_000, 200, 30
MB = 1 << 20


async def heap_mb(page: Page) -> float:
    """Return what the page's scripts hold, after what they do not hold any more is gone."""
    session = await page.context.new_cdp_session(page)
    await session.send("HeapProfiler.collectGarbage")
    heap = await session.send("Runtime.getHeapUsage")
    await session.detach()
    return heap["usedSize"] / MB


async def measure(busy: Busy, pace: int, seconds: int) -> None:
    """Scroll the board while events come, and print what that took."""
    async with async_playwright() as playwright:
        path = found(playwright.chromium.executable_path)
        assert path, MISSING
        browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        door = Door(browser, busy.http)
        began = time.perf_counter()
        page = await door.page("/threads?view=board")
        await page.get_by_role("list", name="Running").wait_for()
        print(f"first cards after {time.perf_counter() - began:.2f} s", flush=True)
        await page.locator("h2", has_text="+").first.wait_for(state="detached")
        print(f"all counted after {time.perf_counter() - began:.2f} s, {await nodes(page)} nodes")
        for rate, pixels in ((0, 0), (0, 40), (pace, 0), (pace, 40)):
            over, before = asyncio.Event(), await heap_mb(page)
            effort = await effort_from_now(browser)
            flow = asyncio.create_task(busy.flow(rate, over))
            gaps = await page.evaluate(FRAMES, [seconds, pixels])
            used = await effort.seconds() / seconds
            over.set()
            await flow
            p95, worst = gaps[int(len(gaps) * 0.95)], gaps[-1]
            print(
                f"{rate:4} events/s, {'scrolled' if pixels else 'still':8}: {len(gaps) / seconds:5.1f} frames/s, median {statistics.median(gaps):5.1f} ms, "
                f"p95 {p95:5.1f} ms, worst {worst:6.1f} ms; {used:4.0%} of a processor; heap {before:.1f} → "
                f"{await heap_mb(page):.1f} MB; {await nodes(page)} nodes; {busy.written} events written",
                flush=True,
            )
        await door.close()
        await browser.close()


async def main() -> None:
    """Fill a journal, and look at it."""
    given = [int(each) for each in sys.argv[1:]]
    threads, pace, seconds = (*given, *(THREADS, PACE, SECONDS)[len(given) :])
    folder = Path(tempfile.mkdtemp(prefix="treadle-board-"))
    os.environ["TREADLE_CONFIG_DIR"] = str(folder / "config")
    settings = Settings(
        data_dir=folder / "data", api_port=free_ports(1)[0], temporal_port=1, is_temporal_ui_on=False
    )
    settings.data_dir.mkdir()
    async with busy_place(settings, threads) as busy:
        for query in ("limit=100", "limit=1000", "limit=1000&q=coupon"):
            took = []
            for _ in range(5):
                began = time.perf_counter()
                answer = await busy.http.get(f"/v1/threads?{query}")
                took.append((time.perf_counter() - began) * 1000)
            print(f"/v1/threads?{query:22} median {statistics.median(took):6.1f} ms, {len(answer.content)} bytes")
        await measure(busy, pace, seconds)


if __name__ == "__main__":
    asyncio.run(main())
