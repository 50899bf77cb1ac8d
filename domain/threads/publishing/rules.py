"""Rules of publishing: when a person or the template says so, and then step by step."""

from collections.abc import Iterable

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, WrongStateError
from domain.core.event import EventBody
from domain.core.workspaces import COMMIT
from domain.forges.pull_requests import PullRequestDraft
from domain.plans.status import PlanStatus
from domain.tasks.running_commands import Publish
from domain.threads.bases.rules import due_of_push
from domain.threads.effects import ThreadEffect
from domain.threads.publishing import events as publishing_events
from domain.threads.publishing.effects import EndPullRequest, EndPush, OpenPullRequest, PushBranch
from domain.threads.publishing.publication import (
    Publication,
    PublishStage,
    Pushed,
    PushedBranch,
    draft_text,
    issue_words,
)
from domain.threads.publishing.stacking import is_stacked
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

_NO_TARGET = "there is no branch to merge it into: give the template a prTarget"
_IN_EACH = "open a pull request in each repository, also in"
_NO_FORGE = "the remote is on no forge that Treadle knows: open a pull request where it is"


@THREAD_RULES.handles
def publish_branch(command: Publish, state: ThreadState) -> Decided:
    if state.opened is None:
        raise WrongStateError("the thread is not open yet")
    if state.publication.is_under_way:
        return Decided(answer=Answer(message="already being published"))
    if command.commit and not COMMIT.fullmatch(command.commit):
        raise InvalidError("commit is the whole id of the commit that was shown")
    requested = publishing_events.PublishRequested(
        number=state.publication.number + 1,
        remote=command.remote,
        address=command.address,
        wants_pull_request=command.wants_pull_request,
        by=command.by,
        commit=command.commit,
        is_by_task=command.wants_pull_request and is_stacked(state, command.publish_as),
    )
    message = f"{state.opened.branch} is being pushed; follow it with `treadle show`"
    return Decided((requested,), Answer(message=message))


@THREAD_RULES.reacts
def publish_by_template(state: ThreadState) -> Iterable[EventBody]:
    """Publish a plan that is done, once, where its template or the approved plan says so."""
    opened, publication = state.opened, state.publication
    if opened is None or state.approved is None or not state.git.open_pr:
        return
    is_done = state.plan_status is PlanStatus.COMPLETED and publication.plan != state.approved
    if is_done and not publication.is_under_way and opened.parent is None:
        yield publishing_events.PublishRequested(
            number=publication.number + 1,
            plan=state.approved,
            by=_asked_by(state),
            is_by_task=is_stacked(state, None),
        )


def _asked_by(state: ThreadState) -> str:
    """Return what asked for the pull request: the plan that was approved with it, or the template."""
    own, template = state.plan.git if state.plan else None, state.opened and state.opened.template
    if template is None or (own is not None and own.open_pr is not None):
        return f"plan {state.approved}"
    return f"template {template.name}"


@THREAD_RULES.requires
def push_and_open_pull_request(state: ThreadState) -> Iterable[ThreadEffect]:
    publication = state.publication
    if publication.is_by_task:
        return
    if publication.stage is PublishStage.PUSHING and not due_of_push(state):
        yield PushBranch(number=publication.number)
    draft = draft_of(state)
    if publication.stage is PublishStage.OPENING and draft is not None:
        yield OpenPullRequest(number=publication.number, draft=draft)


def draft_of(state: ThreadState) -> PullRequestDraft | None:
    """Return the pull request of what was pushed; None where there is no project, or no target."""
    opened, pushed = state.opened, state.publication.pushed
    if opened is None or pushed is None or pushed.project is None:
        return None
    base = state.git.pr_target or opened.facts.head_branch
    if not base:
        return None
    tasks = ((task_id, entry.task.title) for task_id, entry in state.tasks.items())
    title, body = draft_text(goal_to_publish(state), state.plan, tasks)
    return PullRequestDraft(
        project=pushed.project, head=pushed.branch, base=base, title=title, body=body
    )


def goal_to_publish(state: ThreadState) -> str:
    """Return what a pull request says that it is for: the issue itself, whose thread quotes all of it."""
    opened = state.opened
    if opened is None or opened.issue is None or state.goal != opened.goal:
        return state.goal
    return issue_words(opened.issue) or state.goal


@THREAD_RULES.handles
def end_push(command: EndPush, state: ThreadState) -> Decided:
    publication = state.publication
    if publication.stage is not PublishStage.PUSHING or publication.number != command.number:
        return Decided()
    if command.pushed is None:
        return Decided((publishing_events.PublishFailed(step="push", reason=command.failure),))
    published = publishing_events.BranchPublished(pushed=command.pushed)
    if not publication.wants_pull_request:
        return Decided((published,))
    after = state.model_copy(
        update={"publication": publication.model_copy(update={"pushed": command.pushed})}
    )
    if command.pushed.beside:
        return Decided((published, _left_in_each(after, command.pushed)))
    if draft_of(after) is not None:
        return Decided((published,))
    reason = _NO_TARGET if command.pushed.project else _NO_FORGE
    return Decided((published, publishing_events.PullRequestLeft(reason=reason)))


def _left_in_each(state: ThreadState, pushed: PushedBranch) -> publishing_events.PullRequestLeft:
    """Return that a person opens the pull requests: a forge opens none together or not at all."""
    own, opened = draft_of(state), state.opened
    targets = {one.name: one.head_branch for one in opened.beside} if opened else {}
    places = [
        f"{one.name} {_compare_url(one, targets.get(one.name) or '')}".strip()
        for one in pushed.beside
    ]
    return publishing_events.PullRequestLeft(
        reason=f"{_IN_EACH}: {', '.join(places)}", compare_url=own.compare_url if own else ""
    )


def _compare_url(pushed: Pushed, base: str) -> str:
    if pushed.project is None or not base:
        return ""
    draft = PullRequestDraft(project=pushed.project, head=pushed.branch, base=base, title="")
    return draft.compare_url


@THREAD_RULES.handles
def end_pull_request(command: EndPullRequest, state: ThreadState) -> Decided:
    publication, draft = state.publication, draft_of(state)
    if publication.stage is not PublishStage.OPENING or publication.number != command.number:
        return Decided()
    if command.pull_request is not None:
        return Decided((publishing_events.PullRequestOpened(pull_request=command.pull_request),))
    where = draft.compare_url if draft else ""
    if command.obstacle:
        left = publishing_events.PullRequestLeft(reason=command.obstacle, compare_url=where)
        return Decided((left,))
    failed = publishing_events.PublishFailed(
        step="pull_request", reason=command.failure, compare_url=where
    )
    return Decided((failed,))


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"publication": state.publication.model_copy(update=changes)})


def number_done(state: ThreadState) -> int:
    """Return the number of the newest rework that is on the branch, 0 where none is."""
    rework = state.publication.rework
    if rework is None or not rework.plan:
        return 0
    is_its = state.approved is not None and state.approved >= rework.plan
    is_done = rework.is_done or (
        not rework.is_ended and is_its and state.plan_status is PlanStatus.COMPLETED
    )
    return rework.number if is_done else 0


@THREAD_RULES.evolves
def apply_publish_requested(
    event: publishing_events.PublishRequested, state: ThreadState
) -> ThreadState:
    publication = Publication(
        number=event.number,
        stage=PublishStage.PUSHING,
        remote=event.remote,
        address=event.address,
        wants_pull_request=event.wants_pull_request,
        plan=event.plan or state.publication.plan,
        commit=event.commit,
        is_by_policy=event.is_by_policy,
        on_remote=state.publication.pushed_commit,
        pull_request=state.publication.pull_request,
        watched=state.publication.watched,
        watched_commit=state.publication.watched_commit,
        finished=state.publication.finished,
        rework=state.publication.rework,
        reworked=number_done(state),
        watched_rework=state.publication.watched_rework,
        is_by_task=event.is_by_task,
        stack=state.publication.stack,
        stack_base=state.publication.stack_base,
    )
    return state.model_copy(update={"publication": publication})


@THREAD_RULES.evolves
def apply_branch_published(
    event: publishing_events.BranchPublished, state: ThreadState
) -> ThreadState:
    wants = state.publication.wants_pull_request
    stage = PublishStage.OPENING if wants else PublishStage.PUBLISHED
    return _with(state, stage=stage, pushed=event.pushed, on_remote=event.pushed.commit)


@THREAD_RULES.evolves
def apply_pull_request_opened(
    event: publishing_events.PullRequestOpened, state: ThreadState
) -> ThreadState:
    return _with(state, stage=PublishStage.PUBLISHED, pull_request=event.pull_request)


@THREAD_RULES.evolves
def apply_pull_request_left(
    event: publishing_events.PullRequestLeft, state: ThreadState
) -> ThreadState:
    changes = {"failure": event.reason, "compare_url": event.compare_url}
    return _with(state, stage=PublishStage.PUBLISHED, **changes)


@THREAD_RULES.evolves
def apply_publish_failed(event: publishing_events.PublishFailed, state: ThreadState) -> ThreadState:
    changes = {"failure": event.reason, "compare_url": event.compare_url}
    return _with(state, stage=PublishStage.FAILED, **changes)
