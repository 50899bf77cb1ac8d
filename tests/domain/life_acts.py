"""Everything that can be said to a thread or happen to it, each drawn from three small numbers.

Most of it fits the present state, some never does: what is refused must change nothing.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import Any

from domain.agents.agents import Prompt
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.approval_commands import Approve, Decide, Reject
from domain.core.approvals import content_hash
from domain.core.ids import CommandId, ThreadId
from domain.core.wire import Wire
from domain.core.workspaces import RepositoryFacts
from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import PlanTemplate
from domain.tasks.agent_commands import InvitePlanner, ProposePlan, SuggestPlanning
from domain.tasks.running_commands import SetOwnTurns
from domain.threads import rules
from domain.threads.calls import OpenedThread
from domain.threads.commands import OpenThread, WakeUp
from domain.threads.effects import WaitUntil
from domain.threads.patches import ALL
from domain.threads.planning.commands import (
    AddPlanner,
    CombinePlans,
    EditPlan,
    PlannerChoice,
    RequestCritique,
    RequestPlan,
    SetAuto,
)
from domain.threads.replacing.commands import LoseSession
from domain.threads.state import ThreadState

THREAD = ThreadId("thread-life-1")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASKS = ["a", "b", "c", "d"]
REPLIES = [
    "I will think about it.",
    '```json\n{"summary": "one", "tasks": [{"id": "a", "title": "A"}]}\n```',
    '```json\n{"summary": "one",}\n```',
    "```json\n{\n\n```",
    '```json\n{"summary": "x"}\n```\n```json\n{"summary": "y"}\n```',
]
_NUMBERS = count(1)

Act = Callable[[ThreadState, int, int, bool], Wire | None]
ACTS: dict[str, Act] = {}


def act(rule: Act) -> Act:
    """Register an act by its name."""
    ACTS[rule.__name__] = rule
    return rule


def new_id() -> CommandId:
    """Return the id of a command that nobody sent before."""
    return CommandId(f"command-{next(_NUMBERS)}")


def opening(slots: int, **settings: Any) -> OpenThread:
    """Return the command that opens a thread on a repository that is nowhere."""
    facts = RepositoryFacts(root="/repo", head="0" * 40)
    template = PlanTemplate(name="plain")
    opened = OpenedThread(facts=facts, template=template, branch="treadle/x", host="here")
    planner = PlannerSettings(max_parallel_steps=slots, **settings)
    return OpenThread(
        thread_id=THREAD, goal="goal", agent="fake", opened=opened, planner=planner, patches=ALL
    )


def pick(found: Any, which: int) -> Any:
    """Return one of several, None where there is none."""
    several = list(found)
    return several[which % len(several)] if several else None


def a_plan(a: int, b: int) -> dict[str, Any]:
    """Return a plan: sound, or with dependencies to fix; some tasks are threads, some are planned."""
    tasks: list[dict[str, Any]] = []
    for n in range(2 + a % 3 if a % 8 else 0):
        needs = [
            TASKS[m] for m in range(4) if m != n and (b >> (n + m)) & 1 and (m < n or b % 5 == 0)
        ]
        more: dict[str, Any] = {}
        if (a + n) % 7 == 0:
            more["runs_as"] = "thread"
        if (b + n) % 5 == 0:
            more["plan_approval"] = "user"
        if (a + b + n) % 6 == 0:
            more["decision_id"] = "which"
        if (a * b + n) % 11 == 0:
            more["gate"] = "auto"
        tasks.append({"id": TASKS[n], "title": f"T{n}", "depends_on": needs, **more})
    asked = {"id": "which", "question": "?", "options": [{"label": "x"}, {"label": "y"}]}
    asked |= {"timeout_seconds": 60} if b % 2 else {}
    asked |= {"safe_default": "x"} if b % 3 else {}
    return {"summary": f"plan {a} {b}", "tasks": tasks, "decisions": [asked]}


# --- planning


@act
def request_plan(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state
    rivals = tuple(PlannerChoice(agent="rival") for _ in range(b % 3 if yes else 0))
    return RequestPlan(goal=f"goal {a}", rivals=rivals, command_id=new_id())


@act
def add_planner(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    if yes:
        return AddPlanner(agent="other", command_id=new_id())
    return InvitePlanner(session_id=pick(state.sessions, a), agent=f"agent {b}")


@act
def propose(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    session = pick((yes and state.planning.planners) or state.sessions, a)
    return ProposePlan(session_id=session, plan=a_plan(a, b))


@act
def edit(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    asked = [p.revision for p in state.plans if p.request.request_id in state.requests]
    revision = pick(asked, a) or a % 3 + 1
    said: dict[str, Any] = {"handoff": f"Only {b}."} if yes else {"plan": a_plan(a, b)}
    return EditPlan(revision=revision, command_id=new_id(), by="ada", **said)


@act
def combine(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state, yes
    own, other = a % 4 + 1, b % 4 + 1
    return CombinePlans(revision=own, other=other, feedback="x", command_id=new_id())


@act
def criticise(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del b, yes
    revision = pick([p.revision for p in state.plans], a) or 1
    return RequestCritique(revision=revision, agent="critic", command_id=new_id())


@act
def end_turn(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    session = pick(state.sessions, a)
    failure = "it broke" if b % 7 == 0 else None
    wrote = ("x.py",) if b % 5 == 0 else ()
    text = REPLIES[b % len(REPLIES)]
    return EndSessionTurn(
        session_id=session,
        turn=a % 5 + 1,
        prompt_key=state.own_turns.running if b % 2 else "",
        is_stopped=yes,
        failure=failure,
        text=text,
        discarded=wrote,
    )


@act
def lose_session(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    """Hear of the end of a session; most often of one that is told something, or that plans."""
    session = pick([p.session_id for p in state.prompts] if b % 3 else state.sessions, a)
    said = Prompt(fields={"text": f"text {b}"}, by="ada")
    unread = (QueuePrompt(key=f"{session}/m-{b}", prompt=said),) if yes else ()
    return session and LoseSession(session_id=session, reason="it ended", messages=unread)


@act
def suggest(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del yes
    return SuggestPlanning(session_id=pick(state.sessions, a), reason="big", goal=f"g {b}")


@act
def set_auto(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state, a
    return SetAuto(is_on=yes and b % 3 == 0, command_id=new_id(), by="ada")


@act
def set_own_turns(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    del state, b
    return SetOwnTurns(turns=a % 3 if yes else 2_000, command_id=new_id(), by="ada")


# --- decisions


@act
def verdict(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    """Decide on what is asked, or on what was; now and then on something else than was shown."""
    known = [p.request for p in state.plans] + list(state.requests.values())
    asked = pick(state.requests.values(), a) if b % 5 else pick(known, a)
    if asked is None:
        name, shown = "plan-1", "1" * 64
    else:
        name, shown = asked.request_id, asked.content_hash
    shown = "0" * 64 if b % 11 == 0 else shown
    if yes:
        seen = b % 3 != 0
        return Approve(request_id=name, content_hash=shown, by="p", is_acknowledged=seen)
    words = "no" if b % 4 else ""
    return Reject(request_id=name, content_hash=shown, by="p", feedback=words)


@act
def approve(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    """Approve what was asked last, with all its warnings."""
    del b, yes
    asked = pick(reversed(state.requests.values()), a % 2)
    name, shown = (asked.request_id, asked.content_hash) if asked else ("plan-9", "1" * 64)
    return Approve(request_id=name, content_hash=shown, by="p", is_acknowledged=True)


@act
def decide(state: ThreadState, a: int, b: int, yes: bool) -> Wire:
    name = pick(state.decisions, a) or "which"
    entry = state.decisions.get(name)
    shown = content_hash(entry.decision) if entry and b % 6 else "0" * 64
    labels = ("x",) if yes else ("y",)
    return Decide(decision_id=name, selections=labels, content_hash=shown, by="p")


@act
def time_passes(state: ThreadState, a: int, b: int, yes: bool) -> Wire | None:
    """End the first wait."""
    del a, b, yes
    is_waiting = any(isinstance(e, WaitUntil) for e in rules.effects(state))
    return WakeUp() if is_waiting else None
