"""Rules of merging the finished branch: only a person says so, of what they saw, at rest (ADR 0029)."""

from collections.abc import Iterable

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, WrongStateError
from domain.core.remote_repositories import pinned
from domain.core.workspaces import COMMIT
from domain.threads.effects import ThreadEffect
from domain.threads.events import ThreadOpened
from domain.threads.landing import events as landing_events
from domain.threads.landing.calls import Landing, LandingStage
from domain.threads.landing.commands import MergeBranch
from domain.threads.landing.effects import EndLanding, LandBranch
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

_AT_REST = ("completed", "cancelled", "chat")


@THREAD_RULES.handles
def merge_branch(command: MergeBranch, state: ThreadState) -> Decided:
    opened, landing = state.opened, state.landing
    if landing.is_under_way:
        return Decided(answer=Answer(message="already being merged"))
    if opened is None:
        raise WrongStateError("the thread is not open yet")
    if opened.parent is not None:
        raise WrongStateError(
            f"its work goes to the thread {opened.parent.thread_id}: merge that one when it is done"
        )
    target = _target_of(state, opened)
    if state.merges.has_chats and state.status not in _AT_REST:
        named = ", ".join(found.conflict.called for found in state.merges.open.values())
        raise WrongStateError(
            f"the changes of {named} conflict, and the branch may still change: resolve that, or leave "
            f"it (`treadle resolve {state.thread_id} SESSION leave`)"
        )
    if state.status not in _AT_REST or state.settling or state.lifecycle.merges:
        raise WrongStateError(
            f"the thread is still {state.status}, and its branch may still change: wait until its "
            "plan is completed, or cancel the plan"
        )
    _check_beside(command, opened)
    shown = (command.commit, command.target_commit, *command.beside.values())
    if not all(map(COMMIT.fullmatch, shown)):
        raise InvalidError("commit and target_commit are whole ids of commits, as they were shown")
    requested = landing_events.MergeRequested(
        number=landing.number + 1,
        commit=command.commit,
        target=target,
        target_commit=command.target_commit,
        beside=command.beside,
        by=command.by,
    )
    message = f"{opened.branch} is merged into {requested.target}; `treadle show` tells how it went"
    return Decided((requested,), Answer(message=message))


def _target_of(state: ThreadState, opened: ThreadOpened) -> str:
    """Return the branch to merge into.

    Raises:
        WrongStateError: There is none on this host.
    """
    if remote := pinned(opened.facts.root):
        raise WrongStateError(
            f"{remote.url} has no checkout of yours here: publish the branch (`treadle publish "
            f"{state.thread_id}`), and merge it there"
        )
    if not opened.facts.head_branch:
        raise WrongStateError(
            "the thread began on no branch, so there is none to merge into: say `git merge "
            f"{opened.branch}` where you want its work"
        )
    return opened.facts.head_branch


def _check_beside(command: MergeBranch, opened: ThreadOpened) -> None:
    """Refuse a merge that was not shown for all repositories of a thread.

    Raises:
        WrongStateError: One of them has no branch to merge into.
        InvalidError: The command names others.
    """
    for one in opened.beside:
        if not one.head_branch:
            raise WrongStateError(
                f"{one.name} began on no branch, so there is none to merge into: say `git merge "
                f"{opened.branch}` in each repository"
            )
    names = {one.name for one in opened.beside}
    if set(command.beside) != names:
        listed = ", ".join(sorted(names)) or "none"
        raise InvalidError(
            f"`beside` says where the target branches were shown in the repositories {listed}: `treadle "
            f"merge` shows and sends them"
        )


@THREAD_RULES.requires
def land_branch(state: ThreadState) -> Iterable[ThreadEffect]:
    if state.landing.is_under_way:
        yield LandBranch(number=state.landing.number)


@THREAD_RULES.handles
def end_landing(command: EndLanding, state: ThreadState) -> Decided:
    opened, landing = state.opened, state.landing
    if opened is None or not landing.is_under_way or landing.number != command.number:
        return Decided()
    merged = landing_events.BranchMerged(
        branch=opened.branch,
        target=landing.target,
        commit=landing.commit,
        merge_commit=command.merge_commit,
        failure=command.failure,
    )
    return Decided((merged,))


@THREAD_RULES.evolves
def apply_merge_requested(event: landing_events.MergeRequested, state: ThreadState) -> ThreadState:
    landing = Landing(
        number=event.number,
        plan=state.approved or 0,
        stage=LandingStage.MERGING,
        commit=event.commit,
        target=event.target,
        target_commit=event.target_commit,
        beside=event.beside,
    )
    return state.model_copy(update={"landing": landing})


@THREAD_RULES.evolves
def apply_branch_merged(event: landing_events.BranchMerged, state: ThreadState) -> ThreadState:
    stage = LandingStage.REFUSED if event.failure else LandingStage.MERGED
    changes = {"stage": stage, "merge_commit": event.merge_commit, "failure": event.failure}
    return state.model_copy(update={"landing": state.landing.model_copy(update=changes)})
