"""Rules of work that a person has put together from that of several candidates; it is verified as all."""

from collections.abc import Iterable, Mapping

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, NotFoundError, NotShownError, WrongStateError
from domain.core.ids import TaskId
from domain.core.task_names import quoted_task
from domain.core.wire import size_bytes
from domain.plans.best_of import AgentChoice, letter_of
from domain.tasks.status import TaskStatus
from domain.threads.contests.commands import MAX_FILES, MAX_FILES_BYTES, Part, PutTogether
from domain.threads.contests.deciding import candidate_of, check_room
from domain.threads.contests.effects import ComposeWork, EndComposition
from domain.threads.contests.events import CandidateComposed, CandidatePutTogether
from domain.threads.contests.standing import contest_of, is_ready
from domain.threads.contests.state import Composition, Contest, TakenFiles
from domain.threads.effects import ThreadEffect
from domain.threads.events import TaskUpdated
from domain.threads.registry import THREAD_RULES
from domain.threads.running.execution import updated
from domain.threads.running.plan_tasks import WAITING, PlanTasks
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState


def composition_of(task_id: TaskId, state: ThreadState) -> Composition | None:
    """Return what a candidate is put together from; None of any other task."""
    entry = state.tasks.get(task_id)
    above = entry.task.candidate_of if entry is not None else ""
    return contest_of(TaskId(above), state).compositions.get(task_id) if above else None


def begins_composed(composition: Composition | None, run: int) -> str | None:
    """Return the commit that a run of a candidate begins with; None where it is not put together."""
    if composition is None:
        return None
    made = composition.snapshot
    return composition.commit if made is None or run == composition.run else made.commit


def is_being_composed(task_id: TaskId, state: ThreadState) -> bool:
    """Tell whether a candidate can't start yet: its work is not put together."""
    found = composition_of(task_id, state)
    return found is not None and found.snapshot is None


@THREAD_RULES.handles
def put_together(command: PutTogether, state: ThreadState) -> Decided:
    entry = state.tasks.get(command.task_id)
    if entry is None or not entry.task.is_contest:
        raise NotFoundError(f"no agents work on {quoted_task(command.task_id)} side by side")
    contest = contest_of(command.task_id, state)
    known = contest.request
    if known is None or (known.request_id, known.content_hash) != (
        command.request_id,
        command.content_hash,
    ):
        raise NotShownError(
            f"the candidates of {quoted_task(command.task_id)} have changed: look again"
        )
    if state.opened is not None and state.opened.beside:
        raise WrongStateError("work on several repositories is taken whole: take one candidate")
    candidates = state.tasks.candidates_of(command.task_id)
    check_room(entry, contest, len(candidates), state)
    own = dict(candidates)
    base = _ready(command.base, contest, own)
    parts = tuple(_taken(part, _ready(part.candidate, contest, own)) for part in command.parts)
    _check_files(command)
    choice = AgentChoice(base.task.agent or "", base.task.model)
    task = candidate_of(entry.task, len(candidates), choice)
    composition = Composition(
        run=state.runs.get(task.id, 0) + 1,
        base=command.base,
        commit=_commit(base),
        parts=parts,
    )
    composed = CandidateComposed(
        task_id=command.task_id, task=task, composition=composition, by=command.by
    )
    words = f"candidate {letter_of(task.id)} is being put together, and is then verified"
    return Decided((composed,), Answer(message=words, data={"candidate": task.id}))


def _ready(
    candidate: TaskId, contest: Contest, candidates: Mapping[TaskId, ThreadTask]
) -> ThreadTask:
    """Return a candidate of the task itself: nothing else was shown under the request."""
    entry = candidates.get(candidate)
    if entry is None or not is_ready(candidate, entry, contest):
        raise WrongStateError(f"candidate {candidate!r} has no verified work to take files of")
    return entry


def _commit(entry: ThreadTask) -> str:
    return entry.progress.commit or "" if entry.progress else ""


def _taken(part: Part, entry: ThreadTask) -> TakenFiles:
    return TakenFiles(candidate=part.candidate, commit=_commit(entry), files=part.files)


def _check_files(command: PutTogether) -> None:
    files = [file for part in command.parts for file in part.files]
    if len(files) != len(set(files)):
        raise InvalidError("a file is taken of one candidate: name each once")
    if len(files) > MAX_FILES or size_bytes(files) > MAX_FILES_BYTES:
        raise InvalidError(
            f"at most {MAX_FILES} files are taken at once, their paths with {MAX_FILES_BYTES} bytes"
        )
    for file in files:
        steps = file.split("/")
        if not file.isprintable() or not {"", ".", ".."}.isdisjoint(steps):
            raise InvalidError(f"{file[:80]!r} is not a path in the repository, like 'src/a.py'")
    if any(part.candidate == command.base for part in command.parts):
        raise InvalidError("its own files are there already: name those of other candidates")


@THREAD_RULES.handles
def end_composition(command: EndComposition, state: ThreadState) -> Decided:
    found = composition_of(command.candidate, state)
    if found is None or found.run != command.run or found.snapshot is not None:
        return Decided()
    entry = state.tasks[command.candidate]
    failure = _with_letters(command.failure, found)
    made = CandidatePutTogether(
        task_id=entry.task.candidate_of,
        candidate=command.candidate,
        snapshot=command.snapshot,
        failure=failure,
    )
    if not failure or entry.status not in WAITING:
        return Decided((made,))
    return Decided((made, updated(state, command.candidate, TaskStatus.FAILED, failure)))


def _with_letters(failure: str, composition: Composition) -> str:
    """Return a failure that names candidates by their letters where it has their commits."""
    commits = {part.commit: part.candidate for part in composition.parts}
    for commit, candidate in {**commits, composition.commit: composition.base}.items():
        if commit:
            failure = failure.replace(commit[:12], f"the work of {letter_of(candidate)}")
    return failure


@THREAD_RULES.requires
def compose_work(state: ThreadState) -> Iterable[ThreadEffect]:
    """Have work put together before its candidate starts; once it has failed, when that is retried."""
    for task_id, _ in state.tasks.contests():
        for name, composition in contest_of(task_id, state).compositions.items():
            entry = state.tasks.get(name)
            is_waiting = entry is not None and entry.status in WAITING
            if is_waiting and composition.snapshot is None and not composition.failure:
                yield ComposeWork(task_id=name, run=composition.run, composition=composition)


# --- how each event changes a thread


def _with(state: ThreadState, candidate: TaskId, composition: Composition) -> ThreadState:
    above = state.tasks[candidate].task.candidate_of
    contest = contest_of(above, state)
    compositions = {**contest.compositions, candidate: composition}
    changed = contest.model_copy(update={"compositions": compositions})
    return state.model_copy(update={"contests": {**state.contests, above: changed}})


@THREAD_RULES.evolves
def apply_candidate_composed(event: CandidateComposed, state: ThreadState) -> ThreadState:
    entries = {**state.tasks.everything, event.task.id: ThreadTask(task=event.task)}
    after = state.model_copy(update={"tasks": PlanTasks.of(entries)})
    return _with(after, event.task.id, event.composition)


@THREAD_RULES.evolves
def apply_put_together(event: CandidatePutTogether, state: ThreadState) -> ThreadState:
    before = composition_of(event.candidate, state)
    if before is None:
        return state
    made = {"snapshot": event.snapshot, "failure": event.failure}
    return _with(state, event.candidate, before.model_copy(update=made))


@THREAD_RULES.evolves
def apply_composed_again(event: TaskUpdated, state: ThreadState) -> ThreadState:
    """Forget why work could not be put together once its candidate is retried."""
    found = composition_of(event.task_id, state)
    if found is None or not found.failure or event.new_status is not TaskStatus.PENDING:
        return state
    return _with(state, event.task_id, found.model_copy(update={"failure": ""}))
