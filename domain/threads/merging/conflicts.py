"""Rules of merges that conflict: the question, the answers to it, and the work by hand."""

from collections.abc import Iterable

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotShownError, WrongStateError
from domain.core.event import EventBody
from domain.core.task_names import quoted_task, task_name
from domain.plans.plan import RunsAs
from domain.tasks.conflicts import ConflictStage, OpenConflict, choices, is_base
from domain.tasks.running_commands import ConflictChoice, ResolveConflict
from domain.tasks.status import TaskStatus
from domain.threads.effects import ThreadEffect
from domain.threads.merging import events as merging_events
from domain.threads.merging.chats import answer_chat
from domain.threads.merging.effects import (
    CheckConflict,
    ConflictReady,
    DropConflictWork,
    EndConflictWork,
    PrepareConflict,
    TakeConflict,
)
from domain.threads.merging.state import SIDES
from domain.threads.registry import THREAD_RULES
from domain.threads.running.execution import blocked, updated
from domain.threads.shown import conflict_hash
from domain.threads.state import ThreadState

_WORDS = {
    ConflictChoice.BY_HAND: "a worktree with the merge under way is made: `treadle show` says where",
    ConflictChoice.AGENT: "the agent resolves it in a new run, which is verified and asked about",
    ConflictChoice.DONE: "what you resolved is looked at, then verified",
    ConflictChoice.KEEP_A: "kept is what is on the branch: the merge is verified, then made",
    ConflictChoice.KEEP_B: "kept is its own version: the merge is verified, then made",
}
_OF_CHATS = {
    ConflictChoice.AGENT: "its agent resolves it in the chat: you are asked about what it made",
    ConflictChoice.DONE: "what was resolved is looked at, then merged",
    ConflictChoice.KEEP_A: "kept is what is on the branch: the merge is made",
    ConflictChoice.KEEP_B: "kept is the chat's version: the merge is made",
    ConflictChoice.LEAVE: "nothing of the chat is merged; it keeps its changes",
}


@THREAD_RULES.handles
def resolve_conflict(command: ResolveConflict, state: ThreadState) -> Decided:
    found = state.merges.open.get(command.subject)
    if found is None:
        raise WrongStateError(_no_conflict(command, state))
    if command.content_hash != conflict_hash(found.conflict):
        raise NotShownError(
            f"the conflict of {found.conflict.named()} is not the one that was shown: look again"
        )
    _check_stage(found, command.how)
    if found.conflict.session_id:
        return Decided(answer_chat(command, found, state), Answer(message=_of_chat(command.how)))
    return _answer_task(command, found, state)


def _of_chat(how: ConflictChoice) -> str:
    """Return what is said to an answer about a chat."""
    return _OF_CHATS.get(how) or _WORDS[how]


def _no_conflict(command: ResolveConflict, state: ThreadState) -> str:
    if command.session_id:
        return (
            f"no conflict of {command.subject!r} waits: `treadle merge-session` merges its changes"
        )
    entry = state.tasks.get(command.task_id)
    status = entry.status if entry else "not in this plan"
    return f"{quoted_task(command.task_id)} has no conflict that waits; it is {status}"


def _answer_task(command: ResolveConflict, found: OpenConflict, state: ThreadState) -> Decided:
    task_id, how = found.conflict.task_id, command.how
    if state.tasks[task_id].task.runs_as is RunsAs.THREAD and how not in SIDES:
        raise WrongStateError(f"{task_id!r} is a thread of its own: keep one side, or abort it")
    run = 0 if how in SIDES else found.run or state.runs.get(task_id, 0) + 1
    events: list[EventBody] = [
        merging_events.ConflictAnswered(task_id=task_id, how=how, run=run, by=command.by)
    ]
    if how is ConflictChoice.AGENT:
        events.append(updated(state, task_id, TaskStatus.PENDING, "the agent resolves a conflict"))
    return Decided(tuple(events), Answer(message=_WORDS[how]))


def _check_stage(found: OpenConflict, how: ConflictChoice) -> None:
    """Refuse an answer that makes no sense now."""
    stage = found.stage
    if stage in {ConflictStage.PREPARING, ConflictStage.CHECKING}:
        doing = "being prepared" if stage is ConflictStage.PREPARING else "being looked at"
        raise WrongStateError(f"the worktree of this conflict is {doing}: wait a moment")
    if how in choices(found):
        return
    if how is ConflictChoice.DONE:
        raise WrongStateError("nobody resolves this conflict by hand: choose by-hand first")
    if how is ConflictChoice.BY_HAND:
        raise WrongStateError(f"the merge is under way in {found.path}: resolve it, then say done")
    if how is ConflictChoice.AGENT and is_base(found.conflict.subject):
        raise WrongStateError("no agent worked on the base: resolve it by hand, or keep a side")
    if how is ConflictChoice.AGENT:
        raise WrongStateError("its agent is at work on it: stop its turn, or choose another way")
    raise WrongStateError(
        f"only a chat's changes can be left out: abort {found.conflict.named()} to merge nothing of it"
    )


@THREAD_RULES.handles
def record_prepared_conflict(command: ConflictReady, state: ThreadState) -> Decided:
    found = state.merges.open.get(command.subject)
    if found is None or found.stage is not ConflictStage.PREPARING or found.run != command.run:
        return Decided()
    prepared = merging_events.ConflictPrepared(
        **found.conflict.whose, run=command.run, path=command.path, failure=command.failure
    )
    return Decided((prepared,))


@THREAD_RULES.handles
def take_resolved_conflict(command: TakeConflict, state: ThreadState) -> Decided:
    snapshot, found = command.snapshot, state.merges.open.get(command.subject)
    if found is None or found.stage is not ConflictStage.CHECKING or found.run != command.run:
        return Decided()
    whose = found.conflict.whose
    if snapshot is None or snapshot.unresolved:
        left = snapshot.unresolved if snapshot else ()
        failure = command.failure
        return Decided((merging_events.ConflictUnresolved(**whose, files=left, failure=failure),))
    resolved = merging_events.ConflictResolved(**whose, run=command.run, snapshot=snapshot)
    if found.conflict.session_id:
        return Decided((resolved,))
    task_id, notes = found.conflict.task_id, "a conflict was resolved by hand"
    return Decided((resolved, updated(state, task_id, TaskStatus.PENDING, notes)))


@THREAD_RULES.handles
def end_conflict_work(command: EndConflictWork, state: ThreadState) -> Decided:
    if command.work not in state.merges.dropped:
        return Decided()
    return Decided((merging_events.ConflictWorkRemoved(work=command.work),))


@THREAD_RULES.reacts
def drop_conflicts_without_task(state: ThreadState) -> Iterable[EventBody]:
    """End the conflicts of tasks that are aborted, or whose plan is over."""
    for found in state.merges.open.values():
        if found.conflict.session_id:
            continue
        task_id = found.conflict.task_id
        entry = state.tasks[task_id]
        if state.plan_status.is_live and not entry.is_abort_requested:
            continue
        why = (
            f"{task_name(task_id, '')} was aborted"
            if entry.is_abort_requested
            else "the plan was cancelled"
        )
        yield merging_events.ConflictDropped(task_id=task_id)
        yield updated(state, task_id, TaskStatus.CANCELLED, f"{why}; its conflict is not resolved")
        yield from blocked(state, task_id, why)


@THREAD_RULES.requires
def resolve_conflicts(state: ThreadState) -> Iterable[ThreadEffect]:
    for subject, found in state.merges.open.items():
        if found.stage is ConflictStage.PREPARING:
            yield PrepareConflict(subject=subject, run=found.run)
        elif found.stage is ConflictStage.CHECKING:
            yield CheckConflict(subject=subject, run=found.run, number=found.tries)
    for work in state.merges.dropped:
        yield DropConflictWork(work=work)
