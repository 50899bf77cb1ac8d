"""Branches and tags that are not Treadle's and moved while an agent worked.

People are told; to put them back is not Treadle's to do. What the person's own checkout moved, by
its reflog, is not told.
"""

import re
from pathlib import Path

from adapters.files.state_files import write_atomic
from adapters.git.commands import Git
from adapters.git.worktree import Worktree
from domain.core.workspaces import WorkspaceSpec

_LISTED = 10
_SHORT = 10
_NONE = "none"
_WORK = re.compile(
    r"refs/heads/.+/(?:[a-z0-9-]+-[0-9a-f]{6}|flow-[a-z0-9-]+-\d+)(?:--.+)?", re.ASCII
)
"""How branches of threads and runs of flows are called below their prefix."""


class ForeignRefs:
    """Remembers where refs are, in a file for each worktree that is worked in."""

    def __init__(self, git: Git, data_dir: Path) -> None:
        self._git = git
        self._folder = data_dir / "refs"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    async def note(self, worktree: Worktree, spec: WorkspaceSpec) -> None:
        """Remember where the refs are; what a killed attempt remembered stays."""
        file = self._folder / worktree.name
        if not file.exists():
            refs = await self._refs(worktree, spec)
            write_atomic(file, "".join(f"{name} {commit}\n" for name, commit in refs.items()))

    async def moved(self, worktree: Worktree, spec: WorkspaceSpec) -> str:
        """Return which refs moved since `note`, in words, empty for none; and forget it."""
        file = self._folder / worktree.name
        if not file.exists():
            return ""
        before = dict(line.split(" ") for line in file.read_text().splitlines())
        after = await self._refs(worktree, spec)
        file.unlink()
        names = sorted(n for n in {*before, *after} if before.get(n) != after.get(n))
        if names:
            own = await self._git.run(
                worktree.repository.place,
                *("log", "-g", "-n1", "--format=%H", "HEAD", "--"),
                accepts=(0, 128),
            )
            names = [n for n in names if after.get(n) != own.output.text().strip()]
        if not names:
            return ""
        moves = (
            f"{n} ({before.get(n, _NONE)[:_SHORT]} to {after.get(n, _NONE)[:_SHORT]})"
            for n in names[:_LISTED]
        )
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        return (
            f"while an agent worked in {worktree.name}, refs of {spec.repository} moved that "
            f"are not Treadle's: {', '.join(moves)}{more}. If it was not you, put them back "
            "(`git reflog REF` lists where they were)"
        )

    async def _refs(self, worktree: Worktree, spec: WorkspaceSpec) -> dict[str, str]:
        listed = await self._git.run(
            worktree.repository.place,
            *("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags"),
        )
        pairs = (line.split(" ") for line in listed.output.text().splitlines())
        return {name: commit for name, commit in pairs if not is_treadles(name, spec)}


def is_treadles(ref: str, spec: WorkspaceSpec) -> bool:
    """Tell whether a ref is one of Treadle's branches: by its prefix, or by a thread's own name.

    A reviewer's worktree, and one of a repository beside, has no branch, and a commit as its base, so no
    prefix: there what is called as branches of other threads are is one, too.
    """
    prefix, _, name = ref.rpartition("/")
    own, _, _ = (spec.branch or spec.base).rpartition("/")
    is_of_thread = f"{name}--".startswith(f"{spec.thread_id.removeprefix('thread-')}--")
    if not own:
        return is_of_thread or _WORK.fullmatch(ref) is not None
    return f"{prefix}/".startswith(f"refs/heads/{own}/") or is_of_thread
