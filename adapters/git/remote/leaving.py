"""Whether a checkout of a commit is still needed, and how it goes."""

import asyncio
from pathlib import Path

from adapters.files.removal import remove_tree
from adapters.git.commands import Git, GitPlace

READY = "ready"
"""The file beside a checkout that says that it is whole, and when it was used last."""


def place_in(folder: Path) -> Path:
    """Return where the checkout of a commit's folder is, or would be."""
    return next((place for place in folder.iterdir() if place.is_dir()), folder / "none")


async def is_used(git: Git, place: Path) -> bool:
    """Tell whether a thread has a worktree, a branch or a checkpoint in a checkout."""
    git_dir = place / ".git"
    if (git_dir / "worktrees").is_dir() and any((git_dir / "worktrees").iterdir()):
        return True
    listed = await git.run(
        GitPlace(place), "for-each-ref", "--format=%(refname)", "refs/treadle/", "refs/heads/"
    )
    refs = listed.output.text().splitlines()
    known = await git.run(
        GitPlace(place), "for-each-ref", "--format=%(refname:strip=3)", "refs/remotes/origin/"
    )
    ours = {f"refs/heads/{name}" for name in known.output.text().splitlines()}
    return any(ref not in ours for ref in refs)


async def drop(place: Path) -> None:
    """Remove a checkout with its folder; without its mark it is none, whatever kills this."""
    (place.parent / READY).unlink(missing_ok=True)
    await asyncio.to_thread(remove_tree, place.parent)


def age(file: Path) -> float:
    """Return when a file was touched; before all time if there is none."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
