"""All stories, and how an engine is filled with them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tests.page.stories import chats, ends, flows, hostile, plans, queue, running
from tests.page.stories.place import Place

STORIES: tuple[Callable[[Place], Awaitable[None]], ...] = (
    chats.chat,
    chats.permission,
    chats.question,
    chats.suggestion,
    chats.limited,
    chats.plan_files,
    plans.one_plan,
    plans.rival_plans,
    plans.warned_plan,
    running.execution,
    running.conflict,
    ends.failure,
    ends.blocked,
    ends.completed,
    ends.family,
    flows.flow_runs,
    queue.waiting_line,
    hostile.hostile,
    hostile.large,
    hostile.flood,
)
AT_ONCE = 3
"""So many stories begin at the same time: agents are processes."""


async def fill(place: Place, names: Sequence[str] | None = None) -> dict[str, BaseException]:
    """Put stories on an engine: those named, else those that are not there; returns what failed."""
    plans.rivals(place)
    wanted = [
        story
        for story in STORIES
        if (story.__name__ in names if names else story.__name__ not in place.names)
    ]
    slots = asyncio.Semaphore(AT_ONCE)

    async def begin(story: Callable[[Place], Awaitable[None]]) -> None:
        async with slots:
            await story(place)

    results = await asyncio.gather(*map(begin, wanted), return_exceptions=True)
    found = zip(wanted, results, strict=True)
    return {story.__name__: error for story, error in found if isinstance(error, BaseException)}
