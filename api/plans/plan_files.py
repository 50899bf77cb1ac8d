"""The plan files of a thread, as its agents keep them: read here, changed by their tools only."""

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from api.core.dependencies import JournalDep, Person, Thread, ThreadsDep, WorkflowsDep
from api.plans.bodies import PlanFilesBody
from domain.core.command import Answer
from domain.core.ids import ThreadId
from domain.core.ports import Journal
from domain.threads.plan_files.commands import SetPlanFiles
from domain.threads.plan_files.edits import StoredPlanFile
from domain.threads.plan_files.errors import NoPlanError
from domain.threads.plan_files.files import PlanFile, plan_file
from domain.threads.plan_files.state import ArchivedPlan, KnownPlanFile

router = APIRouter(tags=["plan files"], prefix="/threads/{thread}/plan-files")


class PlanFilesView(BaseModel):
    """Whether agents keep plan files, which there are, and the newest archived plans, the newest first."""

    thread_id: ThreadId
    is_on: bool
    files: dict[PlanFile, KnownPlanFile]
    archived: tuple[ArchivedPlan, ...]


class MarkdownResponse(PlainTextResponse):
    """A text as it was written, and nothing that a browser runs."""

    media_type = "text/markdown"


@router.get("")
async def plan_files(thread: Thread, folds: ThreadsDep) -> PlanFilesView:
    """List the plan files of a thread, and its archived plans."""
    kept = (await folds.fold(thread)).thread.plan_files
    return PlanFilesView(
        thread_id=thread, is_on=kept.is_on, files=kept.files, archived=kept.archived[::-1]
    )


@router.post("")
async def set_plan_files(
    thread: Thread, body: PlanFilesBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Let agents of the thread keep plan files, or let them no more; what is written stays."""
    command = SetPlanFiles(command_id=body.command_id, by=person, is_on=body.is_on)
    return await workflows.send(thread, command)


@router.get("/{which}", response_class=MarkdownResponse)
async def read_plan_file(
    thread: Thread, which: str, folds: ThreadsDep, journal: JournalDep
) -> MarkdownResponse:
    """Return a plan file: task_plan, findings or progress."""
    files = (await folds.fold(thread)).thread.plan_files.files
    return await _text(journal, files, which, "of this thread yet: its agents begin with init_plan")


@router.get("/archive/{name}/{which}", response_class=MarkdownResponse)
async def read_archived_plan_file(
    thread: Thread, name: str, which: str, folds: ThreadsDep, journal: JournalDep
) -> MarkdownResponse:
    """Return a file of an archived plan."""
    archived = (await folds.fold(thread)).thread.plan_files.archived
    plan = next((plan for plan in archived if plan.name == name), None)
    if plan is None:
        known = ", ".join(plan.name for plan in archived[:-11:-1]) or "none"
        raise NoPlanError(f"there is no archived plan {name[:80]!r}; the newest are: {known}")
    return await _text(journal, plan.files, which, f"in {name}")


async def _text(
    journal: Journal, files: Mapping[PlanFile, StoredPlanFile], which: str, where: str
) -> MarkdownResponse:
    kept = files.get(plan_file(which))
    text = await journal.text(kept.content_ref) if kept else None
    if text is None:
        raise NoPlanError(f"there is no {which} {where}")
    return MarkdownResponse(text, headers={"X-Content-Type-Options": "nosniff"})
