"""How a tracker's events change what is known of it; an event is a fact, so nothing raises."""

from collections.abc import Mapping

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
from domain.trackers.registry import TRACKER_RULES
from domain.trackers.state import KEPT, Stage, TrackedIssue, TrackerState


@TRACKER_RULES.evolves
def apply_issues_seen(event: IssuesSeen, state: TrackerState) -> TrackerState:
    return state.model_copy(update={"cursor": event.cursor, "tags": event.tags})


@TRACKER_RULES.evolves
def apply_issue_taken(event: IssueTaken, state: TrackerState) -> TrackerState:
    issue = TrackedIssue(
        ref=event.ref, url=event.url, title=event.title, entry_id=event.entry_id, turn=event.turn
    )
    before = state.issues.get(event.ref.id)
    seen = before.seen if before else ""
    return _with(state, issue.model_copy(update={"seen": seen}))


@TRACKER_RULES.evolves
def apply_issue_queued(event: IssueQueued, state: TrackerState) -> TrackerState:
    queued = {"stage": Stage.QUEUED, "untold": event.untold, "trouble": ""}
    return _changed(state, event.issue_id, queued)


@TRACKER_RULES.evolves
def apply_issue_refused(event: IssueRefused, state: TrackerState) -> TrackerState:
    """Keep the entry's id of one that was in the queue before: the next is counted from it."""
    known = state.issues.get(event.ref.id)
    refused = known or TrackedIssue(
        ref=event.ref, url=event.url, title=event.title, entry_id="", turn=1
    )
    stage = Stage.WITHDRAWN if refused.stage is Stage.WITHDRAWN else Stage.REFUSED
    return _with(state, refused.model_copy(update={"stage": stage, "reason": event.reason}))


@TRACKER_RULES.evolves
def apply_issue_withdrawn(event: IssueWithdrawn, state: TrackerState) -> TrackerState:
    """Ask for everything anew: a label that came back in the same second leaves the tracker's tags as they were."""
    withdrawn = {"stage": Stage.WITHDRAWN, "reason": event.reason, "shown": None}
    changed = _changed(state, event.issue_id, {**withdrawn, "leaving": ""})
    return changed.model_copy(update={"tags": {}})


@TRACKER_RULES.evolves
def apply_issue_unwanted(event: IssueUnwanted, state: TrackerState) -> TrackerState:
    return _changed(state, event.issue_id, {"reason": event.reason, "is_kept": False})


@TRACKER_RULES.evolves
def apply_issue_kept(event: IssueKept, state: TrackerState) -> TrackerState:
    return _changed(state, event.issue_id, {"is_kept": True})


@TRACKER_RULES.evolves
def apply_issue_settled(event: IssueSettled, state: TrackerState) -> TrackerState:
    return _changed(state, event.issue_id, {"reason": "", "is_kept": False})


@TRACKER_RULES.evolves
def apply_issue_followed(event: IssueFollowed, state: TrackerState) -> TrackerState:
    """Take over what was found; whether its work is wanted, people may have said meanwhile."""
    known = state.issues.get(event.issue.ref.id)
    decided = {"reason": known.reason, "is_kept": known.is_kept} if known else {}
    return _with(state, event.issue.model_copy(update=decided))


@TRACKER_RULES.evolves
def apply_issue_ended(event: IssueEnded, state: TrackerState) -> TrackerState:
    ended = {"stage": Stage.ENDED, "reason": event.outcome, "shown": None, "is_started": True}
    return _changed(state, event.issue_id, ended)


@TRACKER_RULES.evolves
def apply_tracker_failed(event: TrackerFailed, state: TrackerState) -> TrackerState:
    return state.model_copy(update={"problem": event.reason})


@TRACKER_RULES.evolves
def apply_tracker_recovered(event: TrackerRecovered, state: TrackerState) -> TrackerState:
    del event
    return state.model_copy(update={"problem": ""})


@TRACKER_RULES.evolves
def apply_tracker_paused(event: TrackerPaused, state: TrackerState) -> TrackerState:
    return state.model_copy(update={"is_paused": True, "paused_by": event.by})


@TRACKER_RULES.evolves
def apply_tracker_resumed(event: TrackerResumed, state: TrackerState) -> TrackerState:
    del event
    return state.model_copy(update={"is_paused": False, "paused_by": ""})


def _changed(state: TrackerState, issue_id: str, changes: Mapping[str, object]) -> TrackerState:
    issue = state.issues.get(issue_id)
    return _with(state, issue.model_copy(update=changes)) if issue else state


def _with(state: TrackerState, issue: TrackedIssue) -> TrackerState:
    """Return the state with an issue put last; the oldest that are over are forgotten.

    One with a second entry is remembered longest: the journal knows it by that one's id only.
    """
    others = {name: each for name, each in state.issues.items() if name != issue.ref.id}
    issues = {**others, issue.ref.id: issue}
    over = [name for name, each in issues.items() if not each.stage.is_open]
    over.sort(key=lambda name: issues[name].turn > 1)
    for name in over[: max(0, len(over) - KEPT)]:
        del issues[name]
    return state.model_copy(update={"issues": issues})
