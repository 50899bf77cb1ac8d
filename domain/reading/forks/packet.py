"""The handoff packet of a fork: what the new thread's agents are told of the one that it comes from."""

import re
from collections.abc import Iterable

from domain.core.approvals import Outcome
from domain.core.ids import WORK
from domain.plans.handoff import bounded, handoff, listed, section
from domain.reading.projection import ThreadFold
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import describe_learnings
from domain.tasks.status import TaskStatus
from domain.threads.checkpoints import Checkpoint
from domain.threads.contests.standing import taken_of
from domain.threads.evolution import with_task
from domain.threads.running.health import task_table
from domain.threads.state import ThreadState

MAX_PART = 6_000
"""Characters of a part, so that none crowds the others out."""

_HEADING = re.compile(r"^(#+ )", re.MULTILINE)


def packet(fold: ThreadFold, checkpoint: Checkpoint) -> str:
    """Return the packet of a thread as it stood, as Markdown; the same moment gives the same text."""
    state = _merged(fold.thread)
    talk = checkpoint.session_id if checkpoint.task_id and checkpoint.session_id else ""
    last_words = fold.recall.last_words(talk or state.thread_id)
    parts = [
        section("Goal there", state.goal),
        section("Where it stood", _progress(state, checkpoint)),
        section("What it was told at its start", _part(_below(_context(state)))),
        section("Decided there", _part(listed(_decided(fold)))),
        section("Its tasks", _tasks(state, checkpoint)),
        section("Learned there", _part(describe_learnings(state.learnings))),
        section(
            "Said last", _part(listed(f"{each.who}: {_inside(each.text)}" for each in last_words))
        ),
        section("Its plan", _part(_below(_plan(state)))),
    ]
    return bounded(_below("\n\n".join(part for part in parts if part)))


def _below(text: str) -> str:
    """Put the headings of a text below the one that it stands under."""
    return _HEADING.sub(r"#\1", text)


def _inside(text: str) -> str:
    """Indent all but the first line, so that words of an agent can't look like a section."""
    return text.replace("\n", "\n  ")


def _merged(state: ThreadState) -> ThreadState:
    """Return the state with tasks completed that were just merged: that is told an event later.

    One that several agents do is, once the work of the one that was taken is.
    """
    for task_id, entry in state.tasks.items():
        taken = taken_of(task_id, state)
        done = state.tasks[taken] if taken else entry
        is_merged = bool(done.merge_commit) and done.end is TaskEnd.ACCEPTED
        if entry.status.is_at_work and (is_merged or done.status is TaskStatus.COMPLETED):
            state = with_task(state, task_id, status=TaskStatus.COMPLETED)
    return state


def _tasks(state: ThreadState, checkpoint: Checkpoint) -> str:
    table = _part(task_table(state))
    if not table or not checkpoint.is_of_branch:
        return table
    return f"Of these, only the work of completed ones is in your checkout.\n\n{table}"


def _context(state: ThreadState) -> str:
    """Return what a child was told of its parent's plan, or a fork of the thread before it."""
    return state.opened.context if state.opened else ""


def _progress(state: ThreadState, checkpoint: Checkpoint) -> str:
    where = "its work" if checkpoint.task_id == WORK else checkpoint.stream
    where = "its branch" if checkpoint.is_of_branch else where
    waiting = f", waiting for {state.waiting_for}" if state.waiting_for else ""
    return (
        f"The thread {state.thread_id} was {state.status}{waiting}. The files in your checkout are "
        f"those of {where} after {checkpoint.label!r} (commit {checkpoint.commit[:12]}). It goes on by "
        "itself: nothing that you do changes it."
    )


def _decided(fold: ThreadFold) -> Iterable[str]:
    """Yield the decisions of people: on plans and gates, and of choices that a plan left to them."""
    outcomes = [*fold.thread.outcomes.values()]
    outcomes += [outcome for task in fold.tasks.values() for outcome in task.outcomes.values()]
    yield from (_outcome(outcome) for outcome in outcomes)
    for made in fold.thread.decisions.values():
        if made.selections:
            yield f"{made.decision.question} {', '.join(made.selections)}"


def _outcome(outcome: Outcome) -> str:
    words = f": {_inside(outcome.full_feedback)}" if outcome.full_feedback else ""
    return f"{outcome.request_id}: {outcome.choice} by {outcome.by}{words}"


def _plan(state: ThreadState) -> str:
    """Return the approved plan as its agents were told it, else the newest that was proposed."""
    if state.handoff or not state.plans or state.opened is None:
        return state.handoff
    return handoff(state.plans[-1].plan, state.opened.template, is_digested=True)


def _part(text: str) -> str:
    return text if len(text) <= MAX_PART else f"{text[:MAX_PART]} [… cut]"
