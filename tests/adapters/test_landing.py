"""A thread's branch merged into the person's own, on real git: nothing of theirs is ever lost."""

import pytest

from adapters.git.landings import GitLandings
from domain.core.errors import WorkspaceError
from domain.threads.landing.calls import LandCall, LandingRefusedError
from tests.adapters.task_specs import BRANCH, THREAD, commit_of, settle_of, spec_of, user_state


@pytest.fixture
def landings(spawner, data_dir):
    return GitLandings(spawner, data_dir, {})


@pytest.fixture
def repository(repository, git):
    """A repository whose person wants their own merges otherwise."""
    hook = repository / ".git" / "hooks" / "post-merge"
    hook.write_text("#!/bin/sh\ntouch hooked\n")
    hook.chmod(0o755)
    git(repository, "config", "merge.autoStash", "true")
    git(repository, "config", "branch.main.mergeoptions", "--no-ff -s ours")
    return repository


@pytest.fixture
async def call(workspaces, repository, branch, git):
    """The merge of a task that changed one file and added another."""
    await workspaces.inspect(str(repository))
    spec = spec_of(repository, "task-1")
    folder = await workspaces.prepare(spec)
    (folder / "app.py").write_text("print(2)\n")
    (folder / "new.py").write_text("x\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    merged = await workspaces.settle(settle_of(spec, snapshot.commit))
    return LandCall(
        thread_id=THREAD,
        repository=str(repository),
        branch=BRANCH,
        commit=merged.commit,
        target="main",
        target_commit=git(repository, "rev-parse", "main"),
    )


@pytest.fixture
def commit(repository, git):
    """Commit a file on the branch that is out, as the person."""

    def made(name: str, text: str) -> str:
        (repository / name).write_text(text)
        git(repository, "add", ".")
        git(repository, "commit", "--quiet", f"--message={name}")
        return git(repository, "rev-parse", "HEAD")

    return made


async def test_a_clean_checkout_follows_its_branch(landings, repository, git, call):
    assert await landings.land(call) == call.commit

    assert git(repository, "rev-parse", "main") == call.commit
    assert (repository / "app.py").read_text() == "print(2)\n"
    assert git(repository, "status", "--porcelain") == ""
    assert not (repository / "hooked").exists()


async def test_a_target_that_went_on_gets_a_merge_commit(landings, repository, git, call, commit):
    call = call.model_copy(update={"target_commit": commit("own.py", "mine\n")})

    made = await landings.land(call)

    assert git(repository, "rev-parse", "main^1", "main^2").split() == [
        call.target_commit,
        call.commit,
    ]
    assert git(repository, "rev-parse", "main") == made
    assert (repository / "own.py").exists()
    assert (repository / "new.py").exists()
    assert git(repository, "status", "--porcelain") == ""


async def test_a_branch_that_is_not_checked_out_moves_alone(landings, repository, git, call):
    git(repository, "checkout", "--quiet", "-b", "elsewhere")
    before = (repository / "app.py").read_text()

    await landings.land(call)

    assert git(repository, "rev-parse", "main") == call.commit
    assert (repository / "app.py").read_text() == before
    assert git(repository, "status", "--porcelain") == ""


async def test_another_worktree_of_the_person_follows(landings, repository, git, call, tmp_path):
    git(repository, "checkout", "--quiet", "-b", "elsewhere")
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "beside"), "main")

    await landings.land(call)

    assert (tmp_path / "beside" / "new.py").exists()
    assert git(tmp_path / "beside", "status", "--porcelain") == ""


async def test_asked_twice_it_is_merged_once(landings, repository, git, call, commit):
    call = call.model_copy(update={"target_commit": commit("own.py", "mine\n")})
    made = await landings.land(call)

    assert await landings.land(call) == made
    later = commit("later.py", "later\n")
    assert await landings.land(call) == later


@pytest.mark.parametrize("name", ["app.py", "new.py", "new.py/inside"])
async def test_what_is_in_the_way_stays_and_is_named(landings, repository, git, call, name):
    (repository / name).parent.mkdir(exist_ok=True)
    (repository / name).write_text("mine\n")
    before = user_state(git, repository)

    with pytest.raises(LandingRefusedError, match=name.partition("/")[0]):
        await landings.land(call)

    assert user_state(git, repository) == before
    assert (repository / name).read_text() == "mine\n"


async def test_an_ignored_file_in_the_way_stays(landings, repository, git, call):
    (repository / ".git" / "info" / "exclude").write_text("new.py\n")
    (repository / "new.py").write_text("mine\n")

    with pytest.raises(LandingRefusedError, match=r"new\.py"):
        await landings.land(call)

    assert (repository / "new.py").read_text() == "mine\n"


async def test_other_changes_of_the_person_are_no_obstacle(landings, repository, git, call, commit):
    call = call.model_copy(update={"target_commit": commit("own.py", "mine\n")})
    (repository / "own.py").write_text("more\n")
    (repository / "notes.txt").write_text("untracked\n")

    await landings.land(call)

    assert (repository / "own.py").read_text() == "more\n"
    assert git(repository, "status", "--porcelain") == "M own.py\n?? notes.txt"


@pytest.mark.parametrize("moved", ["main", BRANCH])
async def test_a_branch_that_moved_since_it_was_shown_is_refused(
    landings, repository, git, call, commit, moved
):
    later = commit("own.py", "mine\n")
    if moved == BRANCH:
        git(repository, "reset", "--hard", "--quiet", call.target_commit)
        git(repository, "update-ref", f"refs/heads/{BRANCH}", later)

    with pytest.raises(LandingRefusedError, match=f"{moved} has moved since you looked"):
        await landings.land(call)


async def test_a_conflict_is_refused_with_its_files(landings, repository, git, call, commit):
    call = call.model_copy(update={"target_commit": commit("app.py", "print(3)\n")})
    before = user_state(git, repository)

    with pytest.raises(LandingRefusedError, match=r"conflicts with main in app\.py"):
        await landings.land(call)

    assert user_state(git, repository) == before


async def test_a_rebase_of_the_target_is_waited_out(landings, repository, git, call):
    git(repository, "checkout", "--quiet", "--detach")
    (repository / ".git" / "rebase-merge").mkdir()
    (repository / ".git" / "rebase-merge" / "head-name").write_text("refs/heads/main\n")

    with pytest.raises(LandingRefusedError, match="a rebase"):
        await landings.land(call)


async def test_an_index_that_another_git_holds_is_reported(landings, repository, call):
    (repository / ".git" / "index.lock").touch()

    with pytest.raises(WorkspaceError, match=r"index\.lock"):
        await landings.land(call)


async def test_a_merge_that_was_killed_while_it_wrote_files_goes_on(
    landings, repository, git, call
):
    (repository / "app.py").write_text("print(2)\n")
    (repository / "new.py").write_text("x\n")

    await landings.land(call)

    assert git(repository, "rev-parse", "main") == call.commit
    assert git(repository, "status", "--porcelain") == ""


async def test_a_merge_that_was_killed_before_the_branch_moved_goes_on(
    landings, repository, git, call
):
    git(repository, "read-tree", "-m", "-u", call.target_commit, call.commit)

    await landings.land(call)

    assert git(repository, "rev-parse", "main") == call.commit
    assert git(repository, "status", "--porcelain") == ""
