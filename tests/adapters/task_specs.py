"""Tasks as the workspace tests give them to Treadle, and what of a repository is the user's."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from domain.core.ids import TaskId, ThreadId
from domain.core.workspaces import CommitSpec, WorkspaceKind, WorkspaceSpec
from domain.threads.calls import SettleCall

THREAD = ThreadId("thread-greet-1")
BRANCH = "treadle/greet"


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


def user_state(git: Callable[..., str], repository: Path) -> tuple[str, ...]:
    """Return all that is the user's: head, branch, index bytes, status, refs that are not ours."""
    refs = git(repository, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    foreign = [r for r in refs if "treadle" not in r]
    index = hashlib.sha256((repository / ".git" / "index").read_bytes()).hexdigest()
    config = (repository / ".git" / "config").read_text()
    head = (repository / ".git" / "HEAD").read_text()
    files = [f"{p}:{p.read_bytes()!r}" for p in sorted(repository.glob("*")) if p.is_file()]
    status = git(repository, "--no-optional-locks", "status", "--porcelain")
    return (head, index, config, status, *foreign, *files)
