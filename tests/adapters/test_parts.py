"""Work that is put together on real git: one commit's files, with some as they are in others."""

import pytest

from adapters.git.several.workspaces import SeveralWorkspaces
from domain.core.errors import RepositoryError
from tests.adapters.task_specs import commit_of, spec_of


@pytest.fixture
def port(workspaces, spawner, data_dir) -> SeveralWorkspaces:
    return SeveralWorkspaces(workspaces, spawner, data_dir)


async def worked(port, repository, name: str, files: dict[str, str], gone: str = "") -> str:
    """Have a task change files, and return its commit."""
    spec = spec_of(repository, name)
    path = await port.prepare(spec)
    for file, text in files.items():
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_text(text)
    if gone:
        (path / gone).unlink()
    return (await port.commit(spec, commit_of(f"{name}-turn"))).commit


async def test_files_of_one_come_into_the_work_of_another(port, repository, git, branch):
    a = await worked(port, repository, "a", {"a.py": "a\n", "src/same.py": "of a\n"}, gone="app.py")
    b = await worked(port, repository, "b", {"b.py": "b\n", "src/same.py": "of b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    path = await port.put_together(spec, {a: ["src/same.py", "app.py"]})
    made = await port.commit(spec, commit_of("composed"))
    await port.put_together(spec, {a: ["src/same.py", "app.py"]})
    again = await port.commit(spec, commit_of("composed"))

    assert again.commit == made.commit, "it is made once"
    assert (path / "src" / "same.py").read_text() == "of a\n"
    shown = git(repository, "ls-tree", "-r", "--name-only", made.commit).split()
    assert "b.py" in shown
    assert "a.py" not in shown, "nothing else of it"
    assert "app.py" not in shown, "what the other removed is gone"
    assert made.base == git(repository, "rev-parse", "main"), "its diff is that against the base"
    assert set(made.files) == {"b.py", "src/same.py", "app.py"}


async def test_a_file_that_nobody_has_is_refused(port, repository, branch):
    a = await worked(port, repository, "a", {"a.py": "a\n"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    with pytest.raises(RepositoryError, match="neither in"):
        await port.put_together(spec, {a: ["none.py"]})


async def test_names_are_taken_as_they_are(port, repository, git, branch):
    """No name is a pattern, an option or the address of something else."""
    names = ["*.py", ":(top)x", "-rf", "ä ö.txt"]
    a = await worked(port, repository, "a", {name: f"{name}\n" for name in names} | {"q.py": "q\n"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    await port.put_together(spec, {a: names})
    made = await port.commit(spec, commit_of("composed"))

    listed = git(repository, "-c", "core.quotePath=false", "ls-tree", "--name-only", made.commit)
    shown = set(listed.splitlines())
    assert set(names) < shown
    assert "q.py" not in shown
