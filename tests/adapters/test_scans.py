"""How often git looks through a whole worktree: what a turn costs in a large repository."""

import json
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import commit_of, spec_of


class Trace:
    """The walks through all folders that git's own trace tells of (`git help api-trace2`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()

    @property
    def environment(self) -> dict[str, str]:
        """What makes every git command leave a file of events here."""
        return {"GIT_TRACE2_EVENT": str(self._folder), "GIT_TRACE2_EVENT_NESTING": "10"}

    def walks(self) -> list[str]:
        """Return the commands that walked through the folders since the last call, once per walk."""
        found: list[str] = []
        for file in sorted(self._folder.iterdir()):
            events = [json.loads(line) for line in file.read_text().splitlines()]
            argv = next(event["argv"] for event in events if event["event"] == "start")
            entered = [e for e in events if e["event"] == "region_enter"]
            found += [" ".join(argv) for e in entered if e["label"] == "read_directory"]
            file.unlink()
        return found


@pytest.fixture
def trace(tmp_path) -> Trace:
    return Trace(tmp_path / "trace")


@pytest.fixture
def workspaces(trace, data_dir) -> GitWorkspaces:
    """Workspaces whose git commands are traced."""
    return GitWorkspaces(Spawner(data_dir / "runs", BASE_ENVIRONMENT | trace.environment), data_dir)


@pytest.mark.usefixtures("branch")
async def test_a_commit_walks_through_the_folders_once(workspaces, repository, trace):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "new").mkdir()
    (path / "new" / "a.py").write_text("a")
    trace.walks()

    done = await workspaces.commit(spec, commit_of("turn-1"))

    assert done.files == ("new/a.py",)
    assert len(trace.walks()) == 1


@pytest.mark.usefixtures("branch")
async def test_a_look_for_altered_files_walks_through_no_folder(workspaces, repository, trace):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    made = await workspaces.commit(spec, commit_of("turn-1"))
    (path / "a.py").write_text("b")
    (path / "more.py").write_text("b")
    trace.walks()

    assert await workspaces.altered(spec, made.commit) == ("a.py",)
    assert trace.walks() == []
