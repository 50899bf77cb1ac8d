"""Events of a check's stream: how far it is, and how it ended. What an agent says there is a session's."""

from typing import Literal

from domain.agents.checks import CheckKind, CheckResult
from domain.core.event import EventBody


class AgentCheckStarted(EventBody):
    """An agent is looked at, tried or installed."""

    kind: Literal["agent_check_started"] = "agent_check_started"
    agent: str
    check: CheckKind
    by: str = ""


class AgentCheckProgress(EventBody):
    """How far it is, in a line for people."""

    kind: Literal["agent_check_progress"] = "agent_check_progress"
    message: str


class AgentCheckEnded(EventBody):
    """The check's end."""

    kind: Literal["agent_check_ended"] = "agent_check_ended"
    agent: str
    result: CheckResult


AgentCheckEvent = AgentCheckStarted | AgentCheckProgress | AgentCheckEnded
