"""Unix sockets of the host, as a sandboxed process meets them."""

import socket
import sys
import tempfile
from pathlib import Path

import pytest

from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.sandbox import SandboxUnavailableError
from adapters.processes.unix_sockets import foreign_sockets
from domain.agents.sandbox import SandboxRules
from domain.core.network import Network
from tests.adapters.conftest import BASE_ENVIRONMENT

CACHE = Path(__file__).resolve().parents[2] / ".cache"
ASK = (
    "import socket, sys\n"
    "for path in sys.argv[1:]:\n"
    "    try: socket.socket(socket.AF_UNIX, socket.SOCK_{kind}).connect(path); print('reached')\n"
    "    except OSError as error: print(type(error).__name__)\n"
)


@pytest.fixture
def elsewhere():
    """A folder that a sandbox shows, as it is neither temporary nor HOME."""
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        yield Path(folder)


@pytest.fixture
def worktree(data_dir):
    folder = data_dir / "worktrees" / "w"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def host(data_dir, tmp_path, home, elsewhere):
    (elsewhere / "written").mkdir()
    writes = (elsewhere / "written",)
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config", writes)
    return host_spawner(folders, {"PATH": BASE_ENVIRONMENT["PATH"], "HOME": str(home)})


def listen(path, kind=socket.SOCK_STREAM):
    path.parent.mkdir(exist_ok=True)
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(str(path))
    if kind is not socket.SOCK_DGRAM:
        server.listen()
    return server


async def ask(host, worktree, *paths, kind="STREAM", network=Network.PORTS, writes=()):
    command = Command(
        (sys.executable, "-c", ASK.format(kind=kind), *map(str, paths)),
        worktree,
        is_merged=True,
        sandbox=SandboxRules(network=network).of(None, None),
        writes=writes,
    )
    return (await host.run(command, limit_seconds=60)).output.text().split()


@pytest.mark.parametrize("kind", ["STREAM", "DGRAM", "SEQPACKET"])
async def test_a_server_of_the_host_is_not_asked(host, worktree, elsewhere, kind):
    at = getattr(socket, f"SOCK_{kind}")
    with listen(elsewhere / "s", at), listen(elsewhere / "written" / "s", at):
        (elsewhere / "link").symlink_to(elsewhere / "s")
        paths = (elsewhere / "s", elsewhere / "written" / "s", elsewhere / "link")

        assert await ask(host, worktree, *paths, kind=kind) == ["ConnectionRefusedError"] * 3


@pytest.fixture
def ending(monkeypatch, elsewhere):
    """Servers that end when the sandbox has been planned and is not made yet; how often one did."""
    ends: list[int] = []
    left = [1]

    def looked(*folders):
        with listen(elsewhere / "brief"):
            found = [p for p in foreign_sockets(*folders) if p.is_relative_to(elsewhere)]
        (elsewhere / "brief").unlink()
        ends.append(len(found))
        return found if len(ends) <= left[0] else [p for p in found if p.name != "brief"]

    monkeypatch.setattr("adapters.processes.sandbox.foreign_sockets", looked)
    return ends, left


async def test_a_server_that_ends_while_a_sandbox_is_made_keeps_it_from_nothing(
    host, worktree, ending
):
    ends, _ = ending
    with listen(worktree / "s"):
        assert await ask(host, worktree, worktree / "s") == ["reached"]
    assert len(ends) > 1, "it was made anew"  # once more where another server of this machine ends


async def test_a_sandbox_that_cannot_be_made_is_an_error_of_the_start(
    host, worktree, ending, data_dir
):
    ending[1][0] = 10

    with pytest.raises(SandboxUnavailableError, match=r"namespace cannot be made: bwrap: .*brief"):
        await ask(host, worktree)
    assert list((data_dir / "runs").iterdir()) == []


async def test_a_server_in_the_agents_own_folder_is_not_asked(host, worktree, home):
    with listen(home / ".codex" / "daemon.sock"):
        own = home / ".codex"

        said = await ask(host, worktree, own / "daemon.sock", writes=(own,))

    assert said == ["ConnectionRefusedError"]


async def test_a_server_in_the_worktree_is_asked(host, worktree):
    with listen(worktree / "s"):
        assert await ask(host, worktree, worktree / "s") == ["reached"]


async def test_a_server_is_asked_where_the_user_leaves_the_network_to_agents(
    host, worktree, elsewhere
):
    with listen(elsewhere / "s"):
        assert await ask(host, worktree, elsewhere / "s", network=Network.HOST) == ["reached"]


async def test_servers_in_treadles_data_are_not_there_where_it_lies_in_a_shown_folder(
    tmp_path, elsewhere, home
):
    data_dir = elsewhere / "data"
    worktree = data_dir / "worktrees" / "w"
    worktree.mkdir(parents=True)
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    host = host_spawner(folders, {"PATH": BASE_ENVIRONMENT["PATH"], "HOME": str(home)})
    with listen(data_dir / "api.sock"), listen(worktree / "s"):
        said = await ask(host, worktree, data_dir / "api.sock", worktree / "s")

    assert said == ["FileNotFoundError", "reached"]
