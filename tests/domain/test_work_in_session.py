"""A plan without tasks is carried out in the session that planned it, which is a chat again afterwards."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import Prompt, SessionRole
from domain.conversations.commands import SendMessage
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.approval_commands import Approve
from domain.core.errors import InvalidPlanError, WrongStateError
from domain.core.ids import WORK
from domain.core.progress import TaskProgress
from domain.core.workspaces import MergeResult
from domain.plans.status import PlanStatus
from domain.tasks.agent_commands import ListPorts, ListTasks
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import AbortAll, Cancel, Pause, Resume, Retry
from domain.tasks.state import AT_GATE
from domain.tasks.status import TaskStatus
from domain.threads import rules
from domain.threads.commands import EndTask, MarkDelivered, NoteProgress, SettleTask
from domain.threads.effects import DeliverPrompt, RunTask
from domain.threads.patches import ALL, WORK_IN_SESSION
from domain.threads.planning.commands import RequestPlan
from domain.threads.working.commands import HandOver, ReturnMessages
from domain.threads.working.rules import unread_before
from tests.domain.planning_world import FIRST, SECOND, World


def approved(*, is_planned: bool = True, patches: tuple[str, ...] = ALL) -> World:
    world = World(is_planned=is_planned, patches=patches)
    world.ended(FIRST)
    if not is_planned:
        world.send(RequestPlan(goal="Shop 2"))
    world.propose()
    world.decide(Approve, "plan-1")
    return world


def delivered(world: World) -> None:
    for prompt in world.state.prompts:
        world.send(MarkDelivered(key=prompt.key))


def lent(turns: int = 3, **more: Any) -> World:
    world = approved(**more)
    delivered(world)
    world.send(HandOver(session_id=FIRST, turns=turns, agent="one"))
    return world


def ended(world: World, end: TaskEnd = TaskEnd.ACCEPTED, turns: int = 5) -> None:
    run = world.state.tasks[WORK].run
    world.send(EndTask(task_id=WORK, run=run, end=end, commit="c1", session_turns=turns))
    merge = MergeResult(commit="c2") if end is TaskEnd.ACCEPTED else MergeResult()
    world.send(SettleTask(task_id=WORK, run=run, merge=merge))


def role_of(world: World) -> SessionRole:
    return world.state.sessions[FIRST].role


def told(world: World) -> list[DeliverPrompt]:
    return [e for e in rules.effects(world.state) if isinstance(e, DeliverPrompt)]


def runs(world: World) -> list[RunTask]:
    return [e for e in rules.effects(world.state) if isinstance(e, RunTask)]


@pytest.mark.parametrize("is_planned", [True, False])
def test_the_session_that_planned_is_called_to_the_work_and_the_work_waits_for_it(
    *, is_planned: bool
) -> None:
    world = approved(is_planned=is_planned)
    called = [p for p in world.state.prompts if p.role is SessionRole.TASK]
    assert [(p.session_id, p.is_reset) for p in called] == [(FIRST, True)]
    assert list(world.state.sessions) == [FIRST]
    assert world.state.coordinator == FIRST
    assert (world.state.tasks[WORK].status, runs(world)) == (TaskStatus.PENDING, [])
    world.send(HandOver(session_id=FIRST, turns=3, agent="one"))
    assert world.state.tasks[WORK].status is TaskStatus.RUNNING
    assert len(runs(world)) == 1


def test_threads_of_before_run_a_task_main() -> None:
    world = approved(patches=tuple(p for p in ALL if p != WORK_IN_SESSION))
    assert (list(world.state.tasks), world.state.work) == (["main"], None)
    assert role_of(world) is not SessionRole.TASK


def test_a_session_that_is_gone_leaves_the_work_to_one_of_its_own() -> None:
    world = approved()
    world.send(HandOver(session_id=FIRST, is_gone=True))
    assert world.state.tasks[WORK].status is TaskStatus.RUNNING
    assert world.state.working.is_gone


@pytest.mark.parametrize("end", list(TaskEnd))
def test_the_session_is_a_chat_again_after_the_turns_of_the_work(end: TaskEnd) -> None:
    world = lent()
    ended(world, end)
    assert role_of(world) is SessionRole.CHAT
    assert world.state.sessions[FIRST].is_chat
    back = world.state.prompts[-1]
    assert (back.role, back.is_reset, back.turns) == (SessionRole.CHAT, True, 5)
    is_completed = end is TaskEnd.ACCEPTED
    assert (world.state.plan_status is PlanStatus.COMPLETED) == is_completed


def test_a_run_that_was_lost_leaves_no_number_of_a_turn_twice() -> None:
    world = lent(turns=3)
    progress = TaskProgress(task_id=WORK, run=1, session_turns=7)
    world.send(NoteProgress(progress=progress))
    ended(world, TaskEnd.FAILED, turns=0)
    assert world.state.prompts[-1].turns == 8


def test_a_retry_calls_the_session_again_and_goes_on_after_its_turns() -> None:
    world = lent()
    ended(world, TaskEnd.FAILED)
    delivered(world)
    world.send(Retry(task_id=WORK))
    assert (role_of(world), runs(world)) == (SessionRole.TASK, [])
    world.send(HandOver(session_id=FIRST, turns=6, agent="one"))
    assert (world.state.tasks[WORK].run, world.state.working.turns) == (2, 6)
    assert len(runs(world)) == 1


def test_a_paused_plan_starts_the_work_once_it_is_resumed() -> None:
    world = approved()
    world.send(Pause())
    world.send(HandOver(session_id=FIRST, turns=3))
    assert runs(world) == []
    world.send(Resume())
    assert len(runs(world)) == 1


def test_a_plan_that_is_cancelled_before_the_work_gives_the_session_back() -> None:
    world = approved()
    world.send(Cancel())
    assert role_of(world) is SessionRole.CHAT
    assert world.state.prompts[-1].turns is None
    before = world.state
    world.send(HandOver(session_id=FIRST, turns=3))
    assert world.state == before


def said(world: World, name: str = "m") -> Any:
    return world.send(SendMessage(text="Use a set", session_id=FIRST, command_id=name, by="ada"))


def test_a_message_goes_to_the_work_while_it_runs() -> None:
    world = lent()
    said(world)
    world.send(SendMessage(text="And test it", command_id="n", by="ada"))
    assert [(e.prompt_key, e.is_for_work) for e in told(world)] == [(f"{FIRST}/m", True)]
    world.send(MarkDelivered(key=f"{FIRST}/m"))
    assert [(e.prompt_key, e.is_for_work) for e in told(world)] == [(f"{FIRST}/n", True)]


def test_a_message_before_the_work_waits_for_it() -> None:
    world = approved()
    delivered(world)
    said(world)
    assert told(world) == []
    world.send(HandOver(session_id=FIRST, turns=3))
    assert [e.is_for_work for e in told(world)] == [True]


def test_what_the_session_did_not_read_before_is_the_works_or_after_all_its_own() -> None:
    unread = (QueuePrompt(key="m", prompt=Prompt(fields={"text": "Use a set"}, by="ada")),)
    for is_cancelled in (False, True):
        world = approved()
        if is_cancelled:
            world.send(Cancel())
        delivered(world)
        world.send(HandOver(session_id=FIRST, turns=3, messages=unread))
        assert [(e.prompt_key, e.is_for_work) for e in told(world)] == [
            ("m/again", not is_cancelled)
        ]
        assert len(unread_before(world.state)) == int(not is_cancelled)


def test_a_message_while_the_work_is_merged_is_the_chat_s() -> None:
    world = lent()
    world.send(EndTask(task_id=WORK, run=1, end=TaskEnd.ACCEPTED, commit="c1", session_turns=5))
    said(world)
    assert told(world) == []
    world.send(SettleTask(task_id=WORK, run=1, merge=MergeResult(commit="c2")))
    assert [(e.prompt_key, e.is_for_work) for e in told(world)] == [(f"{FIRST}/m", False)]


def test_what_the_work_did_not_read_is_the_chat_s_once() -> None:
    world = lent()
    said(world)
    prompt = world.last_prompt(FIRST)
    world.send(MarkDelivered(key=f"{FIRST}/m"))
    ended(world)
    unread = QueuePrompt(key=f"{FIRST}/m", prompt=prompt)
    for _ in range(2):
        world.send(ReturnMessages(messages=(unread,)))
    keys = [p.key for p in world.state.prompts if p.prompt is not None]
    assert keys == [f"{FIRST}/m/again"]


def test_a_message_at_the_gate_is_refused_with_the_way_to_say_it() -> None:
    world = lent()
    world.send(NoteProgress(progress=TaskProgress(task_id=WORK, run=1, asks=AT_GATE)))
    with pytest.raises(WrongStateError, match="reject it with your text"):
        said(world)


def test_a_blocked_work_is_not_told_that_it_is_blocked() -> None:
    world = lent()
    progress = TaskProgress(task_id=WORK, run=1, waits_for="a key", is_blocked=True)
    world.send(NoteProgress(progress=progress))
    assert told(world) == []


def test_the_agent_of_the_work_may_list_ports_and_tasks_are_the_chat_s() -> None:
    world = lent()
    assert "no task" in world.send(ListPorts(session_id=FIRST)).message
    with pytest.raises(WrongStateError, match="only an open chat"):
        world.send(ListTasks(session_id=FIRST))


def test_another_session_can_be_planned_in_while_the_work_ends() -> None:
    world = lent()
    world.send(Cancel())
    world.send(RequestPlan(goal="Shop 3"))
    assert list(world.state.planning.planners) == [SECOND]
    assert role_of(world) is SessionRole.TASK


def test_no_task_of_a_plan_has_the_id_of_the_work() -> None:
    world = World(patches=ALL)
    tasks = [{"id": WORK, "title": "Do it", "description": "All of it"}]
    with pytest.raises(InvalidPlanError, match="an id of its own"):
        world.propose(plan={"summary": "do it", "tasks": tasks})


STEPS = st.lists(
    st.sampled_from(["hand over", "fail", "complete", "retry", "pause", "resume", "abort", "say"]),
    max_size=14,
)


@given(steps=STEPS, is_planned=st.booleans())
def test_only_one_of_the_two_takes_turns_in_the_session(
    *, steps: list[str], is_planned: bool
) -> None:
    world = approved(is_planned=is_planned)
    turns = 3
    for step in steps:
        delivered_roles(world)
        turns = taken(world, step, turns)
        if runs(world):
            assert role_of(world) is SessionRole.TASK
            assert world.state.working.turns >= 0
        if role_of(world) is SessionRole.CHAT:
            assert not world.state.tasks[WORK].status.is_at_work


def delivered_roles(world: World) -> None:
    for prompt in world.state.prompts:
        if prompt.role is not None:
            world.send(MarkDelivered(key=prompt.key))


def taken(world: World, step: str, turns: int) -> int:
    """Do a step where it is possible; returns the turns that the session has taken."""
    entry = world.state.tasks[WORK]
    is_at_work = entry.status.is_at_work and entry.end is None
    if step == "hand over":
        world.send(HandOver(session_id=FIRST, turns=turns))
    elif step in {"fail", "complete"} and is_at_work:
        assert world.state.working.turns <= turns + 1
        ended(world, TaskEnd.FAILED if step == "fail" else TaskEnd.ACCEPTED, turns + 2)
        return turns + 2
    else:
        commands = {
            "retry": Retry(task_id=WORK),
            "pause": Pause(),
            "resume": Resume(),
            "abort": AbortAll(),
            "say": SendMessage(text="Hm", session_id=FIRST),
        }
        if (command := commands.get(step)) is not None:
            with contextlib.suppress(WrongStateError):
                world.send(command)
    return turns
