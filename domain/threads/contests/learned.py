"""What candidates have learned whose work is in what was merged: they did not complete themselves."""

from collections.abc import Iterable, Iterator

from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.tasks.status import TaskStatus
from domain.threads.contests.standing import contest_of
from domain.threads.contests.state import Contest
from domain.threads.registry import THREAD_RULES
from domain.threads.running.learnings import learnings_of
from domain.threads.state import ThreadState


@THREAD_RULES.reacts
def add_learnings_of_sources(state: ThreadState) -> Iterable[EventBody]:
    """Take what those learned whose work was put together, once that is merged; each run once."""
    for task_id, entry in state.tasks.contests():
        contest = contest_of(task_id, state)
        if entry.status is not TaskStatus.COMPLETED or contest.taken is None:
            continue
        merged = state.tasks[contest.taken]
        for name in _sources(contest.taken, contest):
            source = state.tasks[name]
            if source.learned and not source.status.is_at_work:
                yield learnings_of(name, state, commit=merged.merge_commit or merged.commit or "")


def _sources(candidate: TaskId, contest: Contest) -> Iterator[TaskId]:
    """Yield whose work a candidate's is made of, each once; nobody where it is its own."""
    found, new = {candidate}, [candidate]
    while new:
        composition = contest.compositions.get(new.pop(0))
        if composition is None:
            continue
        for name in (composition.base, *(part.candidate for part in composition.parts)):
            if name not in found:
                found.add(name)
                new.append(name)
                yield name
