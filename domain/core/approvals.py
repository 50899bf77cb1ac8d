"""Approval requests, the decisions on them, and the codes that make a decision a person's own.

A decision binds to one request and to the hash of the content that was shown. Whoever sends it through Temporal itself needs the code, an HMAC with a key that
only worker and API can read; so no agent, web page or other local user can decide anything.
"""

import base64
import hashlib
import hmac
import json
import shlex
from enum import StrEnum

from pydantic import BaseModel, Field

from domain.core.autonomy import Autonomy
from domain.core.command import Proven
from domain.core.comments import LineComment, with_comments
from domain.core.ids import RequestId
from domain.core.wire import Wire

CODE_LENGTH = 12


class Subject(StrEnum):
    """What a request asks approval of."""

    PLAN = "plan"
    GATE = "gate"
    SUGGESTION = "suggestion"
    AMENDMENT = "amendment"
    TASK_PLAN = "task_plan"
    BEST_OF = "best_of"

    @property
    def phrase(self) -> str:
        """What people call it."""
        return _PHRASES[self]


_PHRASES = {
    Subject.PLAN: "plan",
    Subject.GATE: "verified change",
    Subject.SUGGESTION: "suggestion to plan first",
    Subject.AMENDMENT: "amendment",
    Subject.TASK_PLAN: "task's plan",
    Subject.BEST_OF: "candidates of a task",
}


class Choice(StrEnum):
    """The two answers to a request."""

    APPROVE = "approve"
    REJECT = "reject"


class Decider(StrEnum):
    """Who decided: a person at a door, the template's policy, or (for a plan of a task) an agent."""

    PERSON = "person"
    POLICY = "policy"
    AGENT = "agent"


class ApprovalRequest(Wire):
    """A question to a person; `content_hash` names exactly what they are shown."""

    request_id: RequestId
    subject: Subject
    title: str
    content_hash: str

    @property
    def asks(self) -> str:
        """What a person is asked, in a phrase."""
        if self.subject is Subject.BEST_OF:
            return f"a choice between the {self.subject.phrase}"
        return f"approval of the {self.subject.phrase}"


class Outcome(Wire):
    """How a request was decided, and by whom; only a `decider` that is a person is a human gate."""

    request_id: RequestId
    choice: Choice
    content_hash: str
    by: str
    decider: Decider = Decider.PERSON
    feedback: str = ""
    comments: tuple[LineComment, ...] = ()
    autonomy: Autonomy | None = None
    """How freely the approved plan runs, where the person said so."""
    others: tuple[str, ...] = Field(default=(), exclude_if=lambda others: not others)
    """Who approved before, where more than one person must."""

    candidate: str = Field(default="", exclude_if=lambda candidate: not candidate)
    """Which of several was taken."""

    @property
    def people(self) -> tuple[str, ...]:
        """All who approved or rejected, in order; none where no person did."""
        return (*self.others, self.by) if self.decider is Decider.PERSON else ()

    @property
    def spoken(self) -> str:
        """The choice, and how freely the plan runs where that was chosen."""
        decided = "approved" if self.choice is Choice.APPROVE else "rejected"
        return f"{decided} (runs: {self.autonomy.spoken})" if self.autonomy else decided

    @property
    def full_feedback(self) -> str:
        """The feedback as an agent gets it, with the comments on lines."""
        return with_comments(self.feedback, self.comments)


def without_feedback(outcomes: dict[str, Outcome]) -> dict[str, Outcome]:
    """Return outcomes with all that answers a repeated decision, without their long texts."""
    bare = {"feedback": "", "comments": ()}
    return {name: o.model_copy(update=bare) for name, o in outcomes.items()}


def content_hash(model: BaseModel) -> str:
    """Return the SHA-256 of a model's canonical JSON, as 64 hex digits."""
    return hashlib.sha256(model.model_dump_json().encode()).hexdigest()


def decision_code(
    key: bytes, workflow_id: str, request_id: str, choice: str, content: str, *, by: str = ""
) -> str:
    """Return the code that lets `temporal workflow signal` decide a request, 12 letters and digits.

    It is good for the person `by` alone; without one, as codes were made before there were people,
    for whoever is named.
    """
    parts = (workflow_id, request_id, choice, content, *((by,) if by else ()))
    digest = hmac.new(key, "\0".join(parts).encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode()[:CODE_LENGTH].lower()


def is_code(key: bytes, code: str, subject: tuple[str, str, str, str], by: str = "") -> bool:
    """Compare a code in constant time; `subject` is workflow id, request id, choice, content hash."""
    return hmac.compare_digest(decision_code(key, *subject, by=by).encode(), code.encode())


def signal_line(
    key: bytes, workflow_id: str, command: Proven, options: str, by: str = "temporal"
) -> str:
    """Return the shell line that sends a command with Temporal's own command line, for one person.

    `options` say where Temporal is, as shell text. Words in capitals (FEEDBACK, TEXT) are there to be replaced; the code does not bind them.
    """
    code = decision_code(key, workflow_id, command.request, command.choice, command.content, by=by)
    fields = command.model_dump(mode="json", exclude_unset=True)
    payload = {**fields, "code": code, "by": by}
    words = ["--workflow-id", workflow_id, "--name", command.door, "--input", json.dumps(payload)]
    return f"temporal workflow signal {options} {shlex.join(words)}"
