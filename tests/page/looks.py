"""What can be said of a screen by looking: broken rules of axe, overflow, names, focus, motion."""

import asyncio
from contextlib import suppress
from typing import Any

import psutil
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, Page

AXE = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"
"""Needs axe in the page."""

OVERFLOWING = """
() => {
  const wide = innerWidth + 1;
  const isKept = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible") return true;
    }
    return false;
  };
  const found = [];
  if (document.documentElement.scrollWidth > wide) {
    found.push(`the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`);
  }
  for (const element of document.querySelectorAll("main *, nav *, header *")) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.right > wide && !isKept(element)) {
      found.push(`${element.tagName} ${element.className} ends at ${Math.round(box.right)}`);
    }
  }
  return found.slice(0, 5);
}
"""

_BLANK = """
() => [...document.querySelectorAll("main, [role=tabpanel], [role=region]")]
  .filter((pane) => pane.getBoundingClientRect().height > 0 && !pane.innerText.trim()
    && !pane.querySelector("svg, input, textarea, canvas"))
  .map((pane) => pane.getAttribute("aria-label") ?? pane.tagName)
"""

EVALUATION_SECONDS = 120
"""How long a screen may take to be looked at; a page that hangs would wait for ever."""

_SETTLED = """
() => {
  const moving = () => document.getAnimations()
    .filter((motion) => motion.effect?.getComputedTiming().iterations !== Infinity
      && motion.playState !== "finished");
  const ended = Promise.all(moving().map((motion) => motion.finished.catch(() => null)));
  const late = new Promise((resolve) => setTimeout(resolve, 10_000));
  return Promise.race([ended.then(() => []), late.then(() => moving().map((motion) =>
    `${motion.playState}: ${motion.animationName ?? motion.transitionProperty} of `
      + `${motion.effect?.target?.className}`))]);
}
"""
"""Awaits the motions that end; returns those that do not within ten seconds."""

_FOCUSED = """
() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent ?? "");
  const name = [element.getAttribute("aria-label"), ...labels, element.labels?.[0]?.textContent,
    element.innerText, element.title, element.placeholder, element.id].find((text) => text?.trim());
  // a radio button of no size is drawn by its label, and a terminal's field by the terminal: these
  // then are what must be seen and marked
  const own = element.getBoundingClientRect();
  const shown = element.labels?.[0] ?? element.closest(".xterm")?.parentElement ?? element;
  const drawn = own.width > 0 && own.height > 0 ? element : shown;
  const style = getComputedStyle(drawn);
  const box = drawn.getBoundingClientRect();
  element.dataset.walked ??= String(++window.walked || (window.walked = 1));
  return {
    key: element.dataset.walked,
    what: `${element.outerHTML.slice(0, 120)} “${element.textContent.slice(0, 60)}”`,
    isNamed: Boolean(name),
    isSeen: box.width > 0 && box.height > 0 && style.visibility !== "hidden",
    isMarked: style.outlineStyle !== "none" || style.boxShadow !== "none"
      || drawn.matches("input, textarea, select"),
  };
}
"""

_MOVING = """
() => document.getAnimations()
  .filter((motion) => motion.playState === "running"
    && motion.effect?.getComputedTiming().iterations === Infinity)
  .map((motion) => motion.animationName ?? String(motion.effect?.target?.className))
"""


async def broken_rules(page: Page) -> list[str]:
    """Return what axe finds broken, with where."""
    async with asyncio.timeout(EVALUATION_SECONDS):
        return await _broken_rules(page)


async def unsettled(page: Page) -> list[str]:
    """Wait for the motions that end; returns those that do not."""
    return await page.evaluate(_SETTLED)


async def _broken_rules(page: Page) -> list[str]:
    if moves := await unsettled(page):
        return [f"still moving, {motion}" for motion in moves]
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    return violation_lines(await page.evaluate(AXE))


def violation_lines(found: list[dict[str, Any]]) -> list[str]:
    """Return what axe found as lines."""
    return [
        f"{rule['id']}: {node['html'][:160]} ({' '.join(_why(node))[:200]})"
        for rule in found
        for node in rule["nodes"]
    ]


def _why(node: dict[str, Any]) -> list[str]:
    return [check["message"] for kind in ("all", "any", "none") for check in node[kind]]


async def overflowing(page: Page) -> list[str]:
    """Return what is cut off at the right, outside of anything that scrolls."""
    return await page.evaluate(OVERFLOWING)


async def blank_panes(page: Page) -> list[str]:
    """Return the panes that show nothing."""
    return await page.evaluate(_BLANK)


async def moving(page: Page) -> list[str]:
    """Return the animations that never end."""
    return await page.evaluate(_MOVING)


async def _has_name(page: Page) -> bool:
    """Tell whether what has the focus has a name in the browser's own accessibility tree."""
    session = await page.context.new_cdp_session(page)
    focused = await session.send("Runtime.evaluate", {"expression": "document.activeElement"})
    wanted = {"objectId": focused["result"]["objectId"], "fetchRelatives": False}
    tree = await session.send("Accessibility.getPartialAXTree", wanted)
    await session.detach()
    return bool(tree["nodes"][0].get("name", {}).get("value", "").strip())


async def tab_stops(page: Page, most: int) -> list[dict[str, Any]]:
    """Press Tab until the focus comes around; returns each stop, wherever the focus was at first."""
    stops: list[dict[str, Any]] = []
    for _ in range(most + 1):
        await page.keyboard.press("Tab")
        stop = await page.evaluate(_FOCUSED)
        if stop is None:  # it has left the page at its end, and comes in again at its beginning
            continue
        if any(stop["key"] == seen["key"] for seen in stops):
            break
        if not stop["isNamed"]:  # Chromium has given no innerText of words that are there
            stop["isNamed"] = await _has_name(page)
        stops.append(stop)
    return stops


async def renderers(browser: Browser) -> list[psutil.Process]:
    """Return the processes that draw the browser's pages; one may end at any time."""
    session = await browser.new_browser_cdp_session()
    found = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    drawing = list[psutil.Process]()
    for process in found["processInfo"]:
        if process["type"] == "renderer":
            with suppress(psutil.NoSuchProcess):
                drawing.append(psutil.Process(process["id"]))
    return drawing


async def nodes(page: Page) -> int:
    """Return how much is drawn."""
    return await page.evaluate("() => document.querySelectorAll('*').length")
