"""What the host asks and tells a task's workflow for its agent's tools: ports, steps, terminals."""

from pydantic import Field

from domain.agents.terminals import Terminal
from domain.core.command import MAX_NAME, AgentCommand


class ReleasePort(AgentCommand):
    """The agent gives a port back."""

    door = "release_port"

    port_id: str = Field(max_length=MAX_NAME)


class LookUpTask(AgentCommand):
    """The ports and the verification steps of the task that is at work; changes nothing."""

    door = "look_up_task"


class NoteTerminal(AgentCommand):
    """A terminal of the task is opened now, or has ended."""

    door = "note_terminal"

    terminal: Terminal
