"""What happens to a plan that runs, and around it: tasks, conflicts, amendments, children, chats."""

from typing import Any

from domain.conversations.commands import MergeSession, OpenSession, SendMessage
from domain.conversations.reports import EndSessionTurn
from domain.core.ids import SessionId, TaskId
from domain.core.progress import TaskProgress
from domain.core.wire import Wire
from domain.core.workspaces import Collision, MergeResult, Snapshot
from domain.tasks.agent_commands import EnrichTask, ProposeAmendment, Recommend
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningKind
from domain.tasks.running_commands import (
    Abort,
    AbortAll,
    Cancel,
    ConflictChoice,
    Pause,
    Publish,
    ResolveConflict,
    Resume,
    Retry,
)
from domain.threads import rules
from domain.threads.children.commands import AskChild, NoteChild, StopChild
from domain.threads.children.events import ChildReport
from domain.threads.commands import EndTask, MarkDelivered, NoteProgress, SettleTask
from domain.threads.lifecycle.effects import EndDocument, WriteDocument
from domain.threads.merging.chats import prompt_key
from domain.threads.merging.effects import (
    ConflictReady,
    DropConflictWork,
    EndConflictWork,
    EndSessionMerge,
    NoteCollisions,
    TakeConflict,
)
from domain.threads.planning.commands import Amend, RequestAmendment
from domain.threads.publishing.effects import EndPush
from domain.threads.publishing.publication import PushedBranch
from domain.threads.sharing.rules import AskDirectory, FreeDirectory
from domain.threads.shown import conflict_hash
from domain.threads.state import ThreadState
from tests.domain.life_acts import ACTS, TASKS, act, new_id, pick


def some_changes(state: ThreadState, a: int, b: int) -> list[dict[str, Any]]:
    """Return changes of the present plan, some of which are impossible."""
    found: list[dict[str, Any]] = []
    for n in range(1 + b % 2):
        name = pick([*state.tasks, *TASKS], a + n)
        needs = [need for need in [pick(state.tasks, b + n)] if need and (a + n) % 3 == 0]
        match (a + b + 2 * n) % 6:
            case 0 | 1:
                new = pick(TASKS, a + b)
                found.append(
                    {"change": "add", "task": {"id": new, "title": "N", "depends_on": needs}}
                )
            case 2:
                fields = {"title": f"changed {b}", "depends_on": needs}
                found.append({"change": "modify", "task_id": name, "task": fields})
            case 3:
                found.append({"change": "remove", "task_id": name})
            case 4:
                found.append({"change": "abort", "task_id": name})
            case _:
                found.append({"change": "reorder", "order": [name]})
    return found


def _amendment(state: ThreadState, a: int, b: int, *, is_new: bool) -> dict[str, Any]:
    base = state.amending.version if is_new else max(1, state.amending.version - 1)
    return {"why": "better", "base_version": base, "changes": some_changes(state, a, b)}


# --- the running plan


@act
def steer(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state, yes
    kinds = [Pause, Resume, Resume, AbortAll]
    if b == 0:
        kinds = [Cancel]
    return pick(kinds, a)(command_id=new_id(), by="p")


@act
def abort_or_retry(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    name = TaskId(pick([*state.tasks, "nobody"], a))
    if yes or b % 2:
        commit = "a" * 40 if b % 3 == 0 else ""
        return Retry(task_id=name, commit=commit, command_id=new_id())
    return Abort(task_id=name, by="p")


@act
def amend(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    amendment = _amendment(state, a, b, is_new=yes or b % 4 != 0)
    if yes:
        return Amend(amendment=amendment, command_id=new_id(), by="p")
    return ProposeAmendment(session_id=pick(state.sessions, a), amendment=amendment)


@act
def request_amendment(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state, a, b, yes
    return RequestAmendment(text="otherwise", command_id=new_id(), by="p")


@act
def advise(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    session, name = pick(state.sessions, b), TaskId(pick([*state.tasks, "nobody"], a))
    if yes:
        return EnrichTask(session_id=session, task_id=name, context=f"know {b}")
    action = pick(["abort", "retry", "pause", "continue"], b)
    return Recommend(session_id=session, action=action, task_id=name, reason="so")


# --- what tasks, children and activities do


@act
def progress(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    name = TaskId(pick([*state.tasks, "nobody"], a))
    run = state.tasks[name].run if name in state.tasks else 1
    told = TaskProgress(
        task_id=name, run=run, turns=b, commit=f"commit {name} {run} {b % 3}", is_planning=yes
    )
    return NoteProgress(progress=told)


@act
def end_task(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    """End a run that is under way, or one of long ago."""
    working = [n for n, e in state.tasks.items() if e.status.is_at_work and e.end is None]
    name = TaskId(pick(working if b % 6 else state.tasks, a) or "nobody")
    run = (state.tasks[name].run if name in state.tasks else 1) - (b % 9 == 0)
    end = TaskEnd.ACCEPTED if yes or b % 3 else pick(TaskEnd, b)
    learned = Learning(learning=LearningKind.NEXT, text=f"{name} {run} {b}", task_id=name, run=run)
    commit = f"commit {name} {run}" if end is TaskEnd.ACCEPTED else None
    ended = EndTask(task_id=name, run=run, end=end, commit=commit, learnings=(learned,))
    child = state.family.child_of(name, run)
    if child is None:
        return ended
    report = ChildReport(
        thread_id=child.thread_id, task_id=name, run=run, number=b + 1, end=end if yes else None
    )
    return NoteChild(report=report.model_copy(update={"commit": commit}))


@act
def settle(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    if not state.settling:
        return None
    name = state.settling[0]
    merge = MergeResult(commit="d" * 40)
    if not yes:
        merge = MergeResult(conflicts=("x.py",)) if a % 3 else MergeResult(failure="no")
    return SettleTask(task_id=name, run=state.tasks[name].run, merge=merge)


@act
def resolve(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    found = pick(state.merges.open.values(), a)
    if found is None:
        return None
    shown = conflict_hash(found.conflict) if b % 9 else "0" * 64
    choices = [ConflictChoice.BY_HAND, ConflictChoice.DONE] if yes else list(ConflictChoice)
    answer = {"how": pick(choices, b), "content_hash": shown, "by": "p", "command_id": new_id()}
    return ResolveConflict(**found.conflict.whose, **answer)


@act
def end_resolving(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    """Answer as a chat does whose agent resolves a conflict, some of it late."""
    chats = [c for c in state.merges.open.values() if c.conflict.session_id]
    found = pick(chats, a)
    if found is None:
        return None
    session_id = SessionId(found.conflict.subject)
    left = () if yes else ("x.py",)
    made = Snapshot(commit=f"chat {b}", tree="t", base="0" * 40, unresolved=left)
    key = prompt_key(session_id, max(found.run - b % 2, 1))
    return EndSessionTurn(
        session_id=session_id,
        turn=b,
        prompt_key=key,
        snapshot=made if b % 4 else None,
        is_stopped=b % 7 == 0,
    )


@act
def work_by_hand(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    """Answer as the activities of conflicts do."""
    drops = [e for e in rules.effects(state) if isinstance(e, DropConflictWork)]
    if drops and b % 4 == 0:
        return EndConflictWork(work=drops[0].work)
    name = pick(state.merges.open, a)
    if name is None:
        return None
    run = state.merges.open[name].run
    if b % 2:
        return ConflictReady(subject=name, run=run, path="/x", failure="" if yes else "no room")
    left = () if yes else ("x.py",)
    base = "0" * 40
    made = Snapshot(commit=f"hand {name} {run}", tree="t", base=base, unresolved=left)
    return TakeConflict(subject=name, run=run, snapshot=made)


@act
def collide(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    name, other = TaskId(pick([*state.tasks, "nobody"], a)), pick([*state.tasks, "treadle/x"], b)
    found = (Collision(first=name, second=other, files=("x.py",)),) if yes else ()
    return NoteCollisions(task_id=name, commit=f"commit {a}", found=found)


# --- all the rest


@act
def talk(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    words = pick(["hello", "/plan status", "/plan pause", "/plan resume", "/plan retry a"], b)
    if yes:
        return SendMessage(text=words, command_id=new_id(), by="p")
    own = bool(a % 2)
    return OpenSession(command_id=new_id(), has_own_worktree=own)


@act
def deliver(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    del b, yes
    found = pick(state.prompts, a)
    return MarkDelivered(key=found.key) if found else None


@act
def keep(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    writing = [e for e in rules.effects(state) if isinstance(e, WriteDocument)]
    if writing and b % 2:
        return EndDocument(plan_id=writing[0].plan_id, mark=writing[0].mark, path="plan.md")
    if state.lifecycle.merges and yes:
        first = state.lifecycle.merges[0]
        merge = MergeResult(commit="e" * 40)
        if a % 3:
            about = {"source": first.commit or f"chat {a}", "versions": f"v{b % 2}"}
            merge = (
                MergeResult(conflicts=("x.py",), **about) if a % 2 else MergeResult(failure="no")
            )
        return EndSessionMerge(session_id=first.session_id, number=first.number, merge=merge)
    return MergeSession(session_id=pick(state.sessions, a), command_id=new_id())


@act
def publish(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del a
    if not state.publication.is_under_way:
        return Publish(command_id=new_id(), by="p", wants_pull_request=yes)
    where = {"remote": "origin", "address": "/bare", "branch": "treadle/x", "commit": "d" * 40}
    pushed = PushedBranch(**where) if b % 2 else None
    return EndPush(number=state.publication.number, pushed=pushed, failure="" if pushed else "no")


@act
def share(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    turn = f"turn-{b % 4}"
    if yes:
        return AskDirectory(session_id=SessionId(pick(state.sessions, a)), turn_id=turn)
    return FreeDirectory(turn_id=turn)


@act
def as_a_child(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state, a
    return StopChild(by="parent") if yes else AskChild(number=b)


KINDS = [*ACTS, *[name for name in ("amend", "approve", "resolve", "work_by_hand") for _ in "ab"]]
"""The names of all acts; those that need several others before them stand several times."""
