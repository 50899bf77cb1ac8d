"""Waits until an agent knows Treadle's tools: by what its processes do, not by the clock alone.

Some agents import for half a minute on a busy machine before they connect; one that rests and has not
connected by then never will.
"""

import asyncio
from dataclasses import dataclass

from adapters.acp.limits import Patience
from adapters.acp.session import LiveSession
from adapters.acp.work import Work

LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Found:
    """How a wait for `tools/list` ended: with it, at an agent that rests, or with patience lost."""

    is_listed: bool
    is_at_work: bool = False

    @property
    def is_in_vain(self) -> bool:
        """Whether waiting longer would not help, and beginning anew may."""
        return not self.is_listed and not self.is_at_work


async def await_tools(live: LiveSession, patience: Patience) -> Found:
    """Wait until a session's agent has asked for its tools, as long as it works on something.

    At most `patience.tools_at_work`; an agent that rests has `patience.tools_listed`.
    """
    listed, clock = live.grant.listed, asyncio.get_running_loop().time
    work = Work(live.child.pid, clock)
    began = busy_at = clock()
    while not listed.is_set():
        rested, waited = clock() - busy_at, clock() - began
        is_resting = rested >= patience.tools_listed or not live.is_alive
        if is_resting or waited >= patience.tools_at_work:
            return Found(is_listed=False, is_at_work=not is_resting)
        try:
            await asyncio.wait_for(listed.wait(), min(LOOK_SECONDS, patience.tools_listed - rested))
        except TimeoutError:
            if await asyncio.to_thread(work.is_going_on):
                busy_at = clock()
    return Found(is_listed=True)
