"""Questions with the hash of exactly what is shown of them: an answer names that, never the latest read."""

import hashlib

from domain.core.approvals import content_hash
from domain.plans.plan import Decision
from domain.tasks.conflicts import Conflict, OpenConflict

_DIGITS = 12


class ShownDecision(Decision):
    """A decision of the plan as doors show it; its answer brings the `content_hash`."""

    content_hash: str

    @classmethod
    def of(cls, decision: Decision) -> "ShownDecision":
        """Return a decision with the hash that its answer is checked against."""
        return cls(**dict(decision), content_hash=content_hash(decision))


class ShownConflict(OpenConflict):
    """A conflict as doors show it; its answer brings the `content_hash`."""

    content_hash: str

    @classmethod
    def of(cls, found: OpenConflict) -> "ShownConflict":
        """Return a conflict with the hash that its answer is checked against."""
        return cls(**dict(found), content_hash=conflict_hash(found.conflict))


def conflict_hash(conflict: Conflict) -> str:
    """Return the hash of a conflict; of one from before versions were kept the one it had then."""
    if conflict.versions:
        return content_hash(conflict)
    before = conflict.model_dump_json(exclude={"versions", "tip"})
    return hashlib.sha256(before.encode()).hexdigest()


def hash_option(content: str) -> str:
    """Return the `--hash` of a printed command: pasted later, it answers this and nothing newer."""
    return f" --hash {content[:_DIGITS]}" if content else ""
