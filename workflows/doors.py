"""The doors of a workflow: every command as an update and as a signal of the same name.

An update is validated and answered. A signal is recorded and taken by the workflow's loop; one that
is refused, or that does not even decode, becomes a `command_rejected` event and changes nothing
(architecture, section 3).
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from domain.commands import Answer, Command
from domain.errors import TreadleError
from temporalio import workflow
from temporalio.exceptions import ApplicationError

T = TypeVar("T", bound="Doored")


class Doored(Protocol):
    """What a workflow with doors offers to them."""

    async def take(self, command: Command) -> Answer:
        """Check and carry out a command; raises TreadleError."""
        ...

    def note(self, door: type[Command], raw: Any) -> None:
        """Record a signal for the loop."""
        ...


def doors(*commands: type[Command]) -> Callable[[type[T]], type[T]]:
    """Give a workflow class an update and a signal for each command."""

    def opened(cls: type[T]) -> type[T]:
        for command in commands:
            setattr(cls, f"{command.door}_by_update", _update(command))
            setattr(cls, f"{command.door}_by_signal", _signal(command))
        return cls

    return opened


def refused(error: TreadleError) -> ApplicationError:
    """Return what a door answers to a refused command."""
    return ApplicationError(error.message, type=error.type, non_retryable=True)


def _update(command: type[Command]) -> Callable[..., Any]:
    async def by_update(self: Doored, message: Command) -> Answer:
        try:
            return await self.take(message)
        except TreadleError as error:
            raise refused(error) from error

    by_update.__annotations__ = {"message": command, "return": Answer}
    by_update.__name__ = by_update.__qualname__ = f"{command.door}_by_update"
    return workflow.update(name=command.door)(by_update)


def _signal(command: type[Command]) -> Callable[..., Any]:
    def by_signal(self: Doored, message: Any) -> None:
        self.note(command, message)

    by_signal.__annotations__ = {"message": Any, "return": None}
    by_signal.__name__ = by_signal.__qualname__ = f"{command.door}_by_signal"
    return workflow.signal(name=command.door)(by_signal)
