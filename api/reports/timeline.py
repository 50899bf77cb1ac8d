"""The timeline of a thread: what each task did when, and the moments to fork from."""

from fastapi import APIRouter

from api.core.dependencies import KnownThread, TimelinesDep
from api.core.permissions import OF_THREAD
from domain.reading.timeline.timeline import Timeline

router = APIRouter(tags=["threads"], prefix="/threads/{thread}/timeline", dependencies=[OF_THREAD])


@router.get("")
async def timeline(thread: KnownThread, timelines: TimelinesDep) -> Timeline:
    """Get what each task of a thread did when, and the moments to fork from."""
    return await timelines.timeline(thread)
