"""The rules of a session: which events a command gives, and which turn must run."""

from functools import reduce

from domain.agents.agents import Prompt, SessionRole, StopReason, TurnResult
from domain.agents.limits.budgets import Budget, context_warning, must_compact
from domain.agents.limits.compaction import EMPTY, is_empty
from domain.agents.offers import AgentOptions
from domain.agents.spending import held
from domain.conversations import events as happened
from domain.conversations.commands import Close, SendMessage, SkipWait, StopTurn, SwitchAgent
from domain.conversations.messages import A_PERSON
from domain.conversations.place import FlowPlace
from domain.conversations.sessions import withdrawal as taking_back
from domain.conversations.sessions.dispatch import dispatch, handles
from domain.conversations.sessions.questions import before_end, slept, withdrawals, written_instead
from domain.conversations.sessions.state import COMPACT, SessionState, evolve
from domain.core.command import Answer
from domain.core.decisions import Decided, refuse_flood
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire

MODULES = (taking_back,)
"""The others that register rules of commands."""


class OpenConversation(Wire):
    """Begin the session."""

    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    budget: Budget = Budget()


class QueuePrompt(Wire):
    """Queue a prompt of Treadle's own; the key makes it once. A flow's has its place there."""

    key: str
    prompt: Prompt
    place: FlowPlace | None = None
    has_plan_files: bool | None = None


class DropPrompt(Wire):
    """A flow wants its message no more: one that waits is not sent, its turn is stopped."""

    key: str


class BeginTurn(Wire):
    """The next queued prompt starts now."""


class EndTurn(Wire):
    """A turn gave its result."""

    result: TurnResult


class EndWait(Wire):
    """The time has come at which the provider takes turns again."""

    turn_id: str


def has_turn(state: SessionState) -> bool:
    """Tell whether a turn is running or must be started."""
    return not state.is_closed and (state.running_turn is not None or bool(state.queue))


def status_of(state: SessionState) -> str:
    """Return what a session does, in a word."""
    if state.is_closed:
        return "closed"
    if state.delay is not None or state.questions.open:
        return "waiting"
    return "working" if has_turn(state) else "idle"


def decide(state: SessionState, command: Wire) -> Decided:
    """Return the events of a command.

    Raises:
        WrongStateError: The session is closed, or no turn is running to be stopped.
    """
    decided = dispatch(command, state)
    after = reduce(evolve, decided.events, state)
    gone = withdrawals(state, after)
    return decided._replace(events=(*decided.events, *gone)) if gone else decided


@handles
def _open_conversation(command: OpenConversation, state: SessionState) -> Decided:
    del state
    return Decided((happened.ConversationOpened(**dict(command)),))


@handles
def _queue_prompt(command: QueuePrompt, state: SessionState) -> Decided:
    if command.key in state.seen or state.is_closed:
        return Decided()
    queued = happened.MessageQueued(
        message_id=command.key,
        prompt=command.prompt,
        by=command.prompt.by or "treadle",
        place=command.place,
        has_plan_files=command.has_plan_files,
    )
    return Decided((queued,))


@handles
def _drop_prompt(command: DropPrompt, state: SessionState) -> Decided:
    if any(queued.key == command.key for queued in state.queue):
        return Decided((happened.MessageWithdrawn(message_id=command.key),))
    if state.owner_key != command.key or state.running_turn is None:
        return Decided()
    return dispatch(StopTurn(by="treadle"), state)


@handles
def _send_message(command: SendMessage, state: SessionState) -> Decided:
    if state.is_closed:
        raise WrongStateError(f"session {state.session_id!r} is closed: open another one")
    if command.session_id not in {None, state.session_id}:
        raise NotFoundError(f"this is session {state.session_id!r}, not that one")
    message_id = command.command_id or f"message-{len(state.seen) + 1}"
    answer = Answer(message="queued", data={"message_id": message_id})
    if message_id in state.seen:
        return Decided(answer=answer)
    refuse_flood((queued.prompt.fields.get("text", "") for queued in state.queue), command.text)
    by = command.by or A_PERSON
    prompt = Prompt(fields={"text": command.text}, attachments=command.attachments, by=by)
    queued = happened.MessageQueued(message_id=message_id, prompt=prompt, by=command.by)
    return Decided((*written_instead(state), queued), answer)


@handles
def _begin_turn(command: BeginTurn, state: SessionState) -> Decided:
    del command
    if state.is_closed or state.running_turn is not None or not state.queue:
        return Decided()
    number = state.turns + 1
    first = state.queue[0]
    compacted = _compacted(state)
    is_asked = compacted is not None and bool(compacted.command)
    started = happened.TurnStarted(
        turn_id=TurnId(f"{state.session_id}/turn-{number}"),
        number=number,
        prompt_name=COMPACT if is_asked else first.prompt.name,
        message_id=None if is_asked else first.key,
        place=None if is_asked else first.place,
    )
    return Decided((compacted, started) if compacted else (started,))


def _compacted(state: SessionState) -> happened.ContextCompacted | None:
    """Return what happens before the next turn where the agent's context is nearly full."""
    context = state.last.context if state.last else None
    if state.last is None or context is None or not must_compact(state.budget, context):
        return None
    return happened.ContextCompacted(
        used=context.used, size=context.size, command=state.last.compact_command
    )


@handles
def _end_turn(command: EndTurn, state: SessionState) -> Decided:
    if command.result.turn_id != state.running_turn:
        return Decided()
    result = command.result
    if result.is_asleep and not state.is_stop_requested:
        return slept(state, result)
    if result.retry_at is not None:
        delayed = happened.TurnDelayed(
            turn_id=result.turn_id,
            provider=result.provider,
            reason=result.limit_reason,
            until=result.retry_at,
            refusals=state.refusals + 1,
            agent_session=result.agent_session,
            taken=held(result),
        )
        return Decided((delayed,))
    before = state.last.context if state.last else None
    warned = context_warning(state.budget, before, result.context)
    warnings = (happened.SessionWarned(message=message) for message in warned)
    told = before_end(state, result)
    events = (*told, happened.TurnEnded(result=result), *warnings)
    is_lost = state.is_compacting and before is not None and is_empty(state.budget, before, result)
    if not is_lost or before is None:
        return Decided(events)
    fresh = happened.ContextCompacted(used=before.used, size=before.size)
    return Decided((*events, happened.SessionWarned(message=EMPTY), fresh))


@handles
def _end_wait(command: EndWait, state: SessionState) -> Decided:
    if state.delay is None or state.running_turn is None or state.running_turn != command.turn_id:
        return Decided()
    return Decided((happened.TurnResumed(turn_id=state.running_turn),))


@handles
def _skip_wait(command: SkipWait, state: SessionState) -> Decided:
    if state.delay is None or state.running_turn is None:
        raise WrongStateError("no turn of this session waits for a provider")
    resumed = happened.TurnResumed(turn_id=state.running_turn, is_skipped=True, by=command.by)
    return Decided((resumed,), Answer(message="trying now"))


@handles
def _switch_agent(command: SwitchAgent, state: SessionState) -> Decided:
    if state.is_closed:
        raise WrongStateError(f"session {state.session_id!r} is closed: open another one")
    if command.chosen == (state.agent, state.model, state.options):
        return Decided(answer=Answer(message="it has that agent already"))
    switched = happened.AgentSwitched(
        agent=command.agent, model=command.model, options=command.options, by=command.by
    )
    when = "goes on now" if state.delay is not None else "has it from its next turn on"
    return Decided((switched,), Answer(message=f"{when}: {command.agent}"))


@handles
def _stop_turn(command: StopTurn, state: SessionState) -> Decided:
    if state.running_turn is None:
        raise WrongStateError("no turn is running")
    if state.is_stop_requested:
        return Decided(answer=Answer(message="already stopping"))
    stop = happened.TurnStopRequested(turn_id=state.running_turn, by=command.by)
    if state.delay is None and not state.is_asleep:
        return Decided((stop,), Answer(message="stopping"))
    result = TurnResult(turn_id=state.running_turn, stop_reason=StopReason.CANCELLED)
    over = happened.TurnEnded(result=result)
    return Decided((stop, over), Answer(message="stopped: it waited"))


@handles
def _close(command: Close, state: SessionState) -> Decided:
    if state.is_closed:
        return Decided(answer=Answer(message="already closed"))
    return Decided((happened.ConversationClosed(reason=command.by),), Answer(message="closed"))
