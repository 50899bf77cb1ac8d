"""Rules of how a thread has its pull request watched, and learns how it ended."""

from collections.abc import Iterable

from domain.core.decisions import Decided
from domain.forges.policy import PullRequestPolicy
from domain.forges.stacks import ended
from domain.publications.reworks import ReworkCount
from domain.threads.bases.rules import updates_base
from domain.threads.effects import ThreadEffect
from domain.threads.patches import PULL_REQUESTS_ARE_WATCHED
from domain.threads.publishing.effects import EndWatchStart, NotePullRequest, StartWatch
from domain.threads.publishing.events import PullRequestFinished, PullRequestWatchStarted
from domain.threads.publishing.publication import FinishedPullRequest, Publication, PublishStage
from domain.threads.publishing.stacking import with_stack
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


def policy_of(state: ThreadState) -> PullRequestPolicy:
    """Return what may happen to the pull request without asking: as the template and the plan say.

    In a stack, the thread itself takes the base in and removes branches, and nothing is reworked unasked.
    """
    git = state.git
    if state.publication.is_by_task:
        return PullRequestPolicy(
            auto_merge=git.auto_merge,
            merge_method=git.merge_method,
            stack_base=state.publication.stack_base,
        )
    return PullRequestPolicy(
        on_failed_check=git.on_failed_check,
        on_review_comment=git.on_review_comment,
        authors=git.authors,
        max_reworks=git.max_reworks,
        max_rework_usd=git.max_rework_usd or 0.0,
        auto_merge=git.auto_merge,
        merge_method=git.merge_method,
        deletes_branch=git.delete_branch,
        updates_base=updates_base(state),
        pushes_base=not state.publication.is_confirmed,
    )


def reworks_of(number: int, state: ThreadState) -> ReworkCount:
    """Return how many reworks a pull request has had, for a watch that begins anew."""
    rework = state.publication.rework
    if rework is None or rework.pull_request != number:
        return ReworkCount()
    return ReworkCount(
        number=rework.number, by_policy=rework.by_policy, items=rework.items, usd=rework.usd
    )


@THREAD_RULES.requires
def watch_pull_request(state: ThreadState) -> Iterable[ThreadEffect]:
    publication = state.publication
    pushed, found = publication.pushed, publication.pull_request
    if publication.is_by_task or pushed is None or found is None:
        return
    if not state.has_patch(PULL_REQUESTS_ARE_WATCHED):
        return
    is_published = publication.stage is PublishStage.PUBLISHED and pushed.project is not None
    is_wanted = publication.wants_pull_request or publication.watched == found.number
    reworked = _reworked(found.number, publication)
    known = (publication.watched, publication.watched_commit, publication.watched_rework)
    if is_published and is_wanted and known != (found.number, pushed.commit, reworked):
        yield StartWatch(number=found.number, url=found.url, commit=pushed.commit, rework=reworked)


def _reworked(number: int, publication: Publication) -> int:
    """Return the newest rework of a pull request that was done before its branch was pushed."""
    rework = publication.rework
    is_its = rework is not None and rework.pull_request == number
    return publication.reworked if is_its else 0


@THREAD_RULES.handles
def end_watch_start(command: EndWatchStart, state: ThreadState) -> Decided:
    known = state.publication
    told = (command.number, command.commit, command.rework)
    if told == (known.watched, known.watched_commit, known.watched_rework):
        return Decided()
    return Decided((PullRequestWatchStarted(**command.model_dump()),))


@THREAD_RULES.handles
def note_pull_request(command: NotePullRequest, state: ThreadState) -> Decided:
    known = state.publication.finished
    over = FinishedPullRequest(**command.model_dump(exclude={"url"}))
    layer = next((e for e in state.publication.stack if e.number == command.number), None)
    if over == known or (layer is not None and not layer.is_open):
        return Decided()
    return Decided((PullRequestFinished(**command.model_dump()),))


@THREAD_RULES.evolves
def apply_watch_started(event: PullRequestWatchStarted, state: ThreadState) -> ThreadState:
    changes = {
        "watched": event.number,
        "watched_commit": event.commit,
        "watched_rework": event.rework,
    }
    return state.model_copy(update={"publication": state.publication.model_copy(update=changes)})


@THREAD_RULES.evolves
def apply_finished(event: PullRequestFinished, state: ThreadState) -> ThreadState:
    if any(layer.number == event.number for layer in state.publication.stack):
        return _finished_layer(event, state)
    over = FinishedPullRequest(**event.model_dump(exclude={"kind", "url"}))
    return state.model_copy(
        update={"publication": state.publication.model_copy(update={"finished": over})}
    )


def _finished_layer(event: PullRequestFinished, state: ThreadState) -> ThreadState:
    """Return the thread with one pull request of its stack ended; with the last one, all has."""
    stack = ended(
        state.publication.stack,
        event.number,
        event.merge_commit,
        event.head_commit,
        is_merged=event.is_merged,
    )
    after = with_stack(state, stack)
    if any(layer.is_open for layer in stack):
        return after
    over = FinishedPullRequest(**event.model_dump(exclude={"kind", "url"}))
    is_merged = all(layer.is_merged for layer in stack)
    newest = after.publication.pull_request
    told = {"number": newest.number if newest else event.number, "is_merged": is_merged}
    changes = {"finished": over.model_copy(update=told)}
    return after.model_copy(update={"publication": after.publication.model_copy(update=changes)})
