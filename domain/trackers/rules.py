"""The rules of a tracker: what looks and follow-ups bring, what people say, what must be under way."""

from collections.abc import Iterator

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import issue_thread_id
from domain.trackers import evolution
from domain.trackers.calls import LookResult, SeenIssue
from domain.trackers.commands import KeepIssue, PauseTracker, ResumeTracker
from domain.trackers.effects import WatchTracker
from domain.trackers.events import (
    IssueEnded,
    IssueFollowed,
    IssueKept,
    IssueQueued,
    IssueRefused,
    IssueSettled,
    IssuesSeen,
    IssueTaken,
    IssueUnwanted,
    IssueWithdrawn,
    TrackerFailed,
    TrackerPaused,
    TrackerRecovered,
    TrackerResumed,
)
from domain.trackers.notes import NoteEnqueued, NoteFollowed, NoteLook
from domain.trackers.registry import TRACKER_RULES
from domain.trackers.state import MAX_OPEN, Stage, TrackedIssue, TrackerState

MAX_TITLE = 200
MAX_PROBLEM = 500
_FULL = f"{MAX_OPEN} issues are at work: others are taken once some of them have ended"
RULES = (evolution,)
"""The others that register rules."""

decide = TRACKER_RULES.decide
evolve = TRACKER_RULES.evolve
fold = TRACKER_RULES.fold
effects = TRACKER_RULES.effects


@TRACKER_RULES.requires
def watch(state: TrackerState) -> Iterator[WatchTracker]:
    if not state.is_paused:
        yield WatchTracker()


@TRACKER_RULES.handles
def note_look(command: NoteLook, state: TrackerState) -> Decided:
    result = command.result
    if state.is_paused:
        return Decided()  # it was paused during the look: the next one begins where this one did
    if result.problem:
        return Decided(_failed(result.problem, state))
    return Decided(tuple(_seen(result, state)))


@TRACKER_RULES.handles
def note_enqueued(command: NoteEnqueued, state: TrackerState) -> Decided:
    issue = state.issues.get(command.issue_id)
    if issue is None or issue.stage is not Stage.TAKEN or issue.entry_id != command.entry_id:
        return Decided()
    result = command.result
    if result.problem:
        return Decided(tuple(_troubled(result.problem, issue)))
    if result.refusal:
        refused = IssueRefused(
            ref=issue.ref, url=issue.url, title=issue.title, reason=result.refusal
        )
        return Decided((refused,))
    queued = IssueQueued(issue_id=issue.ref.id, entry_id=issue.entry_id, untold=result.untold)
    return Decided((queued,))


@TRACKER_RULES.handles
def note_followed(command: NoteFollowed, state: TrackerState) -> Decided:
    result = command.result
    issue = state.issues.get(result.issue.ref.id)
    if issue is None or issue.stage is not Stage.QUEUED or issue.entry_id != result.issue.entry_id:
        return Decided()
    return Decided(tuple(_followed(command, issue)))


def _troubled(problem: str, before: TrackedIssue) -> Iterator[EventBody]:
    """Yield that something cannot be done for an issue, once for each reason: it is tried again in each round."""
    troubled = before.model_copy(update={"trouble": problem[:MAX_PROBLEM]})
    if troubled != before:
        yield IssueFollowed(issue=troubled)


def _followed(command: NoteFollowed, before: TrackedIssue) -> Iterator[EventBody]:
    result = command.result
    issue_id, entry_id = before.ref.id, before.entry_id
    after = result.issue.model_copy(update={"trouble": result.problem[:MAX_PROBLEM]})
    if after != before:
        yield IssueFollowed(issue=after, said=result.said)
    if result.withdrawn:
        yield IssueWithdrawn(issue_id=issue_id, entry_id=entry_id, reason=result.withdrawn)
    elif result.ended:
        yield IssueEnded(issue_id=issue_id, entry_id=entry_id, outcome=result.ended)
    elif result.unwanted and result.unwanted != before.reason:
        yield IssueUnwanted(issue_id=issue_id, entry_id=entry_id, reason=result.unwanted)
    elif before.reason and not result.unwanted and not result.problem:
        yield IssueSettled(issue_id=issue_id, entry_id=entry_id)


@TRACKER_RULES.handles
def keep_issue(command: KeepIssue, state: TrackerState) -> Decided:
    found = next((each for each in state.open if each.entry_id == command.entry_id), None)
    if found is None:
        raise NotFoundError(
            f"{command.entry_id!r} is the work of no issue here: see `treadle tracker show`"
        )
    if found.is_kept:
        return Decided((), Answer(message="its work goes on"))
    if not found.needs_word:
        raise WrongStateError(
            f"the issue of {command.entry_id!r} is wanted: its work goes on anyway"
        )
    kept = IssueKept(issue_id=found.ref.id, entry_id=found.entry_id, by=command.by)
    return Decided((kept,), Answer(message="its work goes on"))


@TRACKER_RULES.handles
def pause_tracker(command: PauseTracker, state: TrackerState) -> Decided:
    events = () if state.is_paused else (TrackerPaused(by=command.by),)
    return Decided(events, Answer(message="paused: no issue is taken until it is resumed"))


@TRACKER_RULES.handles
def resume_tracker(command: ResumeTracker, state: TrackerState) -> Decided:
    events = (TrackerResumed(by=command.by),) if state.is_paused else ()
    return Decided(events, Answer(message="resumed: it is looked at now"))


def _seen(result: LookResult, state: TrackerState) -> Iterator[EventBody]:
    taken: set[str] = set()
    room = max(MAX_OPEN - sum(1 for _ in state.open), 0)
    for seen in result.issues:
        ref = seen.issue.ref
        if ref.id not in taken and (event := _taken(seen, state)) is not None:
            room -= isinstance(event, IssueTaken)
            if room < 0:
                yield from _failed(_FULL, state)
                return  # the next look begins where this one did
            taken.add(ref.id)
            yield event
    if (result.cursor, result.tags) != (state.cursor, state.tags):
        yield IssuesSeen(cursor=result.cursor, tags=result.tags)
    if state.problem:
        yield TrackerRecovered()


def _taken(seen: SeenIssue, state: TrackerState) -> EventBody | None:
    """Return what becomes of an issue that a look brought; None where nothing does.

    An issue has one entry. It gets another only where the last was taken out of the queue before it had
    started, and only then: what has started or ended is not begun again, whatever its labels say.
    """
    issue, known = seen.issue, state.issues.get(seen.issue.ref.id)
    if not issue.is_open or (known is not None and (known.stage.is_open or known.is_started)):
        return None
    title = issue.title[:MAX_TITLE]
    if seen.reason:
        is_known = known is not None and known.reason == seen.reason
        refused = IssueRefused(ref=issue.ref, url=issue.url, title=title, reason=seen.reason)
        return None if is_known else refused
    turn = 1 if known is None else known.turn + (known.stage is Stage.WITHDRAWN)
    entry = issue_thread_id(seen.tracker, issue.ref.id, turn)
    return IssueTaken(ref=issue.ref, url=issue.url, title=title, entry_id=entry, turn=turn)


def _failed(problem: str, state: TrackerState) -> tuple[EventBody, ...]:
    return (TrackerFailed(reason=problem),) if problem and problem != state.problem else ()
