"""Where the candidates of a task stand: what the table shows, and what a choice binds to."""

from collections.abc import Iterable

from domain.core.approvals import ApprovalRequest, Choice, content_hash
from domain.core.ids import TaskId
from domain.core.progress import ReadyGate
from domain.tasks.status import TaskStatus
from domain.threads.contests.state import CandidateRow, CandidateStanding, Contest, ContestContent
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

Candidates = list[tuple[TaskId, ThreadTask]]


def contest_of(task_id: TaskId, state: ThreadState) -> Contest:
    """Return where the contest of a task stands; one that nothing is known of has not begun."""
    return state.contests.get(task_id, Contest())


def gate_of(entry: ThreadTask) -> ReadyGate | None:
    """Return the gate at which a candidate's work waits."""
    return entry.progress.gate if entry.is_at_gate and entry.progress else None


def is_ready(candidate: TaskId, entry: ThreadTask, contest: Contest) -> bool:
    """Tell whether a candidate's work can be chosen: it passed, and nothing was decided of it yet."""
    gate, decided = gate_of(entry), contest.decided.get(candidate)
    if gate is None or entry.is_abort_requested:
        return False
    return decided is None or decided.gate != gate.request_id


def standing(candidate: TaskId, entry: ThreadTask, contest: Contest) -> CandidateStanding:
    """Return where a candidate stands."""
    if entry.status is TaskStatus.COMPLETED:
        return CandidateStanding.MERGED
    if contest.taken == candidate:
        return CandidateStanding.TAKEN
    if is_ready(candidate, entry, contest):
        return CandidateStanding.READY
    if entry.status is TaskStatus.FAILED:
        return CandidateStanding.FAILED
    if entry.is_over or entry.is_abort_requested:
        return CandidateStanding.STOPPED
    return CandidateStanding.WORKING if entry.status.is_at_work else CandidateStanding.WAITING


def rows_of(candidates: Candidates, contest: Contest) -> tuple[CandidateRow, ...]:
    """Return the candidates as a choice binds to them."""
    return tuple(_row(name, entry, contest) for name, entry in candidates)


def _row(name: TaskId, entry: ThreadTask, contest: Contest) -> CandidateRow:
    found = standing(name, entry, contest)
    progress, gate = entry.progress, gate_of(entry)
    is_shown = found is CandidateStanding.READY and progress is not None and gate is not None
    shown = {
        "commit": progress.commit or "" if progress else "",
        "tree": progress.tree or "" if progress else "",
        "gate": gate.content_hash if gate else "",
    }
    return CandidateRow(
        candidate=name, run=entry.run, standing=found, **(shown if is_shown else {})
    )


def hash_of(task_id: TaskId, rows: Iterable[CandidateRow]) -> str:
    """Return what a choice names of what was shown."""
    return content_hash(ContestContent(task_id=task_id, rows=tuple(rows)))


def is_sent_back(contest: Contest, candidate: TaskId) -> bool:
    """Tell whether a candidate was told last to go on."""
    decided = contest.decided.get(candidate)
    return decided is not None and decided.outcome.choice is Choice.REJECT


def asked_of(request: ApprovalRequest, state: ThreadState) -> TaskId | None:
    """Return the task whose candidates a request is about; None for any other request."""
    for task_id, contest in state.contests.items():
        if contest.request is not None and contest.request.request_id == request.request_id:
            return task_id
    return None


def taken_of(task_id: TaskId, state: ThreadState) -> TaskId | None:
    """Return the candidate of a task that was taken; None of any other task, and before."""
    contest = state.contests.get(task_id)
    return contest.taken if contest is not None else None
