"""Which threads a prune removes, and why it keeps the others: one pure rule."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from domain.core.event import Headline
from domain.core.ids import ThreadId
from domain.core.status_words import ENDED
from domain.core.wire import Wire
from domain.retention.ages import parse_age

MAX_THREADS = 1_000
"""What one prune removes; the next one takes the rest."""


class KeptBecause(StrEnum):
    """Why a thread that ended is kept, though it is old enough."""

    PINNED = "pinned"
    REPOSITORY = "repository"
    NEWEST = "newest"
    FAMILY = "family"
    """Its parent or a child of it stays."""


class PrunePolicy(Wire):
    """What is removed: threads that ended and did not change for `older`, unless they are kept.

    `keep_last` are the newest of each repository that ended; `keep_repositories` are folders, or the
    last part of one. `archive` is where each thread is written to before it is removed.
    """

    older: str
    keep_last: int = 0
    keep_repositories: tuple[str, ...] = ()
    archive: str = ""

    @property
    def words(self) -> str:
        """What it does, in a phrase."""
        kept = ["pinned"]
        kept += [f"the last {self.keep_last} of each repository"] if self.keep_last else []
        kept += [f"those of {name}" for name in self.keep_repositories]
        archived = f", archived in {self.archive}" if self.archive else ""
        return f"ended and unchanged for {self.older}, except {', '.join(kept)}{archived}"


class PrunableThread(Wire):
    """A thread that goes, as it was when that was decided; `changed` is its newest position."""

    thread_id: ThreadId
    title: str = ""
    project: str = ""
    status: str = ""
    changed: int = 0
    changed_at: datetime | None = None


class KeptThread(PrunableThread):
    """A thread that is old enough and stays."""

    because: KeptBecause


class PruneSelection(Wire):
    """What a prune would do now, the oldest first; `more` are for the next prune.

    `content_hash` is the hash of what goes.
    """

    policy: PrunePolicy
    chosen: tuple[PrunableThread, ...] = ()
    kept: tuple[KeptThread, ...] = ()
    more: int = 0
    content_hash: str = ""


def select_threads(
    threads: Iterable[Headline],
    pinned: Collection[str],
    policy: PrunePolicy,
    now: datetime,
    parents: Mapping[str, str] = MappingProxyType({}),
) -> PruneSelection:
    """Choose the threads that a prune removes, of all that there are, oldest first.

    A parent and its children go together, the children first: where one stays, all do. `parents` names the
    parent of each child.
    """
    goes, kept = _each_by_itself(threads, pinned, policy, now)
    families = _families(goes, parents)
    chosen, more = list[PrunableThread](), 0
    for family in families:
        if any(goes[name] is None for name in family):
            together = [goes[name] for name in family]
            kept += [
                KeptThread(because=KeptBecause.FAMILY, **dict(each)) for each in together if each
            ]
        elif chosen and len(chosen) + len(family) > MAX_THREADS:
            more += len(family)
        else:
            chosen += [each for name in family if (each := goes[name]) is not None]
    return PruneSelection(
        policy=policy,
        chosen=tuple(chosen),
        kept=tuple(sorted(kept, key=lambda each: each.changed)),
        more=more,
        content_hash=_hash_of(chosen),
    )


def _each_by_itself(
    threads: Iterable[Headline], pinned: Collection[str], policy: PrunePolicy, now: datetime
) -> tuple[dict[str, PrunableThread | None], list[KeptThread]]:
    """Return all threads, the newest first, each as it would go by itself or None; and what is kept for a reason."""
    before = now - parse_age(policy.older)
    newest_of = Counter[str]()
    goes, kept = dict[str, PrunableThread | None](), list[KeptThread]()
    for line in sorted(threads, key=lambda line: -line.changed):
        goes[line.stream] = None
        if line.status not in ENDED:
            continue
        newest_of[line.project] += 1
        if line.changed_at is None or line.changed_at > before:
            continue
        is_newest = newest_of[line.project] <= policy.keep_last
        because = _kept_because(line, pinned, policy, is_newest=is_newest)
        if because is None:
            goes[line.stream] = PrunableThread(**_fields_of(line))
        else:
            kept.append(KeptThread(because=because, **_fields_of(line)))
    return goes, kept


def _families(newest_first: Collection[str], parents: Mapping[str, str]) -> list[list[str]]:
    """Return threads with their kin that are there, the oldest family first, in each children before parents."""
    found = dict[str, list[tuple[int, str]]]()
    for name in newest_first:
        root, depth = name, 0
        while depth < len(parents) and (above := parents.get(root, "")) in newest_first:
            root, depth = above, depth + 1
        found.setdefault(root, []).append((depth, name))
    return [
        [name for _, name in sorted(family, key=lambda each: -each[0])]
        for family in reversed(found.values())
    ]


def _hash_of(chosen: Iterable[PrunableThread]) -> str:
    named = [(thread.thread_id, thread.changed) for thread in chosen]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()[:16]


def _kept_because(
    line: Headline, pinned: Collection[str], policy: PrunePolicy, *, is_newest: bool
) -> KeptBecause | None:
    if line.stream in pinned:
        return KeptBecause.PINNED
    if {line.project, line.project.rpartition("/")[2]} & set(policy.keep_repositories):
        return KeptBecause.REPOSITORY
    return KeptBecause.NEWEST if is_newest else None


def _fields_of(line: Headline) -> dict[str, Any]:
    return {
        "thread_id": ThreadId(line.stream),
        "title": line.title,
        "project": line.project,
        "status": line.status,
        "changed": line.changed,
        "changed_at": line.changed_at,
    }
