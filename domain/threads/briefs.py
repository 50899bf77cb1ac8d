"""What a task is told when it starts, beside itself (seed 000, "Plan Approval & Context Reset")."""

from domain.ids import TaskId
from domain.learnings import newest
from domain.tasks.inputs import TaskBrief
from domain.threads.state import ThreadState


def brief(state: ThreadState, task_id: TaskId) -> TaskBrief:
    """Return the plan's packet, what was added for the task, its decision, and what was learned."""
    entry = state.tasks[task_id]
    needed = (state.tasks[needed].task for needed in entry.task.depends_on)
    return TaskBrief(
        handoff=state.handoff,
        upstream="\n".join(f"- {task.id}: {task.title} (merged)" for task in needed),
        context="\n".join(f"- {given.text} (from {given.session_id})" for given in entry.context),
        decisions=_decided(state, entry.task.decision_id),
        learnings=newest(state.learnings),
    )


def _decided(state: ThreadState, decision_id: str | None) -> str:
    """Return the answer to the decision that a task waited for, with what it means."""
    entry = state.decisions.get(decision_id) if decision_id else None
    if entry is None or not entry.selections:
        return ""
    meanings = {option.label: option.description for option in entry.decision.options}
    chosen = (f"{c} ({meanings[c]})" if meanings.get(c) else c for c in entry.selections)
    return f"- {entry.decision.question} {', '.join(chosen)}"
