"""The keys of processes by their fingerprints, and what a process with other ones is told."""

import hashlib
import secrets
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from adapters.sqlite_files import reading
from domain.core.errors import JournalError

SEALING = "sealing-key:"
JOURNAL = "journal-id"
_NEWEST = "sealing-key"
_CODES = "code-key"
_HOST = "host:"
_ADVICE = (
    "join this host with `treadle hosts join`, or copy {files} from one that works, mode 0600, and start again. Where the old keys are gone "
    "for good, stop all workers; `treadle up --accept-loss` then begins with the keys of its host"
)


class ForeignKeysError(JournalError):
    """The keys of this process are not those of the others on its journal."""

    type = "foreign_keys"


class ForeignJournalError(JournalError):
    """The journal is not the one that this host joined."""

    type = "foreign_journal"


class Keys(NamedTuple):
    """What a process has: its sealing keys by id, the one that seals last, and the key of codes."""

    sealing: Mapping[str, bytes]
    codes: bytes


def check_keys_in_file(journal: Path, host: str, keys: Keys) -> None:
    """Compare the keys of a process with those that a journal's file knows; nothing is noted.

    Raises:
        ForeignKeysError: They are others; says what to do.
        JournalError: The file cannot be read.
    """
    try:
        with reading(journal) as connection:
            tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'")
            is_known = tables.fetchone() is not None
            rows = connection.execute("SELECT name, value FROM meta") if is_known else ()
            known = dict(rows)
    except sqlite3.Error as error:
        raise JournalError(f"the journal cannot be read: {journal}: {error}") from error
    changes(known, host, keys)


def changes(known: Mapping[str, str], host: str, keys: Keys) -> dict[str, str]:
    """Return what a process with these keys makes known.

    Raises:
        ForeignKeysError: Its keys are not those that are known.
    """
    found = {f"{SEALING}{key_id}": fingerprint(key) for key_id, key in keys.sealing.items()}
    newest = known.get(_NEWEST)
    differs = ["payload.keys"] if newest and known.get(newest) != found.get(newest) else []
    if any(known.get(name, value) != value for name, value in found.items()):
        differs = ["payload.keys"]
    others = [name for name in known if name.startswith(_HOST) and name != f"{_HOST}{host}"]
    codes = fingerprint(keys.codes)
    if known.get(_CODES, codes) != codes and (others or not host):
        differs.append("decision.key")
    if differs:
        files = " and ".join(differs)
        raise ForeignKeysError(
            f"the keys of this host are not those that its journal knows: {files} differs from the "
            f"other hosts' or from earlier. Nothing was started; {_ADVICE.format(files=files)}"
        )
    new = {**found, _NEWEST: list(found)[-1], _CODES: codes}
    return new | ({f"{_HOST}{host}": codes} if host else {})


def journal_id(known: Mapping[str, str], joined: str | None = None) -> str:
    """Return the id of a journal, drawn where it has none; `joined` is that of the one a host joined.

    Raises:
        ForeignJournalError: They differ.
    """
    found = known.get(JOURNAL) or secrets.token_hex(8)
    if joined is not None and joined != found:
        raise ForeignJournalError(
            "this is not the journal that this host joined: correct TREADLE_JOURNAL_URL, or join this one with "
            "`treadle hosts join URL --again`"
        )
    return found


def fingerprint(key: bytes) -> str:
    """Return what tells a key of 256 random bits from others, and nothing about it."""
    return hashlib.sha256(b"treadle key\0" + key).hexdigest()[:32]
