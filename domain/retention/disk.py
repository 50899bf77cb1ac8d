"""What a host removes from its disk to stay within its limits, and what it never does: one pure rule."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from domain.core.text import counted, size
from domain.core.wire import Wire
from domain.retention.sizes import parse_size

_GROWING_PART = 0.9
"""Pools are filled up to this part of a budget: else what a look removes would be made again at once."""

_FREE_PART = 1.1


class StoredKind(StrEnum):
    """What something on the disk is."""

    TRASH = "trash"
    SPARE = "spare"
    """A worktree made ahead."""
    COPY = "copy"
    """A copy of a layer, made ahead."""
    LAYER = "layer"
    CACHE = "cache"
    """What the package managers of a repository keep."""
    CHECKOUT = "checkout"
    """A commit of a repository that is named by its URL."""
    MIRROR = "mirror"
    WORKTREE = "worktree"


NAMES = {
    StoredKind.TRASH: "trash folder",
    StoredKind.SPARE: "spare worktree",
    StoredKind.COPY: "layer copy",
    StoredKind.LAYER: "layer",
    StoredKind.CACHE: "package cache",
    StoredKind.CHECKOUT: "checkout by URL",
    StoredKind.MIRROR: "mirror",
    StoredKind.WORKTREE: "worktree",
}

_ORDER = {StoredKind.TRASH: 0, StoredKind.SPARE: 1, StoredKind.COPY: 1}
_LAST = 2
"""After what is made ahead, which costs nobody any time: what somebody will wait for."""


class Stored(Wire):
    """One thing on the disk; `used_at` is when it was last used, in seconds since 1970."""

    kind: StoredKind
    path: str
    size_bytes: int = Field(ge=0)
    used_at: float = 0.0
    is_in_use: bool = False
    has_work: bool = False
    """Whether it may hold work that is kept nowhere else."""

    @property
    def is_removable(self) -> bool:
        """Whether nobody loses anything but time with it."""
        is_made_again = self.kind is not StoredKind.WORKTREE
        return is_made_again and not self.is_in_use and not self.has_work


class DiskLimits(Wire):
    """The limits of a host; None is no limit."""

    budget_bytes: int | None = None
    """What worktrees, pools, layers, caches, mirrors and trash may take together."""
    least_free_bytes: int | None = None
    """How much of the disk stays free."""

    @classmethod
    def of(cls, budget: str | None, least_free: str | None) -> "DiskLimits":
        """Return the limits that are written as sizes.

        Raises:
            InvalidError: One is no size.
        """
        return cls(
            budget_bytes=parse_size(budget) if budget else None,
            least_free_bytes=parse_size(least_free) if least_free else None,
        )

    @property
    def is_set(self) -> bool:
        """Whether there is any limit."""
        return self.budget_bytes is not None or self.least_free_bytes is not None

    def is_short(self, free_bytes: int) -> bool:
        """Tell whether less is free than shall be."""
        return self.least_free_bytes is not None and free_bytes < self.least_free_bytes

    def wanted(self, used_bytes: int, free_bytes: int) -> int:
        """Return how many bytes have to go."""
        over = used_bytes - self.budget_bytes if self.budget_bytes is not None else 0
        short = self.least_free_bytes - free_bytes if self.least_free_bytes is not None else 0
        return max(over, short, 0)

    def leaves_room(self, used_bytes: int, free_bytes: int) -> bool:
        """Tell whether more may be made ahead."""
        budget, least_free = self.budget_bytes, self.least_free_bytes
        is_below = budget is None or used_bytes < budget * _GROWING_PART
        return is_below and (least_free is None or free_bytes > least_free * _FREE_PART)


class DiskPlan(Wire):
    """What goes and what stays, in their order; `missing_bytes` is what is still too much after it."""

    removed: tuple[Stored, ...] = ()
    kept: tuple[Stored, ...] = ()
    used_bytes: int = 0
    wanted_bytes: int = 0

    @property
    def freed_bytes(self) -> int:
        """What the removal frees."""
        return sum(each.size_bytes for each in self.removed)

    @property
    def missing_bytes(self) -> int:
        """By how much the limits are not met even so."""
        return max(0, self.wanted_bytes - self.freed_bytes)

    @property
    def words(self) -> str:
        """One sentence about limits that cannot be met; empty where they are."""
        if not self.missing_bytes:
            return ""
        held = held_words(self.kept) or "nothing that Treadle may remove is left"
        return (
            f"{size(self.missing_bytes)} too much on the disk, and nothing else can be made again: "
            f"{held}. Delete threads that ended (`treadle prune --older 30d`), free other space, or "
            "raise TREADLE_DISK_BUDGET or lower TREADLE_DISK_FREE"
        )


def choose_removals(stored: Iterable[Stored], limits: DiskLimits, free_bytes: int) -> DiskPlan:
    """Choose what goes so that the limits are met, and no more.

    Only what can be made again and nobody uses: what was thrown away, then what was made ahead, then the rest, in
    each the one first whose last use is longest ago.
    """
    everything = tuple(stored)
    used = sum(each.size_bytes for each in everything)
    wanted = limits.wanted(used, free_bytes)
    removed, freed = list[Stored](), 0
    for each in sorted(filter(lambda each: each.is_removable, everything), key=_turn):
        if freed >= wanted:
            break
        if each.size_bytes:
            removed.append(each)
            freed += each.size_bytes
    gone = {each.path for each in removed}
    return DiskPlan(
        removed=tuple(removed),
        kept=tuple(each for each in everything if each.path not in gone),
        used_bytes=used,
        wanted_bytes=wanted,
    )


def held_words(kept: Iterable[Stored]) -> str:
    """Return what takes the room, the largest kind first: `12 worktrees take 150.0 GB, 1 mirror takes 3.0 GB`."""
    sizes, counts = Counter[StoredKind](), Counter[StoredKind]()
    for each in kept:
        sizes[each.kind] += each.size_bytes
        counts[each.kind] += 1
    return ", ".join(
        f"{_counted(counts[kind], kind)} {'takes' if counts[kind] == 1 else 'take'} {size(total)}"
        for kind, total in sizes.most_common()
        if total
    )


def _turn(each: Stored) -> tuple[int, float, str]:
    return _ORDER.get(each.kind, _LAST), each.used_at, each.path


def _counted(number: int, kind: StoredKind) -> str:
    if kind is StoredKind.CHECKOUT:
        return f"{counted(number, 'checkout')} by URL"
    return counted(number, NAMES[kind])
