"""Where the git folder of a worktree lies, as its own files say and that folder confirms."""

from pathlib import Path


def common_git_folder(workspace: Path) -> Path | None:
    """Return the git folder of the repository that a worktree belongs to, by its `.git` pointer.

    None where there is none, or where the folder it names does not know of the worktree: then it
    may be anything.
    """
    try:
        pointer = (workspace / ".git").read_text()
        admin = Path(pointer.removeprefix("gitdir: ").rstrip("\n"))
        back = Path((admin / "gitdir").read_text().rstrip("\n"))
        common = (admin / (admin / "commondir").read_text().rstrip("\n")).resolve()
    except (OSError, UnicodeDecodeError, ValueError):
        return None
    is_its_own = back.resolve() == (workspace / ".git").resolve()
    return common if is_its_own and (common / "HEAD").is_file() else None
