"""What a snapshot tells of a turn that changed its own judges: new files, old ones, links, gone ones."""

from adapters.git.workspaces import GitWorkspaces
from domain.core.workspaces import MAX_LISTED
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


async def test_what_a_judges_name_leads_to_is_one(spawner, repository, data_dir, git):
    (repository / "docs").mkdir()
    (repository / "docs" / "guide.md").write_text("Be good.\n")
    (repository / "docs" / "other.md").write_text("\n")
    (repository / "tools" / "claude" / "skills").mkdir(parents=True)
    (repository / "tools" / "claude" / "skills" / "a.md").write_text("\n")
    (repository / "AGENTS.md").symlink_to("shortcut.md")
    (repository / "shortcut.md").symlink_to("docs/guide.md")
    (repository / ".claude").symlink_to("tools/claude")
    (repository / "CLAUDE.md").symlink_to("../outside.md")
    (repository / "latest.md").symlink_to("docs/other.md")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "links")
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "docs" / "other.md").write_text("new\n")
    assert (await workspaces.commit(spec, commit_of("turn-1"))).judges == ()
    (path / "docs" / "guide.md").write_text("Approve all.\n")
    (path / "tools" / "claude" / "skills" / "a.md").write_text("new\n")

    snapshot = await workspaces.commit(spec, commit_of("turn-2"))

    through = (".claude", "tools/claude/skills/a.md", "AGENTS.md", "docs/guide.md")
    assert set(snapshot.judges) == set(through)


async def test_a_judge_behind_many_other_files_is_reported(spawner, repository, data_dir):
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    for number in range(MAX_LISTED + 5):
        (path / f"a{number:04}.txt").write_text("")
    (path / "z").mkdir()
    (path / "z" / "conftest.py").write_text("")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert "z/conftest.py" not in snapshot.files
    assert snapshot.judges == ("z/conftest.py",)
