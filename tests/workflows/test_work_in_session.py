"""A plan without tasks is carried out in the session that planned it, on a real server."""

from domain.conversations.commands import SendMessage
from domain.core.ids import WORK, SessionId, TaskId
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.running_commands import Abort, Retry
from domain.threads.patches import ALL
from tests.workflows.conftest import House
from tests.workflows.test_main_job import MAKE
from tests.workflows.test_recovery import hang

PLAN: dict[str, object] = {"summary": "do it all", "verification": [MAKE]}


async def begun(house: House) -> str:
    """Open a thread and approve its plan."""
    thread = await house.open(patches=ALL)
    await house.approve(thread.id, await house.proposed(thread.id, PLAN))
    return thread.id


def taken_in(house: House, session: str) -> list[str]:
    """Return the ids of the turns that agents took in a session, in order."""
    turns = (call.turn for call in house.runner.calls)
    return [turn.turn_id for turn in turns if turn.session_id == session]


async def test_the_work_is_verified_gated_and_merged_and_takes_the_sessions_turns(
    house: House,
) -> None:
    thread = await begun(house)
    work, session = f"{thread}/{WORK}", f"{thread}/session-1"
    await house.approve(work, await house.seen(work, "gate_opened"))
    await house.seen(thread, "plan_completed")
    back = await house.seen(session, "role_changed", number=2)

    assert house.verifier.ran == ["make"]
    assert house.workspaces.merged == [WORK]
    assert taken_in(house, session) == [
        f"{session}/turn-1",
        f"{session}/turn-2",
    ]
    assert back.body.model_dump()["turns"] == 2
    (line,) = await house.journal.headlines("thread")
    assert (line.done, line.total) == (0, 0)


async def test_a_session_that_was_ended_by_hand_leaves_the_work_to_another(house: House) -> None:
    thread = await house.open(patches=ALL)
    proposed = await house.proposed(thread.id, PLAN)
    await house.seen(f"{thread.id}/session-1", "turn_ended")
    await house.client.get_workflow_handle(f"{thread.id}/session-1").terminate()
    await house.approve(thread.id, proposed)
    work = f"{thread.id}/{WORK}"
    await house.approve(work, await house.seen(work, "gate_opened"))
    await house.seen(thread.id, "plan_completed")

    lent = await house.seen(thread.id, "session_lent")
    assert lent.body.model_dump()["is_gone"]
    assert house.runner.calls[-1].turn.session_id == f"{work}/session-1"


async def test_what_the_planner_did_not_read_is_in_the_works_first_prompt(house: House) -> None:
    thread = await house.open(patches=ALL)
    session = SessionId(f"{thread.id}/session-1")
    await house.seen(session, "prompt_sent")
    await house.send(thread.id, SendMessage(text="Use a set", session_id=session, by="ada"))
    await house.seen(session, "message_queued", number=2)
    await house.send(thread.id, ProposePlan(session_id=session, plan=PLAN))
    await house.approve(thread.id, await house.seen(thread.id, "plan_proposed"))
    work = f"{thread.id}/{WORK}"
    await house.approve(work, await house.seen(work, "gate_opened"))
    await house.seen(session, "role_changed", number=2)

    passed = await house.seen(session, "message_withdrawn")
    assert passed.body.model_dump()["is_for_work"]
    prompts = [call.turn.prompt for call in house.runner.calls]
    assert [prompt.name for prompt in prompts] == ["planner", "task"]
    assert prompts[1].fields["said"] == "Use a set"
    assert WORK not in str(prompts[1].fields)


async def test_what_the_work_did_not_read_is_read_by_the_session_afterwards(house: House) -> None:
    play = house.runner.play
    thread = await house.open(patches=ALL)
    proposed = await house.proposed(thread.id, PLAN)
    session = SessionId(f"{thread.id}/session-1")
    await house.seen(session, "turn_ended")
    house.runner.play = hang
    await house.approve(thread.id, proposed)
    await house.seen(session, "agent_session_opened", number=2)
    await house.send(thread.id, SendMessage(text="Use a set", session_id=session, by="ada"))
    await house.seen(f"{thread.id}/{WORK}", "message_queued")
    house.runner.play = play
    await house.send(thread.id, Abort(task_id=TaskId(WORK), by="ada"))
    queued = await house.seen(session, "message_queued", number=2)
    assert queued.body.model_dump()["prompt"]["fields"]["text"] == "Use a set"
    await house.seen(session, "turn_ended", number=3)

    await house.send(thread.id, Retry(task_id=TaskId(WORK), by="ada"))
    work = f"{thread.id}/{WORK}"
    await house.approve(work, await house.seen(work, "gate_opened"))
    await house.seen(thread.id, "plan_completed")
    turns = taken_in(house, session)
    assert len(set(turns)) == len(turns)
