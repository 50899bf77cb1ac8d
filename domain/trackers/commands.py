"""What people say to a tracker; hints that something changed are in domain/forges/hints.py."""

from domain.core.command import Coded, Stopping


class PauseTracker(Stopping):
    """Take no issue and tell none anything until it is resumed; work that was taken goes on."""

    door = "pause_tracker"


class ResumeTracker(Coded):
    """Look at the tracker again."""

    door = "resume_tracker"
