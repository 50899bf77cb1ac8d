"""The `ThreadBranches` port on git: what is taken over from chats, and the refs that a thread leaves."""

import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.commits import Commits, message_of
from adapters.git.index import Index
from adapters.git.linear_merges import LinearMerges
from adapters.git.locks import remove_stale_lock
from adapters.git.merges import Merges
from adapters.git.pending_merges import PendingMerges
from adapters.git.repositories import Repositories, Repository
from adapters.git.several.merges import JointMerges
from adapters.git.worktree import read_head
from adapters.git.worktrees import Worktrees
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError, WorkspaceError
from domain.core.ids import TaskId, thread_of
from domain.core.workspaces import MergeCandidate, MergeResult, WorkspaceKind, WorkspaceSpec
from domain.threads.calls import SettleCall
from domain.threads.lifecycle.calls import MergeSessionCall, RemovalCall

_ATTEMPTS = 5
_LOOKED_AT = 30
_REFUSED = 128


class GitThreadBranches:
    """Branches and hidden refs of threads."""

    def __init__(self, spawner: Spawner, data_dir: Path) -> None:
        self._git = Git(spawner, data_dir / "litter")
        self._data_dir = data_dir
        self._repositories = Repositories(self._git, data_dir)
        self._worktrees = Worktrees(self._git, self._repositories, data_dir)
        self._commits = Commits(self._git, Index(self._git))
        self._merges = Merges(self._git, self._commits, self._worktrees)
        self._joint = JointMerges(self._git, self._repositories, self._worktrees, data_dir)
        self._pending = PendingMerges(self._git)
        self._landing = LinearMerges(self._git, self._commits)

    async def merge_session(self, call: MergeSessionCall) -> MergeResult:
        """Merge the newest checkpoint of a session, or another commit; see the port."""
        repository = await self._repositories.find(call.repository)
        place = repository.place
        commit = call.commit or await self._newest_checkpoint(place, call.session_id)
        if commit is None:
            return MergeResult(failure="the session has changed nothing yet")
        left = () if call.commit else await self._pending.left_in(place, commit, call.branch)
        if left:
            words = f"conflict markers are left in {', '.join(left)}: have the chat resolve them"
            return MergeResult(failure=words, source=commit)
        settle = SettleCall(
            key=call.key,
            task_id=TaskId(""),
            workspace=_no_workspace(call),
            branch=call.branch,
            title=call.title,
            trailers=call.trailers,
            keeps=call.keeps,
        )
        if call.beside:
            result = await self._joint.merge(settle, commit)
        else:
            async with self._repositories.lock(repository):
                result = await self._merges.merge(repository, settle, commit)
        if isinstance(result, MergeCandidate):
            result = MergeResult(commit=result.commit)
        return result.model_copy(update={"source": commit})

    async def _newest_checkpoint(self, place: GitPlace, session_id: str) -> str | None:
        listed = await self._refs(place, f"refs/treadle/{session_id}/")
        numbered = {int(n): oid for ref, oid in listed if (n := ref.rpartition("/")[2]).isdecimal()}
        return numbered[max(numbered)] if numbered else None

    async def add_file(self, repository: str, branch: str, path: str, text: str) -> None:
        """Commit a file onto a branch; the same file again changes nothing. See the port.

        Raises:
            WorkspaceError: The branch is checked out, or keeps moving.
        """
        found = await self._repositories.find(repository)
        ref = f"refs/heads/{branch}"
        async with self._repositories.lock(found):
            if any(head == f"ref: {ref}" for head in _heads(found)):
                raise WorkspaceError(f"{branch} is checked out: {path} is not committed onto it")
            for _ in range(_ATTEMPTS):
                tip = (await self._commits.history(found.place, ref))[0]
                tree = await self._tree_with(found, tip.tree, path, text)
                if tree == tip.tree:
                    return
                message = message_of(f"Keep {path}", ())
                commit = await self._commits.make(found.place, tree, [tip.oid], message)
                await remove_stale_lock(found, ref)
                if await self._swap(found.place, ref, (tip.oid, commit)):
                    return
        raise WorkspaceError(f"branch {branch} kept moving while {path} was committed")

    async def _tree_with(self, found: Repository, tree: str, path: str, text: str) -> str:
        """Write a tree that has one more file, by an index of its own."""
        index = self._data_dir / f".index.{secrets.token_hex(4)}"
        place = replace(
            found.place, environment={**found.place.environment, "GIT_INDEX_FILE": str(index)}
        )
        try:
            blob = await self._git.line(place, "hash-object", "-w", "--stdin", stdin=text.encode())
            await self._git.run(place, "read-tree", tree)
            info = f"100644,{blob},{path}"
            await self._git.run(place, "update-index", "--add", "--cacheinfo", info)
            return await self._git.line(place, "write-tree")
        finally:
            index.unlink(missing_ok=True)

    async def _swap(self, place: GitPlace, ref: str, moved: tuple[str, str]) -> bool:
        old, new = moved
        swap = await self._git.run(
            place, "update-ref", "--no-deref", ref, new, old, accepts=(0, 1, _REFUSED)
        )
        return swap.returncode == 0

    async def remove(self, call: RemovalCall) -> tuple[str, ...]:
        """Remove a thread's branches and hidden refs; returns the branches that stay. See the port."""
        kept = await self._remove_in(call)
        for one in call.beside:
            own = {"name": one.name, "repository": one.repository, "beside": ()}
            specs = tuple(spec.model_copy(update=own) for spec in call.workspaces)
            there = {"repository": one.repository, "workspaces": specs}
            found = await self._remove_in(call.model_copy(update=there))
            kept = (*kept, *(f"{branch} of {one.name}" for branch in found))
        return kept

    async def _remove_in(self, call: RemovalCall) -> tuple[str, ...]:
        try:
            repository = await self._repositories.find(call.repository)
        except RepositoryError:
            return ()
        place = repository.place
        async with self._repositories.lock(repository):
            kept = [
                ref
                for ref, oid in await self._branches(place, call.branch, call.stems)
                if not await self._remove_branch(repository, call, ref, oid)
            ]
            for prefix in await self._hidden(call):
                for ref, oid in await self._refs(place, prefix):
                    await self._delete(repository, ref, oid)
        return tuple(ref.removeprefix("refs/heads/") for ref in kept)

    async def _branches(
        self, place: GitPlace, branch: str, stems: tuple[str, ...]
    ) -> list[tuple[str, str]]:
        """Return the thread's branch and those of its tasks; the thread's last, it holds theirs."""
        every = await self._refs(place, "refs/heads/")
        own = f"refs/heads/{branch}"
        of_tasks = tuple(f"refs/heads/{stem}--" for stem in (branch, *stems))
        tasks = [(ref, oid) for ref, oid in every if ref.startswith(of_tasks)]
        return [*tasks, *((ref, oid) for ref, oid in every if ref == own)]

    async def _remove_branch(
        self, repository: Repository, call: RemovalCall, ref: str, oid: str
    ) -> bool:
        if any(head == f"ref: {ref}" for head in _heads(repository)):
            return False
        where = (ref, oid)
        if not call.is_forced and not await self._is_elsewhere(repository.place, where, call):
            return False
        await self._delete(repository, ref, oid)
        return True

    async def _is_elsewhere(
        self, place: GitPlace, branch: tuple[str, str], call: RemovalCall
    ) -> bool:
        """Tell whether the work of a branch is on another branch or tag as well, as it is or squashed."""
        ref, oid = branch
        listed = await self._git.run(
            place,
            *("for-each-ref", "--format=%(refname)", f"--contains={oid}"),
            *("refs/heads/", "refs/remotes/", "refs/tags/"),
        )
        if any(other != ref for other in listed.output.text().splitlines()):
            return True
        newest = await self._git.run(
            place,
            *("for-each-ref", "--format=%(refname)", "--sort=-committerdate"),
            *(f"--count={_LOOKED_AT}", "refs/heads/", "refs/remotes/", "refs/tags/"),
        )
        for other in newest.output.text().splitlines():
            if other != ref and await self._landing.is_landed(place, oid, other, call.merged_as):
                return True
        return False

    async def _hidden(self, call: RemovalCall) -> list[str]:
        worktrees = [await self._worktrees.find(spec) for spec in call.workspaces]
        released = (f"refs/treadle/released/{worktree.name}/" for worktree in worktrees)
        return [f"refs/treadle/{call.thread_id}/", *released]

    async def _refs(self, place: GitPlace, prefix: str) -> list[tuple[str, str]]:
        listed = await self._git.run(
            place, "for-each-ref", "--format=%(refname) %(objectname)", prefix
        )
        lines = listed.output.text().splitlines()
        return [(ref, oid) for ref, _, oid in (line.partition(" ") for line in lines)]

    async def _delete(self, repository: Repository, ref: str, oid: str) -> None:
        await remove_stale_lock(repository, ref)
        await self._git.run(repository.place, "update-ref", "--no-deref", "-d", ref, oid)


def _heads(repository: Repository) -> Iterable[str | None]:
    """Return what the heads of the checkout and of all worktrees say."""
    for admin in (repository.common, *(repository.common / "worktrees").glob("*")):
        yield read_head(admin)


def _no_workspace(call: MergeSessionCall) -> WorkspaceSpec:
    """Return the place of a settling that touches no worktree."""
    return WorkspaceSpec(
        workspace_id=call.session_id,
        kind=WorkspaceKind.CHAT,
        repository=call.repository,
        thread_id=thread_of(call.session_id),
        base=call.branch,
        beside=call.beside,
    )
