"""Shallow clones, large files and submodules, as a base brings them."""

import pytest

from tests.adapters.bases.conftest import work
from tests.adapters.task_specs import (
    BRANCH,
)


@pytest.fixture
async def shallow(workspaces, call, git, push, tmp_path, remote):
    """A call for a thread on a clone that has only the newest commit of three."""
    for number in range(2):
        push(f"{number}.py")
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{remote}", str(clone))
    await workspaces.create_branch(str(clone), BRANCH, "main")
    known = (await workspaces.inspect(str(clone))).remotes
    return call.model_copy(update={"repository": str(clone), "known": known})


async def test_a_shallow_clone_takes_in_what_is_on_top_of_it(bases, shallow, git, push):
    newest = push("later.py")

    look = await bases.look(shallow)
    done = await bases.update(shallow, look)

    assert (look.behind, look.commit) == (1, newest)
    assert git(shallow.repository, "rev-parse", BRANCH) == done.commit
    git(shallow.repository, "cat-file", "-e", f"{BRANCH}:later.py")


async def test_a_shallow_clone_says_how_to_get_the_rest(bases, shallow, git, push, others):
    git(others, "reset", "--quiet", "--hard", "HEAD~2")
    push("instead.py", "x\n", "--force")
    tip = git(shallow.repository, "rev-parse", BRANCH)

    done = await bases.update(shallow, await bases.look(shallow))

    assert "this is a shallow clone. Fetch the rest with `git fetch --unshallow`" in done.failure
    assert git(shallow.repository, "rev-parse", BRANCH) == tip


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 3\n"


async def test_pointers_of_large_files_are_merged_as_they_are(bases, call, ours, git, push, others):
    (others / ".gitattributes").write_text("*.bin filter=lfs diff=lfs merge=lfs -text\n")
    push("big.bin", POINTER.format("1" * 64), "--no-verify")
    await bases.update(call, await bases.look(call))
    push("big.bin", POINTER.format("2" * 64), "--no-verify")

    done = await bases.update(call, await bases.look(call))

    assert (
        git(call.repository, "show", f"{done.commit}:big.bin") == POINTER.format("2" * 64).strip()
    )


async def test_a_pointer_that_both_sides_changed_is_a_conflict(
    bases, call, workspaces, repository, git, push
):
    tip = await work(workspaces, repository, "big.bin", POINTER.format("1" * 64))
    push("big.bin", POINTER.format("2" * 64), "--no-verify")

    done = await bases.update(call, await bases.look(call))

    assert done.conflicts == ("big.bin",)
    assert git(repository, "rev-parse", BRANCH) == tip


@pytest.fixture
def link(others, git):
    """Have somebody push which commit of a submodule the base wants."""

    def link(commit, url):
        words = f'[submodule "lib"]\n\tpath = lib\n\turl = {url}\n'
        (others / ".gitmodules").write_text(words)
        git(others, "add", ".gitmodules")
        git(others, "update-index", "--add", "--cacheinfo", f"160000,{commit},lib")
        git(others, "commit", "--quiet", "--message=Move lib")
        git(others, "push", "--quiet", "origin", "HEAD:main")

    return link


async def test_a_submodule_that_moved_comes_in_and_its_address_is_never_asked(
    bases, call, ours, git, link, refusing
):
    link("1" * 40, refusing.url)
    await bases.update(call, await bases.look(call))
    link("2" * 40, refusing.url)

    done = await bases.update(call, await bases.look(call))

    assert git(call.repository, "rev-parse", f"{done.commit}:lib") == "2" * 40
    assert refusing.asked == []
