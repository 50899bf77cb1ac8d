"""What a session changes that may only read is thrown away, told, and still on a hidden ref."""

from tests.adapters.task_specs import spec_of


def planning(repository):
    spec = spec_of(repository, "task-1")
    return spec.model_copy(update={"branch": None, "kind": "planning"})


async def test_nothing_is_thrown_away_where_nothing_changed(workspaces, repository, branch):
    spec = planning(repository)
    path = await workspaces.prepare(spec)

    assert await workspaces.discard(spec) == ()
    assert path.exists()


async def test_changes_are_thrown_away_and_told(workspaces, repository, git, branch):
    spec = planning(repository)
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("changed\n")
    (path / "new.py").write_text("new\n")

    assert sorted(await workspaces.discard(spec)) == ["app.py", "new.py"]

    again = await workspaces.prepare(spec)
    assert not (again / "new.py").exists()
    assert (again / "app.py").read_text() != "changed\n"
    kept = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{kept}:new.py") == "new"


async def test_a_reader_that_commits_is_found_out(workspaces, repository, git, branch):
    spec = planning(repository)
    path = await workspaces.prepare(spec)
    (path / "new.py").write_text("new\n")
    git(path, "add", "new.py")
    git(path, "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "sneaky")

    assert await workspaces.discard(spec) == ("new.py",)
    assert not (await workspaces.prepare(spec) / "new.py").exists()


async def test_a_workspace_that_is_not_there_holds_nothing(workspaces, repository, branch):
    assert await workspaces.discard(planning(repository)) == ()
