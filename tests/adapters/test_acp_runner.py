"""The runner against the real scripted agent process, over real pipes and real HTTP."""

import asyncio
import os
import signal
import sys
import uuid
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
import yaml

from adapters.acp.launch import Launch
from adapters.acp.runner import AcpAgents, Patience
from adapters.acp.session import TurnLimits
from adapters.agent_profiles import AgentFiles
from adapters.processes import Spawner
from adapters.tool_server import ToolServer
from domain.agents import Prompt, SessionRole, StopReason, TurnInput
from domain.commands import Answer
from domain.errors import AgentError
from domain.ids import SessionId, StreamId, ThreadId, TurnId
from domain.ports import AgentCall
from domain.workspaces import WorkspaceKind, WorkspaceSpec

ROOT = Path(__file__).resolve().parents[2]
AGENT = str(ROOT / "adapters" / "scripted_agent" / "__main__.py")
THREAD = ThreadId("thread-x")
TASK_PROMPT = "# Treadle: task a\n\nDo it\n"


class Door:
    def __init__(self):
        self.sent = []

    async def send(self, _workflow_id, command):
        self.sent.append(command)
        return Answer(message="port 40123 is yours")


class Recorder:
    """Keeps events and wakes who waits for one."""

    def __init__(self):
        self.events = []
        self._changed = asyncio.Condition()

    async def __call__(self, body):
        async with self._changed:
            self.events.append(body)
            self._changed.notify_all()

    async def until(self, wanted):
        async with self._changed:
            await asyncio.wait_for(
                self._changed.wait_for(lambda: any(map(wanted, self.events))), 20
            )

    def kinds(self):
        return [e.kind for e in self.events]

    def updates(self, kind):
        found = [e.update for e in self.events if e.kind == "agent_update"]
        return [u for u in found if u["sessionUpdate"] == kind]

    def text(self):
        return "".join(u["content"]["text"] for u in self.updates("agent_message_chunk"))

    def notices(self):
        return [e.message for e in self.events if e.kind == "agent_notice"]


class Lab:
    """A worktree with a scenario, and a runner to play it."""

    def __init__(self, folder, tools, door):
        self.folder = folder
        self.door = door
        self.tools = tools
        self.cwd = folder / "worktree"
        self.cwd.mkdir()
        self.session_id = SessionId(f"thread-x/task-1/session-{uuid.uuid4().hex[:6]}")
        self.runners = []
        self.runner = self.new_runner()

    def new_runner(self, *, limits=None, **patience):
        environment = {n: os.environ[n] for n in ("PATH", "HOME", "LANG") if n in os.environ}
        runner = AcpAgents(
            AgentFiles(self.folder / "config"),
            Spawner(self.folder / "runs", environment),
            self.tools,
            Launch(self.folder / "data", lambda _names: {}, (sys.executable, AGENT)),
            patience=Patience(**patience),
            limits=limits or TurnLimits(tick_seconds=0.05, cancel_seconds=0.5),
        )
        self.runners.append(runner)
        return runner

    def scenario(self, *steps, **more):
        rules = more.pop("rules", [{"steps": list(steps)}])
        path = self.cwd / ".treadle/scenario.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump({"name": "test", "rules": rules, **more}))

    def call(self, prompt=TASK_PROMPT, **more):
        turn = TurnInput(
            turn_id=TurnId(f"turn-{uuid.uuid4().hex[:6]}"),
            session_id=self.session_id,
            owner=StreamId("thread-x/task-1"),
            thread_id=THREAD,
            role=more.pop("role", SessionRole.TASK),
            agent=more.pop("agent", "scripted"),
            prompt=Prompt(),
            workspace=WorkspaceSpec(
                workspace_id="w",
                kind=WorkspaceKind.TASK,
                repository=str(self.cwd),
                thread_id=THREAD,
                base="main",
            ),
            idle_timeout=timedelta(seconds=more.pop("idle", 20)),
        )
        return AgentCall(turn=turn, directory=self.cwd, prompt=prompt, **more)

    async def run(self, prompt=TASK_PROMPT, *, record=None, runner=None, **more):
        record = record or Recorder()
        runner = runner or self.runner
        answer = await runner.run_turn(self.call(prompt, **more), record, lambda: None)
        return answer, record

    async def fails(self, prompt=TASK_PROMPT, *, runner=None, **more):
        with pytest.raises(AgentError) as caught:
            await self.run(prompt, runner=runner, **more)
        return caught.value.message

    def agents(self):
        """The scripted agents' processes that run in the worktree."""
        found = []
        for process in psutil.process_iter(["cmdline", "cwd"]):
            is_agent = AGENT in (process.info["cmdline"] or [])
            if is_agent and process.info["cwd"] == str(self.cwd):
                found.append(process)
        return [p for p in found if "bwrap" not in p.name()]


@pytest.fixture
async def lab(tmp_path):
    door = Door()
    async with ToolServer(door) as tools:
        lab = Lab(tmp_path, tools, door)
        yield lab
        for runner in lab.runners:
            await runner.close_all()
        assert lab.agents() == []


async def test_a_turn_is_played_and_recorded_in_order(lab):
    lab.scenario(
        {"think": "Hmm."},
        {"say": "First "},
        {"say": "words."},
        {"write": "src/new.py", "text": "x = 1\n"},
        {"edit": "src/new.py", "old": "1", "new": "2"},
        {"run": "cat src/new.py && echo ${task}"},
        {"say": "Done now."},
        {"usage": {"input": 10, "output": 5}},
    )

    answer, record = await lab.run()

    assert (lab.cwd / "src/new.py").read_text() == "x = 2\n"
    assert answer.stop_reason is StopReason.END_TURN
    assert answer.text == "Done now."
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (10, 5)
    assert record.kinds()[0] == "agent_session_opened"
    assert record.events[0].agent_session == answer.agent_session
    assert "scripted agent" in record.text()
    assert "First words." in record.text()
    assert record.updates("tool_call_update")[-1]["content"][0]["content"]["text"] == (
        "x = 2\na\n\nexit code 0"
    )


async def test_text_chunks_that_follow_each_other_are_one_event(lab):
    lab.scenario({"say": "a", "times": 500}, {"think": "b"}, {"say": "c", "times": 9000})

    _, record = await lab.run()

    assert "a" * 500 in record.text()
    assert record.text().endswith("c" * 9000)
    assert len(record.updates("agent_message_chunk")) == 3  # split at 8 KiB once


async def test_unknown_updates_pass_through(lab):
    lab.scenario({"update": {"sessionUpdate": "from_the_future", "value": [1]}})

    _, record = await lab.run()

    assert record.updates("from_the_future") == [{"sessionUpdate": "from_the_future", "value": [1]}]


async def test_an_agent_calls_our_tools_and_the_calls_are_recorded(lab):
    lab.scenario(
        {"call": "request_port", "with": {"port_id": "web"}, "save": {"port": r"\d+"}},
        {"write": "port.txt", "text": "${port}"},
        {"call": "report_done", "with": {"summary": "all"}},
    )

    _, record = await lab.run()

    assert [c.door for c in lab.door.sent] == ["request_port", "report_done"]
    assert (lab.cwd / "port.txt").read_text() == "40123"
    called = [e for e in record.events if e.kind == "tool_called"]
    assert [(e.tool, e.is_refused) for e in called] == [
        ("request_port", False),
        ("report_done", False),
    ]


async def test_the_process_stays_between_turns_and_its_rules_go_on(lab):
    lab.scenario(rules=[{"turns": [[{"say": "one"}], [{"say": "two"}]]}])

    first, record = await lab.run()
    [process] = lab.agents()
    second, again = await lab.run("more")

    assert lab.agents() == [process]
    assert record.text().endswith("one")
    assert again.text() == "two"
    assert first.agent_session == second.agent_session
    assert "agent_session_opened" not in again.kinds()


async def test_a_process_without_a_turn_is_closed_after_a_while(lab):
    lab.scenario({"say": "hi"})
    runner = lab.new_runner(idle_process=0.05)

    await lab.run(runner=runner)
    [process] = lab.agents() or [None]

    if process is not None:
        await asyncio.to_thread(process.wait, 10)
    assert lab.agents() == []


async def test_closing_a_session_ends_its_process_and_commands(lab):
    lab.scenario({"run": "sleep 1000 & echo started"})
    await lab.run()
    assert lab.agents()

    await lab.runner.close(lab.session_id)
    await lab.runner.close(lab.session_id)  # twice is fine

    assert lab.agents() == []


@pytest.mark.parametrize("can", [{}, {"resume": False}, {"resume": False, "replay": True}])
async def test_a_killed_agent_goes_on_where_it_was(lab, can):
    """kill -9 in the middle of a turn, then load or resume and an interrupted-prompt."""
    gate = lab.folder / "gate"
    lab.scenario(
        {"run": "echo once >> log.txt"},
        {"say": "waiting"},
        {"wait": {"file": str(gate)}},
        {"write": "end.txt", "text": "end"},
        can=can,
    )
    record = Recorder()
    turn = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "waiting" in str(e))
    for process in lab.agents():
        process.send_signal(signal.SIGKILL)
    with pytest.raises(AgentError, match="killed by SIGKILL"):
        await turn
    gate.touch()

    answer, record = await lab.run(
        f"# Treadle: interrupted\n\n## What was asked\n\n{TASK_PROMPT}",
        runner=lab.new_runner(),
        agent_session=record.events[0].agent_session,
    )

    assert record.events[0].is_resumed
    assert "said before" not in record.text()
    assert (lab.cwd / "log.txt").read_text() == "once\n"
    assert (lab.cwd / "end.txt").exists()
    assert answer.stop_reason is StopReason.END_TURN


async def test_an_interrupted_prompt_gives_a_lost_session_its_request(lab):
    lab.scenario(rules=[{"when": {"task": "a", "prompt": "task"}, "steps": [{"say": "begun"}]}])

    _, record = await lab.run(
        f"# Treadle: interrupted\n\n## What was asked\n\n{TASK_PROMPT}", agent_session="gone-1"
    )

    assert record.text().endswith("begun")
    assert "the earlier session gone-1 is lost" in " ".join(record.notices())


async def test_cancelling_stops_the_turn_and_the_session_goes_on(lab):
    lab.scenario(rules=[{"turns": [[{"say": "hanging"}, {"hang": True}], [{"say": "two"}]]}])
    record = Recorder()
    turn = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "hanging" in str(e))
    [process] = lab.agents()

    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    _, record = await lab.run("go on")

    assert lab.agents() == [process]
    assert record.text() == "two"


async def test_an_agent_that_ignores_cancelling_is_killed(lab):
    lab.scenario({"ignore_cancel": True}, {"say": "deaf"}, {"hang": True})
    record = Recorder()
    turn = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "deaf" in str(e))

    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn

    assert lab.agents() == []


async def test_a_turn_that_still_runs_ends_before_the_next_of_its_session(lab):
    lab.scenario(rules=[{"turns": [[{"say": "old"}, {"hang": True}], [{"say": "new"}]]}])
    record = Recorder()
    old = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "old" in str(e))

    _, record = await lab.run("again")

    assert old.cancelled() or old.done()
    assert record.text() == "new"
    with pytest.raises(asyncio.CancelledError):
        await old


@pytest.mark.parametrize(
    ("role", "kind", "said"),
    [
        (SessionRole.TASK, "execute", "yes"),
        (SessionRole.TASK, "edit", "yes"),
        (SessionRole.PLANNER, "edit", "no"),
        (SessionRole.PLANNER, "execute", "no"),
        (SessionRole.PLANNER, "read", "yes"),
    ],
)
async def test_permission_is_answered_by_role(lab, role, kind, said):
    lab.scenario(
        {"ask": "May I?", "kind": kind},
        {"say": "yes", "if": "allowed"},
        {"say": "no", "if": "refused"},
        {"say": "for ever", "if": "always"},
    )

    answer, record = await lab.run(role=role)

    assert answer.text == said
    assert any("May I?" in notice for notice in record.notices())


class TestMisbehaviour:
    async def test_a_missing_program_is_told_with_how_to_install_it(self, lab):
        (lab.folder / "config/agents").mkdir(parents=True)
        profile = {"command": ["no-such-agent"], "install_hint": "Install it with `x`."}
        (lab.folder / "config/agents/mine.yaml").write_text(yaml.safe_dump(profile))

        message = await lab.fails(agent="mine")

        assert "no-such-agent" in message
        assert message.endswith("Install it with `x`.")

    async def test_an_exit_is_told_with_its_code_and_last_words(self, lab):
        lab.scenario({"stderr": "out of luck\n"}, {"exit": 3})
        message = await lab.fails()
        assert "agent 'scripted' failed: it exited with code 3" in message
        assert message.endswith("its standard error ends with:\nout of luck")

    async def test_an_exit_at_the_start_is_told(self, lab):
        lab.scenario(start={"exit": 4, "stderr": "no licence"})
        message = await lab.fails()
        assert "exited with code 4" in message
        assert "no licence" in message

    async def test_an_agent_that_never_answers_is_given_up(self, lab):
        lab.scenario(start={"hang": True})
        runner = lab.new_runner(initialize=0.3)
        assert "did not answer `initialize`" in await lab.fails(runner=runner)
        assert lab.agents() == []

    async def test_another_version_of_the_protocol_is_refused(self, lab):
        lab.scenario(start={"version": 2})
        assert "speaks version 2 of the Agent Client Protocol" in await lab.fails()

    async def test_silence_is_given_up(self, lab):
        lab.scenario({"hang": True})
        assert "it said nothing for 0.4 s" in await lab.fails(idle=0.4)
        assert lab.agents() == []

    async def test_garbage_is_dropped_counted_and_told_once(self, lab):
        lab.scenario({"garbage": 12}, {"say": "still here"})

        answer, record = await lab.run()

        assert answer.text.endswith("still here")
        [notice] = record.notices()
        assert notice.startswith("12 lines of the agent were no messages")
        assert "this is not JSON" in notice

    async def test_an_endless_line_is_dropped(self, lab):
        lab.scenario({"garbage": {"bytes": 17 << 20}}, {"say": "after"})
        answer, record = await lab.run()
        assert answer.text.endswith("after")
        assert "1 lines" in record.notices()[0]

    async def test_an_endless_turn_is_given_up(self, lab):
        lab.scenario({"say": "x" * 1000, "times": 1000}, {"hang": True})
        runner = lab.new_runner(limits=TurnLimits(max_turn_bytes=200_000, tick_seconds=0.05))
        assert "more than 200000 bytes" in await lab.fails(runner=runner)

    async def test_a_flood_of_standard_error_blocks_nothing(self, lab):
        lab.scenario({"stderr": 3 << 20}, {"say": "through"})
        answer, _ = await lab.run()
        assert answer.text.endswith("through")

    async def test_an_error_answer_is_told(self, lab):
        lab.scenario({"error": "model overloaded"})
        assert "it answered with an error: model overloaded" in await lab.fails()

    async def test_a_failed_session_can_be_used_again(self, lab):
        lab.scenario(rules=[{"turns": [[{"exit": 3}], [{"say": "well again"}]]}])
        record = Recorder()
        with pytest.raises(AgentError):
            await lab.run(record=record)

        answer, _ = await lab.run("again", agent_session=record.events[0].agent_session)

        assert answer.text == "well again"

    async def test_a_missing_scenario_is_told(self, lab):
        message = await lab.fails()
        assert "there is no scenario at .treadle/scenario.yaml" in message

    async def test_a_failing_journal_ends_the_turn(self, lab):
        lab.scenario({"say": "x"}, {"hang": True})

        async def broken(body):
            if body.kind == "agent_update":
                raise OSError("disk full")

        with pytest.raises(OSError, match="disk full"):
            await lab.runner.run_turn(lab.call(), broken, lambda: None)
