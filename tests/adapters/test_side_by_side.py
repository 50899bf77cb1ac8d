"""Steps side by side, with real processes: at once, bounded, each with a result, nothing left behind."""

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest
from temporalio.testing import ActivityEnvironment

from activities.verification import Verification
from adapters.verification.verifier import StepVerifier
from domain.core.ids import EventId, StreamId
from domain.core.workspaces import WorkspaceSpec
from domain.verification.calls import StepBeside, StepCall
from domain.verification.side_by_side import MAX_SIDE_BY_SIDE
from domain.verification.steps import StepType, VerificationStep
from tests import fakes, step_fakes
from tests.adapters.tagged import of_tag, wait_until_gone
from tests.adapters.task_specs import spec_of

MEET = "touch {own}; until test -e {other}; do sleep 0.02; done"


class OneFolder(fakes.PaperWorkspaces):
    """One folder for all that runs, also as a checkout."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self.checkouts = step_fakes.PaperCheckouts(self.prepare)

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        return self._folder


class Meeting(StepVerifier):
    """Counts the steps that run at once; each waits until there are as many as there may be."""

    def __init__(self, spawner) -> None:
        super().__init__(spawner)
        self.most = self._running = 0
        self._meeting = asyncio.Barrier(MAX_SIDE_BY_SIDE)

    async def run_step(self, step, place, beat):
        self._running += 1
        self.most = max(self.most, self._running)
        await self._meeting.wait()
        try:
            return await super().run_step(step, place, beat)
        finally:
            self._running -= 1


class Lab:
    """Runs commands as one group."""

    def __init__(self, folder: Path, spawner) -> None:
        self.folder = folder
        self.journal = fakes.MemoryJournal()
        self.environment = ActivityEnvironment()
        self.use(StepVerifier(spawner))

    def use(self, verifier: StepVerifier) -> None:
        """Run steps by a verifier."""
        workspaces = OneFolder(self.folder)
        self._verification = Verification(self.journal, workspaces, verifier, fakes.OpenFences())

    async def run(self, commands: list[str], first: int = 0, **more):
        """Run the commands from one on, as its workflow asks; gives the result of that one."""
        steps = [
            VerificationStep(id=f"s{n}", type=StepType.COMMAND, command=command, timeout=60_000)
            for n, command in enumerate(commands)
        ]
        keys = [EventId(f"task:step:1:{step.id}") for step in steps]
        beside = [StepBeside(key=k, step=s) for k, s in zip(keys, steps, strict=True)]
        call = StepCall(
            key=keys[first],
            stream=StreamId("task"),
            attempt=1,
            step=steps[first].model_copy(update=more),
            workspace=spec_of(Path("/repository"), "task-1"),
            beside=tuple(beside[first + 1 :]),
        )
        return (await self.environment.run(self._verification.run_verification_step, call)).result

    def results(self) -> dict[str, bool]:
        return {b.result.step_id: b.result.passed for b in self.journal.bodies("task")}

    async def seen(self, *names: str) -> None:
        async with asyncio.timeout(60):
            while not all((self.folder / name).exists() for name in names):  # noqa: ASYNC110 (files tell nobody)
                await asyncio.sleep(0.01)


@pytest.fixture
def lab(tmp_path: Path, spawner) -> Lab:
    folder = tmp_path / "work"
    folder.mkdir()
    return Lab(folder, spawner)


async def test_commands_that_wait_for_each_other_both_pass(lab: Lab):
    result = await lab.run([MEET.format(own="a", other="b"), MEET.format(own="b", other="a")])
    assert (result.step_id, result.passed) == ("s0", True)
    assert lab.results() == {"s0": True, "s1": True}


async def test_four_run_at_once_and_no_more(lab: Lab, spawner):
    verifier = Meeting(spawner)
    lab.use(verifier)
    async with asyncio.timeout(60):
        await lab.run(["true"] * (2 * MAX_SIDE_BY_SIDE))
    assert verifier.most == MAX_SIDE_BY_SIDE
    assert len(lab.results()) == 2 * MAX_SIDE_BY_SIDE


async def test_a_failure_ends_no_other_step(lab: Lab):
    commands = ["touch failed; exit 3", "until test -e failed; do sleep 0.02; done; touch done"]
    result = await lab.run(commands)
    assert (result.exit_code, (lab.folder / "done").exists()) == (3, True)
    assert lab.results() == {"s0": False, "s1": True}


async def test_a_timeout_ends_that_step_alone_with_all_its_processes(lab: Lab):
    tag = f"600.{uuid4().int}"
    commands = [f"sleep {tag} & wait", "until test -e over; do sleep 0.02; done"]
    running = asyncio.create_task(lab.run(commands, timeout=1_500))
    ended = await lab.journal.until(lambda event: event.body.result.step_id == "s0")
    (lab.folder / "over").touch()
    result = await running
    assert "timed out" in ended.body.result.output
    assert result == ended.body.result
    assert lab.results() == {"s0": False, "s1": True}
    assert wait_until_gone(tag) == []


async def test_an_abort_ends_all_of_them_and_leaves_nothing(lab: Lab):
    tag = f"600.{uuid4().int}"
    commands = [f"sleep {tag} & touch up{n}; wait" for n in range(3)]
    running = asyncio.create_task(lab.run(commands))
    await lab.seen("up0", "up1", "up2")
    assert len(of_tag(tag)) >= len(commands)

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert wait_until_gone(tag) == []
    assert lab.results() == {}


async def test_what_had_ended_before_a_cut_runs_no_second_time(lab: Lab):
    commands = ["echo x >>short", "echo x >>long; test -e let || { touch up; sleep 60; }"]
    running = asyncio.create_task(lab.run(commands))
    await lab.seen("up")
    await lab.journal.until(lambda event: event.body.result.step_id == "s0")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    (lab.folder / "let").touch()

    assert (await lab.run(commands)).passed
    assert (await lab.run(commands, first=1)).passed

    assert (lab.folder / "short").read_text() == "x\n"
    assert (lab.folder / "long").read_text() == "x\nx\n"
    assert lab.results() == {"s0": True, "s1": True}


async def test_a_later_call_finds_the_result_of_its_step(lab: Lab):
    commands = ["echo x >>a", "echo x >>b"]
    await lab.run(commands)
    assert (await lab.run(commands, first=1)).step_id == "s1"
    assert (lab.folder / "b").read_text() == "x\n"
