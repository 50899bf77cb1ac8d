"""The check of a decision's code, a local activity: replay needs no key, the key may rotate."""

import hashlib
import json
from datetime import UTC, datetime

from temporalio import activity

from domain.core.approvals import is_code
from domain.core.effects import CodeCheck
from domain.core.ports import CodeKey
from domain.people.access import Audit, Deciders
from domain.people.audit import AuditEntry, AuditResult, Door


class DecisionCodes:
    """Checks codes, and that whoever decides may; notes what came through Temporal in the audit log."""

    def __init__(
        self, key: CodeKey, deciders: Deciders | None = None, audit: Audit | None = None
    ) -> None:
        self._key = key
        self._deciders = deciders
        self._audit = audit

    @activity.defn
    async def check_code(self, check: CodeCheck) -> bool:
        """Tell whether a decision's code is genuine, and its person still has the role for it.

        Where there is one person only, codes that name nobody are genuine, too: they were made so
        before there were people. What stops something needs no code there.
        """
        subject = (check.workflow_id, check.request_id, check.choice, check.content_hash)
        key = self._key.read()
        is_own = is_code(key, check.code, subject, check.by)
        may = None
        if self._deciders is not None:
            may = await self._deciders.may_decide(check.by, check.door, check.workflow_id)
        if may is None:
            is_good = check.is_stop or is_own or is_code(key, check.code, subject)
            reason = "the code is not genuine"
        else:
            is_good = is_own and check.by != "" and check.request_id != "" and may
            reason = "the person lacks the role" if is_own else "the code is not this person's"
        if check.is_foreign and self._audit is not None:
            await self._audit.add(_entry(check, "" if is_good else reason))
        return is_good


def _entry(check: CodeCheck, reason: str) -> AuditEntry:
    """Return the entry of a signal; the same one again, as of a second attempt, is one entry."""
    said = (check.workflow_id, check.door, check.request_id, check.choice, check.code, reason)
    return AuditEntry(
        at=datetime.now(UTC),
        person=check.by[:300],
        door=Door.TEMPORAL,
        action=check.door,
        target=f"{check.workflow_id} {check.request_id}"[:400],
        shown=check.content_hash[:300],
        result=AuditResult.REFUSED if reason else AuditResult.DONE,
        reason=reason,
        key=f"signal {hashlib.sha256(json.dumps(said).encode()).hexdigest()}",
    )
