"""Every command, once: reachable as an update and as a signal of the same name (architecture, 3).

A command carries an id and is idempotent: the same id, or the same decision again, changes nothing
and gets the same answer. Whatever starts, says or decides something also carries a code
(domain/approvals.py), so that nobody who only reaches Temporal can do it; what stops something needs
none, it is always safe.
"""

import json
from typing import Annotated, Any, ClassVar

from pydantic import Field

from domain.ids import CommandId, RequestId, SessionId, TaskId
from domain.wire import Wire

MAX_TEXT = 100_000
MAX_GOAL = 10_000
MAX_NAME = 300
"""Characters of an id or a name: anybody may send a command, and what it says is carried on."""


class Command(Wire):
    """Base of all commands; `door` is the name of its update and its signal."""

    door: ClassVar[str]

    said: str = ""
    """The door it was sent to by update; a copy of what was sealed for one is taken at no other."""

    command_id: CommandId = Field(default=CommandId(""), max_length=MAX_NAME)
    by: str = Field(default="", max_length=MAX_NAME)


class Coded(Command):
    """Base of all that only a person may say; the code is made of workflow, request, choice, content."""

    code: str = Field(default="", max_length=MAX_NAME)

    @property
    def request(self) -> str:
        """What is asked, as the code names it: the id of one request or of one command."""
        return f"command/{self.command_id}" if self.command_id else ""

    @property
    def choice(self) -> str:
        """What is answered, as the code names it."""
        return self.door

    @property
    def content(self) -> str:
        """The hash of what was shown, or what the command is about."""
        return ""


class Verdict(Coded):
    """Base of the decisions on a request; `content_hash` is that of what was shown."""

    request_id: RequestId = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)
    feedback: str = Field(default="", max_length=MAX_TEXT)

    @property
    def request(self) -> str:
        """The request's id."""
        return self.request_id

    @property
    def content(self) -> str:
        """The hash of what was shown."""
        return self.content_hash


class Approve(Verdict):
    """Approve a plan, or a task at its gate."""

    door = "approve"


class Reject(Verdict):
    """Reject a plan or a task at its gate; the agent revises by the feedback."""

    door = "reject"


class SendMessage(Coded):
    """Say something to a session; a busy one takes it after its turn.

    Its code does not bind the text, so a line for a terminal can be printed before it is written. It
    binds the session: one that was used is worth nothing in the next run of a task.
    """

    door = "send_message"

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    session_id: SessionId | None = Field(default=None, max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The session that is to hear it, where one is named."""
        return self.session_id or ""


class StopTurn(Command):
    """Stop the running turn of the session or task that it is sent to; the session goes on."""

    door = "stop_turn"


class OpenSession(Coded):
    """Open one more chat session."""

    door = "open_session"

    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class RequestPlan(Coded):
    """Ask for a plan, of the thread's goal or of a new one."""

    door = "request_plan"

    goal: str | None = Field(default=None, max_length=MAX_GOAL)
    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class Decide(Coded):
    """Answer a decision of the plan with the labels of one or more of its options.

    `content_hash` is that of the decision as it was shown.
    """

    door = "decide"

    decision_id: str = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)
    selections: tuple[Annotated[str, Field(max_length=MAX_NAME)], ...] = Field(max_length=100)

    @property
    def request(self) -> str:
        """The decision's id, marked as one."""
        return f"decision/{self.decision_id}"

    @property
    def choice(self) -> str:
        """The selections, in order."""
        return json.dumps(self.selections)

    @property
    def content(self) -> str:
        """The hash of the decision as it was shown."""
        return self.content_hash


class Pause(Command):
    """Start no further task; running ones finish."""

    door = "pause"


class Resume(Coded):
    """Start tasks again."""

    door = "resume"


class Cancel(Command):
    """Cancel the plan for good: running tasks are aborted, waiting ones cancelled."""

    door = "cancel"


class Abort(Command):
    """Abort a task; sent to the thread it names one, sent to the task itself it needs no name."""

    door = "abort"

    task_id: TaskId | None = Field(default=None, max_length=MAX_NAME)


class AbortAll(Command):
    """Abort every running task and pause the plan; pending tasks stay pending."""

    door = "abort_all"


class Retry(Coded):
    """Run a failed, cancelled or blocked task again, with a new session."""

    door = "retry"

    task_id: TaskId = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The task."""
        return self.task_id


class Close(Command):
    """End a session."""

    door = "close"


class AgentCommand(Command):
    """Base of what agents report; sent by the tool server, and by nobody else."""

    session_id: SessionId = Field(max_length=MAX_NAME)


class ProposePlan(AgentCommand):
    """A planner's proposal, as it came."""

    door = "propose_plan"

    plan: Any


class ReportDone(AgentCommand):
    """The agent says that its work is done."""

    door = "report_done"

    summary: str = Field(default="", max_length=MAX_TEXT)


class ReportBlocked(AgentCommand):
    """The agent can't go on without a person."""

    door = "report_blocked"

    reason: str = Field(min_length=1, max_length=MAX_TEXT)


class RequestPort(AgentCommand):
    """The agent asks for a declared port."""

    door = "request_port"

    port_id: str = Field(max_length=MAX_NAME)


class Answer(Wire):
    """What an update answers: a sentence, and data where there is any."""

    message: str
    data: dict[str, Any] = {}


THREAD_COMMANDS: tuple[type[Command], ...] = (
    Approve,
    Reject,
    SendMessage,
    OpenSession,
    RequestPlan,
    Decide,
    Pause,
    Resume,
    Cancel,
    Abort,
    AbortAll,
    Retry,
    ProposePlan,
)
TASK_COMMANDS: tuple[type[Command], ...] = (
    Approve,
    Reject,
    SendMessage,
    StopTurn,
    Abort,
    ReportDone,
    ReportBlocked,
    RequestPort,
)
SESSION_COMMANDS: tuple[type[Command], ...] = (SendMessage, StopTurn, Close)
