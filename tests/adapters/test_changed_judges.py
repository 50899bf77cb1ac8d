"""What a snapshot tells of a turn that changed its own judges: new files, old ones, links, gone ones."""

from adapters.git.workspaces import GitWorkspaces
from tests.adapters.task_specs import BRANCH, commit_of, spec_of


async def test_a_snapshot_tells_changed_judges_and_what_was_there_before(
    spawner, repository, data_dir, git
):
    (repository / "check.sh").write_text("exit 1\n")
    (repository / "old name.py").write_text("old\n")
    (repository / "AGENTS.md").write_text("Be good.\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "checks")
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "check.sh").unlink()
    (path / "check.sh").symlink_to("/bin/true")
    (path / "old name.py").write_text("new\n")
    (path / "AGENTS.md").unlink()
    (path / "tests").mkdir()
    (path / "tests" / "conftest.py").write_text("")
    (path / "tests" / "test_new.py").write_text("")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.judges == ("AGENTS.md", "tests/conftest.py")
    assert snapshot.altered == ("AGENTS.md", "check.sh", "old name.py")
    assert snapshot.file_count == 5
