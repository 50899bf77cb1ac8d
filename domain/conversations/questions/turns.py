"""How questions and turns bear on one another: sleep, answers that come late, withdrawal."""

from domain.agents.agents import Prompt, TurnResult
from domain.agents.spending import held
from domain.conversations.events import MessageQueued, TurnSlept, TurnWoken
from domain.conversations.messages import ANSWER
from domain.conversations.questions import deciding, rules
from domain.conversations.questions.commands import AnswerPermission
from domain.conversations.questions.events import AnswerTaken
from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.state import Questions
from domain.conversations.turn import Turn, TurnState
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.ids import SessionId


def await_answer(questions: Questions) -> Decided:
    """Return the version of the questions that an agent which waits has seen."""
    return Decided(answer=Answer(message="", data={"version": questions.version}))


def answer_permission(command: AnswerPermission, state: TurnState) -> Decided:
    """Return what a person's answer to a request for permission brings; a turn that slept goes on."""
    answered = rules.answer_permission(state.questions, command)
    turn = state.turn
    if not answered.events or turn is None or not turn.is_asleep:
        return answered
    woken = TurnWoken(session_id=turn.session_id, turn_id=turn.turn_id)
    return answered._replace(events=(*answered.events, woken))


def deliver_answers(
    questions: Questions, session_id: SessionId, to: SessionId
) -> tuple[EventBody, ...]:
    """Return the messages that bring a session the answers which its agent has not fetched."""
    events: list[EventBody] = []
    for answer in questions.untaken(session_id, QuestionKind.DECISION):
        message = MessageQueued(
            session_id=to,
            message_id=f"{ANSWER}{answer.question_id}",
            prompt=Prompt(fields={"text": deciding.answer_for_agent(answer)}),
            by=answer.by,
        )
        events += [AnswerTaken(question_id=answer.question_id), message]
    return tuple(events)


def sleep_turn(questions: Questions, turn: Turn, result: TurnResult) -> Decided:
    """Return what follows when a turn gives its process up; one that has an answer goes on at once."""
    name, turn_id, kind = turn.session_id, turn.turn_id, QuestionKind.PERMISSION
    slept = TurnSlept(
        session_id=name,
        turn_id=turn_id,
        refusals=turn.refusals + 1,
        agent_session=result.agent_session,
        taken=held(result),
    )
    if questions.open_of(name, kind) and not questions.untaken(name, kind):
        return Decided((slept,))
    return Decided((slept, TurnWoken(session_id=name, turn_id=turn_id)))


def withdrawals(
    before: TurnState, after: TurnState, *, is_switched: bool = False, is_failed: bool = False
) -> tuple[EventBody, ...]:
    """Return the questions that a stop, an end or another agent of the running turn withdraws."""
    turn = before.turn
    if turn is None:
        return ()
    asked = after.questions.open_of(turn.session_id)
    if after.is_stop_requested and not turn.is_stop_requested:
        return rules.withdrawn(asked, "the turn was stopped")
    if after.turn is None:
        kind = None if is_failed else QuestionKind.PERMISSION
        of_kind = after.questions.open_of(turn.session_id, kind)
        return rules.withdrawn(of_kind, "the turn has ended")
    if turn.is_asleep and not after.is_asleep and is_switched:
        return rules.withdrawn(asked, "another agent goes on")
    return ()
