"""Everything of a repository that is the user's, to see that Treadle changed nothing of it."""

import hashlib
import os
import subprocess
from pathlib import Path

OURS = ("refs/heads/treadle/", "refs/treadle/")


def users_things(repository: Path) -> dict[str, str]:
    """Return what is the user's: refs, reflogs, head, index, stash, configuration, hooks, files.

    Files by content and time of change, so that even rewriting the same is seen. What is under
    the prefixes of Treadle's own branches and refs is left out.
    """
    git = repository / ".git"
    listed = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname) %(objectname)"],
        cwd=repository,
        capture_output=True,
        check=True,
        text=True,
    )
    refs = (line.partition(" ") for line in listed.stdout.splitlines())
    things = {name: oid for name, _, oid in refs if not name.startswith(OURS)}
    for name in ("HEAD", "index", "config", "config.worktree", "packed-refs", "info", "hooks"):
        things |= _files(git / name)
    for file, state in _files(git / "logs").items():
        if not file.removeprefix(f"{git}/logs/").startswith(OURS):
            things[file] = state
    for entry in repository.iterdir():
        if entry != git:
            things |= _files(entry)
    return things


def _files(top: Path) -> dict[str, str]:
    if not top.is_dir() or top.is_symlink():
        return {str(top): _state(top)} if os.path.lexists(top) else {}
    return {
        str(Path(folder, name)): _state(Path(folder, name))
        for folder, _, names in os.walk(top)
        for name in names
    }


def _state(file: Path) -> str:
    status = file.lstat()
    content = os.fsencode(file.readlink()) if file.is_symlink() else file.read_bytes()
    return f"{status.st_mtime_ns} {status.st_mode:o} {hashlib.sha256(content).hexdigest()}"
