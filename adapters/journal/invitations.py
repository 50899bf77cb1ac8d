"""Invitations of hosts, in a table of the journal's database: the hashes of their tokens, never the tokens."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, Text, select

from adapters.journal.engines import Engines
from adapters.journal.hosts import note_joined
from adapters.journal.tables import METADATA
from domain.core.errors import NotFoundError
from domain.hosts.host import HostFacts
from domain.hosts.joining import Invitation, InvitationUnknownError, JoiningHost

_INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("invitation_id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("details", Text, nullable=False),
    Column("attempt", Text),
)
"""`details` is the JSON of the invitation, `attempt` what the machine that used it is known by."""


class Invitations:
    """The invitations, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def add(self, invitation: Invitation, digest: str) -> None:
        """Keep a new invitation by the hash of its token."""
        row = {
            "invitation_id": invitation.invitation_id,
            "hash": digest,
            "details": invitation.model_dump_json(),
        }
        await self._engines.write.run(lambda at: at.execute(_INVITATIONS.insert().values(row)))

    async def every(self) -> list[Invitation]:
        """Return all invitations, the newest first."""
        rows = await self._engines.lookups.run(lambda at: at.execute(select(_INVITATIONS)).all())
        return sorted(map(_invitation, rows), key=lambda each: each.created_at, reverse=True)

    async def use(self, digest: str, joining: JoiningHost, now: datetime) -> str:
        """Let a machine join as a host, once; returns the name that the host has.

        Raises:
            InvitationUnknownError: No invitation has a token of this hash.
            InvitationExpiredError: It has expired, or was revoked.
            InvitationUsedError: Another machine has joined with it.
            HostNameTakenError: Another host has the name.
        """

        def write(connection: Connection) -> str:
            where = _INVITATIONS.c.hash == digest
            row = connection.execute(select(_INVITATIONS).where(where).with_for_update()).first()
            if row is None:
                raise InvitationUnknownError(
                    "no invitation has this token: copy it whole, or make one with `treadle hosts invite`"
                )
            found, is_repeated = _invitation(row), row.attempt == joining.attempt
            found.refuse_use(now, is_repeated=is_repeated)
            facts = HostFacts(host=joining.host, name=found.name or joining.name)
            note_joined(connection, facts)
            used = found.model_copy(update={"used_at": now, "used_by": joining.host})
            values = {"details": used.model_dump_json(), "attempt": joining.attempt}
            connection.execute(_INVITATIONS.update().where(where).values(values))
            return facts.name

        return await self._engines.write.run(write)

    async def revoke(self, invitation_id: str) -> Invitation:
        """Revoke an invitation: nobody joins with it from now on.

        Raises:
            NotFoundError: There is none.
        """

        def write(connection: Connection) -> Invitation:
            where = _INVITATIONS.c.invitation_id == invitation_id
            row = connection.execute(select(_INVITATIONS).where(where).with_for_update()).first()
            if row is None:
                raise NotFoundError(
                    "no such invitation: list them with `treadle hosts invitations`"
                )
            found = _invitation(row)
            if found.revoked_at is None:
                found = found.model_copy(update={"revoked_at": datetime.now(UTC)})
            values = {"details": found.model_dump_json()}
            connection.execute(_INVITATIONS.update().where(where).values(values))
            return found

        return await self._engines.write.run(write)


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation.model_validate_json(row.details)
