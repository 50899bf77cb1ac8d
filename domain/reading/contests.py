"""The table of a task that several agents do at once: what each came to, side by side."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from domain.core.ids import WORK, TaskId
from domain.plans.best_of import BestOf, agent_choice, letter_of
from domain.plans.supervision import strays
from domain.reading.contest_views import CandidateView, ContestView, OpinionView
from domain.reading.views import TaskView
from domain.threads.contests.standing import contest_of, standing
from domain.threads.contests.state import Composition, Contest
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

MAX_NAMED = 20


def works_of(state: ThreadState, view_of: Callable[[ThreadTask], TaskView]) -> dict[str, Any]:
    """Return the tasks of a thread, their candidates and the tables of those, as its view has them."""
    entries = state.tasks.everything.values()
    shown = {e.task.id: view_of(e) for e in entries if e.task.candidate_of}
    return {
        "tasks": tuple(view_of(t) for name, t in state.tasks.items() if name != WORK),
        "work": view_of(state.work) if state.work else None,
        "candidates": tuple(shown.values()),
        "contests": tuple(_contests_of(state, lambda entry: shown[entry.task.id])),
    }


def _contests_of(
    state: ThreadState, view_of: Callable[[ThreadTask], TaskView]
) -> Iterator[ContestView]:
    """Yield the tables of a thread's tasks; `view_of` shows a candidate as a task."""
    for task_id, entry in state.tasks.contests():
        contest, best_of = contest_of(task_id, state), entry.task.best_of or BestOf()
        yield ContestView(
            task_id=task_id,
            title=entry.task.title,
            ends=best_of.ends,
            judge=best_of.judge,
            request=contest.request,
            taken=contest.taken,
            is_over=contest.is_over,
            opinion=_opinion(contest, best_of),
            candidates=tuple(
                _row(each, view_of(each), state, task_id)
                for _, each in state.tasks.candidates_of(task_id)
            ),
        )


def _opinion(contest: Contest, best_of: BestOf) -> OpinionView | None:
    found, judge = contest.opinion, agent_choice(best_of.judge)
    if found is None:
        return None
    return OpinionView(
        agent=judge.agent,
        model=judge.model,
        session_id=found.session_id,
        letters=tuple(map(letter_of, found.order)),
        text=found.text,
        failure=found.failure,
        is_of_now=contest.request is None or contest.request.request_id == found.request_id,
    )


def _row(entry: ThreadTask, view: TaskView, state: ThreadState, task_id: TaskId) -> CandidateView:
    contest, task, snapshot = contest_of(task_id, state), entry.task, view.snapshot
    steps = view.attempts[-1].steps if view.attempts else ()
    findings = Counter(str(f.severity) for step in steps for f in step.findings)
    return CandidateView(
        candidate=task.id,
        letter=letter_of(task.id),
        agent=task.agent or "",
        model=task.model,
        standing=standing(task.id, entry, contest),
        is_first=contest.passed[:1] == (task.id,),
        run=entry.run,
        commit=snapshot.commit if snapshot else "",
        notes=entry.notes,
        made_of=_made_of(contest.compositions.get(task.id)),
        passed=sum(step.passed for step in steps),
        failed=tuple(step.label or step.step_id for step in steps if not step.passed)[:MAX_NAMED],
        attempts=len(view.attempts),
        findings=dict(sorted(findings.items())),
        files=snapshot.file_count or len(snapshot.files) if snapshot else 0,
        insertions=snapshot.insertions if snapshot else 0,
        deletions=snapshot.deletions if snapshot else 0,
        work_ms=view.work_ms or round(view.stats.duration_seconds * 1000),
        turns=view.turns,
        stats=view.stats,
        risks=tuple(_risks(entry, view)),
    )


def _made_of(composition: Composition | None) -> str:
    """Return what work was put together from: `B with src/app.py of A`; empty for an agent's own."""
    if composition is None:
        return ""
    parts = (
        f"{', '.join(part.files[:MAX_NAMED])}{' …' * (len(part.files) > MAX_NAMED)} of {letter_of(part.candidate)}"
        for part in composition.parts
    )
    return f"{letter_of(composition.base)} with {'; '.join(parts)}"


def _risks(entry: ThreadTask, view: TaskView) -> Iterator[str]:
    """Yield what a person should know before they trust the work."""
    yield from view.doubts
    snapshot = view.snapshot
    if snapshot is None:
        return
    if snapshot.planted:
        yield f"can run code: {', '.join(snapshot.planted[:MAX_NAMED])}"
    if snapshot.judges and not view.doubts:
        yield f"changes its own verification: {', '.join(snapshot.judges[:MAX_NAMED])}"
    if stray := strays(snapshot.files, entry.task.area):
        yield f"outside its area: {', '.join(stray[:MAX_NAMED])}"
