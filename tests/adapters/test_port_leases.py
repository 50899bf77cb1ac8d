"""Port leases: one owner a number, stable, and free in fact."""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.port_leases import FilePortLeases, is_free, leases_in
from domain.core.errors import WorkspaceError

LEASE_MANY = """
import asyncio, sys
from pathlib import Path
from adapters.port_leases import FilePortLeases

async def main():
    leases = FilePortLeases(Path(sys.argv[1]))
    print(*[await leases.lease(sys.argv[2], f"p{n}") for n in range(25)])

asyncio.run(main())
"""


async def test_a_port_stays_the_same_when_asked_again(data_dir):
    first = await FilePortLeases(data_dir).lease("task-1", "web")

    again = await FilePortLeases(data_dir).lease("task-1", "web")

    assert first == again
    assert is_free(first)


async def test_no_two_owners_hold_one_number(data_dir):
    leases = FilePortLeases(data_dir)

    ports = await asyncio.gather(
        *(leases.lease(f"task-{n}", port_id) for n in range(20) for port_id in ("web", "api"))
    )

    assert len(set(ports)) == 40


async def test_two_data_folders_seldom_try_the_same_number(tmp_path):
    one, another = FilePortLeases(tmp_path / "one"), FilePortLeases(tmp_path / "another")

    assert [await one.lease("task-1", f"p{n}") for n in range(4)] != [
        await another.lease("task-1", f"p{n}") for n in range(4)
    ]


async def test_two_processes_share_one_table(data_dir):
    workers = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", LEASE_MANY, str(data_dir), f"task-{n}"),
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        for n in range(3)
    ]

    outputs = [(await worker.communicate())[0] for worker in workers]

    ports = [port for output in outputs for port in output.split()]
    assert len(ports) == len(set(ports)) == 75


async def test_released_ports_go_to_others(data_dir):
    leases = FilePortLeases(data_dir)
    await leases.lease("task-1", "web")
    kept = await leases.lease("task-2", "web")

    await leases.release("task-1")
    await leases.release("task-1")

    assert await leases.lease("task-2", "web") == kept
    assert '"task-1"' not in (data_dir / "ports.json").read_text()


async def test_a_port_that_is_given_back_alone_leaves_its_owners_others(data_dir):
    leases = FilePortLeases(data_dir)
    await leases.lease("task-1", "web")
    kept = await leases.lease("task-1", "api")

    await leases.release("task-1", "web")

    assert [(known.port_id, known.port) for known in leases_in(data_dir / "ports.json")] == [
        ("api", kept)
    ]


@pytest.mark.parametrize(
    ("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_a_port_that_is_listened_on_is_not_free(family, address):
    with socket.socket(family) as server:
        server.bind((address, 0))
        server.listen()

        assert not is_free(server.getsockname()[1])


async def test_a_broken_table_is_never_overwritten(data_dir):
    (data_dir / "ports.json").write_text('{"leases": [')

    with pytest.raises(WorkspaceError, match=r"ports\.json"):
        await FilePortLeases(data_dir).lease("task-1", "web")
