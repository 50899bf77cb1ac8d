"""What parents and children tell each other; their workflows take it from no door."""

from domain.core.wire import Wire
from domain.threads.children.events import ChildReport


class NoteChild(Wire):
    """A child tells its parent where it stands."""

    report: ChildReport


class MarkParentNotified(Wire):
    """The parent has a report."""

    report: ChildReport


class AskChild(Wire):
    """The parent wants to be told again: what was told may have been lost."""

    number: int


class StopChild(Wire):
    """The parent's plan does not want this thread any longer."""

    by: str = ""
