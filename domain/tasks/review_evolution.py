"""How the reviews of a task's work change what is known of it."""

from domain.tasks.registry import TASK_RULES
from domain.tasks.state import TaskState
from domain.verification import review_events


@TASK_RULES.evolves
def apply_review_submitted(event: review_events.ReviewSubmitted, state: TaskState) -> TaskState:
    return _with_review(state, review=event.review)


@TASK_RULES.evolves
def apply_review_missed(event: review_events.ReviewMissed, state: TaskState) -> TaskState:
    missed = state.reviewing.missed + 1 if state.reviewing else 0
    return _with_review(state, missed=missed, problem=event.problem)


def _with_review(state: TaskState, **changes: object) -> TaskState:
    if state.reviewing is None:
        return state
    return state.model_copy(update={"reviewing": state.reviewing.model_copy(update=changes)})
