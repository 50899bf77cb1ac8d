"""What this host knows of the copies of its threads on a hub: a file for each thread and repository."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from domain.core.ids import ThreadId
from domain.core.wire import Wire


class HubCopy(Wire):
    """A thread's refs of one repository, and what of them is on the hub.

    `root` is the checkout here, `key` the repository's name on all hosts. Pushes carry the `generation`; `lease` is the
    commit on the hub that the last one left. One that `is_fenced` belongs to another host by now. With the last
    of `moves` the thread came here, and it `came_from` that host, by its id.
    """

    thread_id: ThreadId
    root: str
    key: str
    url: str
    generation: int = 1
    lease: str = ""
    pushed: dict[str, str] = {}
    failing_since: datetime | None = None
    is_told: bool = False
    is_fenced: bool = False
    is_removed: bool = False
    moves: int = 0
    came_from: str = ""

    @property
    def prefix(self) -> str:
        """Where its refs are on the hub."""
        return f"refs/treadle/threads/{self.thread_id}/{self.key}"

    @property
    def fence(self) -> str:
        """The ref of the generation, which each push moves."""
        return f"{self.prefix}/generation"

    def there(self, ref: str) -> str:
        """Return what a ref of this host is called on the hub."""
        return f"{self.prefix}/{ref.removeprefix('refs/')}"

    def here(self, ref: str) -> str:
        """Return what a ref of the hub is called on this host."""
        return f"refs/{ref.removeprefix(f'{self.prefix}/')}"

    def owns(self, ref: str) -> bool:
        """Tell whether a ref of this host is the thread's: a checkpoint, its branch or that of a task."""
        if ref.startswith("refs/treadle/"):
            return ref.startswith(f"refs/treadle/{self.thread_id}/")
        stem = ref.removeprefix("refs/heads/").partition("--")[0]
        return stem.endswith(self.thread_id.removeprefix("thread-"))


class HubRecords:
    """The files, in the data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "hub"

    def every(self) -> Iterator[HubCopy]:
        """Yield all that are there."""
        for file in sorted(self._folder.glob("*.json")):
            with suppress(ValidationError, OSError):
                yield HubCopy.model_validate_json(file.read_bytes())

    def of(self, copy: HubCopy) -> HubCopy | None:
        """Return the newest state of a copy, if it is known."""
        with suppress(ValidationError, OSError):
            return HubCopy.model_validate_json(self._file(copy).read_bytes())
        return None

    def keep(self, copy: HubCopy) -> None:
        """Write a copy down; it is on the disk on return."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(self._file(copy), copy.model_dump_json(), is_durable=True)

    def forget(self, copy: HubCopy) -> None:
        """Remove a copy's file."""
        self._file(copy).unlink(missing_ok=True)

    def _file(self, copy: HubCopy) -> Path:
        name = hashlib.sha256(f"{copy.thread_id}\0{copy.key}".encode()).hexdigest()[:24]
        return self._folder / f"{name}.json"
