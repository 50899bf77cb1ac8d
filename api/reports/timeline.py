"""The timeline of a thread: what each task did when, and the moments to fork from."""

from fastapi import APIRouter

from api.core.dependencies import KnownThread, TimelinesDep
from domain.reading.timeline.timeline import Timeline

router = APIRouter(tags=["threads"], prefix="/threads/{thread}/timeline")


@router.get("")
async def timeline(thread: KnownThread, timelines: TimelinesDep) -> Timeline:
    """Get what each task of a thread did when, and the moments to fork from."""
    return await timelines.timeline(thread)
