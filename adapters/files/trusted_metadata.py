"""The trusted fingerprints of repositories, and those that wait for a person's yes.

Two files (0600) per repository: what is trusted, and what git was refused for last. Accepting makes
the second the first, and only if it is still what the person was shown.
"""

import hashlib
import json
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from domain.core.errors import NotFoundError, NotShownError
from domain.core.ids import slug
from domain.core.trust import MetadataChange, MetadataChanges
from domain.core.wire import Wire

_LISTED = 50
_SHOWN_LENGTH = 200
_SECRET = ("http.", "credential.", "sendemail.", "imap.")


class _Fingerprint(Wire):
    """The digests of everything in git's metadata that could act, by name."""

    digests: dict[str, str]


class _Refused(_Fingerprint):
    """A fingerprint that is not the trusted one, and what differs."""

    changes: MetadataChanges


_Kind = TypeVar("_Kind", bound=_Fingerprint)


class TrustedMetadata:
    """The fingerprints under the data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "trust"

    def is_known(self, repository: Path) -> bool:
        """Tell whether anything of a repository is trusted."""
        return self._read(repository, _Fingerprint) is not None

    def trust(self, repository: Path, content: dict[str, str]) -> None:
        """Trust what a repository has now; `content` maps names to contents."""
        self._write(repository, _Fingerprint(digests=_digests(content)))

    def compare(self, repository: Path, content: dict[str, str]) -> MetadataChanges | None:
        """Return what is not as it was trusted, None when all is; a difference waits for a yes."""
        trusted = self._read(repository, _Fingerprint)
        known, digests = trusted.digests if trusted else {}, _digests(content)
        if trusted is not None and known == digests:
            return None
        names = sorted(n for n in {*known, *digests} if known.get(n) != digests.get(n))
        changes = MetadataChanges(
            repository=str(repository),
            changes=tuple(_change(name, content.get(name)) for name in names[:_LISTED]),
            content_hash=_hash(json.dumps(digests, sort_keys=True)),
        )
        refused = _Refused(digests=digests, changes=changes)
        if refused != self._read(repository, _Refused):
            self._write(repository, refused)
        return changes

    def refused(self, repository: Path) -> MetadataChanges:
        """Return what git was refused for last.

        Raises:
            NotFoundError: Nothing waits for a yes.
        """
        return self._refused(repository).changes

    def accept(self, repository: Path, content_hash: str) -> None:
        """Trust what a person was shown; once more is harmless as long as nothing else changed.

        Raises:
            NotFoundError: Nothing waits for a yes.
            NotShownError: It changed again since it was shown.
        """
        refused = self._refused(repository)
        if refused.changes.content_hash != content_hash:
            raise NotShownError(f"the git metadata of {repository} changed again: look at it again")
        self._write(repository, _Fingerprint(digests=refused.digests))

    def _refused(self, repository: Path) -> _Refused:
        refused = self._read(repository, _Refused)
        if refused is None:
            raise NotFoundError(f"git was never refused in {repository}: there is nothing to trust")
        return refused

    def _read(self, repository: Path, kind: type[_Kind]) -> _Kind | None:
        try:
            return kind.model_validate_json(self._file(repository, kind).read_bytes())
        except (OSError, ValidationError):
            return None

    def _write(self, repository: Path, fingerprint: _Fingerprint) -> None:
        file = self._file(repository, type(fingerprint))
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(file, fingerprint.model_dump_json())

    def _file(self, repository: Path, kind: type[_Fingerprint]) -> Path:
        name = f"{slug(repository.name)}-{_hash(str(repository))[:16]}"
        return self._folder / f"{name}{'.refused' if kind is _Refused else ''}.json"


def _digests(content: dict[str, str]) -> dict[str, str]:
    return {name: _hash(value) for name, value in content.items()}


def _change(name: str, now: str | None) -> MetadataChange:
    key = name.rpartition(": ")[2]
    if now is not None and key.startswith(_SECRET):
        now = "(not shown: it may hold a secret)"
    return MetadataChange(name=_shown(name), now=None if now is None else _shown(now))


def _shown(text: str) -> str:
    """Return a text that cannot play tricks on a terminal, cut."""
    cut = text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
