"""What a task's question changes of what its agent has concluded; the rest is that of conversations."""

from domain.agents.agents import SessionRole
from domain.conversations.questions import events as question_events
from domain.conversations.questions import turns
from domain.conversations.questions.commands import AskDecision
from domain.core.decisions import Decided
from domain.tasks.registry import TASK_RULES
from domain.tasks.state import TaskState

WITHDRAWN = (
    "You had reported or proposed in this turn: that no longer counts. Do it again once you have the "
    "answer."
)


@TASK_RULES.handles
def ask_decision(command: AskDecision, state: TaskState) -> Decided:
    decided = turns.ask_decision(command, state)
    is_new = any(isinstance(event, question_events.QuestionAsked) for event in decided.events)
    if not is_new or not command.withdraws_report or not _has_concluded(state):
        return decided
    events = (event.model_copy(update={"withdraws_report": True}) for event in decided.events)
    words = f"{decided.answer.message} {WITHDRAWN}"
    return Decided(tuple(events), decided.answer.model_copy(update={"message": words}))


def _has_concluded(state: TaskState) -> bool:
    """Tell whether the running turn has reported its work as done, or proposed the task's plan."""
    if state.running_session == state.session_id:
        return state.report is not None and not state.is_blocked
    running, planning = state.running, state.planning
    is_planner = running is not None and running.role is SessionRole.TASK_PLANNER
    return is_planner and planning is not None and planning.is_proposed


@TASK_RULES.evolves
def apply_question_asked(event: question_events.QuestionAsked, state: TaskState) -> TaskState:
    if not event.withdraws_report:
        return state
    if event.question.session_id == state.session_id:
        return state.model_copy(update={"report": None})
    planning = state.planning.model_copy(update={"is_proposed": False}) if state.planning else None
    return state.model_copy(update={"planning": planning})
