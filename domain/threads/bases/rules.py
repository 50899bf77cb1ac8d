"""Rules of the base: looked at before a plan, a merge and a push, and when somebody asks (ADR 0080)."""

from collections.abc import Iterable, Iterator

from domain.agents.agents import PromptName
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.core.workspaces import MergeResult
from domain.plans.templates.template import BaseUpdate
from domain.tasks.conflicts import Conflict, base_subject, is_base
from domain.tasks.events import TaskEnd
from domain.threads.bases import events as base_events
from domain.threads.bases.calls import BaseAnswer
from domain.threads.bases.commands import BaseMethod, UpdateBase
from domain.threads.bases.effects import EndBase, NoteBehind, TakeBase
from domain.threads.bases.looks import BaseLook
from domain.threads.bases.pushing import after_taking_in, before_push
from domain.threads.bases.state import MAX_CHECKED
from domain.threads.effects import ThreadEffect
from domain.threads.events import ThreadOpened
from domain.threads.merging.events import ConflictDropped, ConflictFound
from domain.threads.patches import BASES_ARE_TAKEN_IN, PLANS_AND_CHATS_LOOK_AT_THE_BASE
from domain.threads.publishing.publication import PublishStage
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import QueuedPrompt

_PLAN, _CHAT, _MERGE, _PUSH, _ASKED, _FORGE = "plan", "chat", "merge", "push", "asked", "forge"


def base_name(state: ThreadState) -> str:
    """Return the branch that the thread's is to be merged into; empty where there is none."""
    opened = state.opened
    return (state.git.pr_target or opened.facts.head_branch or "") if opened else ""


def has_base(state: ThreadState) -> bool:
    """Tell whether there is a base on a remote, which is the parent's where the thread is a child."""
    opened = state.opened
    if opened is None or opened.parent is not None or not opened.facts.remotes:
        return False
    return base_name(state) != ""


def _looks_by_itself(state: ThreadState) -> bool:
    return has_base(state) and state.git.base.fetch and state.has_patch(BASES_ARE_TAKEN_IN)


def updates_base(state: ThreadState) -> bool:
    """Tell whether the thread takes its base in by itself where the forge wants that."""
    is_alone = state.opened is not None and not state.opened.others
    return is_alone and _looks_by_itself(state) and state.git.base.update is not BaseUpdate.OFF


def due_of_plan(state: ThreadState) -> str:
    """Return what must be looked at before planners are asked; empty where nothing must.

    Before the first words of a thread its opening has looked.
    """
    is_first = len(state.seen_prompts) <= len(state.prompts)
    if (
        is_first
        or not _looks_by_itself(state)
        or not state.has_patch(PLANS_AND_CHATS_LOOK_AT_THE_BASE)
    ):
        return ""
    return next((due for due in _plans(state) if due not in state.base.checked), "")


def _plans(state: ThreadState) -> Iterator[str]:
    return (f"{_PLAN}-{prompt.key}" for prompt in state.prompts if _begins_plan(prompt))


def _begins_plan(prompt: QueuedPrompt) -> bool:
    return prompt.prompt is not None and prompt.prompt.name is PromptName.PLANNER


def holds(prompt: QueuedPrompt, state: ThreadState) -> bool:
    """Tell whether a planner's first prompt waits for the base."""
    return _begins_plan(prompt) and due_of_plan(state) != ""


def due_of_chat(state: ThreadState) -> str:
    """Return what must be looked at before a chat's changes come in; empty where nothing must."""
    merge = next(iter(state.lifecycle.merges), None)
    if merge is None or is_base(merge.session_id) or not _looks_by_itself(state):
        return ""
    due = f"{_CHAT}-{merge.number}"
    is_known = due in state.base.checked or not state.has_patch(PLANS_AND_CHATS_LOOK_AT_THE_BASE)
    return "" if is_known else due


def due_of_push(state: ThreadState) -> str:
    """Return what must be looked at before a push; empty where nothing must."""
    due = f"{_PUSH}-{state.publication.number}"
    if state.publication.stage is not PublishStage.PUSHING or due in state.base.checked:
        return ""
    looks = (
        _looks_by_itself(state) and not state.publication.is_by_task
    )  # a stack is put on it later
    must_look = looks or state.base.is_tip_unverified
    return due if must_look else ""


def due_of_merges(state: ThreadState) -> str:
    """Return what must be looked at before tasks come in; empty where nothing must."""
    if not state.settling or not _looks_by_itself(state):
        return ""
    return next((due for due in _merges(state) if due not in state.base.checked), "")


def _merges(state: ThreadState) -> Iterator[str]:
    for task_id in state.settling:
        entry = state.tasks[task_id]
        if entry.end is TaskEnd.ACCEPTED:
            yield f"{_MERGE}-{task_id}-{entry.run}"


@THREAD_RULES.handles
def update_base(command: UpdateBase, state: ThreadState) -> Decided:
    opened = state.opened
    if opened is None:
        raise WrongStateError("the thread is not open yet")
    if opened.parent is not None:
        raise WrongStateError(
            f"its base is the branch of the thread {opened.parent.thread_id}: update that one"
        )
    if opened.others:
        raise WrongStateError(
            "a thread on several repositories takes no base in, as their branches move together: merge what you "
            f"want into {opened.branch} yourself, in each of {', '.join(_names(opened))}"
        )
    if not opened.facts.remotes:
        raise WrongStateError(
            "the repository had no remote when the thread was opened, so there is nothing to fetch: merge "
            f"what you want into {opened.branch} yourself"
        )
    if not base_name(state):
        raise WrongStateError("there is no base: give the template a prTarget")
    if state.base.asked and not state.base.is_by_forge:
        return Decided(answer=Answer(message="the base is already being taken in"))
    requested = base_events.BaseRequested(
        number=state.base.number + 1, method=command.method, by=command.by
    )
    message = f"{base_name(state)} is being fetched; `treadle show` tells how it went"
    return Decided((requested,), Answer(message=message))


def _names(opened: ThreadOpened) -> tuple[str, ...]:
    """Return what its repositories are called."""
    return (opened.name, *(one.name for one in opened.beside))


@THREAD_RULES.handles
def note_behind(command: NoteBehind, state: ThreadState) -> Decided:
    """Take the base in as the policy says; one that was force-pushed is left to a person."""
    publication = state.publication
    if state.base.asked or publication.is_under_way or not updates_base(state):
        return Decided()
    if publication.pushed_commit != command.commit:
        return Decided()
    number = state.base.number + 1
    return Decided((base_events.BaseRequested(number=number, by="the forge", is_by_forge=True),))


def _due_of_asking(state: ThreadState) -> str:
    """Return what is due as somebody asked; a forge's asking waits for tasks at work and for what is published."""
    base = state.base
    if not base.asked:
        return ""
    if not base.is_by_forge:
        return f"{_ASKED}-{base.asked}"
    is_busy = _is_at_work(state) or state.publication.is_under_way
    return "" if is_busy else f"{_FORGE}-{base.asked}"


def _is_at_work(state: ThreadState) -> bool:
    return bool(state.settling) or any(True for _ in state.tasks.at_work())


@THREAD_RULES.requires
def take_base(state: ThreadState) -> Iterable[ThreadEffect]:
    unasked = (due_of_plan, due_of_chat, due_of_push, due_of_merges)
    for due_of in (*unasked, _due_of_asking):
        if due := due_of(state):
            yield TakeBase(due=due)


def method_of(due: str, state: ThreadState) -> BaseUpdate:
    """Return how a base that has moved is taken in now.

    A branch is not moved below a task that works on it, and not rebased where others have its commits: tasks that
    are at work, or a remote.
    """
    is_asked = due.startswith(_ASKED)
    wanted = state.git.base.update
    if is_asked and state.base.method is not BaseMethod.POLICY:
        wanted = BaseUpdate(state.base.method)
    elif is_asked and wanted is BaseUpdate.OFF:
        wanted = BaseUpdate.MERGE  # the policy is about what happens unasked
    is_at_work = _is_at_work(state)
    if state.is_shared and is_at_work:
        return BaseUpdate.OFF
    if wanted is BaseUpdate.REBASE and is_at_work:
        return BaseUpdate.OFF
    if wanted is BaseUpdate.REBASE and state.publication.pushed_commit:
        return BaseUpdate.MERGE
    return wanted


@THREAD_RULES.handles
def end_base(command: EndBase, state: ThreadState) -> Decided:
    due, answer = command.due, command.answer or BaseAnswer(look=BaseLook())
    if due in state.base.checked:
        return Decided()
    checked = base_events.BaseChecked(
        due=due,
        look=answer.look,
        commit=answer.merge.commit or "",
        conflicts=answer.merge.conflicts,
        failure=command.failure or answer.merge.failure,
    )
    events: list[EventBody] = [checked, *_conflict(answer, state)]
    if due == due_of_push(state):
        events += before_push(checked, state)
    elif due.startswith(_FORGE):
        events += after_taking_in(checked, state)
    return Decided(tuple(events))


def _conflict(answer: BaseAnswer, state: ThreadState) -> Iterator[EventBody]:
    """Yield that a person is asked how a conflict is resolved, once for each, or not any more."""
    subject = base_subject(state.thread_id)
    known, merge = state.merges.open.get(subject), answer.merge
    if merge.commit and known is not None:
        yield ConflictDropped(session_id=subject)
    if not merge.conflicts or (known is not None and known.conflict.commit == answer.look.commit):
        return
    yield ConflictFound(conflict=_found(subject, merge, answer, state))


def _found(
    subject: SessionId, merge: MergeResult, answer: BaseAnswer, state: ThreadState
) -> Conflict:
    return Conflict(
        session_id=subject,
        run=state.lifecycle.merge_count + 1,
        commit=answer.look.commit,
        branch=state.opened.branch if state.opened else "",
        files=merge.conflicts,
        notes=merge.notes,
        versions=merge.versions,
        tip=merge.tip,
    )


@THREAD_RULES.evolves
def apply_base_requested(event: base_events.BaseRequested, state: ThreadState) -> ThreadState:
    changes = {
        "number": event.number,
        "asked": event.number,
        "method": event.method,
        "is_by_forge": event.is_by_forge,
    }
    return state.model_copy(update={"base": state.base.model_copy(update=changes)})


@THREAD_RULES.evolves
def apply_base_checked(event: base_events.BaseChecked, state: ThreadState) -> ThreadState:
    base, look = state.base, event.look
    kind = event.due.partition("-")[0]
    dues = {_MERGE: _merges, _PLAN: _plans}[kind](state) if kind in (_MERGE, _PLAN) else ()
    dues_of_asking = (f"{_ASKED}-{base.asked}", f"{_FORGE}-{base.asked}")
    changes: dict[str, object] = {
        "checked": (*base.checked, event.due, *(d for d in dues if d != event.due))[-MAX_CHECKED:],
        "asked": 0 if event.due in dues_of_asking else base.asked,
        "note": look.note,
        "conflicts": event.conflicts,
        "failure": event.failure,
    }
    if look.commit:
        changes |= {"remote": look.remote, "base": look.base}
        changes["behind"] = 0 if event.commit else look.behind
    if look.commit and (event.commit or not look.is_rewritten):
        changes["commit"] = look.commit
    if event.commit:
        changes["updated"] = event.commit
    if event.commit or (not event.failure and not event.conflicts and look.tip):
        changes["is_tip_unverified"] = False
    return state.model_copy(update={"base": base.model_copy(update=changes)})
