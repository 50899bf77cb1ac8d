"""What doors show of a run of a task beside its place in the plan."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from domain.agents.limits.money import HOLDS
from domain.agents.terminals import AllocatedPort, Terminal, TerminalStatus
from domain.conversations.questions.question import QuestionKind
from domain.conversations.sessions.facts import SessionFacts
from domain.conversations.stats import TaskStats
from domain.reading.spent import task_money
from domain.reading.views import SessionView
from domain.tasks.state import Phase, TaskState
from domain.tasks.status import TaskStatus


def of_run(run: TaskState, facts: Mapping[str, SessionFacts], stream: str) -> dict[str, Any]:
    """Return the plan, the sessions, the costs of a run and what a person said, as a task's view has them.

    `facts` are those of all sessions, by their ids; `stream` is the task's.
    """
    none, money = SessionFacts(), task_money(run, facts, stream)
    stats = run.stats
    if run.end is not None:  # a worker that was lost has journaled no end of its turn
        of_its_own = {name: facts[name] for name in run.conversations if name in facts}
        lost = [taken for known in of_its_own.values() for taken in known.running.values()]
        stats = reduce(TaskStats.plus, lost, stats)
        facts = {name: known.settled for name, known in of_its_own.items()}
    planning = run.planning
    rejected = next((o for o in reversed(run.outcomes.values()) if o.full_feedback), None)
    is_decided = run.request is None and run.phase in {Phase.AT_GATE, Phase.AT_PLAN}
    return {
        "feedback": rejected.feedback if rejected else "",
        "comments": rejected.comments if rejected else (),
        "reviewed": run.reviewed,
        "max_attempts": run.max_retries + 1 if run.task else 0,
        "waiting_for": "" if is_decided else run.waiting_for,
        "plan": planning.plan if planning else None,
        "plan_approval": planning.approval if planning else None,
        "is_plan_approved": planning is not None and planning.is_approved,
        "sessions": tuple(
            session.model_copy(
                update={**facts.get(session.session_id, none).shown, **_waits(run, session)}
            )
            for session in sessions_of(run)
        ),
        "allocated": ports_of(run),
        "terminals": terminals_of(run),
        "output": run.output,
        "doubts": run.doubts,
        "is_review_held": run.is_review_held,
        "stats": stats,
        "money": money,
        "warnings": run.warnings,
    }


def _waits(run: TaskState, session: SessionView) -> dict[str, Any]:
    """Return for what the running turn waits, where it is this session's and its provider refused it."""
    delay = run.delay
    if delay is None or run.end is not None or run.running_session != session.session_id:
        return {}
    refusals = 0 if delay.provider in HOLDS else run.refused
    waits = {"waits_until": delay.until, "waits_for": delay.reason, "refusals": refusals}
    return {**waits, "is_over_limit": run.over_limit != ""}


def status_of(status: TaskStatus, run: TaskState) -> TaskStatus:
    """Return a task's status as people see it: one that waits for a decision of its own says so."""
    decides = any(q.kind is QuestionKind.DECISION for q in run.questions.open.values())
    is_waiting = status.is_at_work and run.phase is Phase.WAITING and decides
    return TaskStatus.NEEDS_DECISION if is_waiting else status


def ports_of(run: TaskState) -> tuple[AllocatedPort, ...]:
    """Return the ports of a run; with its end all are released."""
    if run.end is None:
        return tuple(run.allocated.values())
    return tuple(p.model_copy(update={"status": "released"}) for p in run.allocated.values())


def terminals_of(run: TaskState) -> tuple[Terminal, ...]:
    """Return the terminals of a run; with its end all have ended."""
    if run.end is None:
        return tuple(run.terminals.values())
    over = {"status": TerminalStatus.EXITED, "note": "ended with the task"}
    return tuple(
        terminal.model_copy(update=over) if terminal.is_running else terminal
        for terminal in run.terminals.values()
    )


def sessions_of(run: TaskState, *, is_earlier: bool = False) -> tuple[SessionView, ...]:
    """Return the sessions of a run; those of an earlier one are kept to be read."""
    return tuple(
        SessionView(
            session_id=each.session_id,
            role=each.role,
            agent=each.agent,
            model=each.model,
            is_archived=is_earlier,
            turns=each.turns,
            is_working=not is_earlier and run.running_session == each.session_id,
        )
        for each in run.conversations.values()
    )
