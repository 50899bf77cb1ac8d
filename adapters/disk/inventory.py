"""What there is in the data folder whose room counts, by the names that the pools give; nothing is changed."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from adapters.disk.measuring import Measure
from adapters.git.spares import MARKER, USED_PREFIX, admin_of
from adapters.git.spares import PREFIX as SPARE_PREFIX
from adapters.git.trash import PREFIX as TRASH_PREFIX
from domain.retention.disk import Stored, StoredKind

IN_USE_SECONDS = 3600.0
"""What was used less than this long ago counts as in use: what takes it may not have it yet."""

_REMOVED = ".removed"
_POOL_PREFIXES = (SPARE_PREFIX, USED_PREFIX)


class Inventory:
    """Lists what is below a data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._top = data_dir

    def all(self, measure: Measure) -> tuple[Stored, ...]:
        """Return everything with its size; mirrors before their checkouts, which have links to their files."""
        return (
            *self._repositories(measure),
            *self._layers(measure),
            *self._copies(measure),
            *self._worktrees(measure),
            *self._several(measure),
            *self._caches(measure),
        )

    def is_worked_in(self, repository: str) -> bool:
        """Tell whether a repository has worktrees that were handed out."""
        return any(
            not is_treadles_own(folder.name)
            for folder in _folders(self._top / "worktrees" / repository)
        )

    def _worktrees(self, measure: Measure) -> Iterator[Stored]:
        for repository in _folders(self._top / "worktrees"):
            for folder in _folders(repository):
                yield _worktree(folder, measure)

    def _several(self, measure: Measure) -> Iterator[Stored]:
        for folder in _folders(self._top / "several"):
            size = measure.of(folder).size_bytes
            yield Stored(
                kind=StoredKind.WORKTREE, path=str(folder), size_bytes=size, is_in_use=True
            )

    def _layers(self, measure: Measure) -> Iterator[Stored]:
        for repository in _folders(self._top / "layers"):
            for folder in _folders(repository):
                yield _unchanging(StoredKind.LAYER, folder, measure, IN_USE_SECONDS)

    def _copies(self, measure: Measure) -> Iterator[Stored]:
        for repository in _folders(self._top / "layer-copies"):
            for layer in _folders(repository):
                for folder in _folders(layer):
                    yield _unchanging(StoredKind.COPY, folder, measure, 0)

    def _caches(self, measure: Measure) -> Iterator[Stored]:
        for folder in _folders(self._top / "caches"):
            found = measure.of(folder)
            yield Stored(
                kind=StoredKind.CACHE,
                path=str(folder),
                size_bytes=found.size_bytes,
                used_at=found.changed_at,
                is_in_use=_is_recent(found.changed_at) or self.is_worked_in(folder.name),
            )

    def _repositories(self, measure: Measure) -> Iterator[Stored]:
        for mirror in sorted((self._top / "repositories").glob("*/mirror.git")):
            checkouts = list(_folders(mirror.parent / "checkouts"))
            size, used = measure.of(mirror).size_bytes, _changed(mirror.with_name("url"))
            yield Stored(
                kind=StoredKind.MIRROR,
                path=str(mirror.parent),
                size_bytes=size,
                used_at=used,
                is_in_use=bool(checkouts) or _is_recent(used),
            )
            for folder in checkouts:
                size, used = measure.of(folder).size_bytes, _changed(folder / "ready")
                has_work = any(any(_folders(p)) for p in folder.glob("*/.git/worktrees"))
                yield Stored(
                    kind=StoredKind.CHECKOUT,
                    path=str(folder),
                    size_bytes=size,
                    used_at=used,
                    is_in_use=_is_recent(used),
                    has_work=has_work,
                )


def is_treadles_own(name: str) -> bool:
    """Tell whether a folder among the worktrees was made ahead or thrown away: it belongs to no thread."""
    return name.startswith((*_POOL_PREFIXES, TRASH_PREFIX))


def _worktree(folder: Path, measure: Measure) -> Stored:
    if folder.name.startswith(TRASH_PREFIX):
        size = measure.of(folder).size_bytes
        return Stored(kind=StoredKind.TRASH, path=str(folder), size_bytes=size)
    if folder.name.startswith(SPARE_PREFIX):
        admin = admin_of(folder)
        made = _changed(admin / MARKER) if admin is not None else 0.0
        size = measure.of_unchanging(folder).size_bytes
        return Stored(
            kind=StoredKind.SPARE,
            path=str(folder),
            size_bytes=size,
            used_at=made,
            is_in_use=not made,  # it is being made, or removed
        )
    found = measure.of(folder)
    is_pool = folder.name.startswith(USED_PREFIX) or folder.name.endswith(_REMOVED)
    return Stored(
        kind=StoredKind.SPARE if is_pool else StoredKind.WORKTREE,
        path=str(folder),
        size_bytes=found.size_bytes,
        used_at=found.changed_at,
        is_in_use=True,
        has_work=not is_pool,
    )


def _unchanging(kind: StoredKind, folder: Path, measure: Measure, grace: float) -> Stored:
    used = _changed(folder)
    is_draft = folder.name.startswith(".")
    size = (measure.of if is_draft else measure.of_unchanging)(folder).size_bytes
    return Stored(
        kind=kind,
        path=str(folder),
        size_bytes=size,
        used_at=used,
        is_in_use=is_draft or (grace > 0 and _is_recent(used)),
    )


def _is_recent(at: float) -> bool:
    return at > time.time() - IN_USE_SECONDS


def _changed(place: Path) -> float:
    """Return when a file or folder was changed; before all time if there is none."""
    try:
        return place.lstat().st_mtime
    except OSError:
        return 0.0


def _folders(top: Path) -> Iterator[Path]:
    """Yield the folders in a folder, by name; links are none."""
    with suppress(OSError):
        yield from sorted(p for p in top.iterdir() if p.is_dir() and not p.is_symlink())
