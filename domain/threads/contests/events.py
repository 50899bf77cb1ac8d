"""Events of contests: tasks that several agents do at once."""

from typing import Literal

from pydantic import Field

from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.threads.contests.state import CandidateDecision, CandidateRow, Composition


class CandidatePassed(EventBody):
    """The work of a candidate passed its verification and can be chosen."""

    kind: Literal["candidate_passed"] = "candidate_passed"
    task_id: TaskId
    candidate: TaskId
    run: int
    agent: str = ""
    model: str | None = None
    is_first: bool = False


class CandidatesShown(EventBody):
    """A person is asked which candidate's work is taken; the rows are what the choice binds to."""

    kind: Literal["candidates_shown"] = "candidates_shown"
    task_id: TaskId
    request: ApprovalRequest
    rows: tuple[CandidateRow, ...]


class CandidatesWithdrawn(EventBody):
    """The candidates changed after they were shown: a new question follows, if any are left."""

    kind: Literal["candidates_withdrawn"] = "candidates_withdrawn"
    task_id: TaskId
    request_id: str


class CandidateTaken(EventBody):
    """A candidate's work was chosen, by a person or by the policy; it is merged like any task's."""

    kind: Literal["candidate_taken"] = "candidate_taken"
    task_id: TaskId
    candidate: TaskId
    agent: str = ""
    model: str | None = None
    request_id: str
    decision: CandidateDecision


class CandidateReleased(EventBody):
    """The chosen candidate had changed since it was shown, or did not end: none of it is merged."""

    kind: Literal["candidate_released"] = "candidate_released"
    task_id: TaskId
    candidate: TaskId
    reason: str


class CandidatesSentBack(EventBody):
    """A person rejected all candidates: each goes on with the feedback."""

    kind: Literal["candidates_sent_back"] = "candidates_sent_back"
    task_id: TaskId
    request_id: str
    outcome: Outcome
    decisions: dict[TaskId, CandidateDecision] = {}


class CandidateAdded(EventBody):
    """A person added another agent to a task."""

    kind: Literal["candidate_added"] = "candidate_added"
    task_id: TaskId
    task: PlannedTask
    by: str = ""


class CandidateComposed(EventBody):
    """A person asked for one candidate's work with files of others: a new candidate, verified like any other."""

    kind: Literal["candidate_composed"] = "candidate_composed"
    task_id: TaskId
    task: PlannedTask
    composition: Composition
    by: str = ""


class CandidatePutTogether(EventBody):
    """The files of several candidates were put on one commit, or the reason why not."""

    kind: Literal["candidate_put_together"] = "candidate_put_together"
    task_id: TaskId
    candidate: TaskId
    snapshot: Snapshot | None = None
    failure: str = ""


class JudgeAsked(EventBody):
    """An agent is asked for its opinion of the candidates, which it knows only by number; `order` maps them."""

    kind: Literal["judge_asked"] = "judge_asked"
    task_id: TaskId
    request_id: str
    session_id: SessionId
    order: tuple[TaskId, ...]


class OpinionGiven(EventBody):
    """A judge gave its opinion, or the reason why not; it decides nothing."""

    kind: Literal["opinion_given"] = "opinion_given"
    task_id: TaskId
    session_id: SessionId
    text: str = ""
    failure: str = ""


class ContestEnded(EventBody):
    """The work of the candidate that was taken is merged; the others have ended."""

    kind: Literal["contest_ended"] = "contest_ended"
    task_id: TaskId
    candidate: TaskId
    agent: str = ""
    model: str | None = None
    passed: tuple[TaskId, ...] = Field(default=(), exclude_if=lambda passed: not passed)
