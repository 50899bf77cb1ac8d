"""Trials: the runs of tasks by which agents are compared, each counted once, when it ends.

A run is a trial of its agent and model if one of them worked on it up to its first verdict, and that
verdict says something: there were steps, all of them could be made. A run that failed before any verdict
counts as not passed; one that was aborted before it, that resolves a conflict or that was composed of others' work
counts for nothing. The first runs of candidates are also compared with each other.
"""

from datetime import datetime

from domain.agents.agents import SessionRole
from domain.agents.spending import Taken, taken_by
from domain.conversations.events import AgentSwitched, TurnDelayed, TurnEnded, TurnSlept
from domain.core.ids import thread_of
from domain.core.money import USD, Money
from domain.reading.report.state import FollowedTrial, StreamState, counts
from domain.reading.report.tally import Tally, Trial, Who
from domain.tasks import events as task_events
from domain.tasks.events import TaskEnd


@counts(task_events.TaskOpened)
def _opened(state: StreamState, event: task_events.TaskOpened, at: datetime) -> None:
    del at
    state.trial = None
    if event.conflict is None and event.composed is None:
        task = event.task
        who = Who(event.agent, event.model or "", task.owner or task.mode)
        is_first = bool(task.candidate_of) and event.run == 1
        contest = f"{thread_of(event.session_id)}/{task.candidate_of}" if is_first else ""
        state.trial = FollowedTrial(who, event.session_id, contest=contest)


@counts(AgentSwitched)
def _switched(state: StreamState, event: AgentSwitched, at: datetime) -> None:
    del at
    trial = state.trial
    if trial is None or event.session_id != trial.session_id or trial.passed is not None:
        return
    is_same = (event.agent, event.model or "") == (trial.who.agent, trial.who.model)
    trial.is_mixed = trial.is_mixed or not is_same


@counts(task_events.VerificationStepEnded)
def _step_ended(state: StreamState, event: task_events.VerificationStepEnded, at: datetime) -> None:
    del at
    result = event.result
    if state.trial is not None and event.attempt == 1 and result.is_required:
        state.trial.is_unclear = state.trial.is_unclear or not result.is_executed


@counts(task_events.VerificationEnded)
def _verified(state: StreamState, event: task_events.VerificationEnded, at: datetime) -> None:
    del at
    trial = state.trial
    if trial is None or event.attempt != 1 or event.held:
        return
    trial.passed = event.passed
    trial.is_unclear = not event.has_steps or (trial.is_unclear and not event.passed)


@counts(TurnEnded)
def _turn_ended(state: StreamState, event: TurnEnded, at: datetime) -> None:
    del at
    if _is_of_worker(state, event.session_id):
        _spend(state, taken_by(event.result), is_over=True)


@counts(TurnDelayed, TurnSlept)
def _turn_held(state: StreamState, event: TurnDelayed | TurnSlept, at: datetime) -> None:
    del at
    if event.taken is not None and _is_of_worker(state, event.session_id):
        _spend(state, event.taken, is_over=False)


def _is_of_worker(state: StreamState, session_id: str) -> bool:
    return state.agents[session_id].role is SessionRole.TASK


def _spend(state: StreamState, taken: Taken, *, is_over: bool) -> None:
    trial = state.trial
    if trial is None:
        return
    trial.has_turns = True
    trial.took_ms += taken.duration_ms
    money = taken.cost
    trial.spent += money.spent
    is_told = money != Money() or not is_over
    trial.is_unpriced |= not is_told or not money.is_exact or money.included_turns > 0


@counts(task_events.TaskEnded)
def _ended(state: StreamState, event: task_events.TaskEnded, at: datetime) -> None:
    trial, state.trial = state.trial, None
    if trial is None or trial.is_mixed or trial.is_unclear:
        return
    if trial.passed is None and event.end is not TaskEnd.FAILED:
        return
    count_trial(state.book.at(at), trial)


def count_trial(tally: Tally, trial: FollowedTrial) -> None:
    """Count a trial, with what it cost where that is known of all its turns, and none was on a flat plan.

    Where several agents did the same task at once, each of their trials has the same `contest`.
    """
    is_priced = trial.has_turns and not trial.is_unpriced
    price = (USD, trial.spent) if is_priced else ("", None)
    counted = Trial(bool(trial.passed), trial.took_ms, *price)
    tally.trials[trial.who].append(counted)
    if trial.contest:
        tally.contests[trial.contest].append((trial.who, bool(trial.passed)))
