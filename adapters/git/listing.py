"""The files that a worktree holds, as git sees them: known ones, and new ones that it would take up."""

from adapters.git.commands import Git, GitPlace
from adapters.git.worktree import Worktree
from adapters.processes.masks import placeholders_in
from domain.core.workspaces import WorkspaceSpec

_LIMIT_BYTES = 16 << 20


async def listed(git: Git, worktree: Worktree, spec: WorkspaceSpec) -> tuple[str, ...]:
    """Return their paths; of one that is not made yet those of what it will begin with.

    Ignored files are none of them, nor are placeholders of the sandbox and those whose names are no UTF-8. Of very many the first
    and the last ones are returned.
    """
    if not worktree.is_made:
        begins = spec.begins_with or spec.base
        return await _names(
            git, worktree.repository.place, "ls-tree", "-r", "--name-only", "-z", begins
        )
    place = worktree.place
    seen = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    hidden = {*await _names(git, place, "ls-files", "-z", "--deleted"), *placeholders_in(place.cwd)}
    return tuple(name for name in await _names(git, place, *seen) if name not in hidden)


async def _names(git: Git, place: GitPlace, *arguments: str) -> tuple[str, ...]:
    done = await git.run(place, *arguments, is_long=True, output_limit_bytes=_LIMIT_BYTES)
    names: list[str] = []
    for name in done.output.content().split(b"\0"):
        try:
            names.append(name.decode())
        except UnicodeDecodeError:
            continue
    return tuple(name for name in names if name)
