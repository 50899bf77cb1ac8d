"""Questions of a task's agents: who may ask, what an answer moves on, what is withdrawn when."""

from domain.agents.agents import SessionRole, TurnResult
from domain.agents.spending import held
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
from domain.conversations.questions.question import Question, QuestionKind
from domain.conversations.questions.state import Questions
from domain.core.approval_commands import Decide
from domain.core.command import AgentCommand, Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.tasks import events as happened
from domain.tasks.checks import check_agent
from domain.tasks.dispatch import evolves, handles
from domain.tasks.state import TaskState
from domain.tasks.turn_evolution import with_seat, with_taken

WITHDRAWN = (
    "You had reported or proposed in this turn: that no longer counts. Do it again once you have the "
    "answer."
)


def place_of(state: TaskState) -> str:
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
    return rules.ask_permission(state.questions, command, place_of(state))


@handles
def _await_answer(command: AwaitAnswer, state: TaskState) -> Decided:
    check_asker(command, state)
    return Decided(answer=Answer(message="", data={"version": state.questions.version}))


@handles
def _ask_decision(command: AskDecision, state: TaskState) -> Decided:
    check_asker(command, state)
    decided = deciding.ask_decision(state.questions, command, place_of(state))
    is_new = any(isinstance(event, asked.QuestionAsked) for event in decided.events)
    if not is_new or not command.withdraws_report or not _has_concluded(state):
        return decided
    events = (event.model_copy(update={"withdraws_report": True}) for event in decided.events)
    words = f"{decided.answer.message} {WITHDRAWN}"
    return Decided(tuple(events), decided.answer.model_copy(update={"message": words}))


@handles
def _answer_permission(command: AnswerPermission, state: TaskState) -> Decided:
    answered = rules.answer_permission(state.questions, command)
    if not answered.events or not state.is_asleep or state.running_turn is None:
        return answered
    woken = asked.TurnWoken(turn_id=state.running_turn)
    return answered._replace(events=(*answered.events, woken))


@handles
def _decide(command: Decide, state: TaskState) -> Decided:
    question = state.questions.open.get(command.decision_id)
    decided = deciding.decide(state.questions, command)
    is_at_work = state.running_turn is not None
    if question is None or (is_at_work and state.running_seat == question.session_id):
        return decided
    after = rules.after(state.questions, decided.events)
    return decided._replace(events=(*decided.events, *_told(state, after, question.session_id)))


@handles
def _forget_rule(command: ForgetRule, state: TaskState) -> Decided:
    return rules.forget(state.questions.rules, command)


def _told(state: TaskState, questions: Questions, session_id: SessionId) -> tuple[EventBody, ...]:
    """Return what tells an agent of answers that it has not fetched: its next message."""
    seat = state.seats.get(session_id)
    is_chat = seat is not None and seat.role is SessionRole.CHAT
    events: list[EventBody] = []
    for answer in questions.untaken(session_id, QuestionKind.DECISION):
        message = happened.TaskMessageQueued(
            message_id=f"{ANSWER}{answer.question_id}",
            text=deciding.told(answer),
            by=answer.by,
            session_id=session_id if is_chat else SessionId(""),
        )
        events += [asked.AnswerTaken(question_id=answer.question_id), message]
    return tuple(events)


def before_end(state: TaskState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what happens to answers at a turn's end: those not fetched are told by a message."""
    if result.failure is not None:
        return ()
    return _told(state, state.questions, state.running_seat)


def slept(state: TaskState, result: TurnResult) -> Decided:
    """Return what follows when a turn gives its process up; one that has an answer goes on at once."""
    sleeping = asked.TurnSlept(
        turn_id=result.turn_id,
        refusals=state.refusals + 1,
        agent_session=result.agent_session,
        taken=held(result),
    )
    seat, kind = state.running_seat, QuestionKind.PERMISSION
    if state.questions.open_of(seat, kind) and not state.questions.untaken(seat, kind):
        return Decided((sleeping,))
    return Decided((sleeping, asked.TurnWoken(turn_id=result.turn_id)))


def written_instead(state: TaskState, seat: SessionId | None) -> tuple[EventBody, ...]:
    """Return what a person's message to a session withdraws: what it asks while no turn runs."""
    if state.running_turn is not None:
        return ()
    chats = [s.session_id for s in state.seats.values() if s.role is SessionRole.CHAT]
    left = [
        question
        for question in state.questions.open.values()
        if (question.session_id == seat if seat else question.session_id not in chats)
    ]
    return rules.withdrawn(left, "the person wrote instead")


def withdrawals(before: TaskState, after: TaskState) -> tuple[EventBody, ...]:
    """Return what is withdrawn by what has just happened: an end, a stop, another agent."""
    everything = list(after.questions.open.values())
    if not everything:
        return ()
    if after.end is not None:
        return rules.withdrawn(everything, f"the task has ended ({after.end})")
    of_turn = [q for q in everything if q.session_id == before.running_seat]
    if after.is_stop_requested and not before.is_stop_requested:
        return rules.withdrawn(of_turn, "the turn was stopped")
    if before.running_turn is not None and after.running_turn is None:
        return rules.withdrawn(_permissions(of_turn), "the turn has ended")
    if before.is_asleep and not after.is_asleep and _agent(before) != _agent(after):
        return rules.withdrawn(of_turn, "another agent goes on")
    return ()


def _agent(state: TaskState) -> str:
    seat = state.seats.get(state.running_seat)
    return seat.agent if seat else ""


def _permissions(questions: list[Question]) -> list[Question]:
    return [q for q in questions if q.kind is QuestionKind.PERMISSION]


def _has_concluded(state: TaskState) -> bool:
    """Tell whether the running turn has reported its work as done, or proposed the task's plan."""
    if state.running_seat == state.session_id:
        return state.report is not None and not state.is_blocked
    seat, planning = state.seats.get(state.running_seat), state.planning
    is_planner = seat is not None and seat.role is SessionRole.TASK_PLANNER
    return is_planner and planning is not None and planning.is_proposed


@evolves
def _apply_question_asked(event: asked.QuestionAsked, state: TaskState) -> TaskState:
    if not event.withdraws_report:
        return state
    if event.question.session_id == state.session_id:
        return state.model_copy(update={"report": None})
    planning = state.planning.model_copy(update={"is_proposed": False}) if state.planning else None
    return state.model_copy(update={"planning": planning})


@evolves
def _apply_turn_slept(event: asked.TurnSlept, state: TaskState) -> TaskState:
    seat = state.seats.get(state.running_seat)
    known = event.agent_session or (seat.agent_session if seat else None)
    return state.model_copy(
        update={
            "is_asleep": True,
            "refusals": event.refusals,
            "seats": with_seat(state, state.running_seat, agent_session=known),
            **with_taken(state, event.taken),
        }
    )


@evolves
def _apply_turn_woken(event: asked.TurnWoken, state: TaskState) -> TaskState:
    del event
    return state.model_copy(update={"is_asleep": False})
