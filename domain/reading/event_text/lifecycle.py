"""Texts of a thread as a whole: its opening, sessions, name, archive, and changes of its chats."""

from domain.core.event_text import EventText, error, success, warning
from domain.core.four_eyes import ApprovalGiven
from domain.core.lifecycle import events as lifecycle_events
from domain.core.notices import CommandRejected, ResourceWarned, WorkflowTerminated
from domain.core.text import counted, spaced
from domain.reading.event_text.phrases import agent_name, by, session_name
from domain.reading.event_text.registry import describe, describes, silence
from domain.threads import events as thread_events
from domain.threads.plan_files.edits import PlanFileOp
from domain.threads.plan_files.events import PlanArchived, PlanFileChanged, PlanFilesSet

_OPERATIONS = {
    PlanFileOp.INIT: "created",
    PlanFileOp.WRITE: "written",
    PlanFileOp.UPDATE: "updated",
    PlanFileOp.CLEAR: "removed",
}


@describes(thread_events.ThreadOpened)
def _describe_thread(event: thread_events.ThreadOpened) -> EventText:
    start = f" from {event.facts.head_branch}" if event.facts.head_branch else ""
    others = "".join(f" and {one.name}" for one in event.beside)
    of = f" of {event.name}{others}" if others else ""
    where = f"on {event.branch}{of}{start}, with {agent_name(event.agent, event.model)}"
    return EventText(
        summary=f"Thread opened{by(event.opened_by)} {where}{_continued(event)}: {event.goal}",
        details=event.context or (event.imported.said if event.imported else ""),
        milestone="thread_opened",
    )


def _continued(event: thread_events.ThreadOpened) -> str:
    """Say which session it goes on with; what was said in that is in the details."""
    session = event.imported
    if session is None:
        return ""
    told = f"{counted(session.messages, 'message')} imported" if session.messages else session.note
    return f", continuing session {session.agent_session} ({told or 'it was empty'})"


@describes(thread_events.SessionOpened)
def _describe_session(event: thread_events.SessionOpened) -> str:
    where = " in its own worktree" if event.has_own_worktree else ""
    agent = agent_name(event.agent, event.model)
    return f"{session_name(event.session_id)} opened{where}: {spaced(event.role)}, {agent}"


describe(
    thread_events.SessionsArchived,
    lambda event: f"{', '.join(map(session_name, event.session_ids))} archived, still readable",
)
describe(
    lifecycle_events.ThreadAssigned,
    lambda event: f"Assigned to {event.person or 'nobody'}{by(event.by)}",
)
describe(lifecycle_events.ThreadRenamed, lambda event: f"Renamed to {event.topic}{by(event.by)}")
describe(lifecycle_events.ThreadArchived, lambda event: f"Archived{by(event.by)}")
describe(lifecycle_events.ThreadUnarchived, lambda event: f"Unarchived{by(event.by)}")
describe(lifecycle_events.ThreadPinned, lambda event: f"Pinned{by(event.by)}")
describe(lifecycle_events.ThreadUnpinned, lambda event: f"Unpinned{by(event.by)}")
describe(
    lifecycle_events.DeletionRequested, lambda event: error(f"Deletion requested{by(event.by)}")
)
describe(
    lifecycle_events.SessionMergeRequested,
    lambda event: f"Merging the changes of {session_name(event.session_id)}{by(event.by)}",
)


describe(WorkflowTerminated, lambda event: error(f"Ended for good: {event.reason}"))


@describes(lifecycle_events.SessionMergeEnded)
def _describe_merged_changes(event: lifecycle_events.SessionMergeEnded) -> EventText | None:
    if event.is_asked and not event.failure:
        return None  # the question tells the conflict
    name = session_name(event.session_id)
    if event.commit and not event.is_new:
        return EventText(summary=f"Changes of {name} are in {event.branch} already")
    if event.commit:
        return success(f"Changes of {name} merged into {event.branch}: {event.commit[:12]}")
    if not event.failure and not event.conflicts:
        return EventText(summary=f"No changes of {name} to merge")
    why = event.failure or f"conflicts in {', '.join(event.conflicts)}"
    return error(f"Changes of {name} not merged: {why}")


describe(
    lifecycle_events.DocumentWritten,
    lambda event: error(event.problem) if event.problem else f"Plan written to {event.path}",
)
silence(lifecycle_events.DocumentDue)


@describes(PlanFilesSet)
def _describe_plan_files(event: PlanFilesSet) -> str:
    return f"Plan files turned {'on' if event.is_on else 'off'}{by(event.by)}"


@describes(PlanFileChanged)
def _describe_plan_file(event: PlanFileChanged) -> str:
    section = f", section {event.section!r}" if event.section else ""
    size = f" ({event.size_bytes:,} bytes)" if event.content_ref else ""
    who = event.session_id.partition("/")[2]
    return f"Plan file {event.which} {_OPERATIONS[event.op]} by {who}{section}{size}"


describe(
    PlanArchived, lambda event: f"Plan files archived as {event.name}: {', '.join(event.files)}"
)
describe(ApprovalGiven, lambda event: f"Approved by {event.by}: {event.missing}")
describe(ResourceWarned, lambda event: warning(event.message))
describe(
    CommandRejected,
    lambda event: error(f"{spaced(event.command).capitalize()} refused: {event.reason}"),
)
