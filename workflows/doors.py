"""The doors of a workflow: every command as an update and as a signal of the same name.

An update is validated and answered. A signal is recorded and taken by the workflow's loop; one that
is refused, or that does not even decode, becomes a `command_rejected` event and changes nothing.

"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from pydantic import ValidationError
from temporalio import workflow
from temporalio.exceptions import ApplicationError

from domain.core.command import MAX_NAME, AgentCommand, Answer, Command, Stopping
from domain.core.errors import ForbiddenError, InvalidError, TreadleError
from domain.core.ids import CommandId
from domain.core.json_parts import has_more_parts
from domain.core.notices import CommandRejected
from domain.core.seals import Unsealed
from domain.core.wire import Wire

MAX_PROBLEMS = 10
MAX_PARTS = 5_000
"""Values in a signal's payload, nested ones included."""

T = TypeVar("T", bound="Doored")
W = TypeVar("W", bound=Wire)


class Doored(Protocol):
    """What a workflow with doors offers to them."""

    async def take(self, command: Command) -> Answer:
        """Check and carry out a command; raises TreadleError."""
        ...

    def note(self, door: type[Command], raw: Any) -> None:
        """Record a signal for the loop."""
        ...

    def receive(self, message: Wire) -> None:
        """Take a message of another workflow of ours."""
        ...


def doors(*commands: type[Command]) -> Callable[[type[T]], type[T]]:
    """Give a workflow class an update and a signal for each command."""

    def opened(cls: type[T]) -> type[T]:
        for command in commands:
            setattr(cls, f"{command.door}_by_update", _update(command))
            setattr(cls, f"{command.door}_by_signal", _signal(command))
        return cls

    return opened


def receives(**messages: type[Wire]) -> Callable[[type[T]], type[T]]:
    """Give a workflow class a signal for each message that other workflows of ours send it."""

    def opened(cls: type[T]) -> type[T]:
        for name, message in messages.items():
            setattr(cls, name, _receiver(name, message))
        return cls

    return opened


def refused(error: TreadleError) -> ApplicationError:
    """Return what a door answers to a refused command."""
    return ApplicationError(error.message, type=error.type, non_retryable=True)


def payload_of(payloads: tuple[Any, ...]) -> Any:
    """Return what a signal brought: its one payload, an empty object where it brought none.

    Anybody may send any number of them, and a handler that takes another number blocks its workflow
    for good; several are returned as they are, and no model takes them.
    """
    return payloads[0] if len(payloads) == 1 else payloads or {}


def read(command: type[Command], raw: Any) -> Command:
    """Return the command that a signal brought: a person's, or one of our workflows'.

    Raises:
        ForbiddenError: It is an agent's, which come by update only.
        InvalidError: It has more parts than any command.
        ValidationError: It is no such command.
    """
    if issubclass(command, AgentCommand):
        raise ForbiddenError(f"{command.door} is taken from agents only, by their tools")
    is_foreign = isinstance(raw, Unsealed)
    raw = raw.value if isinstance(raw, Unsealed) else raw
    if has_more_parts(raw, MAX_PARTS):
        # each would be an error of its own, and a workflow task may take two seconds
        raise InvalidError(f"{command.door} has more than {MAX_PARTS:,} parts")
    taken = command.model_validate(raw)
    if not is_foreign:
        return taken
    own = {"sent_to": "", "addressed_to": ""} if isinstance(taken, Stopping) else {"sent_to": ""}
    return taken.model_copy(update=own)  # which only our programs say


def command_id_of(raw: Any) -> CommandId:
    """Return the id of a command that a program of ours sent by signal; empty of any other."""
    fields = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
    known: Any = fields.get("command_id")
    return CommandId(known if isinstance(known, str) and len(known) <= MAX_NAME else "")


def parse_message(model: type[W], payloads: tuple[Any, ...]) -> W | None:
    """Return the message that another workflow of ours sent; what is none of ours is dropped."""
    try:
        return model.model_validate(payload_of(payloads))
    except ValidationError:
        workflow.logger.warning("not a message of ours", extra={"model": model.__name__})
        return None


def rejection(door: type[Command], error: ValidationError | TreadleError) -> CommandRejected:
    """Return what is journaled of a signal that was refused."""
    if isinstance(error, ValidationError):
        return CommandRejected(command=door.door, type="invalid", reason=_problems_in(error))
    return CommandRejected(command=door.door, type=error.type, reason=error.message)


def _problems_in(error: ValidationError) -> str:
    """Return the first things that are wrong with a message, without quoting it."""
    return "; ".join(
        f"{'.'.join(str(p) for p in e['loc']) or 'payload'}: {e['msg']}"
        for e in error.errors(include_input=False)[:MAX_PROBLEMS]
    )


def _refuse_elsewhere(command: Command) -> None:
    """Refuse a copy of what our programs sealed for another door."""
    if command.sent_to != command.door:
        raise refused(
            ForbiddenError(f"this was sealed for {command.sent_to!r}, not {command.door!r}")
        )


def _update(command: type[Command]) -> Callable[..., Any]:
    def sealed(payloads: tuple[Any, ...]) -> Command:
        raw = payload_of(payloads)
        if isinstance(raw, Unsealed):
            words = "updates are taken from Treadle's own programs: send the signal of this name"
            raise refused(ForbiddenError(words))
        try:
            return command.model_validate(raw)
        except ValidationError as error:
            raise refused(InvalidError(_problems_in(error))) from error

    async def by_update(self: Doored, *payloads: Any) -> Answer:
        try:
            return await self.take(sealed(payloads))
        except TreadleError as error:
            raise refused(error) from error

    def check(self: Doored, *payloads: Any) -> None:
        del self
        _refuse_elsewhere(sealed(payloads))

    by_update.__name__ = by_update.__qualname__ = f"{command.door}_by_update"
    update = workflow.update(name=command.door)(by_update)
    update.validator(check)
    return update


def _signal(command: type[Command]) -> Callable[..., Any]:
    def by_signal(self: Doored, *payloads: Any) -> None:
        self.note(command, payload_of(payloads))

    by_signal.__name__ = by_signal.__qualname__ = f"{command.door}_by_signal"
    return workflow.signal(name=command.door)(by_signal)


def _receiver(name: str, message: type[Wire]) -> Callable[..., Any]:
    def receive(self: Doored, *payloads: Any) -> None:
        if (received := parse_message(message, payloads)) is not None:
            self.receive(received)

    receive.__name__ = receive.__qualname__ = name
    return workflow.signal(name=name)(receive)
