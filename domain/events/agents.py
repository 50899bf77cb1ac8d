"""Events of a check's stream: how far it is, and how it ended. What an agent says there is a session's."""

from typing import Literal

from domain.agent_checks import CheckKind, CheckResult
from domain.wire import Wire


class AgentCheckStarted(Wire):
    """An agent is looked at, tried or installed."""

    kind: Literal["agent_check_started"] = "agent_check_started"
    agent: str
    check: CheckKind
    by: str = ""


class AgentCheckProgress(Wire):
    """How far it is, in a line for people."""

    kind: Literal["agent_check_progress"] = "agent_check_progress"
    message: str


class AgentCheckEnded(Wire):
    """The check's end."""

    kind: Literal["agent_check_ended"] = "agent_check_ended"
    agent: str
    result: CheckResult


AgentCheckEvent = AgentCheckStarted | AgentCheckProgress | AgentCheckEnded
