"""How each thing on the disk goes: by a rename or a mark first, under the locks of those who take it."""

from pathlib import Path

from adapters.disk.inventory import Inventory
from adapters.git.remote.mirrors import Mirrors
from adapters.git.repositories import lock_of
from adapters.git.spares import Spares
from adapters.git.trash import Trash
from adapters.setup.layer_copies import LayerCopies
from domain.retention.disk import Stored, StoredKind


class DiskPools:
    """Everything of a host that can be made again.

    Whoever takes something at the same time gets it whole or not at all, and what is killed here leaves trash.
    """

    def __init__(
        self, data_dir: Path, spares: Spares, copies: LayerCopies, mirrors: Mirrors
    ) -> None:
        self._top = data_dir
        self._inventory = Inventory(data_dir)
        self._trash = Trash(data_dir / "worktrees")
        self._spares = spares
        self._copies = copies
        self._mirrors = mirrors

    def hold(self, *, is_held: bool) -> None:
        """Have nothing made ahead, or again."""
        self._spares.is_held = self._copies.is_held = is_held

    async def remove(self, stored: Stored) -> bool:
        """Take something away from those who may want it; False where it was taken, or used since it was looked at.

        What was renamed is deleted by `empty`.
        """
        folder = Path(stored.path)
        match stored.kind:
            case StoredKind.TRASH:
                return True
            case StoredKind.SPARE:
                return await self._spares.discard(folder)
            case StoredKind.COPY:
                return self._throw(folder)
            case StoredKind.LAYER:
                async with lock_of(self._top, f"{folder.parent.name}.layer-{folder.name}"):
                    return _changed(folder) == stored.used_at and self._throw(folder)
            case StoredKind.CACHE:
                # whoever uses it has a worktree, which is made under this lock
                async with lock_of(self._top, folder.name):
                    return not self._inventory.is_worked_in(folder.name) and self._throw(folder)
            case StoredKind.CHECKOUT:
                return await self._mirrors.discard_checkout(folder, stored.used_at)
            case StoredKind.MIRROR:
                return await self._mirrors.discard_mirror(folder, stored.used_at)
            case StoredKind.WORKTREE:
                return False

    async def empty(self) -> None:
        """Delete what was thrown away."""
        await self._trash.empty()

    def _throw(self, folder: Path) -> bool:
        try:
            self._trash.bring(folder)
        except FileNotFoundError:
            return False
        return True


def _changed(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return -1.0
