"""Events of child threads: the first two in the parent's stream, the others in the child's."""

from typing import Literal

from pydantic import Field

from domain.core.event import EventBody
from domain.core.ids import TaskId, ThreadId
from domain.core.wire import Wire
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning


class ChildReport(Wire):
    """Where a child thread stands, as it tells its parent; with an `end` it tells no more.

    `number` grows with every report: of two the larger is the newer.
    """

    thread_id: ThreadId
    task_id: TaskId
    run: int
    number: int = 1
    status: str = ""
    waiting_for: str = ""
    done: int = 0
    total: int = 0
    end: TaskEnd | None = None
    reason: str = ""
    summary: str = ""
    commit: str | None = None
    attempts: int = 0
    duration_ms: int = 0
    learnings: tuple[Learning, ...] = ()
    promoted_by: tuple[str, ...] = Field(default=(), exclude_if=lambda people: not people)
    """The people who approved its change of AGENTS.md, where it made one."""


class ChildOpened(EventBody):
    """A run of a node is a thread of its own."""

    kind: Literal["child_opened"] = "child_opened"
    task_id: TaskId
    run: int
    thread_id: ThreadId


class ChildReported(EventBody):
    """A child thread told where it stands."""

    kind: Literal["child_reported"] = "child_reported"
    report: ChildReport


class ParentNotified(EventBody):
    """The parent was told where this thread stands."""

    kind: Literal["parent_notified"] = "parent_notified"
    report: ChildReport


class ParentAsked(EventBody):
    """The parent asks to be told again."""

    kind: Literal["parent_asked"] = "parent_asked"
    number: int


class ChildStopped(EventBody):
    """The parent's plan wants this thread no longer; it had no plan that ran."""

    kind: Literal["child_stopped"] = "child_stopped"
    by: str = ""


ChildEvent = ChildOpened | ChildReported | ParentNotified | ParentAsked | ChildStopped
