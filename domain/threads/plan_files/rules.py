"""Rules of a thread's plan files: a person lets there be some, agents change them by tools."""

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, StaleError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire
from domain.threads.plan_files import events as plan_file_events
from domain.threads.plan_files.commands import ChangePlanFile, SetPlanFiles
from domain.threads.plan_files.edits import PlanFileAnswer, PlanFileOp, StoredPlanFile
from domain.threads.plan_files.errors import ConfirmNeededError, PlanFilesOffError
from domain.threads.plan_files.files import PlanFile
from domain.threads.plan_files.state import MAX_ARCHIVED, MAX_WRITERS, ArchivedPlan, KnownPlanFile
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


class EndPlanFileChange(Wire):
    """A change was carried out."""

    change: ChangePlanFile
    made: PlanFileAnswer


@THREAD_RULES.handles
def set_plan_files(command: SetPlanFiles, state: ThreadState) -> Decided:
    words = "agents may keep plan files" if command.is_on else "agents keep no plan files any more"
    answer = Answer(message=words)
    if state.plan_files.is_on is command.is_on:
        return Decided(answer=answer)
    return Decided((plan_file_events.PlanFilesSet(is_on=command.is_on, by=command.by),), answer)


@THREAD_RULES.handles
def change_plan_file(command: ChangePlanFile, state: ThreadState) -> Decided:
    """Refuse a change that may not be made; what it makes is told with its end."""
    if not state.plan_files.is_on:
        raise PlanFilesOffError(
            f"thread {state.thread_id!r} has no plan files: a person turns them on with "
            f"`treadle plan-files {state.thread_id} --on`"
        )
    if not command.session_id.startswith(f"{state.thread_id}/"):
        raise NotFoundError(f"{command.session_id!r} is no session of this thread")
    if command.op is PlanFileOp.CLEAR and not command.is_confirmed:
        raise ConfirmNeededError("plan files are removed only with confirm=true")
    is_of_text = command.op in {PlanFileOp.WRITE, PlanFileOp.UPDATE}
    if is_of_text and not command.content_ref:
        raise WrongStateError("a change of a plan file needs its text in the journal")
    if command.op is PlanFileOp.WRITE:
        _refuse_unseen(command, state)
    return Decided()


def _refuse_unseen(command: ChangePlanFile, state: ThreadState) -> None:
    """Refuse to replace what other sessions wrote, and this one has not read.

    Raises:
        StaleError: They did; what they wrote stays.
    """
    now = state.plan_files.files.get(command.which)
    if now is None or now.content_ref in {command.known_ref, command.content_ref}:
        return
    others = [writer for writer in now.writers if writer != command.session_id]
    if others:
        names = ", ".join(writer.removeprefix(f"{state.thread_id}/") for writer in others)
        raise StaleError(
            f"{names} changed {command.which} since you read it: read it with read_plan, and write it "
            "again with what they wrote, or change only a section of it with update_plan"
        )


@THREAD_RULES.handles
def end_plan_file_change(command: EndPlanFileChange, state: ThreadState) -> Decided:
    change, made = command.change, command.made
    events: list[EventBody] = []
    if made.archive:
        events.append(
            plan_file_events.PlanArchived(
                name=made.archive, files=made.archived, session_id=change.session_id
            )
        )
    known = {} if made.archive else state.plan_files.files
    files = {w: kept for w, kept in made.files.items() if _is_new(kept, known.get(w))}
    if change.op is PlanFileOp.CLEAR:
        files = {which: StoredPlanFile() for which in state.plan_files.files}
    for which, kept in files.items():
        events.append(
            plan_file_events.PlanFileChanged(
                which=which,
                op=change.op,
                section=change.section,
                size_bytes=kept.size_bytes,
                content_ref=kept.content_ref,
                session_id=change.session_id,
                task_id=_task_of(change.session_id, state),
            )
        )
    return Decided(tuple(events), Answer(message=made.message))


def _is_new(kept: StoredPlanFile, known: StoredPlanFile | None) -> bool:
    return known is None or known.content_ref != kept.content_ref


def _task_of(session_id: SessionId, state: ThreadState) -> TaskId | None:
    above = session_id.removeprefix(f"{state.thread_id}/").partition("/")[0]
    return None if session_id in state.sessions else TaskId(above)


# --- how each event changes a thread


@THREAD_RULES.evolves
def apply_plan_files_set(event: plan_file_events.PlanFilesSet, state: ThreadState) -> ThreadState:
    return _with(state, is_on=event.is_on)


@THREAD_RULES.evolves
def apply_plan_file_changed(
    event: plan_file_events.PlanFileChanged, state: ThreadState
) -> ThreadState:
    files = dict(state.plan_files.files)
    before = files.pop(event.which, KnownPlanFile())
    if event.content_ref:
        files[event.which] = KnownPlanFile(
            size_bytes=event.size_bytes,
            content_ref=event.content_ref,
            writers=_writers(before, event),
        )
    ordered = {which: files[which] for which in PlanFile if which in files}
    return _with(state, files=ordered)


def _writers(
    before: KnownPlanFile, event: plan_file_events.PlanFileChanged
) -> tuple[SessionId, ...]:
    if event.op is PlanFileOp.INIT:
        return ()
    earlier = before.writers if event.op is PlanFileOp.UPDATE else ()
    others = (writer for writer in earlier if writer != event.session_id)
    return (*others, event.session_id)[-MAX_WRITERS:]


@THREAD_RULES.evolves
def apply_plan_archived(event: plan_file_events.PlanArchived, state: ThreadState) -> ThreadState:
    plan = ArchivedPlan(name=event.name, files=event.files)
    archived = (*state.plan_files.archived, plan)[-MAX_ARCHIVED:]
    return _with(state, files={}, archived=archived)


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"plan_files": state.plan_files.model_copy(update=changes)})
