"""`treadle worker drain` ends the worker of a data folder, and nothing where there is none."""

import asyncio
import sys
from pathlib import Path

from adapters.journal import SqlJournal, open_journal
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.hosts.host import HostFacts, HostState
from domain.hosts.placement import HostWish

ROOT = Path(__file__).parents[2]
WORKER = """
import asyncio, pathlib, sys
from adapters.host import only_worker, until_stopped
asked = asyncio.Event()
def drain():
    asked.set()
    print("drains", flush=True)
    return True
async def main():
    async with only_worker(pathlib.Path(sys.argv[1])):
        print("works", flush=True)
        await asked.wait()
        await asyncio.sleep(0.5)
asyncio.run(until_stopped(main(), drain))
"""
SECOND = WORKER.replace(
    "    return True", "    return not sys.argv.append('') and len(sys.argv) == 3"
).replace("asyncio.sleep(0.5)", "asyncio.sleep(600)")


HUB = {"TREADLE_HUB_URL": "https://git.example/hub.git"}
MOVE = ("-m", "treadle", "worker", "drain", "--move")


async def begun(program: str, folder: Path) -> asyncio.subprocess.Process:
    worker = await run("-c", program, folder, folder=folder)
    assert await line_of(worker.stdout) == b"works\n"
    return worker


async def line_of(stream: asyncio.StreamReader | None) -> bytes:
    assert stream is not None
    return await asyncio.wait_for(stream.readline(), 60)


async def run(*words: object, folder: Path, **more: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *map(str, words)),
        cwd=ROOT,
        env={"TREADLE_DATA_DIR": str(folder), "PATH": "/usr/bin:/bin", "HOME": str(folder), **more},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_it_waits_until_the_worker_has_ended(tmp_path: Path) -> None:
    worker = await begun(WORKER, tmp_path)

    command = await run("-m", "treadle", "worker", "drain", folder=tmp_path)
    _, told = await asyncio.wait_for(command.communicate(), 60)

    assert command.returncode == 0
    assert f"(pid {worker.pid}) has 300 s".encode() in told
    assert told.endswith(b"drained\n")
    assert (await worker.communicate())[0] == b"drains\n"
    assert worker.returncode == 0


async def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    worker = await begun(SECOND, tmp_path)
    worker.terminate()
    assert await line_of(worker.stdout) == b"drains\n"
    worker.terminate()
    await asyncio.wait_for(worker.communicate(), 60)
    assert worker.returncode == 0


async def test_no_worker_is_said(tmp_path: Path) -> None:
    command = await run("-m", "treadle", "worker", "drain", folder=tmp_path)
    _, told = await asyncio.wait_for(command.communicate(), 60)

    assert command.returncode == 1
    assert told == f"treadle worker drain: no worker runs on {tmp_path}\n".encode()


async def two_hosts(journal: SqlJournal, folder: Path) -> None:
    """Write down this folder's host and another one, both alive, with a thread here that can move."""
    (folder / "host-id").write_text("aaaa")
    for host in ("aaaa", "bbbb"):
        await journal.hosts.register(HostFacts(host=host, name=host, machine=host))
        await journal.presence.beat(host)
    await journal.hosts.place("thread-1", HostWish(name="aaaa"))
    project = "https://git.example/shop@" + "a" * 40
    headline = Headline(
        stream=StreamId("thread-1"),
        kind="thread",
        title="t",
        project=project,
        status="open",
        waiting_for="",
    )
    await journal.append([], [headline])


async def state_of(journal: SqlJournal) -> tuple[HostState, bool]:
    host = await journal.hosts.named("aaaa")
    return host.state, host.is_until_start


async def test_work_moves_to_another_host_before_the_worker_is_asked_to_end(tmp_path: Path) -> None:
    worker = await begun(WORKER, tmp_path)
    async with open_journal(f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}") as journal:
        await two_hosts(journal, tmp_path)
        command = await run(*MOVE, folder=tmp_path, **HUB)
        assert b"no turn begins" in await line_of(command.stderr)
        assert await state_of(journal) == (HostState.DRAINING, True)
        assert worker.returncode is None
        await journal.moves.report_work("aaaa", ())  # as the worker does: nothing is at work
        ((stream, move),) = await journal.moves.release("aaaa", frozenset(("thread-1",)))
        _, told = await asyncio.wait_for(command.communicate(), 60)

        assert (stream, move.host) == ("thread-1", "bbbb")
        assert command.returncode == 0
        assert told.endswith(b"drained\n")
        assert (await worker.communicate())[0] == b"drains\n"
        await journal.moves.start("aaaa")
        assert (await state_of(journal))[0] is HostState.UP


async def test_a_worker_that_does_not_drain_in_time_is_ended_by_then(tmp_path: Path) -> None:
    worker = await begun(SECOND, tmp_path)
    async with open_journal(f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}") as journal:
        await two_hosts(journal, tmp_path)
        command = await run(*MOVE, folder=tmp_path, **HUB, TREADLE_DRAIN_SECONDS="2")
        _, told = await asyncio.wait_for(command.communicate(), 120)

    assert command.returncode == 0
    assert b"not all has moved after 2 s" in told
    assert told.endswith(b"drained\n")
    await asyncio.wait_for(worker.communicate(), 60)


async def test_a_worker_ends_as_ever_where_nothing_can_move(tmp_path: Path) -> None:
    for more, why in (
        ({}, b"there is no hub"),
        (HUB, b"no other host is up"),
        ({**HUB, "TREADLE_JOURNAL_URL": "postgresql://t:t@127.0.0.1:9/t"}, b"nothing is moved"),
    ):
        worker = await begun(WORKER, tmp_path)
        (tmp_path / "host-id").write_text("aaaa")
        async with open_journal(f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}") as journal:
            await journal.hosts.register(HostFacts(host="aaaa", name="a", machine="m"))
            command = await run(*MOVE, folder=tmp_path, TREADLE_DRAIN_SECONDS="20", **more)
            _, told = await asyncio.wait_for(command.communicate(), 60)
            assert (await state_of(journal))[0] is HostState.UP

        assert (command.returncode, why in told) == (0, True), told
        assert (await worker.communicate())[0] == b"drains\n"


async def test_what_stops_a_worker_goes_on_where_none_runs(tmp_path: Path) -> None:
    command = await run(*MOVE, folder=tmp_path)
    await asyncio.wait_for(command.communicate(), 60)
    assert command.returncode == 0
