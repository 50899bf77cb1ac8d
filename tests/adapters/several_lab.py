"""A thread with a second repository, `api`, beside its own, for tests on real git."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from adapters.git.several.workspaces import SeveralWorkspaces
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.workspaces import BesideRepository, WorkspaceSpec
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of


class SeveralLab:
    """Two repositories, the thread's branch in each, and the port."""

    def __init__(
        self, spawner: Spawner, data_dir: Path, git: Callable[..., str], own: Path, api: Path
    ) -> None:
        self.spawner, self.data_dir, self.git = spawner, data_dir, git
        self.own, self.api = own, api
        self.port = self.restarted()

    def restarted(self) -> SeveralWorkspaces:
        """Return the port as a new worker has it."""
        return SeveralWorkspaces(
            GitWorkspaces(self.spawner, self.data_dir), self.spawner, self.data_dir
        )

    async def open(self) -> None:
        for repository in (self.own, self.api):
            await self.port.inspect(str(repository))
            await self.port.create_branch(str(repository), BRANCH, "main")

    def spec(self, task: str) -> WorkspaceSpec:
        beside = BesideRepository(
            name="api",
            repository=str(self.api),
            begins_at=self.git(self.api, "rev-parse", "main"),
            since=self.git(self.own, "rev-parse", "main"),
        )
        spec = spec_of(self.own, task)
        return spec.model_copy(update={"name": "project", "beside": (beside,)})

    async def worked(self, task: str, **files: str) -> tuple[WorkspaceSpec, str]:
        """Have a task write files, `own` or `api` by their first part; returns its workspace and commit."""
        spec = self.spec(task)
        folder = await self.port.prepare(spec)
        for name, text in files.items():
            place, _, file = name.partition("_")
            (folder.parent / {"own": "project"}.get(place, place) / file).write_text(text)
        return spec, (await self.port.commit(spec, commit_of(f"{task}-turn"))).commit

    async def merged(self, task: str, **files: str):
        spec, commit = await self.worked(task, **files)
        return await self.port.settle(settle_of(spec, commit, f"merge-{task}"))

    def tips(self) -> tuple[str, str]:
        own, api = (self.git(each, "rev-parse", BRANCH) for each in (self.own, self.api))
        return own, api

    def shows(self, repository: Path, file: str) -> str:
        return self.git(repository, "show", f"{BRANCH}:{file}")

    def has(self, repository: Path, file: str) -> bool:
        return file in self.git(repository, "ls-tree", "--name-only", BRANCH).splitlines()

    def moved_by_somebody(self, repository: Path, file: str) -> str:
        """Commit a file onto the thread's branch as somebody else does; returns where it is then."""
        index = {"GIT_INDEX_FILE": str(self.data_dir / "their-index")}
        tip = self.git(repository, "rev-parse", BRANCH)

        def run(*arguments: str, text: str | None = None) -> str:
            done = subprocess.run(
                ["git", "-c", "user.name=Ann", "-c", "user.email=ann@x", *arguments],
                cwd=repository,
                env={**os.environ, **index},
                input=text,
                capture_output=True,
                check=True,
                text=True,
            )
            return done.stdout.strip()

        run("read-tree", tip)
        blob = run("hash-object", "-w", "--stdin", text="theirs\n")
        run("update-index", "--add", "--cacheinfo", f"100644,{blob},{file}")
        commit = run("commit-tree", "-p", tip, "-m", "theirs", run("write-tree"))
        run("update-ref", f"refs/heads/{BRANCH}", commit)
        return commit
