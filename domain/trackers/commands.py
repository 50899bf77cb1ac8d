"""What people say to a tracker; hints that something changed are in domain/forges/hints.py."""

from pydantic import Field

from domain.core.command import MAX_NAME, Coded, Stopping


class PauseTracker(Stopping):
    """Take no issue and tell none anything until it is resumed; work that was taken goes on."""

    door = "pause_tracker"


class ResumeTracker(Coded):
    """Look at the tracker again."""

    door = "resume_tracker"


class KeepIssue(Coded):
    """Let the work on an issue go on, though the issue is not wanted any more."""

    door = "keep_issue"

    entry_id: str = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """Which work goes on."""
        return self.entry_id
