"""What worktrees hold is put on hidden refs before they are removed.

A worktree is removed only after this. Files that git ignores (caches, agents' litter, what the
repository's own .gitignore names) are not kept.
"""

from adapters.git.commands import DETACHED, NO_COMMIT, Git, GitPlace
from adapters.git.commits import Commits, message_of
from adapters.git.index import Index
from adapters.git.locks import remove_stale_lock
from adapters.git.shapes import shape_environment
from adapters.git.submodules import Submodules
from adapters.git.worktree import Worktree, replace_file
from domain.core.errors import RepositoryError
from domain.core.workspaces import WorkspaceSpec

_NOWHERE = "ref: refs/heads/treadle-lost\n"
_TITLE = "What a removed worktree held"


class Salvage:
    """Saves the work of worktrees; what is saved already is not saved again."""

    def __init__(self, git: Git, commits: Commits, index: Index) -> None:
        self._git = git
        self._commits = commits
        self._index = index
        self._submodules = Submodules(git, index)

    async def keep(self, worktree: Worktree) -> None:
        """Put what is on no ref, uncommitted or committed on a detached head, onto a hidden one."""
        if worktree.head is None:
            replace_file(worktree.admin / "HEAD", _NOWHERE)  # an agent removed it
        await self._submodules.keep(worktree)
        head, changed = await self._index.status(worktree)
        is_whole = not changed and await self._index.is_plain(worktree)
        if is_whole and await self._is_safe(worktree, head):
            return
        kept, tree = head["branch.oid"], await self._index.stage(worktree)
        parents = [] if kept == NO_COMMIT else [kept]
        if not parents or tree != (await self._commits.history(worktree.place, kept))[0].tree:
            kept = await self._commits.make(worktree.place, tree, parents, message_of(_TITLE, ()))
        await self._put(worktree, kept)

    async def rescue(self, worktree: Worktree, spec: WorkspaceSpec) -> str:
        """Save the files of a worktree that lost its git metadata, as a commit on its branch.

        Raises:
            RepositoryError: There is neither its branch nor its base to set them against.
        """
        await self._submodules.keep(worktree)
        index = worktree.path.with_name(f"{worktree.path.name}.index")
        shape = worktree.shape
        files = GitPlace(
            worktree.path,
            {
                **shape_environment(shape),
                "GIT_DIR": str(worktree.repository.common),
                "GIT_WORK_TREE": str(worktree.path),
                "GIT_INDEX_FILE": str(index),
            },
            worktree.repository.place.guard,
            shape.sparse,
        )
        try:
            start = await self._start(worktree.repository.place, spec)
            await self._git.run(files, "read-tree", start)
            tree = await self._index.stage_at(files)
            message = message_of(_TITLE, ())
            kept = await self._commits.make(files, tree, [start], message)
        finally:
            index.unlink(missing_ok=True)
        await self._put(worktree, kept)
        return kept

    async def _start(self, place: GitPlace, spec: WorkspaceSpec) -> str:
        for name in (f"refs/heads/{spec.branch}" if spec.branch else "", spec.base):
            asked = await self._git.run(
                place,
                *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
                accepts=(0, 1, 128),
            )
            if asked.returncode == 0:
                return asked.output.text().strip()
        raise RepositoryError(
            f"a worktree of {spec.repository} lost its git metadata, and neither {spec.branch!r} "
            f"nor {spec.base!r} exists: make one again (`git branch NAME COMMIT`), then retry"
        )

    async def _put(self, worktree: Worktree, commit: str) -> None:
        ref = f"refs/treadle/released/{worktree.name}/{commit[:12]}"
        place = worktree.repository.place
        await remove_stale_lock(worktree.repository, ref)
        await self._git.run(place, "update-ref", "--no-deref", ref, commit)

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
