"""Questions of a session's agent: who may ask, what an answer moves on, what is withdrawn when."""

from domain.conversations.questions import deciding, rules
from domain.conversations.questions.commands import (
    AnswerPermission,
    AskDecision,
    AskPermission,
    AwaitAnswer,
    ForgetRule,
)
from domain.conversations.questions.turns import (
    answer_permission,
    await_answer,
    deliver_answers,
    withdrawals,
)
from domain.conversations.sessions.dispatch import handles
from domain.conversations.sessions.state import SessionState
from domain.core.approval_commands import Decide
from domain.core.command import AgentCommand
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody


def question_prefix(state: SessionState) -> str:
    """Return how the ids of a session's questions begin."""
    return f"{state.session_id.rpartition('/')[2]}/question-"


def check_asker(command: AgentCommand, state: SessionState) -> None:
    """Refuse a question of a turn that does not run, or is being stopped.

    Raises:
        WrongStateError: It is one.
    """
    if state.is_closed or state.turn is None or state.turn.is_asleep:
        raise WrongStateError("no turn of this session is running")
    if command.session_id != state.session_id or command.turn_id != state.turn.turn_id:
        raise WrongStateError(f"this was asked in {command.turn_id!r}, which does not run")
    if state.turn.is_stop_requested:
        raise WrongStateError("the turn is being stopped: end it")


@handles
def _ask_permission(command: AskPermission, state: SessionState) -> Decided:
    check_asker(command, state)
    return rules.ask_permission(state.questions, command, question_prefix(state))


@handles
def _await_answer(command: AwaitAnswer, state: SessionState) -> Decided:
    check_asker(command, state)
    return await_answer(state.questions)


@handles
def _ask_decision(command: AskDecision, state: SessionState) -> Decided:
    check_asker(command, state)
    return deciding.ask_decision(state.questions, command, question_prefix(state))


@handles
def _answer_permission(command: AnswerPermission, state: SessionState) -> Decided:
    return answer_permission(command, state)


@handles
def _decide(command: Decide, state: SessionState) -> Decided:
    decided = deciding.decide(state.questions, command)
    if not decided.events or state.turn is not None:
        return decided
    questions = rules.after(state.questions, decided.events)
    messages = deliver_answers(questions, state.session_id, state.session_id)
    return decided._replace(events=(*decided.events, *messages))


@handles
def _forget_rule(command: ForgetRule, state: SessionState) -> Decided:
    return rules.forget(state.questions.rules, command)


def withdraw_before_message(state: SessionState) -> tuple[EventBody, ...]:
    """Return what a person's message withdraws: decisions that wait while no turn runs."""
    if state.turn is not None:
        return ()
    return rules.withdrawn(list(state.questions.open.values()), "the person wrote instead")


def withdraw_questions(before: SessionState, after: SessionState) -> tuple[EventBody, ...]:
    """Return the questions that what has just happened withdraws: an end, a stop, another agent."""
    if not after.questions.open:
        return ()
    if after.is_closed:
        return rules.withdrawn(list(after.questions.open.values()), "the session was closed")
    return withdrawals(
        before,
        after,
        is_switched=before.conversation.agent != after.conversation.agent,
        is_failed=after.last is not None and after.last.failure is not None,
    )
