"""What waits for a person, as doors show it: one item for each thing that must be answered or done."""

from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from pydantic import computed_field

from domain.conversations.questions.views import OpenQuestion
from domain.core.approvals import ApprovalRequest
from domain.core.ids import SessionId, StreamId, TaskId, ThreadId
from domain.core.wire import Wire
from domain.plans.warnings import WarningKind
from domain.publications.items import Item as PullRequestItem
from domain.reading.flow_runs import OpenFlowRequest
from domain.reading.money import AskedLimit
from domain.threads.amending.history import AmendmentView
from domain.threads.shown import ShownConflict, ShownDecision

MAX_LINE = 300


class InboxKind(StrEnum):
    """What is asked; an `escalation` is a failure that nothing but a person moves."""

    PLAN = "plan"
    SUGGESTION = "suggestion"
    TASK_PLAN = "task_plan"
    AMENDMENT = "amendment"
    GATE = "gate"
    DECISION = "decision"
    QUESTION = "question"
    CONFLICT = "conflict"
    REVIEW_HELD = "review_held"
    ESCALATION = "escalation"
    FLOW_QUESTION = "flow_question"
    CONCERN = "concern"
    SET_UP = "set_up"
    HOST_SILENT = "host_silent"
    MENTION = "mention"
    ISSUE = "issue"
    PULL_REQUEST = "pull_request"
    LIMIT = "limit"
    LIMIT_NEAR = "limit_near"
    BEST_OF = "best_of"


class Evidence(Wire):
    """What speaks for a change: the steps of its newest attempt, if there was one, and its size."""

    is_verified: bool = True

    passed: int = 0
    failed: int = 0
    failed_optional: int = 0
    insertions: int = 0
    deletions: int = 0
    files: int = 0


class InboxItem(Wire):
    """One thing that waits for a person, with what its answer needs.

    `workflow_id` is where the answer goes, `title` what the thread or the run is called, `subject`
    what waits, in a line. All plans of a thread that wait are one item: `plans` counts them, and
    `requests` has each. `unread` are the kinds of warnings that an approval must say to have read.
    An entry of the queue has neither thread nor run, but an `entry_id`; a host has a `host`.
    `tasks` counts those of the plan, of the amendment, or those that a failure holds up.
    """

    item_id: str
    kind: InboxKind
    thread_id: ThreadId | None = None
    run_id: StreamId | None = None
    task_id: TaskId | None = None
    session_id: SessionId | None = None
    entry_id: str = ""
    host: str = ""
    """Of a host that is silent: what commands call it."""
    workflow_id: str
    project: str = ""
    title: str = ""
    subject: str = ""
    opened_by: str = ""
    assignee: str = ""
    since: datetime
    request: ApprovalRequest | None = None
    requests: tuple[ApprovalRequest, ...] = ()
    question: OpenQuestion | None = None
    decision: ShownDecision | None = None
    conflict: ShownConflict | None = None
    amendment: AmendmentView | None = None
    flow_request: OpenFlowRequest | None = None
    pull_request: PullRequestItem | None = None
    limit: AskedLimit | None = None
    held_threads: tuple[ThreadId, ...] = ()
    """The threads whose turns wait for the limit of a month."""
    is_stacked: bool = False
    """Whether the pull request is of a stack, where nothing is reworked."""
    evidence: Evidence | None = None
    unread: tuple[WarningKind, ...] = ()
    plans: int = 0
    tasks: int = 0
    reason: str = ""
    missing: str = ""
    """What is missing where one person's approval is not enough."""
    not_by: tuple[tuple[str, ...], ...] = ()
    """By request, whose approval would not count, because more than one person must see it."""
    is_mine: bool = True
    """Whether it is for whoever asked: theirs to decide, not assigned to somebody else, and not snoozed."""
    snoozed_until: datetime | None = None
    """Until when whoever asked has snoozed it."""

    @computed_field
    @property
    def handle(self) -> str:
        """What names it where its id would say too much: ids are made of the words of goals and titles."""
        return sha256(self.item_id.encode()).hexdigest()[:24]


class Inbox(Wire):
    """Everything that waits for a person, the oldest first; `position` is the journal's then."""

    items: tuple[InboxItem, ...] = ()
    position: int = 0


def line(text: str) -> str:
    """Return a text as one line, cut."""
    return " ".join(text.split())[:MAX_LINE]
