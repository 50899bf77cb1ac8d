"""What drawing costs a browser: processor time and memory, which say the same on a busy machine."""

from contextlib import suppress
from dataclasses import dataclass

import psutil
from playwright.async_api import Browser

from tests.page.looks import renderers


@dataclass(frozen=True)
class Effort:
    """The processor time of a browser's renderers up to a moment, by process."""

    browser: Browser
    until_then: dict[int, float]

    async def seconds(self) -> float:
        """Return the processor time since then; a renderer that is gone is not counted."""
        now = await _seconds(self.browser)
        return sum(total - self.until_then.get(pid, 0.0) for pid, total in now.items())


async def effort_from_now(browser: Browser) -> Effort:
    """Begin to measure."""
    return Effort(browser, await _seconds(browser))


async def memory_bytes(browser: Browser) -> int:
    """Return the memory of the largest renderer, its share of what all share (PSS)."""
    found: list[int] = []
    for process in await renderers(browser):
        with suppress(psutil.NoSuchProcess):
            found.append(process.memory_full_info().pss)
    return max(found)


async def _seconds(browser: Browser) -> dict[int, float]:
    found: dict[int, float] = {}
    for process in await renderers(browser):
        with suppress(psutil.NoSuchProcess):
            found[process.pid] = sum(process.cpu_times()[:2])
    return found
