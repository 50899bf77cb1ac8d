"""Tells a person of an agent that has not opened its session for long, while that goes on."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from adapters.acp.transcript import Transcript
from domain.agents.limits.circling import Bound
from domain.conversations.events import TurnConcern
from domain.core.ids import TurnId


@asynccontextmanager
async def report_slow_start(
    transcript: Transcript, turn_id: TurnId, seconds: float
) -> AsyncGenerator[None]:
    """Put a concern into the transcript once so many seconds have passed; take it back at the end."""
    concerns: list[TurnConcern] = []

    def report() -> None:
        message = f"its session is not open after {seconds:.0f} s"
        concerns.append(TurnConcern(turn_id=turn_id, bound=Bound.OPENING, message=message))
        transcript.put(concerns[0])

    timer = asyncio.get_running_loop().call_later(seconds, report) if seconds > 0 else None
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()
        if concerns:
            transcript.put(TurnConcern(turn_id=turn_id, bound=Bound.OPENING))
