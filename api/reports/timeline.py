"""The timeline of a thread: its tasks by the clock, and the moments to go back to."""

from fastapi import APIRouter

from api.core.dependencies import KnownThread
from api.core.projections import TimelinesDep
from domain.reading.timeline.timeline import Timeline

router = APIRouter(tags=["threads"], prefix="/threads/{thread}/timeline")


@router.get("")
async def timeline(thread: KnownThread, timelines: TimelinesDep) -> Timeline:
    """Show when each task did what, and the moments that a person would go back to."""
    return await timelines.timeline(thread)
