"""Questions of a session's agent: who may ask, what an answer moves on, what is withdrawn when."""

from domain.agents.agents import Prompt, TurnResult
from domain.agents.spending import held
from domain.conversations import events as happened
from domain.conversations.messages import ANSWER
from domain.conversations.questions import deciding, rules
from domain.conversations.questions import events as asked
from domain.conversations.questions.commands import (
    AnswerPermission,
    AskDecision,
    AskPermission,
    AwaitAnswer,
    ForgetRule,
)
from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.state import GivenAnswer
from domain.conversations.sessions.dispatch import handles
from domain.conversations.sessions.state import SessionState
from domain.core.approval_commands import Decide
from domain.core.command import AgentCommand, Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody


def place_of(state: SessionState) -> str:
    """Return how the ids of a session's questions begin."""
    return f"{state.session_id.rpartition('/')[2]}/question-"


def check_asker(command: AgentCommand, state: SessionState) -> None:
    """Refuse a question of a turn that does not run, or is being stopped.

    Raises:
        WrongStateError: It is one.
    """
    if state.is_closed or state.running_turn is None or state.is_asleep:
        raise WrongStateError("no turn of this session is running")
    if command.session_id != state.session_id or command.turn_id != state.running_turn:
        raise WrongStateError(f"this was asked in {command.turn_id!r}, which does not run")
    if state.is_stop_requested:
        raise WrongStateError("the turn is being stopped: end it")


@handles
def _ask_permission(command: AskPermission, state: SessionState) -> Decided:
    check_asker(command, state)
    return rules.ask_permission(state.questions, command, place_of(state))


@handles
def _await_answer(command: AwaitAnswer, state: SessionState) -> Decided:
    check_asker(command, state)
    return Decided(answer=Answer(message="", data={"version": state.questions.version}))


@handles
def _ask_decision(command: AskDecision, state: SessionState) -> Decided:
    check_asker(command, state)
    return deciding.ask_decision(state.questions, command, place_of(state))


@handles
def _answer_permission(command: AnswerPermission, state: SessionState) -> Decided:
    answered = rules.answer_permission(state.questions, command)
    if not answered.events or not state.is_asleep or state.running_turn is None:
        return answered
    return answered._replace(events=(*answered.events, asked.TurnWoken(turn_id=state.running_turn)))


@handles
def _decide(command: Decide, state: SessionState) -> Decided:
    decided = deciding.decide(state.questions, command)
    if not decided.events or state.running_turn is not None:
        return decided
    questions = rules.after(state.questions, decided.events)
    given = questions.untaken(state.session_id, QuestionKind.DECISION)
    return decided._replace(events=(*decided.events, *_told(given)))


@handles
def _forget_rule(command: ForgetRule, state: SessionState) -> Decided:
    return rules.forget(state.questions.rules, command)


def _told(given: list[GivenAnswer]) -> tuple[EventBody, ...]:
    """Return what tells the agent of answers that it has not fetched: its next message."""
    events: list[EventBody] = []
    for answer in given:
        prompt = Prompt(fields={"text": deciding.told(answer)})
        key = f"{ANSWER}{answer.question_id}"
        events.append(asked.AnswerTaken(question_id=answer.question_id))
        events.append(happened.MessageQueued(message_id=key, prompt=prompt, by=answer.by))
    return tuple(events)


def before_end(state: SessionState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what happens to answers at a turn's end: those not fetched are told by a message."""
    if result.failure is not None:
        return ()
    return _told(state.questions.untaken(state.session_id, QuestionKind.DECISION))


def slept(state: SessionState, result: TurnResult) -> Decided:
    """Return what follows when a turn gives its process up; one that has an answer goes on at once."""
    sleeping = asked.TurnSlept(
        turn_id=result.turn_id,
        refusals=state.refusals + 1,
        agent_session=result.agent_session,
        taken=held(result),
    )
    kind = QuestionKind.PERMISSION
    waits = state.questions.open_of(state.session_id, kind)
    if waits and not state.questions.untaken(state.session_id, kind):
        return Decided((sleeping,))
    return Decided((sleeping, asked.TurnWoken(turn_id=result.turn_id)))


def written_instead(state: SessionState) -> tuple[EventBody, ...]:
    """Return what a person's message withdraws: decisions that wait while no turn runs."""
    if state.running_turn is not None:
        return ()
    return rules.withdrawn(list(state.questions.open.values()), "the person wrote instead")


def withdrawals(before: SessionState, after: SessionState) -> tuple[EventBody, ...]:
    """Return what is withdrawn by what has just happened: an end, a stop, another agent."""
    questions = after.questions
    if not questions.open:
        return ()
    if after.is_closed:
        return rules.withdrawn(list(questions.open.values()), "the session was closed")
    if after.is_stop_requested and not before.is_stop_requested:
        return rules.withdrawn(list(questions.open.values()), "the turn was stopped")
    if before.is_asleep and after.agent != before.agent:
        return rules.withdrawn(list(questions.open.values()), "another agent goes on")
    if before.running_turn is not None and after.running_turn is None:
        last = after.last
        is_failed = last is not None and last.failure is not None
        kind = None if is_failed else QuestionKind.PERMISSION
        return rules.withdrawn(questions.open_of(after.session_id, kind), "the turn has ended")
    return ()
