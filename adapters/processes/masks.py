"""Masks: protected names at the root of a workspace, which its processes can neither change nor make.

What is there is bound read-only. In the place of what is not there a placeholder is put and bound, as
a mount needs something to lie on. Files of them go with the workspace's last process and are never
committed; empty folders, which git does not see and the disk takes long to make, stay with it.
"""

from collections import Counter
from contextlib import suppress
from pathlib import Path

from domain.agents.protected import PROTECTED_FILES, PROTECTED_FOLDERS

_NOTE = "placeholder of Treadle's sandbox"
_PLACEHOLDERS = {
    name: f'{{"mcpServers": {{}}, "_": "{_NOTE}"}}\n' if name.endswith(".json") else f"# {_NOTE}\n"
    for name in PROTECTED_FILES
}


def placeholders_in(workspace: Path) -> list[str]:
    """Return the names of placeholders that lie in a workspace; of folders, which git sees not, none."""
    return [name for name in PROTECTED_FILES if _is_placeholder(workspace / name)]


class Masks:
    """The masks of all workspaces of this worker; a placeholder is kept while a process needs it."""

    def __init__(self) -> None:
        self._held: Counter[Path] = Counter()

    def hold(self, workspace: Path) -> list[Path]:
        """Put placeholders where they are missing; returns what is to be bound read-only.

        Raises:
            OSError: A placeholder cannot be made.
        """
        self._held[workspace] += 1
        names = (*PROTECTED_FOLDERS, *PROTECTED_FILES)
        # on a link a mount would lie on what it leads to
        masked = [path for name in names if not (path := workspace / name).is_symlink()]
        try:
            for path in masked:
                _place(path)
        except OSError:
            self.release(workspace)
            raise
        pointer = workspace / ".git"
        is_there = pointer.exists() and not pointer.is_symlink()
        return [*masked, pointer] if is_there else masked

    def release(self, workspace: Path) -> None:
        """Note that a process of a workspace has ended, and tidy up after the last one."""
        self._held[workspace] -= 1
        if self._held[workspace] > 0:
            return
        del self._held[workspace]
        for name in placeholders_in(workspace):
            (workspace / name).unlink(missing_ok=True)


def _place(path: Path) -> None:
    """Put a placeholder where nothing is."""
    with suppress(FileExistsError):
        if path.name in PROTECTED_FOLDERS:
            path.mkdir()
        else:
            with path.open("x") as file:
                file.write(_PLACEHOLDERS[path.name])


def _is_placeholder(file: Path) -> bool:
    if file.is_symlink() or not file.is_file():
        return False
    text = _PLACEHOLDERS[file.name].encode()
    try:
        with file.open("rb") as opened:
            return opened.read(len(text) + 1) == text
    except OSError:
        return False
