"""How questions and turns bear on one another: who may ask, sleep, late answers, withdrawal."""

from collections.abc import Iterable

from domain.agents.agents import Prompt, TurnResult
from domain.agents.spending import held
from domain.conversations.checks import check_asker
from domain.conversations.events import MessageQueued, TurnSlept, TurnWoken
from domain.conversations.questions import commands as asked
from domain.conversations.questions import deciding, rules
from domain.conversations.questions.events import AnswerTaken
from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.state import Questions
from domain.conversations.registry import CONVERSATION_RULES
from domain.conversations.turn import Turn, TurnState
from domain.core.approval_commands import Decide
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.ids import SessionId

# --- agents ask


@CONVERSATION_RULES.handles
def ask_permission(command: asked.AskPermission, state: TurnState) -> Decided:
    check_asker(command, state)
    return rules.ask_permission(state.questions, command, state.question_prefix)


@CONVERSATION_RULES.handles
def ask_decision(command: asked.AskDecision, state: TurnState) -> Decided:
    check_asker(command, state)
    return deciding.ask_decision(state.questions, command, state.question_prefix)


@CONVERSATION_RULES.handles
def await_answer(command: asked.AwaitAnswer, state: TurnState) -> Decided:
    check_asker(command, state)
    return Decided(answer=Answer(message="", data={"version": state.questions.version}))


# --- people answer


@CONVERSATION_RULES.handles
def answer_permission(command: asked.AnswerPermission, state: TurnState) -> Decided:
    answered = rules.answer_permission(state.questions, command)
    turn = state.turn
    if not answered.events or turn is None or not turn.is_asleep:
        return answered
    woken = TurnWoken(session_id=turn.session_id, turn_id=turn.turn_id)
    return answered._replace(events=(*answered.events, woken))


@CONVERSATION_RULES.handles
def make_decision(command: Decide, state: TurnState) -> Decided:
    question = state.questions.open.get(command.decision_id)
    decided = deciding.decide(state.questions, command)
    if question is None or state.running_session == question.session_id:
        return decided  # its agent looks for the answer, or gets it when its turn ends
    after = rules.after(state.questions, decided.events)
    messages = _deliver_answers(state, after, question.session_id)
    return decided._replace(events=(*decided.events, *messages))


@CONVERSATION_RULES.handles
def forget_rule(command: asked.ForgetRule, state: TurnState) -> Decided:
    return rules.forget(state.questions.rules, command)


def _deliver_answers(
    state: TurnState, questions: Questions, session_id: SessionId
) -> tuple[EventBody, ...]:
    """Return the messages that bring a session the answers which its agent has not fetched."""
    events: list[EventBody] = []
    for answer in questions.untaken(session_id, QuestionKind.DECISION):
        message = MessageQueued(
            session_id=state.addressee_of(session_id),
            message_id=f"answer/{answer.question_id}",
            prompt=Prompt(fields={"text": deciding.answer_for_agent(answer)}),
            by=answer.by,
        )
        events += [AnswerTaken(question_id=answer.question_id), message]
    return tuple(events)


# --- turns end


def deliver_late_answers(state: TurnState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return the messages that bring answers which the agent of the ending turn has not fetched."""
    if result.failure is not None:
        return ()
    return _deliver_answers(state, state.questions, state.running_session)


def sleep_turn(questions: Questions, turn: Turn, result: TurnResult) -> Decided:
    """Return what follows when a turn gives its process up; one that has an answer goes on at once."""
    name, turn_id, kind = turn.session_id, turn.turn_id, QuestionKind.PERMISSION
    slept = TurnSlept(
        session_id=name,
        turn_id=turn_id,
        refusals=turn.refusals + 1,
        pauses=turn.pauses + 1,
        agent_session=result.agent_session,
        taken=held(result),
    )
    if questions.open_of(name, kind) and not questions.untaken(name, kind):
        return Decided((slept,))
    return Decided((slept, TurnWoken(session_id=name, turn_id=turn_id)))


@CONVERSATION_RULES.reacts
def withdraw_questions(state: TurnState, before: TurnState) -> Iterable[EventBody]:
    """Withdraw what nobody waits for any more, by an end, a stop or another agent."""
    turn, questions = before.turn, state.questions
    if not questions.open:
        return ()
    if state.over:
        return rules.withdrawn(list(questions.open.values()), state.over)
    if turn is None:
        return ()
    of_turn = questions.open_of(turn.session_id)
    if state.is_stop_requested and not turn.is_stop_requested:
        return rules.withdrawn(of_turn, "the turn was stopped")
    if state.turn is None:
        kind = None if state.has_failed else QuestionKind.PERMISSION
        return rules.withdrawn(questions.open_of(turn.session_id, kind), "the turn has ended")
    if turn.is_asleep and not state.is_asleep and _agent(before, turn) != _agent(state, turn):
        return rules.withdrawn(of_turn, "another agent goes on")
    return ()


def _agent(state: TurnState, turn: Turn) -> str:
    conversation = state.conversation_of(turn.session_id)
    return conversation.agent if conversation else ""
