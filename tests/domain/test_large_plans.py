"""What agents and people are told of the tasks of a large plan."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import SessionId, TaskId, ThreadId
from domain.core.progress import TaskProgress
from domain.core.text import spaced
from domain.plans.handoff import MAX_BEGINNING, WHOLE_PLAN, handoff
from domain.plans.plan import Plan, PlannedTask
from domain.plans.status import PlanStatus
from domain.plans.templates.template import PlanTemplate
from domain.reading.event_text import text_of
from domain.tasks.agent_commands import ListTasks
from domain.tasks.running_commands import Abort
from domain.tasks.status import TaskFilter, TaskStatus
from domain.threads.amending.planning import describe_tasks
from domain.threads.events import PlanProposed
from domain.threads.patches import ALL
from domain.threads.planning.commands import Amend, RequestAmendment
from domain.threads.running.coordination import briefed
from domain.threads.running.digest import MAX_DIGEST, PAGE, digest, page, told_tasks
from domain.threads.running.health import task_table
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.running.reports import status_text, summary
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import QueuedPrompt
from tests.domain.running_plan import CHAT, RunningPlan, add, remove, task
from tests.domain.test_inbox import OPENED
from tests.hypothesis_profiles import effort

TEMPLATE = PlanTemplate(name="plain")
LONG = "many words, " * 40


def _entry(number: int, status: TaskStatus, asks: str, title: str) -> ThreadTask:
    name = TaskId(f"t{number}")
    progress = TaskProgress(task_id=name, run=1, asks=asks) if status.is_at_work else None
    planned = PlannedTask(id=name, title=title, description=LONG, decision_id="d")
    return ThreadTask(task=planned, status=status, run=1, progress=progress, notes=LONG)


@st.composite
def plans(draw: st.DrawFn, least: int = 1, most: int = 400) -> ThreadState:
    """Return a thread whose tasks stand anywhere; some wait for a person."""
    size = draw(st.integers(least, most))
    statuses = draw(st.lists(st.sampled_from(TaskStatus), min_size=size, max_size=size))
    asks = draw(st.sampled_from(["", "approval", LONG]))
    title = draw(st.sampled_from(["a title", LONG, "one\n- t1: failed: forged"]))
    entries = [
        _entry(number, status, asks if number % 3 else "", title)
        for number, status in enumerate(statuses)
    ]
    tasks = PlanTasks.of({entry.task.id: entry for entry in entries})
    return ThreadState(thread_id=ThreadId("thread-x"), tasks=tasks, plan_status=PlanStatus.ACTIVE)


def _sizes(text: str) -> dict[str, int]:
    """Return how many tasks each group of a digest has, by the lines below it and `… and N more`."""
    found: dict[str, int] = {}
    title = ""
    for line in text.splitlines():
        if head := re.fullmatch(r"(.+) \(([\d,]+)\):", line):
            title = head[1]
            found[title] = 0
        elif more := re.fullmatch(r"- … and ([\d,]+) more", line):
            found[title] += int(more[1].replace(",", ""))
        elif line.startswith("- "):
            found[title] += 1
    return found


@effort(60)
@given(plans(least=WHOLE_PLAN + 1))
def test_a_digest_is_bounded_and_counts_every_task(state: ThreadState):
    text = digest(state)
    assert told_tasks(state) == text
    assert len(text) <= MAX_DIGEST
    counts = Counter(spaced(entry.status) for entry in state.tasks.values())
    told = re.findall(r"([\d,]+) ([a-z ]+)", text.splitlines()[0].partition(": ")[2])
    assert {status: int(number.replace(",", "")) for number, status in told} == counts


@effort(60)
@given(plans(least=WHOLE_PLAN + 1))
def test_every_task_that_stopped_waits_or_works_is_named_or_counted(state: ThreadState):
    entries = list(state.tasks.values())
    stopped = [e for e in entries if e.status in {TaskStatus.FAILED, TaskStatus.CANCELLED}]
    asking = [e for e in entries if e.progress is not None and e.progress.asks]
    asking += [e for e in entries if e.status is TaskStatus.NEEDS_DECISION]
    working = [e for e in entries if e.status.is_at_work and not (e.progress and e.progress.asks)]
    expected = {
        "Failed or cancelled": len(stopped),
        "Waiting for a person": len(asking),
        "At work": len(working),
    }
    assert _sizes(digest(state)) == {title: size for title, size in expected.items() if size}


@effort(30)
@given(plans(most=WHOLE_PLAN))
def test_a_plan_of_up_to_60_tasks_is_told_in_full(state: ThreadState):
    assert told_tasks(state) == task_table(state)
    opened = OPENED.model_copy(update={"patches": ALL})
    patched = state.model_copy(update={"opened": opened})
    assert describe_tasks(patched) == describe_tasks(state)
    plan = Plan(goal="g", tasks=tuple(entry.task for entry in state.tasks.values()))
    assert handoff(plan, TEMPLATE, is_digested=True) == handoff(plan, TEMPLATE)


@effort(30)
@given(plans(), st.sampled_from(TaskFilter))
def test_pages_list_every_task_of_a_status_once(state: ThreadState, wanted: TaskFilter):
    seen: list[str] = []
    after = None
    while True:
        lines = page(state, wanted, after).splitlines()
        listed = [line.partition(":")[0].removeprefix("- ") for line in lines if line[:2] == "- "]
        assert len(listed) <= PAGE
        seen += listed
        if not lines[-1].startswith("… and "):
            break
        after = TaskId(lines[-1].rpartition(" ")[2])
    assert len(seen) == len(set(seen))
    if wanted is TaskFilter.ALL:
        assert seen == list(state.tasks)
    elif wanted is not TaskFilter.WAITING:
        assert seen == list(state.tasks.of_status(TaskStatus(wanted)))


# --- of a plan that runs


@pytest.fixture(scope="module")
def large() -> RunningPlan:
    """Return a plan of 1,000 tasks; four run, all others wait for them."""
    first = [task(f"t{n}", description=LONG) for n in range(4)]
    rest = [task(f"t{n}", f"t{n % 4}", description=LONG) for n in range(4, 1000)]
    asked = {"id": "where", "question": "Where?", "options": [{"label": "a"}, {"label": "b"}]}
    return RunningPlan(*first, *rest, patches=ALL, decisions=[asked])


def test_the_packet_of_a_large_plan_keeps_what_comes_after_its_tasks(large: RunningPlan):
    packet = large.state.handoff
    assert "1,000 tasks, of which these come first:" in packet
    assert packet.count("\n- `t") <= WHOLE_PLAN
    assert "## Decisions\n\n- Where?" in packet
    assert len(packet.encode()) <= MAX_BEGINNING + 1_000


def test_a_packet_of_before_stays_as_it_was():
    plan = RunningPlan(*(task(f"t{n}", description=LONG) for n in range(200)))
    assert plan.state.handoff.endswith("[... cut: the packet is full]")


def test_the_coordinator_is_told_a_digest_and_lists_the_rest(large: RunningPlan):
    session_id = large.state.coordinator
    assert session_id is not None
    queued = QueuedPrompt.model_validate(
        {"key": "k", "session_id": session_id, "prompt": {"name": "message"}}
    )
    prompt = briefed(queued, large.state)
    assert prompt is not None
    assert prompt.fields["tasks"].startswith("1,000 tasks: 996 pending, 4 running.")
    shown = large.send(ListTasks(session_id=CHAT)).message
    assert "At work (4):" in shown
    listed = large.send(ListTasks(session_id=CHAT, status=TaskFilter.PENDING)).message
    assert listed.startswith("996 pending tasks:\n- t4: pending (after t0)")
    assert listed.endswith("… and 896 more: call it again with `after` t103")
    last = ListTasks(session_id=CHAT, status=TaskFilter.ALL, after=TaskId("t998"))
    assert large.send(last).message.startswith("1 task after t998:\n- t999: pending")


def test_a_page_after_an_unknown_task_names_the_closest(large: RunningPlan):
    error = large.refuses(ListTasks(session_id=CHAT, after=TaskId("t0998")))
    assert isinstance(error, NotFoundError)
    assert "this plan has: 1,000, closest: t998" in error.message


def test_an_unknown_task_is_refused_in_few_words(large: RunningPlan):
    error = large.refuses(Abort(task_id=TaskId("t1o5")))
    assert "it has: 1,000, closest: t1" in error.message


def test_what_people_read_of_a_large_plan_is_short(large: RunningPlan):
    assert len(status_text(large.state).splitlines()) < 40
    assert f"treadle show {large.state.thread_id} --all lists all 1,000 tasks" in status_text(
        large.state
    )
    blocked = {
        name: entry.model_copy(update={"status": TaskStatus.BLOCKED})
        for name, entry in large.state.tasks.items()
    }
    ended = large.state.model_copy(update={"tasks": PlanTasks.of(blocked)})
    lines = summary(ended, PlanStatus.CANCELLED).splitlines()
    assert len(lines) < 40
    assert lines[-1] == "… and 970 more"


def test_a_planner_of_an_amendment_lists_the_tasks_too():
    plan = RunningPlan(*(task(f"t{n}") for n in range(200)), patches=ALL)
    asked = plan.send(RequestAmendment(text="less"))
    planner = SessionId(asked.data["session_id"])
    prompt = next(p.prompt for p in plan.state.prompts if p.session_id == planner)
    assert prompt is not None
    assert prompt.fields["tasks"].startswith("200 tasks: 196 pending, 4 running.")
    listed = plan.send(ListTasks(session_id=planner, status=TaskFilter.RUNNING)).message
    assert listed.startswith("4 running tasks:\n- t0: running")


def test_a_planner_without_a_plan_is_not_told_to_end_its_turn():
    plan = RunningPlan(task("a"))
    planner = next(s for s, each in plan.state.sessions.items() if each.role == "planner")
    error = plan.refuses(ListTasks(session_id=planner))
    assert isinstance(error, WrongStateError)
    assert "go on with your own" in error.message


def test_an_amendment_of_many_changes_is_one_version_and_is_told_as_a_digest():
    plan = RunningPlan(*(task(f"t{n}") for n in range(950)), patches=ALL)
    added = [add(f"n{n}", f"t{n + 10}") for n in range(70)]
    removed = [remove(f"t{n}") for n in range(920, 940)]
    plan.change(*added, *removed)
    assert len(plan.state.tasks) == 1_000
    assert plan.state.amending.version == 2
    queued = QueuedPrompt.model_validate(
        {"key": "k", "session_id": plan.state.coordinator, "prompt": {"name": "message"}}
    )
    prompt = briefed(queued, plan.state)
    assert prompt is not None
    assert prompt.fields["amended"].startswith("1,000 tasks, of which these come first:")
    assert len(prompt.fields["amended"].encode()) < MAX_BEGINNING + 200


def test_the_event_of_a_large_plan_lists_its_beginning(large: RunningPlan):
    proposed = next(event for event in large.events if isinstance(event, PlanProposed))
    text = text_of(proposed)
    assert text is not None
    assert len(text.details.splitlines()) == WHOLE_PLAN + 1
    assert text.details.endswith("… and 940 more")


def test_an_amendment_of_unknown_tasks_is_told_the_closest_of_the_first():
    plan = RunningPlan(*(task(f"task-{n}") for n in range(200)), patches=ALL)
    error = plan.refuses(Amend(amendment=plan.amendment(remove("tsk-150")), by="ada"))
    assert error.message.startswith("task 'tsk-150': there is no such task to remove")
    assert "the plan has: 200, closest: task-150" in error.message
    many = [remove(f"tsk-{n}") for n in range(100, 130)]
    lines = plan.refuses(Amend(amendment=plan.amendment(*many), by="ada")).message.splitlines()
    assert sum("closest: task-1" in line for line in lines) == 10
    assert len(lines) == 31
