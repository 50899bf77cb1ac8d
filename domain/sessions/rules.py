"""The rules of a session: which events a command gives, and which turn must run."""

from functools import singledispatch

from domain.agents import Prompt, PromptName, SessionRole, TurnResult
from domain.commands import Answer, Close, SendMessage, StopTurn
from domain.decisions import Decided, refuse_flood
from domain.errors import InvalidError, NotFoundError, WrongStateError
from domain.events import session as happened
from domain.ids import SessionId, TurnId
from domain.sessions.state import SessionState
from domain.wire import Wire


class OpenConversation(Wire):
    """Begin the session."""

    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None


class QueuePrompt(Wire):
    """Queue a prompt of Treadle's own; the key makes it once."""

    key: str
    prompt: Prompt


class BeginTurn(Wire):
    """The next queued prompt starts now."""


class EndTurn(Wire):
    """A turn gave its result."""

    result: TurnResult


def has_turn(state: SessionState) -> bool:
    """Tell whether a turn is running or must be started."""
    return not state.is_closed and (state.running_turn is not None or bool(state.queue))


def decide(state: SessionState, command: Wire) -> Decided:
    """Return the events of a command.

    Raises:
        WrongStateError: The session is closed, or no turn is running to be stopped.
    """
    return _decide(command, state)


@singledispatch
def _decide(command: Wire, state: SessionState) -> Decided:
    del state
    raise InvalidError(f"a session takes no command {type(command).__name__!r}")


@_decide.register
def _(command: OpenConversation, state: SessionState) -> Decided:
    del state
    return Decided((happened.ConversationOpened(**dict(command)),))


@_decide.register
def _(command: QueuePrompt, state: SessionState) -> Decided:
    if command.key in state.seen or state.is_closed:
        return Decided()
    queued = happened.MessageQueued(message_id=command.key, prompt=command.prompt, by="treadle")
    return Decided((queued,))


@_decide.register
def _(command: SendMessage, state: SessionState) -> Decided:
    if state.is_closed:
        raise WrongStateError(f"session {state.session_id!r} is closed: open another one")
    if command.session_id not in {None, state.session_id}:
        raise NotFoundError(f"this is session {state.session_id!r}, not that one")
    message_id = command.command_id or f"message-{len(state.seen) + 1}"
    answer = Answer(message="queued", data={"message_id": message_id})
    if message_id in state.seen:
        return Decided(answer=answer)
    refuse_flood((queued.prompt.fields.get("text", "") for queued in state.queue), command.text)
    prompt = Prompt(name=PromptName.MESSAGE, fields={"text": command.text})
    return Decided(
        (happened.MessageQueued(message_id=message_id, prompt=prompt, by=command.by),), answer
    )


@_decide.register
def _(command: BeginTurn, state: SessionState) -> Decided:
    del command
    if state.is_closed or state.running_turn is not None or not state.queue:
        return Decided()
    number = state.turns + 1
    first = state.queue[0]
    return Decided(
        (
            happened.TurnStarted(
                turn_id=TurnId(f"{state.session_id}/turn-{number}"),
                number=number,
                prompt_name=first.prompt.name,
                message_id=first.key,
            ),
        )
    )


@_decide.register
def _(command: EndTurn, state: SessionState) -> Decided:
    if command.result.turn_id != state.running_turn:
        return Decided()
    return Decided((happened.TurnEnded(result=command.result),))


@_decide.register
def _(command: StopTurn, state: SessionState) -> Decided:
    if state.running_turn is None:
        raise WrongStateError("no turn is running")
    if state.is_stop_requested:
        return Decided(answer=Answer(message="already stopping"))
    stop = happened.TurnStopRequested(turn_id=state.running_turn, by=command.by)
    return Decided((stop,), Answer(message="stopping"))


@_decide.register
def _(command: Close, state: SessionState) -> Decided:
    if state.is_closed:
        return Decided(answer=Answer(message="already closed"))
    return Decided((happened.ConversationClosed(reason=command.by),), Answer(message="closed"))
