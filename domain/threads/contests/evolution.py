"""How each event of a contest changes a thread."""

from domain.core.ids import TaskId
from domain.threads.contests import events as contest_events
from domain.threads.contests.standing import contest_of
from domain.threads.contests.state import Contest
from domain.threads.events import TaskUpdated
from domain.threads.evolution import with_task, without_request
from domain.threads.registry import THREAD_RULES
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

_COPIED = ("commit", "merge_commit", "attempts", "approved_by", "duration_ms")
"""What a task has of the candidate that was taken."""


def _with(state: ThreadState, task_id: TaskId, **changes: object) -> ThreadState:
    contest = contest_of(task_id, state).model_copy(update=changes)
    return state.model_copy(update={"contests": {**state.contests, task_id: contest}})


@THREAD_RULES.evolves
def apply_candidate_passed(
    event: contest_events.CandidatePassed, state: ThreadState
) -> ThreadState:
    passed = contest_of(event.task_id, state).passed
    return _with(state, event.task_id, passed=(*passed, event.candidate))


@THREAD_RULES.evolves
def apply_candidates_shown(
    event: contest_events.CandidatesShown, state: ThreadState
) -> ThreadState:
    number = contest_of(event.task_id, state).number + 1
    after = _with(state, event.task_id, request=event.request, number=number)
    requests = {**state.requests, event.request.request_id: event.request}
    return after.model_copy(update={"requests": requests})


@THREAD_RULES.evolves
def apply_candidates_withdrawn(
    event: contest_events.CandidatesWithdrawn, state: ThreadState
) -> ThreadState:
    after = _with(state, event.task_id, request=None)
    return after.model_copy(update={"requests": without_request(state, event.request_id)})


@THREAD_RULES.evolves
def apply_candidate_taken(event: contest_events.CandidateTaken, state: ThreadState) -> ThreadState:
    contest = contest_of(event.task_id, state)
    decided = {**contest.decided, event.candidate: event.decision}
    after = _with(state, event.task_id, request=None, taken=event.candidate, decided=decided)
    return after.model_copy(
        update={
            "requests": without_request(state, event.request_id),
            "outcomes": {**state.outcomes, event.request_id: event.decision.outcome},
        }
    )


@THREAD_RULES.evolves
def apply_candidate_released(
    event: contest_events.CandidateReleased, state: ThreadState
) -> ThreadState:
    return _with(state, event.task_id, taken=None)


@THREAD_RULES.evolves
def apply_candidates_sent_back(
    event: contest_events.CandidatesSentBack, state: ThreadState
) -> ThreadState:
    contest = contest_of(event.task_id, state)
    after = _with(
        state, event.task_id, request=None, decided={**contest.decided, **event.decisions}
    )
    return after.model_copy(
        update={
            "requests": without_request(state, event.request_id),
            "outcomes": {**state.outcomes, event.request_id: event.outcome},
        }
    )


@THREAD_RULES.evolves
def apply_candidate_added(event: contest_events.CandidateAdded, state: ThreadState) -> ThreadState:
    added = contest_of(event.task_id, state).added + 1
    entries = {**state.tasks.everything, event.task.id: ThreadTask(task=event.task)}
    after = _with(state, event.task_id, added=added)
    return after.model_copy(update={"tasks": PlanTasks.of(entries)})


@THREAD_RULES.evolves
def apply_contest_ended(event: contest_events.ContestEnded, state: ThreadState) -> ThreadState:
    """The task has what its candidate came to, as if it had done it itself."""
    taken = state.tasks[event.candidate]
    after = _with(state, event.task_id, is_over=True, decided={})
    copied = {name: getattr(taken, name) for name in _COPIED}
    if taken.progress is not None:
        of_task = {"task_id": event.task_id, "gate": None}
        copied["progress"] = taken.progress.model_copy(update=of_task)
    return with_task(after, event.task_id, **copied)


@THREAD_RULES.evolves
def apply_contest_begun(event: TaskUpdated, state: ThreadState) -> ThreadState:
    """Begin a contest anew with each run of its task; what was decided of an earlier one is over."""
    is_contest = state.tasks[event.task_id].task.is_contest
    if not is_contest or not event.new_status.is_at_work or event.old_status.is_at_work:
        return state
    before = contest_of(event.task_id, state)
    begun = Contest(added=before.added, compositions=before.compositions)
    return state.model_copy(update={"contests": {**state.contests, event.task_id: begun}})
