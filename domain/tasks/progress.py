"""What a run of a task reports to its thread."""

from domain.core.progress import MAX_FILES, ReadyGate, TaskProgress
from domain.tasks.state import Phase, TaskState

_DOING = {
    Phase.PLANNING: "planning",
    Phase.REVIEWING: "plan in review",
    Phase.AT_PLAN: "waiting for approval of its plan",
    Phase.VERIFYING: "verifying",
    Phase.AT_GATE: "waiting for approval",
    Phase.EDITING: "applying suggestions",
    Phase.WAITING: "waiting for a message",
}


def doing_of(state: TaskState) -> str:
    """Return what a run does, in a phrase."""
    if state.questions.open:
        return f"waiting for {state.questions.waiting_for}"
    if state.held_by:
        return f"waiting for {state.held_by}"
    if state.is_review_held:
        return f"waiting for a person: {state.reason}"
    if state.phase is Phase.WAITING:
        return f"waiting for a message: {state.reason}"
    if state.phase is Phase.AT_GATE and state.is_candidate:
        return "ready to be chosen"
    return _DOING.get(state.phase) or (f"turn {state.turns}" if state.turns else "starting")


def progress_of(state: TaskState) -> TaskProgress | None:
    """Return how far a run is; None before it began and once it is over."""
    if state.task is None or state.end is not None:
        return None
    snapshot, attempt = state.snapshot, state.attempt
    return TaskProgress(
        task_id=state.task.id,
        run=state.run,
        doing=doing_of(state),
        is_planning=state.phase in {Phase.PLANNING, Phase.REVIEWING, Phase.AT_PLAN},
        waits_for=state.waiting_for or state.held_by,
        asks=state.waiting_for,
        is_blocked=state.phase is Phase.WAITING and state.is_blocked,
        turns=state.turns,
        session_turns=state.session_turns,
        attempts=len(state.attempts),
        failed_in_a_row=state.failed_in_a_row,
        failed_steps=tuple(r.label for r in attempt.steps if not r.passed) if attempt else (),
        commit=snapshot.commit if snapshot else None,
        tree=snapshot.tree if snapshot else None,
        files=snapshot.files[:MAX_FILES] if snapshot else (),
        insertions=snapshot.insertions if snapshot else 0,
        deletions=snapshot.deletions if snapshot else 0,
        ports=state.ports,
        tokens=state.stats.tokens,
        is_over_limit=state.over_limit != "",
        gate=_gate_of(state),
    )


def _gate_of(state: TaskState) -> ReadyGate | None:
    """Return the gate of a candidate whose work waits to be chosen."""
    if state.phase is not Phase.AT_GATE or state.request is None or not state.is_candidate:
        return None
    return ReadyGate(
        request_id=state.request.request_id,
        content_hash=state.request.content_hash,
        attempt=len(state.attempts),
        passes=state.is_passing,
    )
