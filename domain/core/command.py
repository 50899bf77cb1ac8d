"""Every command, once: reachable as an update and as a signal of the same name.

A command carries an id and is idempotent: the same id, or the same decision again, changes nothing
and gets the same answer. Whatever starts, says or decides something also carries a code
(domain/approvals.py), so that nobody who only reaches Temporal can do it. What stops something needs
one only where people have roles: it is always safe, but not always theirs who ask.
"""

from typing import Any, ClassVar

from pydantic import Field

from domain.core.ids import CommandId, RequestId, SessionId, TurnId
from domain.core.wire import Wire

MAX_TEXT = 100_000
MAX_GOAL = 10_000
MAX_NAME = 300
"""Characters of an id or a name: anybody may send a command, and what it says is carried on."""


class Command(Wire):
    """Base of all commands; `door` is the name of its update and its signal."""

    door: ClassVar[str]
    may_be_late: ClassVar[bool] = True
    """Whether it means the same when it is taken later; what stops the turn that runs now does not."""

    sent_to: str = ""
    """The door it was sent to by update; a copy of what was sealed for one is taken at no other."""

    command_id: CommandId = Field(default=CommandId(""), max_length=MAX_NAME)
    by: str = Field(default="", max_length=MAX_NAME)


class Proven(Command):
    """Base of all that people ask for; the code is made of workflow, request, choice, content, person."""

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


class Coded(Proven):
    """Base of all that only a person may say: it is refused without its code."""


class Stopping(Proven):
    """Base of what stops something: its code is asked for only where people have roles."""

    addressed_to: str = Field(default="", max_length=MAX_NAME)
    """The workflow that one of our own sends it to, which has no code; a copy is worth nothing elsewhere."""


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


class AgentCommand(Command):
    """Base of what agents report; sent by the tool server, and by nobody else."""

    session_id: SessionId = Field(max_length=MAX_NAME)

    turn_id: TurnId = Field(default=TurnId(""), max_length=MAX_NAME)
    """The turn in which it was said: a copy of it is worth nothing in a later one."""


class Answer(Wire):
    """What an update answers: a sentence, and data where there is any."""

    message: str
    data: dict[str, Any] = {}

    @property
    def is_refused(self) -> bool:
        """Whether an agent's report was not taken, and may come again in the same words."""
        return self.data.get("is_refused") is True
