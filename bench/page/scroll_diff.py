"""How evenly a diff of 5,000 lines in colour scrolls: `python -m bench.page.scroll_diff [--lines 5000] [--picture FILE]`.

An engine of its own has a task whose agent writes the lines, in files of 500; Chromium opens its review, waits for
the first colours, and scrolls through all of it by a gesture, as a finger or a wheel does. What is printed are the
times between frames (`requestAnimationFrame`), and how many lines had their colour when they were passed.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Page, async_playwright

from tests.e2e.engine import Engine
from tests.page.browser import FLAGS, WIDE
from tests.page.chromium import found
from tests.page.conftest import Door
from tests.page.stories.place import Place, planned, task, work

FRAME_MS = 1000 / 60
SPEED = 3000
"""Pixels a second: about 160 lines."""

_FRAMES = """
() => {
  window.frames_ = [];
  window.bare_ = 0;
  window.seen_ = 0;
  let last = performance.now();
  const pane = document.querySelector("[data-scroller]");
  const look = (now) => {
    window.frames_.push(now - last);
    last = now;
    const box = pane.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const row = at?.closest("[data-line]");
    if (row) {
      window.seen_ += 1;
      if (row.textContent.trim() && !row.querySelector("[data-code]")) window.bare_ += 1;
    }
    window.loop_ = requestAnimationFrame(look);
  };
  window.loop_ = requestAnimationFrame(look);
}
"""

_GATHERED = """
() => {
  cancelAnimationFrame(window.loop_);
  return {frames: window.frames_.slice(2), bare: window.bare_, seen: window.seen_};
}
"""


def source(number: int, lines: int) -> str:
    """Return Python of so many lines, with something of each colour in every function."""
    rows: list[str] = []
    while len(rows) < lines:
        at = len(rows)
        rows += [
            f"def step_{number}_{at}(basket: dict[str, int], rate: float = {at}.5) -> str:",
            f'    """Say what basket {at} costs,',
            '    over two lines."""',
            "    total = sum(count * 2 for count in basket.values())  # a comment",
            "    if total > 100 and basket is not None:",
            f'        return f"dear: {{total:>8}} of {at}"',
            f"    return 'cheap' if rate < {at} else \"fair\"",
            "",
        ]
    return "\n".join(rows[:lines]) + "\n"


async def review_of(place: Place, lines: int) -> str:
    """Return the address of a review whose diff has so many lines."""
    writes = [
        {"write": f"shop/part_{n}.py", "text": source(n, min(500, lines - n * 500))}
        for n in range(-(-lines // 500))
    ]
    many = task("many", "Write many lines", gate="ask")
    plan = {"goal": "Write many lines", "summary": "Lines.", "key_risk": "none", "tasks": [many]}
    rules = [planned(plan), work("many", *writes)]
    thread = await place.begin("scroll", place.repository("scroll", rules), "Write many lines")
    await place.seen(thread, "gate_opened", "many")
    return f"/threads/{thread}/tasks/many/review"


async def scrolled(page: Page) -> dict[str, Any]:
    """Scroll through all of a diff; returns the frames and what they had."""
    pane = page.locator("[data-scroller]")
    box = await pane.bounding_box()
    if box is None:
        raise RuntimeError("the review has no pane that scrolls")
    height = await pane.evaluate("pane => pane.scrollHeight - pane.clientHeight")
    session = await page.context.new_cdp_session(page)
    await page.evaluate(_FRAMES)
    await session.send(
        "Input.synthesizeScrollGesture",
        {
            "x": box["x"] + box["width"] / 2,
            "y": box["y"] + box["height"] / 2,
            "yDistance": -height,
            "speed": SPEED,
            "gestureSourceType": "mouse",
        },
    )
    return await page.evaluate(_GATHERED)


def summary(result: dict[str, Any], lines: int) -> dict[str, Any]:
    """Return what the frames say."""
    frames = sorted(result["frames"])
    return {
        "lines": lines,
        "frames": len(frames),
        "median_ms": round(statistics.median(frames), 1),
        "p95_ms": round(frames[int(len(frames) * 0.95)], 1),
        "worst_ms": round(frames[-1], 1),
        "late": sum(each > 1.5 * FRAME_MS for each in frames),
        "not_yet_coloured": f"{result['bare']} of {result['seen']} looks",
    }


async def measure(lines: int, picture: Path | None) -> dict[str, Any]:
    """Start all, and measure once."""
    folder = Path(tempfile.mkdtemp(prefix="scroll-"))
    (folder / "repositories").mkdir()
    engine = Engine(folder)
    await engine.start("temporal", "api", "worker")
    try:
        async with engine.http() as http, async_playwright() as playwright:
            address = await review_of(Place(http, folder / "repositories", engine.config), lines)
            path = found(playwright.chromium.executable_path)
            browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            door = Door(browser, http)
            page = await door.page(address, in_=await door.context(viewport=WIDE))
            await page.locator("[data-code]").first.wait_for()
            await page.wait_for_timeout(3000)  # until all lines are in the page
            result = await scrolled(page)
            if picture is not None:
                await page.screenshot(path=picture)
            await browser.close()
            return summary(result, lines)
    finally:
        engine.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    found_ = json.dumps(asyncio.run(measure(given.lines, given.picture)), indent=2)
    sys.stdout.write(f"{found_}\n")
