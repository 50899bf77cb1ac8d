"""Worktrees, commits and merges: idempotent, mended after kills, and away from the user's checkout."""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.processes import Spawner
from adapters.workspaces import GitWorkspaces
from domain.effects import SettleCall
from domain.errors import RepositoryError, WorkspaceError
from domain.ids import TaskId, ThreadId
from domain.workspaces import CommitSpec, WorkspaceKind, WorkspaceSpec
from tests.adapters.conftest import BASE_ENVIRONMENT

THREAD = ThreadId("thread-greet-1")
BRANCH = "treadle/greet"


@pytest.fixture
def workspaces(spawner, data_dir) -> GitWorkspaces:
    return GitWorkspaces(spawner, data_dir)


@pytest.fixture
async def branch(workspaces, repository) -> str:
    """The thread's branch."""
    await workspaces.create_branch(str(repository), BRANCH, "main")
    return BRANCH


def spec_of(repository: Path, task: str, *, branch: str | None = "") -> WorkspaceSpec:
    return WorkspaceSpec(
        workspace_id=f"{THREAD}/{task}",
        kind=WorkspaceKind.TASK,
        repository=str(repository),
        thread_id=THREAD,
        task_id=TaskId(task),
        base=BRANCH,
        branch=f"treadle/{task}" if branch == "" else branch,
    )


def commit_of(key: str, title: str = "Add a greeting") -> CommitSpec:
    return CommitSpec(
        key=key,
        title=title,
        trailers=(("Treadle-Thread", THREAD),),
        checkpoint_ref=f"refs/treadle/{THREAD}/{key}",
    )


def settle_of(spec: WorkspaceSpec, commit: str | None, key: str = "merge-1") -> SettleCall:
    return SettleCall(
        key=key,
        task_id=spec.task_id,
        workspace=spec,
        commit=commit,
        branch=BRANCH,
        title="Merge a task",
        trailers=(("Treadle-Task", spec.task_id),),
    )


def user_state(git, repository: Path) -> tuple[str, ...]:
    """Return all that is the user's: head, branch, index bytes, status, refs that are not ours."""
    refs = git(repository, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    foreign = [r for r in refs if "treadle" not in r]
    index = hashlib.sha256((repository / ".git" / "index").read_bytes()).hexdigest()
    config = (repository / ".git" / "config").read_text()
    head = (repository / ".git" / "HEAD").read_text()
    files = [f"{p}:{p.read_bytes()!r}" for p in sorted(repository.glob("*")) if p.is_file()]
    status = git(repository, "--no-optional-locks", "status", "--porcelain")
    return (head, index, config, status, *foreign, *files)


async def test_a_repository_is_looked_at_without_a_trace(workspaces, repository, git):
    (repository / "AGENTS.md").write_text("no")
    (repository / "CLAUDE.md").write_text("Map\n")
    git(repository, "add", "CLAUDE.md")
    git(repository, "commit", "--quiet", "--message=map")
    (repository / "app.py").write_text("print(2)\n")
    (repository / "sub").mkdir()
    before = user_state(git, repository)

    facts = await workspaces.inspect(str(repository / "sub"))

    assert facts.root == str(repository)
    assert facts.head == git(repository, "rev-parse", "HEAD")
    assert facts.head_branch == "main"
    assert facts.uncommitted == 2
    assert facts.project_map == "Map\n"
    assert user_state(git, repository) == before


async def test_a_detached_head_is_fine(workspaces, repository, git):
    git(repository, "checkout", "--quiet", "--detach")

    facts = await workspaces.inspect(str(repository))

    assert (facts.head_branch, facts.project_map) == (None, "")


async def test_a_project_map_is_cut_and_a_link_is_none(workspaces, repository, git):
    (repository / "TREADLE.md").symlink_to("/etc/passwd")
    (repository / "AGENTS.md").write_text("ä" * 20_000)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=map")

    facts = await workspaces.inspect(str(repository))

    assert facts.project_map == "ä" * 8192


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "does not exist"),
        ("file", "is a file"),
        ("relative", "whole path"),
        ("plain", "git init"),
        ("bare", "bare repository: clone it"),
        ("inside", "inside a git folder"),
        ("empty", "make a first commit"),
    ],
)
async def test_an_unusable_folder_says_what_to_do(
    workspaces, repository, git, tmp_path, kind, words
):
    (tmp_path / "file").write_text("")
    (tmp_path / "plain").mkdir()
    git(tmp_path, "init", "--quiet", "--bare", "bare")
    git(tmp_path, "init", "--quiet", "empty")
    folders = {"relative": "project", "inside": str(repository / ".git")}

    with pytest.raises(RepositoryError, match=words):
        await workspaces.inspect(folders.get(kind, str(tmp_path / kind)))


async def test_a_branch_that_exists_is_left_where_it_is(workspaces, repository, git, branch):
    (repository / "more.py").write_text("")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=second")

    await workspaces.create_branch(str(repository), branch, "main")

    assert git(repository, "rev-parse", branch) == git(repository, "rev-parse", "main~1")


async def test_a_task_goes_all_the_way_beside_a_dirty_checkout(workspaces, repository, git, branch):
    (repository / "app.py").write_text("print('mine')\n")
    (repository / "staged.py").write_text("")
    git(repository, "add", "staged.py")
    (repository / "untracked.py").write_text("")
    before = user_state(git, repository)
    spec = spec_of(repository, "task-1")

    path = await workspaces.prepare(spec)
    assert sorted(p.name for p in path.iterdir()) == [".git", ".gitignore", "app.py"]
    (path / "greet.py").write_text("hello\nworld\n")
    (path / "noise.log").write_text("ignored")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert snapshot.files == ("greet.py",)
    assert (snapshot.insertions, snapshot.deletions, snapshot.is_changed) == (2, 0, True)
    assert snapshot.base == git(repository, "rev-parse", "main")
    assert git(repository, "rev-parse", branch) == result.commit
    assert git(repository, "show", f"{branch}:greet.py") == "hello\nworld"
    parents = git(repository, "log", "-1", "--format=%P", branch).split()
    assert parents == [snapshot.base, snapshot.commit]
    trailers = git(repository, "log", "-1", "--format=%(trailers)", branch)
    assert trailers == "Treadle-Task: task-1\nTreadle-Merge: merge-1"
    assert not path.exists()
    assert user_state(git, repository) == before
    assert git(repository, "worktree", "list").count("\n") == 0
    git(repository, "fsck", "--strict")


async def test_preparing_again_keeps_the_work(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "draft.py").write_text("")

    assert await workspaces.prepare(spec) == path

    assert (path / "draft.py").exists()


async def test_committing_again_returns_the_same_commit(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    first = await workspaces.commit(spec, commit_of("turn-1"))
    (path / "b.py").write_text("b")
    second = await workspaces.commit(spec, commit_of("turn-2"))

    assert await workspaces.commit(spec, commit_of("turn-1")) == first
    assert await workspaces.commit(spec, commit_of("turn-2")) == second

    assert second.files == ("a.py", "b.py")
    assert git(repository, "rev-list", "--count", f"{branch}..treadle/task-1") == "2"
    assert git(repository, "rev-parse", f"refs/treadle/{THREAD}/turn-2") == second.commit


async def test_no_change_makes_no_commit(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    first = await workspaces.commit(spec, commit_of("turn-1"))

    second = await workspaces.commit(spec, commit_of("turn-2"))

    assert second == first.model_copy(update={"is_changed": False})
    assert git(repository, "rev-parse", f"refs/treadle/{THREAD}/turn-2") == first.commit


async def test_a_turn_without_any_work_gives_the_base(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    await workspaces.prepare(spec)

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.commit == snapshot.base == git(repository, "rev-parse", "main")
    assert (snapshot.files, snapshot.is_changed) == ((), False)
    result = await workspaces.settle(settle_of(spec, snapshot.commit))
    assert result.commit == snapshot.commit
    assert git(repository, "rev-parse", branch) == snapshot.base


async def test_an_agents_own_commit_and_branch_are_taken_over(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "own.py").write_text("own")
    git(path, "checkout", "--quiet", "-b", "my-idea")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "--message=mine")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.files == ("own.py",)
    assert snapshot.is_changed
    assert git(repository, "rev-parse", "treadle/task-1") == snapshot.commit


async def test_an_agents_commit_on_the_branch_counts_as_a_change(
    workspaces, repository, git, branch
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "own.py").write_text("own")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "--message=mine")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert (snapshot.files, snapshot.is_changed) == (("own.py",), True)
    assert await workspaces.commit(spec, commit_of("turn-1")) == snapshot


async def test_a_detached_workspace_checkpoints_onto_its_ref(workspaces, repository, git, branch):
    spec = spec_of(repository, "planner", branch=None)
    path = await workspaces.prepare(spec)
    (path / "notes.md").write_text("idea")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)

    assert git(repository, "show", f"refs/treadle/{THREAD}/turn-1:notes.md") == "idea"
    assert snapshot.is_changed
    assert git(repository, "rev-parse", branch) == git(repository, "rev-parse", "main")


async def test_hooks_and_user_configuration_never_run(
    workspaces, repository, git, branch, tmp_path
):
    trace = tmp_path / "ran"
    for hook in (
        "post-checkout",
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
    ):
        file = repository / ".git" / "hooks" / hook
        file.write_text(f"#!/bin/sh\necho {hook} >> {trace}\n")
        file.chmod(0o755)
    git(repository, "config", "core.fsmonitor", f"echo fsmonitor >> {trace}; false")
    trace.unlink(missing_ok=True)
    spec = spec_of(repository, "task-1")

    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.settle(settle_of(spec, snapshot.commit))

    assert not trace.exists()


async def test_hostile_file_names_and_titles_come_through(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    names = ["new\nline", "-rf", 'tab\tand "quote"', "ünï", ":(glob)*", "$(touch x)", "back\\slash"]
    for name in names:
        (path / name).write_text("x")
    (path / os.fsdecode(b"raw-\xff")).write_text("x")
    title = "Do it\n\nTreadle-Merge: merge-1\x00\x1b[31m"

    snapshot = await workspaces.commit(spec, commit_of("turn-1", title))

    assert set(snapshot.files) == {*names, "raw-\\xff"}
    assert snapshot.model_dump_json()
    result = await workspaces.settle(settle_of(spec, snapshot.commit))
    assert result.commit != snapshot.commit
    message = git(repository, "log", "-1", "--format=%B", snapshot.commit)
    assert message.splitlines()[0] == "Do it Treadle-Merge: merge-1 [31m"


async def test_what_git_cannot_add_does_not_hold_the_rest_back(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    git(path, "init", "--quiet", "nested")
    os.mkfifo(path / "pipe")
    (path / "good.py").write_text("x")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.files == ("good.py",)


async def test_a_long_list_of_files_is_cut_and_counted(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    for number in range(510):
        (path / f"f{number}").write_text("x\n")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert (len(snapshot.files), snapshot.file_count, snapshot.insertions) == (500, 510, 510)


async def test_a_killed_attempts_locks_do_not_block_the_next(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    admin = repository / ".git" / "worktrees" / path.name
    refs = repository / ".git" / "refs"
    (refs / "treadle" / THREAD).mkdir(parents=True)
    for lock in (
        admin / "index.lock",
        admin / "HEAD.lock",
        refs / "heads" / "treadle" / "task-1.lock",
        refs / "heads" / "treadle" / "greet.lock",
        refs / "treadle" / THREAD / "turn-1.lock",
    ):
        lock.write_text("")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert git(repository, "rev-parse", branch) == result.commit


async def test_merging_again_returns_the_same_merge(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    call = settle_of(spec, snapshot.commit)

    first = await workspaces.settle(call)
    second = await workspaces.settle(call)

    assert first == second
    assert git(repository, "rev-list", "--count", "--merges", branch) == "1"


async def test_parallel_tasks_are_prepared_and_merged_together(workspaces, repository, git, branch):
    specs = [spec_of(repository, f"task-{n}") for n in range(8)]
    before = user_state(git, repository)

    paths = await asyncio.gather(*(workspaces.prepare(spec) for spec in specs))
    for number, path in enumerate(paths):
        (path / f"part-{number}.py").write_text("x\n")
    snapshots = await asyncio.gather(
        *(workspaces.commit(s, commit_of(f"turn-{n}")) for n, s in enumerate(specs))
    )
    results = await asyncio.gather(
        *(
            workspaces.settle(settle_of(spec, snapshot.commit, f"merge-{n}"))
            for n, (spec, snapshot) in enumerate(zip(specs, snapshots, strict=True))
        )
    )

    assert len(set(paths)) == len({r.commit for r in results}) == 8
    names = git(repository, "ls-tree", "--name-only", branch).splitlines()
    assert sum(name.startswith("part-") for name in names) == 8
    assert all(len(snapshot.files) == 1 for snapshot in snapshots)
    assert user_state(git, repository) == before


async def test_a_conflict_names_its_files_and_leaves_the_branch(
    workspaces, repository, git, branch
):
    specs = [spec_of(repository, f"task-{n}") for n in (1, 2)]
    snapshots = []
    for number, spec in enumerate(specs):
        path = await workspaces.prepare(spec)
        (path / "app.py").write_text(f"print({number + 10})\n")
        (path / f"new {number}").write_text("x")
        snapshots.append(await workspaces.commit(spec, commit_of(f"turn-{number}")))
    await workspaces.settle(settle_of(specs[0], snapshots[0].commit, "merge-1"))
    tip = git(repository, "rev-parse", branch)

    result = await workspaces.settle(settle_of(specs[1], snapshots[1].commit, "merge-2"))

    assert (result.commit, result.conflicts) == (None, ("app.py",))
    assert git(repository, "rev-parse", branch) == tip
    path = await workspaces.prepare(specs[1])  # the rework goes on where it was
    assert (path / "new 1").exists()


async def test_removing_keeps_uncommitted_work_on_a_hidden_ref(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "precious.py").write_text("gold")

    await workspaces.release(spec)
    await workspaces.release(spec)

    assert not path.exists()
    refs = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{refs}:precious.py") == "gold"


async def test_a_worktree_that_lost_its_metadata_is_never_removed(
    workspaces, repository, git, branch
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "precious.py").write_text("gold")
    moved = path.with_name("away")
    path.rename(moved)
    git(repository, "worktree", "prune", "--expire=now")
    moved.rename(path)

    for attempt in (workspaces.prepare, workspaces.release):
        with pytest.raises(WorkspaceError, match="may hold work"):
            await attempt(spec)

    assert (path / "precious.py").exists()


async def test_a_folder_removed_by_hand_is_made_again_at_the_branch(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    await workspaces.commit(spec, commit_of("turn-1"))
    path.rename(path.with_name("gone"))

    assert await workspaces.prepare(spec) == path

    assert (path / "a.py").read_text() == "a"


async def test_a_branch_in_the_users_checkout_is_not_moved(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "checkout", "--quiet", branch)

    with pytest.raises(WorkspaceError, match="switch that checkout"):
        await workspaces.settle(settle_of(spec, snapshot.commit))

    git(repository, "checkout", "--quiet", "main")
    assert (await workspaces.settle(settle_of(spec, snapshot.commit))).commit


async def test_treadles_own_checkout_of_a_branch_follows_a_merge(
    workspaces, repository, git, branch
):
    chat = spec_of(repository, "chat", branch=branch)
    chat_path = await workspaces.prepare(chat)
    (chat_path / "chat.py").write_text("draft")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    await workspaces.settle(settle_of(spec, snapshot.commit))

    assert (chat_path / "a.py").read_text() == "a"
    await workspaces.commit(chat, commit_of("chat-1"))
    names = git(repository, "ls-tree", "--name-only", branch).splitlines()
    assert {"a.py", "chat.py"} <= set(names)


async def test_a_missing_base_is_named(workspaces, repository):
    with pytest.raises(WorkspaceError, match="no commit or branch 'treadle/greet'"):
        await workspaces.prepare(spec_of(repository, "task-1"))


async def test_a_diff_shows_the_patch(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print(2)\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    patch = await workspaces.diff(str(repository), snapshot.base, snapshot.commit)

    assert "-print(1)\n+print(2)\n" in patch


HELPER = """
import asyncio, sys
from pathlib import Path
from adapters.processes import Spawner
from adapters.workspaces import GitWorkspaces
from domain.effects import SettleCall
from domain.workspaces import CommitSpec

async def main():
    data_dir, path, commit, settle = sys.argv[1:]
    workspaces = GitWorkspaces(Spawner(Path(data_dir) / "runs", {"PATH": path}), Path(data_dir))
    call = SettleCall.model_validate_json(settle)
    print("ready", flush=True)
    worktree = await workspaces.prepare(call.workspace)
    (worktree / "work.py").write_text("work")
    made = await workspaces.commit(call.workspace, CommitSpec.model_validate_json(commit))
    await workspaces.settle(call.model_copy(update={"commit": made.commit}))

asyncio.run(main())
"""
"""Takes one task all the way."""


@pytest.fixture
def killed_task(data_dir):
    """Take a task all the way in a process of its own, and kill it as soon as `is_time` says so."""

    def work(spec: WorkspaceSpec, is_time: Callable[[], bool]) -> None:
        arguments = (
            *(str(data_dir), os.environ["PATH"]),
            commit_of("turn-1").model_dump_json(),
            settle_of(spec, None).model_dump_json(),
        )
        with subprocess.Popen(
            [sys.executable, "-c", HELPER, *arguments],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as helper:
            assert helper.stdout.readline() == b"ready\n"
            while helper.poll() is None and not is_time():
                pass
            helper.send_signal(signal.SIGKILL)

    return work


@pytest.mark.parametrize("moment", ["admin", "folder", "checkout"])
async def test_a_killed_prepare_is_mended(workspaces, repository, git, killed_task, moment):
    await workspaces.create_branch(str(repository), BRANCH, "main")
    for number in range(1500):
        (repository / f"file-{number}").write_text("x\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=many")
    git(repository, "branch", "--force", BRANCH, "main")
    spec = spec_of(repository, "task-1")
    probe = await workspaces.prepare(spec_of(repository, "probe"))
    name = (await workspaces._worktrees.find(spec)).path.name
    moments = {
        "admin": repository / ".git" / "worktrees" / name / "HEAD",
        "folder": probe.with_name(name),
        "checkout": repository / ".git" / "worktrees" / name / "index.lock",
    }

    killed_task(spec, moments[moment].exists)
    path = await workspaces.prepare(spec)

    assert git(path, "status", "--porcelain") == ""
    assert git(path, "symbolic-ref", "HEAD") == "refs/heads/treadle/task-1"
    assert (path / "file-1499").exists()
    assert not (repository / ".git" / "worktrees" / name / "locked").exists()


@pytest.mark.parametrize("after_ms", [3, 12, 20, 28, 36, 44, 55])
async def test_a_task_killed_anywhere_is_done_once(
    workspaces, repository, git, branch, killed_task, after_ms
):
    before = user_state(git, repository)
    spec = spec_of(repository, "task-1")
    moment = time.monotonic() + after_ms / 1000

    killed_task(spec, lambda: time.monotonic() > moment)
    path = await workspaces.prepare(spec)
    (path / "work.py").write_text("work")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert git(repository, "rev-parse", branch) == result.commit
    log = git(repository, "log", "--format=%(trailers:key=Treadle-Turn,key=Treadle-Merge)", branch)
    assert sorted(line for line in log.split("\n") if line) == [
        "Treadle-Merge: merge-1",
        "Treadle-Turn: turn-1",
    ]
    assert git(repository, "show", f"{branch}:work.py") == "work"
    assert user_state(git, repository) == before
    git(repository, "fsck", "--strict")


class CountingSpawner(Spawner):
    """A spawner that counts."""

    count = 0

    async def start(self, *arguments, **options):
        self.count += 1
        return await super().start(*arguments, **options)


async def test_a_task_without_changes_costs_less_than_ten_processes(repository, data_dir, branch):
    spawner = CountingSpawner(data_dir / "runs", BASE_ENVIRONMENT)
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.inspect(str(repository))
    await workspaces.create_branch(str(repository), branch, "main")
    spec = spec_of(repository, "task-1")
    spawner.count = 0

    await workspaces.prepare(spec)
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.settle(settle_of(spec, snapshot.commit))

    assert spawner.count < 10
