"""What the API shows of tasks that several agents do at once, as `domain.reading.contests` makes it."""

from domain.conversations.stats import TaskStats
from domain.core.approvals import ApprovalRequest
from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire
from domain.plans.best_of import BestOfEnd
from domain.threads.contests.state import CandidateStanding


class CandidateView(Wire):
    """One of several agents that do a task at once: a row of the table.

    `candidate` is the name of its run in routes of tasks. `passed` counts the verification steps of its newest
    attempt, `failed` names those that did not; `findings` are those of reviews, by severity. `risks` are what a
    person should know before they trust the work. `is_first` tells that it passed before the others; `made_of` what
    the work was put together from, as in `B with src/app.py of A`, and is empty for an agent's own.
    """

    candidate: TaskId
    letter: str
    agent: str
    model: str | None = None
    standing: CandidateStanding
    is_first: bool = False
    run: int = 0
    commit: str = ""
    notes: str = ""
    made_of: str = ""
    passed: int = 0
    failed: tuple[str, ...] = ()
    attempts: int = 0
    findings: dict[str, int] = {}
    files: int = 0
    insertions: int = 0
    deletions: int = 0
    work_ms: int = 0
    turns: int = 0
    stats: TaskStats = TaskStats()
    risks: tuple[str, ...] = ()


class OpinionView(Wire):
    """What a judge says of the candidates, which it knows by numbers: `letters` are theirs, in that order.

    The text is empty until it has spoken; `failure` says why it does not. It decides nothing.
    """

    agent: str
    model: str | None = None
    session_id: SessionId
    letters: tuple[str, ...]
    text: str = ""
    failure: str = ""
    is_of_now: bool = True
    """Whether it is about the candidates as they are shown now."""


class ContestView(Wire):
    """A task that several agents do at once; `request` is the open one, whose hash binds a choice."""

    task_id: TaskId
    title: str
    ends: BestOfEnd
    judge: str = ""
    request: ApprovalRequest | None = None
    taken: TaskId | None = None
    is_over: bool = False
    candidates: tuple[CandidateView, ...] = ()
    opinion: OpinionView | None = None
