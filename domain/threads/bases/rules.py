"""Rules of the base: looked at before tasks come in and before a push, or when a person asks (ADR 0080)."""

from collections.abc import Iterable, Iterator

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.core.workspaces import MergeResult
from domain.plans.templates.template import BaseUpdate
from domain.tasks.conflicts import Conflict, base_subject
from domain.tasks.events import TaskEnd
from domain.threads.bases import events as base_events
from domain.threads.bases.calls import BaseAnswer, BaseLook
from domain.threads.bases.commands import BaseMethod, UpdateBase
from domain.threads.bases.effects import EndBase, NoteBehind, TakeBase
from domain.threads.bases.state import MAX_CHECKED
from domain.threads.effects import ThreadEffect
from domain.threads.merging.events import ConflictDropped, ConflictFound
from domain.threads.patches import BASES_ARE_TAKEN_IN
from domain.threads.publishing.events import PublishFailed, PublishRequested
from domain.threads.publishing.publication import Publication, PublishStage
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

_SHORT = 12
_MERGE, _PUSH, _ASKED, _FORGE = "merge", "push", "asked", "forge"


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


def due_of_push(state: ThreadState) -> str:
    """Return what must be looked at before a push; empty where nothing must."""
    is_pushing = state.publication.stage is PublishStage.PUSHING
    due = f"{_PUSH}-{state.publication.number}"
    return due if is_pushing and _looks_by_itself(state) and due not in state.base.checked else ""


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


@THREAD_RULES.handles
def note_behind(command: NoteBehind, state: ThreadState) -> Decided:
    """Take the base in as the policy says, once for each time; what a force-push has rewritten is a person's."""
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
    for due in (due_of_push(state), due_of_merges(state), _due_of_asking(state)):
        if due:
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
    events: list[EventBody] = [checked, *_conflict(answer, state), *_pushed_again(checked, state)]
    if due == due_of_push(state):
        events += _before_push(checked, state)
    return Decided(tuple(events))


def _pushed_again(
    checked: base_events.BaseChecked, state: ThreadState
) -> Iterator[PublishRequested]:
    """Yield that a base which the forge wanted is pushed, where nothing else would be with it.

    A person who confirmed the commit that was published is asked again.
    """
    publication = state.publication
    if not checked.due.startswith(_FORGE) or publication.is_under_way or publication.is_confirmed:
        return
    if checked.commit and checked.look.tip == publication.pushed_commit:
        yield _by_policy(checked.commit, publication)


def _before_push(checked: base_events.BaseChecked, state: ThreadState) -> Iterator[EventBody]:
    """Yield that nothing is pushed now and why, or that a base which moved once more is pushed as well."""
    publication = state.publication
    is_pushed_unasked = publication.is_by_policy and checked.look.tip == publication.commit
    if is_pushed_unasked and checked.commit:
        yield _by_policy(checked.commit, publication)
    elif reason := _against_push(checked, state):
        yield PublishFailed(step="push", reason=reason)


def _by_policy(commit: str, publication: Publication) -> PublishRequested:
    return PublishRequested(
        number=publication.number + 1,
        remote=publication.remote,
        address=publication.address,
        wants_pull_request=publication.wants_pull_request,
        by="the policy for the base",
        commit=commit,
        is_by_policy=True,
    )


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


def _against_push(checked: base_events.BaseChecked, state: ThreadState) -> str:
    """Return why nothing is pushed now; empty where the push goes on."""
    look, branch = checked.look, state.opened.branch if state.opened else ""
    again = f"`treadle update-branch {state.thread_id}` tries it again"
    if checked.conflicts:
        return (
            f"{look.base} has moved and conflicts with {branch} in {', '.join(checked.conflicts[:3])}: "
            "resolve that, then publish again"
        )
    if checked.failure:
        return (
            f"{look.base or 'the base'} was not taken in: {checked.failure}. {again}, then publish"
        )
    if checked.commit and state.publication.commit:
        return (
            f"{look.base} has moved by {look.behind} commits since it was shown, and is taken in: {branch} is "
            f"at {checked.commit[:_SHORT]} now. Look at its changes again, then publish"
        )
    return ""


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
    is_merge = event.due.startswith(_MERGE)
    dues = tuple(_merges(state)) if is_merge else ()
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
