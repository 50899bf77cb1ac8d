"""What a thread has changed: its branch against where it began, and the work of one session."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from api.dependencies import JournalDep, Thread
from api.looking_at_changes import LookingAtChangesDep, OfSession
from domain.core.changes import BranchChanges

router = APIRouter(tags=["changes"], prefix="/threads/{thread}/changes")


@router.get("")
async def changes(
    thread: Thread, looking: LookingAtChangesDep, session: OfSession = None
) -> BranchChanges:
    """Say which commits are compared; `diff_ref` is the patch between them, one of the texts."""
    return await looking.look(thread, session)


@router.get("/diff", response_class=PlainTextResponse)
async def thread_diff(
    thread: Thread, looking: LookingAtChangesDep, journal: JournalDep, session: OfSession = None
) -> PlainTextResponse:
    """Return what the thread has changed as a patch; that of one task is at the task."""
    found = await looking.look(thread, session)
    patch = await journal.text(found.diff_ref) if found.diff_ref else ""
    return PlainTextResponse(patch or "")
