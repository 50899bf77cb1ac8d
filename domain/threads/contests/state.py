"""Where the contest of a task stands: who passed, what is asked, who was taken."""

from enum import StrEnum

from pydantic import Field

from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.ids import RequestId, SessionId, TaskId
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot


class CandidateStanding(StrEnum):
    """Where a candidate stands, as the table shows it."""

    WAITING = "waiting"
    WORKING = "working"
    READY = "ready"
    TAKEN = "taken"
    MERGED = "merged"
    FAILED = "failed"
    STOPPED = "stopped"


class CandidateRow(Wire):
    """One candidate as a choice binds to it: its work, and what its gate showed."""

    candidate: TaskId
    run: int
    standing: CandidateStanding
    commit: str = ""
    tree: str = ""
    gate: str = ""


class ContestContent(Wire):
    """What a choice binds to: the work of every candidate as it was shown."""

    task_id: TaskId
    rows: tuple[CandidateRow, ...]


class CandidateDecision(Wire):
    """What was decided of the work of a candidate, at the gate that was shown."""

    run: int
    gate: RequestId
    content_hash: str
    commit: str = ""
    outcome: Outcome


class TakenFiles(Wire):
    """Files that work is put together from, as they are in a candidate's commit."""

    candidate: TaskId
    commit: str
    files: tuple[str, ...]


class Composition(Wire):
    """Work that is put together: the `base` candidate's, with files of others in the place of its own.

    `snapshot` is its commit once it is made, for the candidate's `run`; `failure` why it could not be.
    """

    run: int
    base: TaskId
    commit: str
    parts: tuple[TakenFiles, ...]
    snapshot: Snapshot | None = None
    failure: str = ""


class Opinion(Wire):
    """What a judge says of the work that was shown under a request; `order` is whose work has which number.

    Until it has spoken, and where it could not, the text is empty; `failure` says why.
    """

    request_id: str
    session_id: SessionId
    order: tuple[TaskId, ...]
    text: str = ""
    failure: str = ""


class Contest(Wire):
    """The contest of a task.

    `number` counts the requests that were made, `request` is the open one. `passed` are the candidates whose work
    was ready at some time, in that order. `decided` has what each is still to be told or was told last; `taken` is
    the one that a person, or the policy, chose. It `is_over` once that is merged.
    """

    number: int = 0
    request: ApprovalRequest | None = None
    passed: tuple[TaskId, ...] = ()
    decided: dict[TaskId, CandidateDecision] = {}
    taken: TaskId | None = None
    is_over: bool = False
    added: int = Field(default=0, exclude_if=lambda added: not added)
    opinion: Opinion | None = Field(default=None, exclude_if=lambda opinion: opinion is None)
    compositions: dict[TaskId, Composition] = Field(
        default={}, exclude_if=lambda compositions: not compositions
    )
    """The candidates that a person had put together from the work of others."""
