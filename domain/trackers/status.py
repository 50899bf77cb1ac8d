"""How a tracker stands, in words, and as doors show it."""

import re

from pydantic import computed_field

from domain.core.text import counted
from domain.core.wire import Wire
from domain.trackers.source import TrackerSource
from domain.trackers.state import Stage, TrackedIssue, TrackerState

_TOLD = {
    "taken": "that it is in the queue",
    "withdrawn": "that it left the queue",
    "unwanted": "that its work goes on",
    "plan": "the plan",
    "pull": "the pull request",
    "merged": "the merge",
    "ended": "the end",
    "over": "the end",
    "closed": "to close it",
    "reply": "an answer",
}
"""What is told of an issue, by how its name begins."""


def _told(name: str) -> str:
    return _TOLD.get(re.split("[-/]", name)[0], name)


class IssueView(TrackedIssue):
    """An issue as people see it."""

    @computed_field
    @property
    def standing(self) -> str:
        """Where it stands: its stage, or that its work has started."""
        return "working" if self.stage is Stage.QUEUED and self.is_started else self.stage

    @computed_field
    @property
    def problem(self) -> str:
        """Why its tracker refuses comments on it or does not close it; empty where nothing is refused."""
        if self.untold is None:
            return ""
        told = dict.fromkeys(_told(name) for name in self.untold.what)
        return f"refused there: {', '.join(told)} ({self.untold.reason})"


class TrackerView(Wire):
    """A tracker as people see it: what is configured, how it stands, its issues with the newest last."""

    source: TrackerSource
    status: str = "idle"
    problem: str = ""
    paused_by: str = ""
    warnings: tuple[str, ...] = ()
    issues: tuple[IssueView, ...] = ()


def headline_words(state: TrackerState) -> tuple[str, str]:
    """Return the status of a tracker, and what it waits for."""
    if state.is_paused:
        return "paused", ""
    if state.trouble:
        return "failing", ""
    at_work = sum(1 for _ in state.open)
    return (f"watching, {counted(at_work, 'issue')} at work" if at_work else "watching"), ""


def view_of(source: TrackerSource, state: TrackerState) -> TrackerView:
    """Return a tracker as people see it."""
    return TrackerView(
        source=source,
        status=headline_words(state)[0],
        problem=state.trouble,
        paused_by=state.paused_by,
        warnings=source.warnings,
        issues=tuple(IssueView.model_validate(dict(each)) for each in state.issues.values()),
    )
