"""Terminals: real processes that live on between turns, are heard live, and end with all below them."""

import asyncio
from uuid import uuid4

import pytest

from domain.agents.terminals import MAX_KEPT, MAX_RUNNING, TerminalStatus
from domain.core.errors import InvalidError, NotFoundError, WrongStateError
from domain.core.ids import SessionId, StreamId
from tests.adapters.tagged import of_tag
from tests.adapters.terminal_lab import FIRST, SECRET, SESSION, TASK, opened


@pytest.fixture
async def lab(spawner, tmp_path):
    async with opened(spawner, tmp_path / "lab") as lab:
        yield lab


@pytest.fixture
def tag() -> str:
    """Return for how long a process sleeps that no other test's does."""
    return f"600.{uuid4().int}"


async def test_a_terminal_is_heard_while_it_runs_and_ends_with_its_exit_code(lab):
    going_on = "while [ ! -e go ]; do sleep 0.05; done"
    stream = await lab.open(f"echo one; {going_on}; echo two; exit 3")
    await lab.said(stream, "one")
    await lab.journal.until(lambda event: event.body.kind == "terminal_output")
    (lab.folder / "go").touch()

    await lab.terminals.wait(stream, 60)
    ended = lab.terminals.output(stream)

    assert (ended.terminal.status, ended.terminal.exit_code) == (TerminalStatus.EXITED, 3)
    assert ended.text == "one\ntwo\n"
    kinds = await lab.kinds(stream)
    assert kinds == ["terminal_opened", *["terminal_output"] * 2, "terminal_ended"]


async def test_its_task_knows_of_it_before_it_starts_and_is_told_of_its_end(lab):
    stream = await lab.open("exit 0", label="build", port="web", is_required=True)
    await lab.terminals.wait(stream, 60)

    first, last = await lab.told(2)

    assert (first.id, first.label, first.port, first.is_required) == (
        *("terminal-1", "build", "web"),
        True,
    )
    assert first.is_running
    assert (last.is_running, last.exit_code) == (False, 0)


async def test_one_that_the_task_refuses_never_runs(lab, tmp_path):
    lab.door.error = WrongStateError("the task has ended")

    with pytest.raises(WrongStateError):
        await lab.open(f"touch {tmp_path}/ran")

    assert not (tmp_path / "ran").exists()
    assert await lab.kinds(FIRST) == ["terminal_opened", "terminal_ended"]


async def test_what_does_not_start_says_why(lab):
    with pytest.raises(InvalidError, match="no such directory"):
        await lab.open("true", cwd=lab.folder / "nowhere")


async def test_killing_ends_everything_below_it(lab, tag):
    stream = await lab.open(f"sleep {tag} & setsid sleep {tag} & echo up; wait")
    await lab.said(stream, "up")
    assert of_tag(tag)

    killed = await lab.terminals.kill(stream)

    assert (killed.status, killed.note) == (TerminalStatus.EXITED, "killed")
    assert not of_tag(tag)
    assert lab.terminals.output(stream).text == "up\n"


async def test_a_released_one_is_forgotten(lab, tag):
    stream = await lab.open(f"echo up; exec sleep {tag}")
    await lab.said(stream, "up")

    await lab.terminals.release(stream)
    await lab.terminals.release(stream)

    assert not of_tag(tag)
    with pytest.raises(NotFoundError, match="terminal-1"):
        lab.terminals.output(stream)


async def test_the_end_of_an_owner_ends_its_terminals_and_no_others(lab, tag):
    await lab.said(await lab.open(f"echo up; exec sleep {tag}"), "up")
    other = await lab.open("sleep 4246", owner=StreamId("thread-x/task-2"))

    await lab.terminals.end_all(TASK, "ended with the task")
    await lab.terminals.end_all(TASK, "ended with the task")

    assert not of_tag(tag)
    assert lab.terminals.output(other).terminal.is_running


async def test_reading_on_gives_what_is_new(lab):
    stream = await lab.open("echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; sleep 60")
    await lab.said(stream, "one")
    first = lab.terminals.output(stream)
    (lab.folder / "go").touch()
    await lab.said(stream, "two")

    assert lab.terminals.output(stream, since=first.position).text == "two\n"


async def test_a_flood_is_kept_within_bounds(lab):
    stream = await lab.open("yes 0123456789 | head -c 3000000; echo; echo last")
    await lab.terminals.wait(stream, 60)

    output = lab.terminals.output(stream)
    journaled = [
        entry.event.body
        for entry in await lab.journal.read(stream, limit=10_000)
        if entry.event.body.kind == "terminal_output"
    ]

    assert output.text.endswith("last\n")
    assert 0 < len(output.text) <= 256 << 10
    assert output.skipped == output.position - len(output.text)
    assert sum(len(said.text) for said in journaled) < 1_500_000
    assert journaled[-1].text.endswith("last\n")
    assert journaled[-1].position + len(journaled[-1].text) == output.position


async def test_secrets_are_kept_out_also_where_they_come_in_two_pieces(lab):
    half = len(SECRET) // 2
    line = f"printf %s {SECRET[:half]}; sleep 0.4; printf '%s\\n' {SECRET[half:]}; echo done"
    stream = await lab.open(line)

    text = await lab.said(stream, "done")

    assert SECRET[half:] not in text
    assert "[redacted:" in text


async def test_only_so_many_run_at_once(lab):
    for number in range(MAX_RUNNING):
        await lab.open(f"sleep 43{number:02}")

    with pytest.raises(WrongStateError, match="kill or release"):
        await lab.open("true")


async def test_of_many_that_ended_the_newest_are_kept(lab):
    for _ in range(MAX_KEPT + 2):
        await lab.terminals.wait(await lab.open("true"), 60)

    kept = [terminal.id for terminal in lab.terminals.of(TASK)]
    assert kept == [f"terminal-{number}" for number in range(2, MAX_KEPT + 3)]


async def test_a_new_worker_tells_of_those_that_a_dead_one_lost(lab):
    stream = await lab.open("sleep 4247", label="dev server")
    after = lab.restarted()

    await after.reclaim()

    [lost] = after.unreported_exits(SESSION)
    assert (lost.label, lost.is_running) == ("dev server", False)
    assert lost.note.startswith("lost")
    assert after.unreported_exits(SESSION) == ()
    assert (await lab.told(2))[-1].note == lost.note
    assert (await lab.kinds(stream))[-1] == "terminal_ended"
    await after.close_all()


async def test_the_next_one_has_a_number_of_its_own_also_after_a_restart(lab):
    await lab.open("true")
    lab.terminals, before = lab.restarted(), lab.terminals

    assert await lab.open("true") == f"{TASK}/terminal-2"
    await before.close_all()


async def test_one_that_ended_unseen_is_told_once(lab):
    stream = await lab.open("exit 1")
    await lab.terminals.wait(stream, 60)
    await lab.told(2)

    assert [terminal.id for terminal in lab.terminals.unreported_exits(SESSION)] == ["terminal-1"]
    assert lab.terminals.unreported_exits(SESSION) == ()
    assert lab.terminals.unreported_exits(SessionId("another")) == ()


async def test_one_whose_end_its_agent_saw_is_not_told(lab):
    stream = await lab.open("exit 1")
    await lab.terminals.wait(stream, 60)
    lab.terminals.output(stream)

    assert lab.terminals.unreported_exits(SESSION) == ()
    await asyncio.sleep(0)
    assert list((lab.folder / "terminals").iterdir()) == []
