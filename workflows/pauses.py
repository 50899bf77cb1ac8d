"""Pauses between two looks at a forge."""

from collections.abc import Callable
from contextlib import suppress

from temporalio import workflow

from workflows.patches import FORGES_ARE_LEFT_ALONE
from workflows.summaries import shown


async def pause(
    seconds: float, least: float, is_due: Callable[[], bool], is_pressing: Callable[[], bool]
) -> None:
    """Wait until a look is due; for the `least` that the forge asks for, only what presses ends the wait."""
    if least and workflow.patched(FORGES_ARE_LEFT_ALONE):
        await _wait(is_pressing, least, "leave the forge alone")
        seconds -= least
    if seconds > 0:
        await _wait(is_due, seconds, "look at it again")


async def _wait(ends: Callable[[], bool], seconds: float, summary: str) -> None:
    with suppress(TimeoutError):
        await workflow.wait_condition(ends, timeout=seconds, timeout_summary=shown(summary))
