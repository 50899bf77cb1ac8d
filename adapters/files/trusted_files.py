"""Which files a person lets act: each by its path and the very content that they were shown.

A file (0600) of its own for each, so that two writers are never in each other's way.
"""

import hashlib
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from domain.core.wire import Wire


class _Trusted(Wire):
    """Whose content was trusted, and by whom."""

    path: str
    content_hash: str
    by: str = ""


class TrustedFiles:
    """The files of one kind that are trusted, under the data folder."""

    def __init__(self, data_dir: Path, kind: str) -> None:
        self._folder = data_dir / "trust"
        self._kind = kind

    def has(self, path: str, content_hash: str) -> bool:
        """Tell whether a file is trusted as it is now, at its place."""
        try:
            kept = _Trusted.model_validate_json(self._file(path, content_hash).read_bytes())
        except (OSError, ValidationError):
            return False
        return (kept.path, kept.content_hash) == (path, content_hash)

    def add(self, path: str, content_hash: str, by: str) -> None:
        """Trust a file as it is; once more is harmless. It is on the disk on return."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = _Trusted(path=path, content_hash=content_hash, by=by)
        write_atomic(self._file(path, content_hash), kept.model_dump_json(), is_durable=True)

    def _file(self, path: str, content_hash: str) -> Path:
        what = f"{content_hash} {path}".encode("utf-8", "surrogateescape")
        return self._folder / f"{self._kind}-{hashlib.sha256(what).hexdigest()}.json"
