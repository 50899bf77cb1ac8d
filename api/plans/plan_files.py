"""The plan files of a thread; only its agents change them, by their tools."""

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import JournalDep, Thread, ThreadsDep, thread_id
from api.core.permissions import OF_THREAD
from api.plans.bodies import PlanFilesBody
from domain.core.ids import ThreadId
from domain.core.ports import Journal
from domain.threads.plan_files.commands import SetPlanFiles
from domain.threads.plan_files.edits import StoredPlanFile
from domain.threads.plan_files.errors import NoPlanError
from domain.threads.plan_files.files import PlanFile, plan_file
from domain.threads.plan_files.state import ArchivedPlan, KnownPlanFile

router = APIRouter(
    tags=["plan files"], prefix="/threads/{thread}/plan-files", dependencies=[OF_THREAD]
)

add_commands(
    router,
    thread_id,
    CommandRoute(
        "",
        SetPlanFiles,
        "Turn plan files on or off for a thread's agents; existing files stay.",
        PlanFilesBody,
        name="set_plan_files",
    ),
)


class PlanFilesView(BaseModel):
    """Whether plan files are on, the files, and the archived plans, newest first."""

    thread_id: ThreadId
    is_on: bool
    files: dict[PlanFile, KnownPlanFile]
    archived: tuple[ArchivedPlan, ...]


class MarkdownResponse(PlainTextResponse):
    """Markdown as it was written; a browser runs nothing in it."""

    media_type = "text/markdown"


@router.get("")
async def plan_files(thread: Thread, folds: ThreadsDep) -> PlanFilesView:
    """List the plan files and archived plans of a thread."""
    kept = (await folds.fold(thread)).thread.plan_files
    return PlanFilesView(
        thread_id=thread, is_on=kept.is_on, files=kept.files, archived=kept.archived[::-1]
    )


@router.get("/{which}", response_class=MarkdownResponse)
async def read_plan_file(
    thread: Thread, which: str, folds: ThreadsDep, journal: JournalDep
) -> MarkdownResponse:
    """Get a plan file: task_plan, findings or progress."""
    files = (await folds.fold(thread)).thread.plan_files.files
    return await _text(
        journal, files, which, "in this thread yet: its agents create it with init_plan"
    )


@router.get("/archive/{name}/{which}", response_class=MarkdownResponse)
async def read_archived_plan_file(
    thread: Thread, name: str, which: str, folds: ThreadsDep, journal: JournalDep
) -> MarkdownResponse:
    """Get a file of an archived plan."""
    archived = (await folds.fold(thread)).thread.plan_files.archived
    plan = next((plan for plan in archived if plan.name == name), None)
    if plan is None:
        known = ", ".join(plan.name for plan in archived[:-11:-1]) or "none"
        raise NoPlanError(f"archived plan {name[:80]!r} not found; the newest are: {known}")
    return await _text(journal, plan.files, which, f"in {name}")


async def _text(
    journal: Journal, files: Mapping[PlanFile, StoredPlanFile], which: str, where: str
) -> MarkdownResponse:
    kept = files.get(plan_file(which))
    text = await journal.text(kept.content_ref) if kept else None
    if text is None:
        raise NoPlanError(f"there is no {which} {where}")
    return MarkdownResponse(text, headers={"X-Content-Type-Options": "nosniff"})
