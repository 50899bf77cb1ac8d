"""Work that is put together on real git: one commit's files, with some as they are in others."""

import pytest

from adapters.git.several.workspaces import SeveralWorkspaces
from domain.core.errors import RepositoryError
from tests.adapters.task_specs import commit_of, settle_of, spec_of

LINES = "".join(f"line {n}\n" for n in range(20))


@pytest.fixture
def port(workspaces, spawner, data_dir) -> SeveralWorkspaces:
    return SeveralWorkspaces(workspaces, spawner, data_dir)


async def worked(port, repository, name: str, files: dict[str, str], gone: str = "") -> str:
    """Have a task change files, and return its commit."""
    spec = spec_of(repository, name)
    path = await port.prepare(spec)
    if gone:
        (path / gone).unlink()
    for file, text in files.items():
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_text(text)
    return (await port.commit(spec, commit_of(f"{name}-turn"))).commit


async def merged(port, repository, name: str, files: dict[str, str]) -> None:
    """Have a task change files, and merge it."""
    commit = await worked(port, repository, name, files)
    await port.settle(settle_of(spec_of(repository, name), commit, key=f"merge-{name}"))


async def test_files_of_one_come_into_the_work_of_another(port, repository, git, branch):
    a = await worked(port, repository, "a", {"a.py": "a\n", "src/same.py": "of a\n"}, gone="app.py")
    b = await worked(port, repository, "b", {"b.py": "b\n", "src/same.py": "of b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    path = await port.put_together(spec, {a: ["src/same.py", "app.py"]})
    made = await port.commit(spec, commit_of("composed"))
    await port.put_together(spec, {a: ["src/same.py", "app.py"]})
    again = await port.commit(spec, commit_of("composed"))
    await port.release(spec)
    started = spec.model_copy(update={"begins_with": made.commit})

    assert await port.prepare(started) == path
    assert (await port.commit(spec, commit_of("turn-1"))).commit == made.commit
    assert again.commit == made.commit, "it is made once"
    assert (path / "src" / "same.py").read_text() == "of a\n"
    shown = git(repository, "ls-tree", "-r", "--name-only", made.commit).split()
    assert "b.py" in shown
    assert "a.py" not in shown, "nothing else of it"
    assert "app.py" not in shown, "what the other removed is gone"
    assert made.base == git(repository, "rev-parse", "main"), "its diff is that against the base"
    assert set(made.files) == {"b.py", "src/same.py", "app.py"}


async def test_a_file_that_nobody_has_is_refused_and_leaves_no_worktree(
    port, repository, git, branch
):
    a = await worked(port, repository, "a", {"a.py": "a\n"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    with pytest.raises(RepositoryError, match="neither in"):
        await port.put_together(spec, {a: ["none.py"]})
    assert git(repository, "worktree", "list").count("\n") == 2, "its own, of a and of b"
    assert "treadle/c" not in git(repository, "branch", "--list")

    await port.put_together(spec, {a: ["a.py"]})
    await port.commit(spec, commit_of("composed"))


async def test_what_both_removed_stays_gone(port, repository, git, branch):
    a = await worked(port, repository, "a", {"new.py": "print(1)\n"}, gone="app.py")
    b = await worked(port, repository, "b", {"b.py": "b\n"}, gone="app.py")
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    await port.put_together(spec, {a: ["new.py", "app.py"]})
    made = await port.commit(spec, commit_of("composed"))

    shown = git(repository, "ls-tree", "--name-only", made.commit).split()
    assert shown == [".gitignore", "b.py", "new.py"]


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


async def test_a_file_is_not_lost_where_another_one_has_a_folder(port, repository, git, branch):
    """Git takes it out of an index without a word."""
    a = await worked(port, repository, "a", {"app.py/part.py": "of a\n"}, gone="app.py")
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    with pytest.raises(RepositoryError, match=r"'app\.py' would be lost"):
        await port.put_together(spec, {a: ["app.py/part.py"]})

    await port.put_together(spec, {a: ["app.py/part.py", "app.py"]})
    made = await port.commit(spec, commit_of("composed"))
    assert git(repository, "show", f"{made.commit}:app.py/part.py") == "of a"


async def test_a_folder_is_not_lost_where_another_one_has_a_file(port, repository, git, branch):
    a = await worked(port, repository, "a", {"both": "of a\n"})
    b = await worked(port, repository, "b", {"both/1.py": "1\n", "both/2.py": "2\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    for files in (["both"], ["both", "both/1.py"]):
        with pytest.raises(RepositoryError, match="would be lost"):
            await port.put_together(spec, {a: files})

    await port.put_together(spec, {a: ["both", "both/1.py", "both/2.py"]})
    made = await port.commit(spec, commit_of("composed"))
    assert git(repository, "show", f"{made.commit}:both") == "of a"


async def test_files_of_two_that_are_in_each_others_way_are_refused(port, repository, branch):
    a = await worked(port, repository, "a", {"both": "of a\n"})
    d = await worked(port, repository, "d", {"both/1.py": "of d\n"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    with pytest.raises(RepositoryError, match="would be lost"):
        await port.put_together(spec, {a: ["both"], d: ["both/1.py"]})


async def test_a_folder_is_told_apart_from_what_nobody_has(port, repository, branch):
    a = await worked(port, repository, "a", {"src/a.py": "a\n"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    with pytest.raises(RepositoryError, match="'src' is a folder"):
        await port.put_together(spec, {a: ["src"]})


async def test_what_was_merged_since_stays_in_a_file_of_older_work(port, repository, git, branch):
    """One candidate began before a merge, the other after it."""
    await merged(port, repository, "before", {"long.txt": LINES})
    old = await worked(port, repository, "old", {"long.txt": f"{LINES}of old\n"})
    await merged(port, repository, "meanwhile", {"long.txt": f"merged since\n{LINES}"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    await port.put_together(spec, {old: ["long.txt"]})
    made = await port.commit(spec, commit_of("composed"))

    text = git(repository, "show", f"{made.commit}:long.txt")
    assert text == f"merged since\n{LINES}of old"
    assert made.files == ("b.py", "long.txt")


async def test_a_file_that_conflicts_with_what_was_merged_since_is_refused(
    port, repository, branch
):
    await merged(port, repository, "before", {"long.txt": LINES})
    old = await worked(port, repository, "old", {"long.txt": f"of old\n{LINES}", "own.py": "own\n"})
    await merged(port, repository, "meanwhile", {"long.txt": f"merged since\n{LINES}"})
    b = await worked(port, repository, "b", {"b.py": "b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": b})

    with pytest.raises(RepositoryError, match=r"'long\.txt' of \w+ conflicts with what was merged"):
        await port.put_together(spec, {old: ["long.txt", "own.py"]})

    path = await port.put_together(spec, {old: ["own.py"]})
    assert (path / "own.py").read_text() == "own\n"
    assert (path / "long.txt").read_text().startswith("merged since")


async def test_newer_work_comes_into_older_as_it_is(port, repository, git, branch):
    await merged(port, repository, "before", {"long.txt": LINES})
    old = await worked(port, repository, "old", {"old.py": "old\n"})
    await merged(port, repository, "meanwhile", {"long.txt": f"merged since\n{LINES}"})
    b = await worked(port, repository, "b", {"long.txt": f"merged since\n{LINES}of b\n"})
    spec = spec_of(repository, "c").model_copy(update={"begins_with": old})

    await port.put_together(spec, {b: ["long.txt"]})
    made = await port.commit(spec, commit_of("composed"))
    result = await port.settle(settle_of(spec, made.commit))

    assert not result.conflicts
    text = git(repository, "show", f"{branch}:long.txt")
    assert text == f"merged since\n{LINES}of b"
