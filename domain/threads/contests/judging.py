"""Rules of the judge: an agent that only reads says which work it would take, and why; it decides nothing.

It is told of the candidates by numbers, in an order that says nothing of who they are. Whatever becomes of it
holds nothing up.
"""

import hashlib
from collections.abc import Iterable

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.reports import EndSessionTurn
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId
from domain.core.text import bullets
from domain.plans.best_of import agent_choice
from domain.threads.contests.events import JudgeAsked, OpinionGiven
from domain.threads.contests.standing import contest_of
from domain.threads.contests.state import Opinion
from domain.threads.events import PromptQueued, SessionOpened, SessionsArchived
from domain.threads.registry import THREAD_RULES
from domain.threads.running.state import ThreadTask
from domain.threads.sessions import next_session
from domain.threads.state import ThreadState

MAX_OPINION = 16_000
MIN_JUDGED = 2


def in_no_order(names: Iterable[TaskId], seed: str) -> tuple[TaskId, ...]:
    """Return candidates in an order that follows from a seed alone."""
    return tuple(
        sorted(names, key=lambda name: hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest())
    )


@THREAD_RULES.reacts
def ask_judge(state: ThreadState) -> Iterable[EventBody]:
    """Ask for an opinion once for each table that is shown, where there is more than one work."""
    for task_id, entry in state.tasks.contests():
        contest, best_of = contest_of(task_id, state), entry.task.best_of
        request = contest.request
        if best_of is None or not best_of.judge or request is None or state.opened is None:
            continue
        known = contest.opinion
        if known is not None and (known.request_id == request.request_id or _is_open(known)):
            continue
        works = {
            name: each
            for name, each in state.tasks.candidates_of(task_id)
            if each.is_at_gate and not each.is_abort_requested
        }
        if len(works) < MIN_JUDGED:
            continue
        order = in_no_order(works, request.request_id)
        session_id, judge = next_session(state), agent_choice(best_of.judge)
        yield SessionOpened(
            session_id=session_id,
            role=SessionRole.REVIEWER,
            agent=judge.agent,
            model=judge.model,
        )
        yield JudgeAsked(
            task_id=task_id, request_id=request.request_id, session_id=session_id, order=order
        )
        yield PromptQueued(
            key=f"{session_id}/judge",
            session_id=session_id,
            prompt=_prompt(entry, [works[name] for name in order], state),
        )


def _is_open(opinion: Opinion) -> bool:
    return not opinion.text and not opinion.failure


def _prompt(entry: ThreadTask, works: list[ThreadTask], state: ThreadState) -> Prompt:
    task = entry.task
    base = state.opened.branch if state.opened else ""
    listed = bullets(_described(n, work, base) for n, work in enumerate(works, 1))
    steps = bullets(f"{step.label} [{step.type}: {step.subject}]" for step in task.verification)
    fields = {
        "title": task.title,
        "description": task.description,
        "works": listed,
        "verification": steps,
    }
    return Prompt(name=PromptName.JUDGE, fields=fields)


def _described(number: int, work: ThreadTask, base: str) -> str:
    progress = work.progress
    commit = progress.commit if progress else ""
    size = f"+{progress.insertions} −{progress.deletions}" if progress else ""
    tries = progress.attempts if progress else 0
    return (
        f"Work {number}: commit {commit}, {size}, passed its verification at attempt {tries}; read it with "
        f"`git diff {base}...{commit}`"
    )


def opinion_of(command: EndSessionTurn, state: ThreadState) -> tuple[EventBody, ...] | None:
    """Return what a judge's turn gives, and the end of its session; None for any other session."""
    for task_id, contest in state.contests.items():
        asked = contest.opinion
        if asked is None or asked.session_id != command.session_id:
            continue
        if not _is_open(asked):
            return ()
        text = command.text.strip()[:MAX_OPINION]
        failure = command.failure or ("its turn was stopped" if command.is_stopped else "")
        failure = failure or ("" if text else "it ended its turn without an answer")
        given = OpinionGiven(
            task_id=task_id, session_id=asked.session_id, text=text, failure=failure
        )
        return (given, *_put_away(asked.session_id))
    return None


def _put_away(session_id: SessionId) -> tuple[EventBody, ...]:
    return (
        SessionsArchived(session_ids=(session_id,)),
        PromptQueued(key=f"{session_id}/close", session_id=session_id),
    )


@THREAD_RULES.reacts
def dismiss_judge(state: ThreadState) -> Iterable[EventBody]:
    """End a judge that has not spoken once a candidate was taken, or none is left to judge."""
    for task_id, contest in state.contests.items():
        asked, entry = contest.opinion, state.tasks.get(task_id)
        is_over = entry is None or entry.is_over
        if asked is None or not _is_open(asked) or (contest.taken is None and not is_over):
            continue
        why = "a candidate was taken" if contest.taken is not None else "the task was over"
        session = state.sessions.get(asked.session_id)
        if session is None or session.is_archived:
            continue
        yield OpinionGiven(
            task_id=task_id,
            session_id=asked.session_id,
            failure=f"{why} before it answered",
        )
        yield from _put_away(asked.session_id)


# --- how each event changes a thread


def _with(state: ThreadState, task_id: TaskId, opinion: Opinion) -> ThreadState:
    contest = contest_of(task_id, state).model_copy(update={"opinion": opinion})
    return state.model_copy(update={"contests": {**state.contests, task_id: contest}})


@THREAD_RULES.evolves
def apply_judge_asked(event: JudgeAsked, state: ThreadState) -> ThreadState:
    opinion = Opinion(request_id=event.request_id, session_id=event.session_id, order=event.order)
    return _with(state, event.task_id, opinion)


@THREAD_RULES.evolves
def apply_opinion_given(event: OpinionGiven, state: ThreadState) -> ThreadState:
    asked = contest_of(event.task_id, state).opinion
    if asked is None or asked.session_id != event.session_id:
        return state
    given = {"text": event.text, "failure": event.failure}
    return _with(state, event.task_id, asked.model_copy(update=given))
