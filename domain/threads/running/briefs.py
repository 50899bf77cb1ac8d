"""What a task is told when it starts, beside itself."""

from domain.core.ids import EventId, TaskId
from domain.core.project_map import map_of_agents
from domain.plans.handoff import bounded, task_list
from domain.tasks.inputs import TaskBrief
from domain.tasks.learnings import newest
from domain.threads.patches import HANDOFFS_ARE_QUOTED, LARGE_PLANS_ARE_DIGESTED
from domain.threads.quotes import AMENDED, HANDOFF, PROJECT_MAP, quoted_as
from domain.threads.running import beginnings
from domain.threads.running.state import PlanDecision
from domain.threads.state import ThreadState


def brief(state: ThreadState, task_id: TaskId, run: int) -> TaskBrief:
    """Return the plan's packet, what changed since, what was decided, learned, and added for the run.

    What every task is told alike is named by the events that have it.
    """
    entry = state.tasks[task_id]
    # what is added for a task that several agents do is for all of them
    above = state.tasks.get(entry.task.candidate_of)
    added = (*(above.context if above else ()), *entry.context)
    given = (f"- {given.text} (from {given.session_id})" for given in added)
    needed = (state.tasks[needed].task for needed in entry.task.depends_on)
    quotes = _quotes(state)
    return TaskBrief(
        quotes=quotes,
        handoff="" if quotes else state.handoff,
        amended="" if quotes else amended(state),
        project_map="" if quotes else known_map(state),
        upstream="\n".join(f"- {task.id}: {task.title} (merged)" for task in needed),
        context="\n".join((*beginnings.describe_start(entry.beginning_of(run)), *given)),
        decisions="\n".join(_answer(d) for d in state.decisions.values() if d.selections),
        learnings=newest(state.learnings),
    )


def _quotes(state: ThreadState) -> dict[str, EventId]:
    if not state.has_patch(HANDOFFS_ARE_QUOTED):
        return {}
    found = {PROJECT_MAP: quoted_as(state.thread_id, "opened")} if known_map(state) else {}
    if state.approved is not None:
        found[HANDOFF] = quoted_as(state.thread_id, f"plan-{state.approved}")
    if state.amending.version > 1:
        found[AMENDED] = quoted_as(state.thread_id, f"version-{state.amending.version}")
    return found


def known_map(state: ThreadState) -> str:
    """Return what agents that work are told of the project's map."""
    facts = state.opened.facts if state.opened else None
    return map_of_agents(facts.survey.map_file, facts.project_map) if facts else ""


def amended(state: ThreadState) -> str:
    """Return the tasks of a plan that is another one than its packet tells of."""
    if state.amending.version == 1:
        return ""
    tasks = (entry.task for entry in state.tasks.values())
    is_digested = state.has_patch(LARGE_PLANS_ARE_DIGESTED)
    return bounded(task_list(tasks, is_digested=is_digested))


def _answer(made: PlanDecision) -> str:
    """Return the answer to a decision, with what it means."""
    meanings = {option.label: option.description for option in made.decision.options}
    chosen = (f"{c} ({meanings[c]})" if meanings.get(c) else c for c in made.selections or ())
    return f"- {made.decision.question} {', '.join(chosen)}"
