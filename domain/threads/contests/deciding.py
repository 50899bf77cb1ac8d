"""Rules of what people decide of a contest: whose work is taken, who goes on, who is added."""

from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.command import Answer, Verdict
from domain.core.decisions import Decided, answer_of, settle_verdict
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    WrongStateError,
)
from domain.core.four_eyes import counted, with_others
from domain.core.ids import RequestId, TaskId
from domain.core.task_names import quoted_task
from domain.core.text import counted as number_of
from domain.plans.best_of import MAX_IN_ALL, AgentChoice, letter_of
from domain.plans.plan import PlannedTask
from domain.threads.contests.commands import AddCandidate, Take
from domain.threads.contests.events import CandidateAdded, CandidatesSentBack, CandidateTaken
from domain.threads.contests.standing import asked_of, contest_of, gate_of, is_ready
from domain.threads.contests.state import CandidateDecision, Contest
from domain.threads.registry import THREAD_RULES
from domain.threads.requests import needed_for
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState


@THREAD_RULES.handles
def take_candidate(command: Take, state: ThreadState) -> Decided:
    _refuse_other(command, state)
    request = state.requests.get(command.request_id)
    _refuse_stale(command, request)
    outcome = settle_verdict(command, request, state.outcomes)
    if outcome is None or request is None:
        return Decided(answer=answer_of(state.outcomes[command.request_id]))
    task_id = _asked(request, state)
    entry = _ready_one(command.candidate, task_id, state)
    outcome = outcome.model_copy(update={"candidate": command.candidate})
    # several people approve the same work, not each another one's
    of_one = request.model_copy(
        update={"request_id": RequestId(f"{request.request_id}/{command.candidate}")}
    )
    if (more := counted(needed_for(request, state), state.given, of_one, outcome)) is not None:
        return more
    named = outcome.model_copy(update={"request_id": of_one.request_id})
    outcome = outcome.model_copy(update={"others": with_others(named, state.given).others})
    taken = taken_by(task_id, command.candidate, entry, outcome)
    return Decided((taken,), answer_of(outcome))


def _refuse_other(command: Take, state: ThreadState) -> None:
    """Refuse another choice than the one that was made: of two people the first decides."""
    earlier = state.outcomes.get(command.request_id)
    if earlier is not None and earlier.candidate and earlier.candidate != command.candidate:
        raise AlreadyDecidedError(
            f"candidate {letter_of(earlier.candidate)} was taken already by {earlier.by!r}"
        )


def _refuse_stale(command: Take, request: ApprovalRequest | None) -> None:
    """Say of a request that is open no more what happened, where it was one of a contest."""
    if request is not None and request.subject is not Subject.BEST_OF:
        raise InvalidError(
            f"request {command.request_id!r} is about a {request.subject.phrase}: approve it"
        )


def _asked(request: ApprovalRequest, state: ThreadState) -> TaskId:
    if (task_id := asked_of(request, state)) is None:
        raise NotFoundError(f"no candidates wait for request {request.request_id!r}")
    return task_id


def _ready_one(candidate: TaskId, task_id: TaskId, state: ThreadState) -> ThreadTask:
    contest, candidates = contest_of(task_id, state), state.tasks.candidates_of(task_id)
    ready = [name for name, entry in candidates if is_ready(name, entry, contest)]
    if candidate in ready:
        return state.tasks[candidate]
    listed = ", ".join(ready)
    if candidate not in dict(candidates):
        raise NotFoundError(
            f"{quoted_task(task_id)} has no candidate {candidate!r}; ready: {listed}"
        )
    raise WrongStateError(f"candidate {candidate!r} has no verified work; ready: {listed}")


def taken_by(
    task_id: TaskId, candidate: TaskId, entry: ThreadTask, outcome: Outcome
) -> CandidateTaken:
    """Return the choice of a candidate whose work is ready."""
    return CandidateTaken(
        task_id=task_id,
        candidate=candidate,
        agent=entry.task.agent or "",
        model=entry.task.model,
        request_id=outcome.request_id,
        decision=_decision(entry, outcome),
    )


def _decision(entry: ThreadTask, outcome: Outcome) -> CandidateDecision:
    gate, progress = gate_of(entry), entry.progress
    return CandidateDecision(
        run=entry.run,
        gate=gate.request_id if gate else RequestId(""),
        content_hash=gate.content_hash if gate else "",
        commit=progress.commit or "" if progress else "",
        outcome=outcome,
    )


@THREAD_RULES.decides(Subject.BEST_OF)
def decide_contest(
    verdict: Verdict, request: ApprovalRequest, outcome: Outcome, state: ThreadState
) -> Decided:
    """Send all candidates back with the feedback; an approval must say whose work it takes."""
    del verdict
    task_id = _asked(request, state)
    contest = contest_of(task_id, state)
    ready = [
        (name, entry)
        for name, entry in state.tasks.candidates_of(task_id)
        if is_ready(name, entry, contest)
    ]
    if outcome.choice is Choice.APPROVE:
        letters = ", ".join(letter_of(name) for name, _ in ready)
        raise InvalidError(f"say whose work is taken, of {letters}: `treadle take`")
    decisions = {name: _decision(entry, outcome) for name, entry in ready}
    sent = CandidatesSentBack(
        task_id=task_id, request_id=request.request_id, outcome=outcome, decisions=decisions
    )
    return Decided((sent,))


# --- more candidates


@THREAD_RULES.handles
def add_candidate(command: AddCandidate, state: ThreadState) -> Decided:
    entry = state.tasks.get(command.task_id)
    if entry is None or not entry.task.is_contest:
        raise NotFoundError(f"no agents work on {quoted_task(command.task_id)} side by side")
    contest, task = contest_of(command.task_id, state), entry.task
    candidates = state.tasks.candidates_of(command.task_id)
    planned = {*contest.compositions, *(each.id for each in task.candidates)}
    choice = AgentChoice(command.agent.strip(), command.model)
    _check_choice(choice)
    same = [n for n, e in candidates if (e.task.agent, e.task.model) == choice]
    waiting = [n for n in same if n not in planned and not state.tasks[n].is_over]
    if waiting:
        return Decided(answer=_added(waiting[0]))
    check_room(entry, contest, len(candidates), state)
    if same:
        raise InvalidError(f"{choice.text!r} is candidate {letter_of(same[0])} already: retry that")
    new = candidate_of(task, len(candidates), choice)
    event = CandidateAdded(task_id=command.task_id, task=new, by=command.by)
    return Decided((event,), _added(new.id))


def _check_choice(choice: AgentChoice) -> None:
    if not choice.agent or not choice.text.isprintable():
        raise InvalidError(f"{choice.text!r} names no agent: write AGENT or AGENT:MODEL")


def check_room(entry: ThreadTask, contest: Contest, count: int, state: ThreadState) -> None:
    """Refuse one more candidate where the contest is over, or there are too many.

    Raises:
        WrongStateError: With what can be done instead.
    """
    name = quoted_task(entry.task.id)
    if not state.plan_status.is_live or entry.is_over or entry.is_abort_requested:
        raise WrongStateError(f"{name} is {entry.status}: retry it first")
    if contest.taken is not None:
        raise WrongStateError(f"candidate {letter_of(contest.taken)} of {name} was taken already")
    if count >= MAX_IN_ALL:
        raise WrongStateError(
            f"{name} already has {number_of(count, 'candidate')}; at most {MAX_IN_ALL}"
        )


def candidate_of(task: PlannedTask, place: int, choice: AgentChoice) -> PlannedTask:
    """Return the task of one more candidate; it has the share that the first ones have."""
    parts = len(task.best_of.agents) if task.best_of else 1
    return task.candidate(place, choice.agent, choice.model, parts)


def _added(candidate: TaskId) -> Answer:
    return Answer(message=f"candidate {letter_of(candidate)} starts", data={"candidate": candidate})
