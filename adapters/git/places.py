"""Where a file of a worktree is, for a person's editor: never outside of it, whatever an agent has linked."""

from adapters.git.worktree import Worktree
from domain.core.errors import NotFoundError

_GIT = ".git"


def place_in(worktree: Worktree, file: str) -> str:
    """Return the path of a file, or of the worktree where no file is named.

    Raises:
        NotFoundError: The worktree is not made yet or is gone, has no such file, or the name leads out of it.
    """
    if not worktree.is_made:
        raise NotFoundError(
            "there is no worktree now: it is made when the work begins, and removed after its merge"
        )
    folder = worktree.path.resolve()
    try:
        found = (folder / file).resolve()
        is_there = found.exists()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL, a name that is too long
        is_there = False
        found = folder
    is_inside = found.is_relative_to(folder) and _GIT not in found.relative_to(folder).parts
    if not is_there or not is_inside:
        raise NotFoundError(
            "there is no such file in the worktree now: it may be removed, renamed, or a link that leads out of it"
        )
    return str(found)
