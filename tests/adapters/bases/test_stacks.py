"""Stacks on git: what is replayed after each way to merge the one below, and what is pushed over."""

import pytest

from adapters.git.stacks import GitStacks
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequestDraft
from domain.threads.publishing.errors import PushError
from domain.threads.publishing.stack_calls import LayerCall, ReplayCall, StackCall
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import BRANCH, THREAD

FIRST, SECOND = f"{BRANCH}-1-first", f"{BRANCH}-2-second"
PROJECT = ForgeProject(host="forge.invalid", owner="o", name="r")
METHODS = {
    "merge": ("merge", "--quiet", "--no-ff", "-m", "Merge the first"),
    "squash": ("merge", "--quiet", "--squash"),
    "rebase": ("cherry-pick",),
}


@pytest.fixture
def stacks(spawner, data_dir, tmp_path):
    environment = {**BASE_ENVIRONMENT, "HOME": str(tmp_path)}
    return GitStacks(spawner, data_dir, environment, limit_seconds=60)


@pytest.fixture
async def layers(repository, remote, branch, git, tmp_path):
    """The thread's branch with two tasks, merged one after the other; returns the merges."""
    work = tmp_path / "work"
    git(tmp_path, "clone", "--quiet", str(remote), str(work))
    tips = []
    for name, files in (("first", ("a.txt", "b.txt")), ("second", ("c.txt",))):
        start = git(work, "rev-parse", "HEAD")
        for file in files:
            (work / file).write_text(f"{name}\n")
            git(work, "add", file)
            git(work, "commit", "--quiet", "-m", f"Add {file}")
        made = git(work, "rev-parse", "HEAD")
        git(work, "checkout", "--quiet", "--detach", start)
        git(work, "merge", "--quiet", "--no-ff", "-m", f"Merge {name}", made)
        tips.append(git(work, "rev-parse", "HEAD"))
    for layer, tip in zip((FIRST, SECOND), tips, strict=True):
        git(work, "push", "--quiet", "origin", f"{tip}:refs/heads/{layer}")
    git(repository, "fetch", "--quiet", "origin")
    git(repository, "update-ref", f"refs/heads/{BRANCH}", tips[-1])
    return tips


@pytest.fixture
async def known(workspaces, repository, remote, branch):
    return (await workspaces.inspect(str(repository))).remotes


@pytest.fixture
def replay(layers, repository, known):
    return ReplayCall(
        thread_id=THREAD,
        repository=str(repository),
        branch=BRANCH,
        base="main",
        known=known,
        since=layers[0],
        commit=layers[1],
        key=SECOND,
        title="The second",
    )


@pytest.fixture
def layer(layers, repository, known):
    draft = PullRequestDraft(project=PROJECT, head=SECOND, base="main", title="The second")
    return LayerCall(
        repository=str(repository),
        branch=BRANCH,
        known=known,
        commit=layers[1],
        made=(layers[1],),
        draft=draft,
    )


def merged(git, others, method, *more):
    """Merge the first layer into main on the remote, as a forge does, on top of somebody's commit."""
    (others / "theirs.txt").write_text("theirs\n")
    for name, text in more:
        (others / name).write_text(text)
    git(others, "add", "--all")
    git(others, "commit", "--quiet", "-m", "Theirs")
    git(others, "fetch", "--quiet", "origin")
    tips = (f"origin/{FIRST}",)
    if method == "rebase":
        listed = git(others, "rev-list", "--reverse", "--no-merges", f"main..origin/{FIRST}")
        tips = tuple(listed.split())
    git(others, *METHODS[method], *tips)
    if method == "squash":
        git(others, "commit", "--quiet", "-m", "The first")
    git(others, "push", "--quiet", "origin", "HEAD:main")
    return git(others, "rev-parse", "HEAD")


async def test_tasks_are_found_in_the_order_in_which_they_came_in(
    stacks, layers, repository, known
):
    call = StackCall(
        repository=str(repository),
        branch=BRANCH,
        known=known,
        tasks={"second": layers[1], "gone": "f" * 40, "first": layers[0]},
    )

    found = await stacks.find(call)

    assert (found.tasks, found.missing) == (("first", "second"), ("gone",))
    assert found.pushed.commit == layers[1]


@pytest.mark.parametrize("method", METHODS)
async def test_what_is_above_has_only_its_own_changes_after_the_merge(
    stacks, layer, replay, others, git, method
):
    base = merged(git, others, method)

    done = await stacks.replay(replay)
    await stacks.push(layer.model_copy(update={"commit": done.commit}))

    assert not done.failure
    is_kept = method == "merge"
    assert (done.commit == replay.commit) is is_kept
    assert done.begins_at == (replay.since if is_kept else base)
    git(others, "fetch", "--quiet", "origin")
    assert git(others, "rev-parse", f"origin/{SECOND}") == done.commit
    changed = git(others, "diff", "--name-only", f"origin/main...origin/{SECOND}")
    assert changed.split() == ["c.txt"]
    git(others, "checkout", "--quiet", "--detach", "origin/main")
    git(others, "merge", "--quiet", "--no-ff", "-m", "Merge the second", f"origin/{SECOND}")
    assert {path.name for path in others.glob("?.txt")} == {"a.txt", "b.txt", "c.txt"}


async def test_a_replay_that_is_made_again_may_be_pushed_over_the_first(
    stacks, layer, replay, others, git, push
):
    merged(git, others, "squash")
    first = await stacks.replay(replay)
    await stacks.push(layer.model_copy(update={"commit": first.commit}))
    push("more.txt")
    again = await stacks.replay(replay)
    made = (replay.commit, first.commit, again.commit)

    await stacks.push(layer.model_copy(update={"commit": again.commit, "made": made}))
    await stacks.push(layer.model_copy(update={"commit": again.commit, "made": made}))

    assert first.commit != again.commit
    assert git(others, "ls-remote", "origin", SECOND).split()[0] == again.commit


async def test_a_conflict_names_its_files_and_nothing_is_pushed(
    stacks, layers, replay, others, repository, git
):
    merged(git, others, "squash", ("c.txt", "theirs\n"))

    done = await stacks.replay(replay)

    assert "c.txt" in done.failure
    assert done.commit == ""
    assert git(others, "ls-remote", "origin", SECOND).split()[0] == layers[1]


async def test_nothing_is_forced_over_what_somebody_else_pushed(stacks, layer, replay, others, git):
    base = merged(git, others, "squash")
    git(others, "checkout", "--quiet", "-B", "theirs", f"origin/{SECOND}")
    (others / "review.txt").write_text("theirs\n")
    git(others, "add", "--all")
    git(others, "commit", "--quiet", "-m", "Review")
    git(others, "push", "--quiet", "origin", f"HEAD:{SECOND}")
    theirs = git(others, "rev-parse", "HEAD")
    done = await stacks.replay(replay)

    with pytest.raises(PushError, match="nothing is forced"):
        await stacks.push(layer.model_copy(update={"commit": done.commit}))

    assert done.begins_at == base
    assert git(others, "ls-remote", "origin", SECOND).split()[0] == theirs
