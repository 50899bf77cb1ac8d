"""Questions of a task's agents: who may ask, what an answer moves on, what is withdrawn when."""

from domain.agents.agents import SessionRole, TurnResult
from domain.conversations.questions import deciding, rules
from domain.conversations.questions import events as question_events
from domain.conversations.questions.commands import (
    AnswerPermission,
    AskDecision,
    AskPermission,
    AwaitAnswer,
    ForgetRule,
)
from domain.conversations.questions.state import Questions
from domain.conversations.questions.turns import (
    answer_permission,
    await_answer,
    deliver_answers,
    withdrawals,
)
from domain.core.approval_commands import Decide
from domain.core.command import AgentCommand
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.tasks.checks import check_agent
from domain.tasks.dispatch import evolves, handles
from domain.tasks.state import TaskState

WITHDRAWN = (
    "You had reported or proposed in this turn: that no longer counts. Do it again once you have the "
    "answer."
)


def question_prefix(state: TaskState) -> str:
    """Return how the ids of a run's questions begin."""
    return f"{state.task.id if state.task else ''}/question-{state.run}-"


def check_asker(command: AgentCommand, state: TaskState) -> None:
    """Refuse a question of a turn that does not run, or is being stopped.

    Raises:
        WrongStateError: It is one.
    """
    check_agent(command, state)
    if state.is_stop_requested or state.is_asleep:
        raise WrongStateError("the turn is being stopped: end it")


@handles
def _ask_permission(command: AskPermission, state: TaskState) -> Decided:
    check_asker(command, state)
    return rules.ask_permission(state.questions, command, question_prefix(state))


@handles
def _await_answer(command: AwaitAnswer, state: TaskState) -> Decided:
    check_asker(command, state)
    return await_answer(state.questions)


@handles
def _ask_decision(command: AskDecision, state: TaskState) -> Decided:
    check_asker(command, state)
    decided = deciding.ask_decision(state.questions, command, question_prefix(state))
    is_new = any(isinstance(event, question_events.QuestionAsked) for event in decided.events)
    if not is_new or not command.withdraws_report or not _has_concluded(state):
        return decided
    events = (event.model_copy(update={"withdraws_report": True}) for event in decided.events)
    words = f"{decided.answer.message} {WITHDRAWN}"
    return Decided(tuple(events), decided.answer.model_copy(update={"message": words}))


@handles
def _answer_permission(command: AnswerPermission, state: TaskState) -> Decided:
    return answer_permission(command, state)


@handles
def _decide(command: Decide, state: TaskState) -> Decided:
    question = state.questions.open.get(command.decision_id)
    decided = deciding.decide(state.questions, command)
    if question is None or state.running_session == question.session_id:
        return decided
    after = rules.after(state.questions, decided.events)
    messages = _deliver(state, after, question.session_id)
    return decided._replace(events=(*decided.events, *messages))


@handles
def _forget_rule(command: ForgetRule, state: TaskState) -> Decided:
    return rules.forget(state.questions.rules, command)


def _deliver(
    state: TaskState, questions: Questions, session_id: SessionId
) -> tuple[EventBody, ...]:
    asker = state.conversations.get(session_id)
    is_chat = asker is not None and asker.role is SessionRole.CHAT
    return deliver_answers(questions, session_id, session_id if is_chat else SessionId(""))


def deliver_late_answers(state: TaskState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return the messages that bring answers which the agent of the ending turn has not fetched."""
    if result.failure is not None:
        return ()
    return _deliver(state, state.questions, state.running_session)


def withdraw_before_message(state: TaskState, to: SessionId | None) -> tuple[EventBody, ...]:
    """Return what a person's message to a session withdraws: what it asks while no turn runs."""
    if state.turn is not None:
        return ()
    chats = [c.session_id for c in state.conversations.values() if c.role is SessionRole.CHAT]
    left = [
        question
        for question in state.questions.open.values()
        if (question.session_id == to if to else question.session_id not in chats)
    ]
    return rules.withdrawn(left, "the person wrote instead")


def withdraw_questions(before: TaskState, after: TaskState) -> tuple[EventBody, ...]:
    """Return the questions that what has just happened withdraws: an end, a stop, another agent."""
    if not after.questions.open:
        return ()
    if after.end is not None:
        reason = f"the task has ended ({after.end})"
        return rules.withdrawn(list(after.questions.open.values()), reason)
    return withdrawals(before, after, is_switched=_agent(before) != _agent(after))


def _agent(state: TaskState) -> str:
    return state.running.agent if state.running else ""


def _has_concluded(state: TaskState) -> bool:
    """Tell whether the running turn has reported its work as done, or proposed the task's plan."""
    if state.running_session == state.session_id:
        return state.report is not None and not state.is_blocked
    running, planning = state.running, state.planning
    is_planner = running is not None and running.role is SessionRole.TASK_PLANNER
    return is_planner and planning is not None and planning.is_proposed


@evolves
def _apply_question_asked(event: question_events.QuestionAsked, state: TaskState) -> TaskState:
    if not event.withdraws_report:
        return state
    if event.question.session_id == state.session_id:
        return state.model_copy(update={"report": None})
    planning = state.planning.model_copy(update={"is_proposed": False}) if state.planning else None
    return state.model_copy(update={"planning": planning})
