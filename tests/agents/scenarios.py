"""What every agent of the matrix goes through, each scenario in threads of its own.

A scenario shows one or several things. It yields each when it is shown, by name, with what is worth telling
of how; it fails by an assertion.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from domain.agents.agents import StopReason, TurnResult
from tests.agents.bench import Bench, Conversation
from tests.agents.installation import INSTALL_SECONDS, PROGRAMS
from tests.e2e.job import git

ASKED_SECONDS = 120
RETRIES_SECONDS = 40
"""How long an agent may try again by itself before Treadle sees the provider's refusal."""
EVERY_COMMIT = ("rev-list", "--single-worktree", "--all")
"""Commits that a ref has. Without `--single-worktree` git also reads HEADs of worktrees that are just removed."""


Shown = AsyncIterator[tuple[str, str]]


async def installed(bench: Bench) -> Shown:
    """Install the agent as a person does; Treadle then starts what it installed, in the pinned version."""
    assert bench.contender.is_installed_by_treadle or bench.contender.is_built_in, (
        "no profile of ours"
    )
    command = ("treadle", "agents", "install", bench.contender.name)
    done = await asyncio.to_thread(bench.engine.run, *command, timeout=INSTALL_SECONDS)
    assert done.returncode == 0, f"{done.stdout[-300:]}{done.stderr[-300:]}"
    told = (await bench.http.get(f"/v1/agents/{bench.contender.name}")).json()["status"]
    assert told["is_installed"], f"it counts as not installed: {told['missing']}"
    if not bench.contender.is_built_in:
        assert Path(told["program"]).is_relative_to(PROGRAMS), f"{told['program']} is started"
        assert told["version"] == told["pinned"], f"{told['version']} is not {told['pinned']}"
    yield "install", ""


async def tried(bench: Bench) -> Shown:
    """Have the agent looked at, and tried with one harmless turn, as `treadle agents try` does."""
    path = f"/v1/agents/{bench.contender.name}"
    answer = await bench.http.post(f"{path}/try", json={})
    assert answer.is_success, answer.text
    begun = answer.json()
    async with asyncio.timeout(ASKED_SECONDS):
        while True:
            page = await bench.http.get(f"{path}/checks/{begun['check']}/events")
            bodies = [each["event"]["body"] for each in page.json()["events"]]
            if ended := [body for body in bodies if body["kind"] == "agent_check_ended"]:
                break
            await asyncio.sleep(0.2)
    result = ended[0]["result"]
    assert result["is_well"], result["failure"]
    yield "try", ""


async def plan_and_work(bench: Bench) -> Shown:
    """Plan without writing, then do two tasks: the plain edit, and a command with a call to ours."""
    work = Conversation(bench)
    await work.open("Prove it", is_planned=True)
    proposed = await work.seen("plan_proposed")
    planned = await work.ended()
    yield "planning", assert_nothing_written(bench, planned)
    await work.approve(proposed)
    gates = {task: await work.seen("gate_opened", task) for task in ("edit", "command")}
    for gate in gates.values():
        await work.approve(gate)
    await work.seen("plan_completed")
    branch = "treadle/" + work.thread.removeprefix("thread-")
    files = git(bench.repository, "ls-tree", "--name-only", branch).split()
    assert files == ["answer.txt", "made.txt"], f"merged: {files}"
    assert git(bench.repository, "show", f"{branch}:answer.txt") == "yes\n"
    assert git(bench.repository, "show", f"{branch}:made.txt") == "by a command\n"
    for name in ("edit", "command", "tool of ours"):
        yield name, ""


def assert_nothing_written(bench: Bench, planned: TurnResult) -> str:
    """Assert that the planner's writes came to nothing; returns how."""
    tried = {step for rule, step in bench.steps() if rule == "plan"}
    commits = git(bench.repository, *EVERY_COMMIT, "--", "by-tool.txt", "by-shell.txt")
    assert commits == "", "a planner's file was committed"
    assert git(bench.repository, "status", "--porcelain") == ""
    assert planned.discarded == (), f"it wrote {planned.discarded}, which was thrown away"
    ways = {1: "tool", 2: "shell"}
    kept_from = [way for step, way in ways.items() if step not in tried]
    return f"offers no {' and no '.join(kept_from)} then" if kept_from else ""


async def cancelled(bench: Bench) -> Shown:
    """Stop a turn while a command runs; the session goes on afterwards."""
    chat = Conversation(bench)
    await chat.open("Matrix: long command")
    await chat.ran("begun.txt")
    end = await chat.stop()
    assert end.stop_reason is StopReason.CANCELLED, f"ended by {end.stop_reason}: {end.failure}"
    left = [p for p in chat.processes() if "sleep" in p.name()]
    await chat.say("Matrix: after the cancel")
    after = await chat.ended(2)
    assert_said(after, "I am still here.")
    opened = chat.told("agent_session_opened")
    assert len(opened) == 1 or opened[1].is_resumed, "it goes on in a new session"
    notes = ["its process had to be ended"] if len(opened) > 1 else []
    notes += ["its command ran on"] if left else []
    await chat.archive_sessions_of()
    yield "cancel", ", ".join(notes)


async def agent_killed(bench: Bench) -> Shown:
    """Kill the agent with -9 in the middle of a turn; the session knows what it did."""
    chat = Conversation(bench)
    await chat.open("Matrix: agent killed")
    await reached(bench, "agent killed", 1)
    assert chat.kill_agent(), "there was no process to kill"
    end = await chat.ended()
    if end.failure is not None:
        assert "SIGKILL" in end.failure, end.failure
        await chat.say("Matrix: after the kill")
        end = await chat.ended(2)
    assert end.failure is None, end.failure
    known = bench.after("after the kill", 0) + bench.after("resumed after agent killed", 0)
    assert "half.txt" in known, f"what it did is not in its session: {known[:300]!r}; {chat.past()}"
    yield "agent killed", assert_resumed(bench, chat, "agent killed")


async def quota(bench: Bench) -> Shown:
    """Have the provider refuse in the middle of a turn, with a time; the turn waits and goes on."""
    chat = Conversation(bench)
    await chat.open("Matrix: quota")
    await reached(bench, "quota", 1)
    lifting = asyncio.get_running_loop().call_later(RETRIES_SECONDS, bench.model.lift, "quota")
    await chat.first_of("turn_delayed", "turn_ended")
    lifting.cancel()
    bench.model.lift("quota")
    end = await chat.ended()
    assert end.failure is None, end.failure
    assert bench.steps().count(("quota", 0)) == 1, "a finished step ran again"
    delayed = chat.told("turn_delayed")
    if not delayed:
        assert_said(end, "The quota is back.")
        yield "quota", "it tries again by itself until the quota is back"
    else:
        note = assert_resumed(bench, chat, "quota")
        yield "quota", ", ".join(filter(None, (f"tells: {delayed[0].reason[:80]}", note)))


async def overflow(bench: Bench) -> Shown:
    """Have the context overflow: the turn fails with the reason, or goes on compacted."""
    chat = Conversation(bench)
    await chat.open("Matrix: overflow")
    await reached(bench, "overflow", 1)
    ending = asyncio.create_task(chat.ended())
    await asyncio.wait({ending}, timeout=RETRIES_SECONDS)
    is_ended_by_itself = ending.done()
    bench.model.lift("overflow")
    end = await ending
    if end.failure is not None:
        yield "overflow", f"ends: {end.failure.splitlines()[0][:120]}"
    elif end.stop_reason is not StopReason.END_TURN:
        yield "overflow", f"ends: {end.stop_reason}"
    else:
        went_on = not is_ended_by_itself or bench.went_on_after("overflow", chat)
        assert went_on, f"it ended well after the error, with {end.text!r}"
        yield "overflow", "compacts and goes on"


async def worker_killed(bench: Bench) -> Shown:
    """Kill the worker with -9 in the middle of a turn, and while a question waits; both go on."""
    chat, asking = Conversation(bench), Conversation(bench, "asking")
    await chat.open("Matrix: worker killed")
    await reached(bench, "worker killed", 1)
    await asking.open("Matrix: question")
    waiting = await asking.first_of("question_asked", "turn_ended")
    bench.engine.kill("worker")
    await bench.engine.repair()
    end = await chat.ended()
    assert waiting.kind == "question_asked", "its command ran without a question"
    await asking.answer()
    assert_said(await asking.ended(), "It was allowed.")
    assert len(asking.told("question_asked")) == 1, "the restarted agent asked another question"
    yield "question", ""
    assert end.failure is None, end.failure
    yield "worker killed", assert_resumed(bench, chat, "worker killed")


def assert_resumed(bench: Bench, chat: Conversation, rule: str) -> str:
    """Assert that the agent's own session went on, with what was done; returns what is odd of it."""
    opened = chat.told("agent_session_opened")
    notices = [body.message for body in chat.told("agent_notice")]
    why = "; ".join(note.partition(": ")[2] for note in notices if "did not work" in note)
    assert opened[-1].is_resumed, f"its session can't be reopened, a new one goes on: {why}"
    assert opened[-1].agent_session == opened[0].agent_session, "it is another session"
    assert bench.steps().count((rule, 0)) == 1, "a finished step ran again"
    assert ".txt" in bench.after(f"resumed after {rule}", 0), "what it did is not there"
    return "" if len(opened) > 1 else "in the same process"


def assert_said(end: TurnResult, text: str) -> None:
    """Assert what the agent said last."""
    assert end.failure is None, end.failure
    assert text in end.text, f"it said {end.text!r}"


async def reached(bench: Bench, rule: str, step: int) -> None:
    """Wait until the model has played a step."""
    async with asyncio.timeout(ASKED_SECONDS):
        while (rule, step) not in bench.steps():  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.05)
