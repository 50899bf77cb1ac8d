"""What the task's own workflow tells its rules; people's and agents' commands are in domain/commands.py."""

from domain.agents import TurnResult
from domain.ids import SessionId
from domain.plans import PlannedTask
from domain.verification import StepResult
from domain.wire import Wire


class OpenTask(Wire):
    """Begin a run."""

    task: PlannedTask
    run: int
    session_id: SessionId
    agent: str
    model: str | None = None
    branch: str | None
    max_retries: int
    is_gate_automatic: bool


class BeginTurn(Wire):
    """The next turn starts now."""


class EndTurn(Wire):
    """A turn gave its result."""

    result: TurnResult


class EndStep(Wire):
    """A verification step gave its result."""

    attempt: int
    result: StepResult


class GrantPort(Wire):
    """A declared port has its number."""

    port_id: str
    number: int
