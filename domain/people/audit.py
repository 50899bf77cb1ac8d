"""The audit log: who did what, from where, and what they were shown; each entry seals the one before."""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from domain.core.approvals import Decider, Outcome
from domain.core.event import Event
from domain.core.ids import thread_of
from domain.core.wire import Wire

FIRST = "0" * 64
"""What the first entry has instead of the hash of one before it."""

MAX_REASON = 500


class Door(StrEnum):
    """Where something came in."""

    PAGE = "page"
    CLI = "cli"
    API = "api"
    TEMPORAL = "temporal"
    """A signal that none of Treadle's own programs sent, like `temporal workflow signal`."""
    WORKFLOW = "workflow"
    """A decision as the workflow took it, whatever the door: written with its event, or neither is."""
    SIGN_IN = "sign_in"


class AuditResult(StrEnum):
    """What became of it."""

    DONE = "done"
    REFUSED = "refused"


class AuditEntry(Wire):
    """One thing that somebody did, or tried to."""

    at: datetime
    person: str
    """Who, as they were found; for a signal that was refused, whom it named."""
    token_id: str = ""
    address: str = ""
    """The network address that it came from."""
    door: Door
    action: str
    """A route, a command, or the kind of a decision's event."""
    target: str = ""
    project: str = ""
    shown: str = ""
    """The hash of what was shown, where it was a decision."""
    result: AuditResult = AuditResult.DONE
    reason: str = ""
    """Why it was refused."""
    key: str = ""
    """What makes it one entry however often it is written; empty where it is written once."""


class AuditRecord(AuditEntry):
    """An entry with its place in the log; `digest` is of all of it, and of the record before."""

    number: int
    previous: str
    digest: str


class Verification(Wire):
    """Whether the log is whole: each record there, and as it was written."""

    is_whole: bool
    records: int
    head: str = FIRST
    """The digest of the newest record: kept elsewhere, it shows whether newer ones were removed."""
    broken_at: int | None = None
    """The number of the first record that is missing or was changed."""


def sealed(entry: AuditEntry, number: int, previous: str) -> AuditRecord:
    """Return an entry as the record that follows another one."""
    said = entry.model_dump(mode="json", include=set(AuditEntry.model_fields))
    said["at"] = entry.at.isoformat()
    text = json.dumps([number, previous, said], sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    fields = {name: getattr(entry, name) for name in AuditEntry.model_fields}
    return AuditRecord(**fields, number=number, previous=previous, digest=digest)


def verified(records: Iterable[AuditRecord], known: Verification | None = None) -> Verification:
    """Return whether records follow each other, going on from those that were looked at before."""
    found = known or Verification(is_whole=True, records=0)
    for record in records:
        if not found.is_whole:
            return found
        number = found.records + 1
        right = sealed(record, number, found.head)
        if (record.number, record.previous, record.digest) != (number, found.head, right.digest):
            return found.model_copy(update={"is_whole": False, "broken_at": number})
        found = Verification(is_whole=True, records=number, head=record.digest)
    return found


def decision_in(event: Event) -> AuditEntry | None:
    """Return the entry of a person's decision that an event tells of; None for any other event."""
    outcome = getattr(event.body, "outcome", None)
    if not isinstance(outcome, Outcome) or outcome.decider is not Decider.PERSON:
        return None
    return AuditEntry(
        at=event.at,
        person=outcome.by,
        door=Door.WORKFLOW,
        action=f"{event.body.kind}: {outcome.spoken}",
        target=f"{event.stream} {outcome.request_id}",
        shown=outcome.content_hash,
        key=f"event {event.id}",
    )


def top_of(entry: AuditEntry) -> str:
    """Return the thread or flow run that an entry is about; empty where it is about none."""
    named = entry.target.partition(" ")[0]
    return str(thread_of(named)) if named.startswith(("thread-", "flow-")) else ""
