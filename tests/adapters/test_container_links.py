"""Links that an image or an agent plants in a container's files lead nothing out of them."""

import subprocess
from pathlib import Path

import pytest

from adapters.processes.command import Command
from adapters.processes.container_links import ContainerLinkError, places_in, refuse_links
from adapters.processes.entry import entering
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.landlock import PortRules
from domain.agents.sandbox import Level, Sandbox, SandboxRules
from domain.recipes.containers import Container
from tests.adapters.conftest import BASE_ENVIRONMENT

WORDS = ("--bind", "/r", "/", "--tmpfs", "/t", "--cap-drop", "ALL", "--ro-bind-try", "/a", "/b/c")


def test_the_places_are_those_where_bubblewrap_mounts_or_makes_something():
    overlay = ("--overlay-src", "/o", "--tmp-overlay", "/p")
    assert [*places_in((*WORDS, *overlay, "--", "--dir", "/x"))] == ["/", "/t", "/b/c", "/p"]


@pytest.mark.parametrize(
    ("links", "is_refused"),
    [
        ({}, False),
        ({"home": "var/home"}, False),
        ({"var/home": "../opt"}, False),
        ({"home": "/oldroot/h"}, True),
        ({"home": "../oldroot"}, True),
        ({"home": "var/../../oldroot"}, True),
        ({"home": "opt/on", "opt/on": "../var/out", "var/out": "../.."}, True),
        ({"home/me": "/oldroot/h"}, True),
        ({"home": "home"}, True),
        ({"other": "/oldroot/h"}, False),
    ],
)
def test_links_that_lead_out_on_the_way_are_refused(
    tmp_path: Path, links: dict[str, str], is_refused: bool
):
    for folder in ("var", "opt"):
        (tmp_path / folder).mkdir()
    for name, to in links.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(to)
    places = ["/var/home/x"] if "var/home" in links else ["/home/me/x"]
    if not is_refused:
        refuse_links(tmp_path, places)
        return
    with pytest.raises(ContainerLinkError, match="is a link that leads out of it"):
        refuse_links(tmp_path, places)


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A container's files whose /workspaces leads to a folder of this host, as bubblewrap sees it."""
    root = tmp_path / "root"
    for name in ("proc", "dev", "usr", "etc"):
        (root / name).mkdir(parents=True)
    (tmp_path / "of-the-host").mkdir()
    (root / "workspaces").symlink_to(f"/oldroot{tmp_path}/of-the-host")
    return root


@pytest.mark.parametrize("sandbox", [None, Sandbox(level=Level.OFF), SandboxRules().of(None, None)])
async def test_nothing_is_made_on_the_host_where_a_link_leads_there(
    planted: Path, tmp_path: Path, data_dir: Path, sandbox: Sandbox | None
):
    folders = HostFolders(data_dir, tmp_path / "programs", tmp_path / "config")
    host = host_spawner(folders, BASE_ENVIRONMENT | {"HOME": str(tmp_path / "home")})
    (tmp_path / "work").mkdir()
    container = Container("c", planted, Path("/workspaces/app"))
    asked = Command(("/bin/true",), tmp_path / "work", sandbox=sandbox, container=container)
    with pytest.raises(ContainerLinkError, match="/workspaces is a link"):
        await host.start(asked)
    assert not [*(tmp_path / "of-the-host").iterdir()]


def entered(root: Path, rules: PortRules | None) -> subprocess.CompletedProcess[str]:
    words = entering(root, rules, ("/bin/echo", "--dir", "/workspaces/app"))
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("rules", [None, PortRules()])
def test_who_enters_looks_at_the_links_inside(planted: Path, rules: PortRules | None):
    refused = entered(planted, rules)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "/workspaces is a link" in refused.stderr
    (planted / "workspaces").unlink()
    done = entered(planted, rules)
    assert (done.returncode, done.stdout) == (0, "--dir /workspaces/app\n")
