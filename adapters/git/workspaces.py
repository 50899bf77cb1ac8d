"""The `Workspaces` port on git: Treadle's own worktrees and refs, and nothing of the user's.

Every operation can be killed anywhere and called again: objects come first, refs move in one
transaction, folders are removed last.
"""

import logging
from collections.abc import Sequence
from pathlib import Path

from adapters.files.state_files import write_atomic
from adapters.git.commands import DETACHED, NO_COMMIT, STATUS, Git, read_status
from adapters.git.commits import Commits, message_of, refuse_missing
from adapters.git.merges import Merges
from adapters.git.repositories import Repositories
from adapters.git.worktrees import Worktree, Worktrees, remove_stale_lock
from adapters.processes.spawner import Spawner
from domain.effects import SettleCall
from domain.errors import RepositoryError, WorkspaceError
from domain.workspaces import CommitSpec, MergeResult, RepositoryFacts, Snapshot, WorkspaceSpec

_DIFF_LIMIT_BYTES = 4 << 20
_NOWHERE = "ref: refs/heads/treadle-lost\n"

logger = logging.getLogger(__name__)

CACHES = ("__pycache__/", "node_modules/", ".DS_Store")
"""What no commit of Treadle's takes up, even where the repository does not ignore it."""


class GitWorkspaces:
    """Worktrees under the data folder."""

    def __init__(self, spawner: Spawner, data_dir: Path, litter: Sequence[str] = ()) -> None:
        """Make the port; `litter` are patterns, as in .gitignore, of what agents leave behind."""
        ignored = data_dir / "litter"
        write_atomic(ignored, "\n".join((*CACHES, *litter, "")))
        self._git = Git(spawner, ignored)
        self._repositories = Repositories(self._git, data_dir)
        self._worktrees = Worktrees(self._git, self._repositories, data_dir)
        self._commits = Commits(self._git)
        self._merges = Merges(self._git, self._commits)

    async def inspect(self, repository: str) -> RepositoryFacts:
        """Look at a folder.

        Raises:
            RepositoryError: Not a repository, bare, or without commits; says what to do.
        """
        return await self._repositories.inspect(repository)

    async def create_branch(self, repository: str, branch: str, base: str) -> None:
        """Make a branch; one that exists is left where it is."""
        found = await self._repositories.open(repository)
        ref = f"refs/heads/{branch}"
        commit = await self._git.line(
            found.place, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}"
        )
        async with self._repositories.lock(found):
            known = await self._git.run(
                found.place, "show-ref", "--verify", "--quiet", "--", ref, accepts=(0, 1)
            )
            if known.returncode:
                remove_stale_lock(found, ref)
                await self._git.run(found.place, "update-ref", ref, commit, "")

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        """Have the worktree ready, made or found; mends what a killed attempt left."""
        return (await self._worktrees.prepare(spec)).path

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        """Commit all changes onto the worktree's branch and the checkpoint ref, once per key."""
        worktree = await self._worktrees.find(spec)
        refuse_missing(worktree)
        return await self._commits.commit(worktree, spec, commit)

    async def diff(self, repository: str, base: str, commit: str) -> str:
        """Return the patch between two commits; beyond 4 MiB its middle is cut, and marked."""
        found = await self._repositories.find(repository)
        patch = await self._git.run(
            found.place,
            *("diff-tree", "-p", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv"),
            *("--end-of-options", base, commit),
            output_limit_bytes=_DIFF_LIMIT_BYTES,
        )
        return patch.output.text()

    async def settle(self, call: SettleCall) -> MergeResult:
        """Merge an accepted commit into the thread's branch (once per key), remove the worktree.

        A repository or a branch that is gone is a failed merge: no retry could mend it.
        """
        try:
            result = await self._merge(call)
        except RepositoryError as error:
            result = MergeResult(failure=error.message)
        await self.release(call.workspace)
        return result

    async def _merge(self, call: SettleCall) -> MergeResult:
        if call.commit is None:
            return MergeResult()
        repository = await self._repositories.find(call.workspace.repository)
        async with self._repositories.lock(repository):
            return await self._merges.merge(repository, call, call.commit)

    async def release(self, spec: WorkspaceSpec) -> None:
        """Remove a worktree; what it holds is on a ref before. Missing ones are fine.

        Without its repository there is no ref to hold anything: then the folder stays.
        """
        try:
            worktree = await self._worktrees.find(spec)
        except RepositoryError as error:
            logger.warning("a worktree stays where it is", extra={"reason": error.message})
            return
        if worktree.is_made:
            await self._keep(worktree)
        elif worktree.path.exists() and not worktree.admin.exists():
            raise WorkspaceError(
                f"{worktree.path} lost its git metadata and may hold work: look at it, then remove it"
            )
        await self._worktrees.discard(worktree)

    async def _keep(self, worktree: Worktree) -> None:
        """Put what is on no ref, uncommitted or committed on a detached head, onto a hidden one."""
        if not (worktree.admin / "HEAD").exists():
            (worktree.admin / "HEAD").write_text(_NOWHERE)  # an agent removed it
        status = await self._git.run(worktree.place, *STATUS, is_long=True)
        head, changed = read_status(status.output.content())
        if not changed and await self._is_safe(worktree, head):
            return
        kept, tree = head["branch.oid"], await self._commits.stage(worktree)
        parents = [] if kept == NO_COMMIT else [kept]
        if not parents or tree != (await self._commits.history(worktree.place, kept))[0].tree:
            message = message_of("What a removed worktree held", ())
            kept = await self._commits.make(worktree.place, tree, parents, message)
        ref = f"refs/treadle/released/{worktree.path.name}/{kept[:12]}"
        remove_stale_lock(worktree.repository, ref)
        await self._git.run(worktree.place, "update-ref", ref, kept)

    async def _is_safe(self, worktree: Worktree, head: dict[str, str]) -> bool:
        """Tell whether the commits of a worktree are on a ref."""
        if head["branch.head"] != DETACHED:
            return True
        holder = await self._git.line(
            worktree.repository.place,
            *("for-each-ref", "--count=1", "--format=%(refname)"),
            f"--contains={head['branch.oid']}",
        )
        return bool(holder)
