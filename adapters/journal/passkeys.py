"""Passkeys, the invitations to register one, and challenges that wait for an answer: tables of the journal's database.

Secrets are kept by their hash only. Each change is one transaction, so that of two answers to one challenge, or two
uses of one invitation, one is refused.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, Text, func, select

from adapters.journal.engines import Engines
from adapters.journal.sign_ins import insert_sign_in
from adapters.journal.tables import METADATA
from domain.core.errors import InvalidError
from domain.people.passkeys import (
    MOST,
    Passkey,
    PasskeyChallenge,
    PersonInvitation,
    PersonInvitationError,
    Step,
    unknown_challenge,
)
from domain.people.sign_ins import SignIn, SignInRefusedError

PASSKEYS = Table(
    "passkeys",
    METADATA,
    Column("credential_id", Text, primary_key=True),
    Column("passkey_id", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, index=True),
    Column("details", Text, nullable=False),
)
PERSON_INVITATIONS = Table(
    "person_invitations",
    METADATA,
    Column("invitation_id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, index=True),
    Column("details", Text, nullable=False),
)
PASSKEY_CHALLENGES = Table(
    "passkey_challenges",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("expires_at", Text, nullable=False),
    Column("details", Text, nullable=False),
)
"""In all three the details are JSON."""


class Passkeys:
    """The passkeys, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def invite(self, invitation: PersonInvitation, digest: str) -> None:
        """Keep a new invitation by the hash of its secret; earlier ones of the person are revoked."""

        def write(connection: Connection) -> None:
            revoke_invitations(connection, invitation.person, invitation.created_at)
            row = {"invitation_id": invitation.invitation_id, "hash": digest, **_row(invitation)}
            connection.execute(PERSON_INVITATIONS.insert().values(row))

        await self._engines.write.run(write)

    async def invitation(self, digest: str, now: datetime) -> PersonInvitation:
        """Return the invitation of a secret.

        Raises:
            PersonInvitationError: There is none, or it lets nobody in.
        """
        query = select(PERSON_INVITATIONS).where(PERSON_INVITATIONS.c.hash == digest)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        if row is None:
            raise PersonInvitationError(
                "no such invitation: copy the whole link, or ask for a new one"
            )
        found = PersonInvitation.model_validate_json(row.details)
        found.refuse_ended(now)
        return found

    async def challenge(self, challenge: PasskeyChallenge, digest: str, now: datetime) -> None:
        """Keep a new challenge by the hash of its secret, and drop those that have expired."""

        def write(connection: Connection) -> None:
            is_old = PASSKEY_CHALLENGES.c.expires_at <= _written(now)
            connection.execute(PASSKEY_CHALLENGES.delete().where(is_old))
            row = {"hash": digest, "expires_at": _written(challenge.expires_at), **_row(challenge)}
            connection.execute(PASSKEY_CHALLENGES.insert().values(row))

        await self._engines.write.run(write)

    async def challenge_of(self, digest: str) -> PasskeyChallenge:
        """Return the challenge of a secret; it stays good until it is answered.

        Raises:
            SignInRefusedError: There is none, or not any more.
        """
        query = select(PASSKEY_CHALLENGES).where(PASSKEY_CHALLENGES.c.hash == digest)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        if row is None:
            raise unknown_challenge()
        return PasskeyChallenge.model_validate_json(row.details)

    async def drop_challenge(self, digest: str) -> None:
        """Drop a challenge that was answered wrongly."""
        one = PASSKEY_CHALLENGES.delete().where(PASSKEY_CHALLENGES.c.hash == digest)
        await self._engines.write.run(lambda at: at.execute(one))

    async def every(self, person: str) -> list[Passkey]:
        """Return the passkeys of a person, the oldest first."""
        query = select(PASSKEYS).where(PASSKEYS.c.person == person)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        return sorted(map(passkey_of, rows), key=lambda each: each.created_at)

    async def by_credential(self, credential_id: str) -> Passkey | None:
        """Return the passkey that an authenticator calls so."""
        query = select(PASSKEYS).where(PASSKEYS.c.credential_id == credential_id)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else passkey_of(row)

    async def register(
        self, passkey: Passkey, digest: str, step: Step, signed_in: tuple[SignIn, str] | None
    ) -> None:
        """Keep a new passkey, answering its challenge; with an invitation this signs its person in, too.

        Raises:
            SignInRefusedError: The challenge was answered or is another's, or the passkey is known already.
            PersonInvitationError: The invitation was used or revoked meanwhile, or has expired.
            InvalidError: The person has too many.
        """
        now = passkey.created_at

        def write(connection: Connection) -> None:
            answered = _answer(connection, digest)
            answered.refuse_other(step, passkey.person, now)
            if step is Step.INVITATION:
                _use(connection, answered.invitation_id, now)
            of_person = PASSKEYS.c.person == passkey.person
            held = select(func.count()).select_from(PASSKEYS).where(of_person)
            if (connection.scalar(held) or 0) >= MOST:
                raise InvalidError(f"nobody has more than {MOST} passkeys: remove one first")
            same = PASSKEYS.c.credential_id == passkey.credential_id
            if connection.execute(select(PASSKEYS).where(same)).first() is not None:
                raise SignInRefusedError("this passkey is registered already: sign in with it")
            named = {
                "credential_id": passkey.credential_id,
                "passkey_id": passkey.passkey_id,
                **_row(passkey),
            }
            connection.execute(PASSKEYS.insert().values(named))
            if signed_in is not None:
                insert_sign_in(connection, *signed_in)

        await self._engines.write.run(write)

    async def sign_in(
        self, used: Passkey, handle: str, digest: str, signed_in: tuple[SignIn, str]
    ) -> None:
        """Note a use that a signature proves, answering its challenge, and keep the sign-in.

        `used` has the counter that was signed; it is compared with the one that is kept now.

        Raises:
            SignInRefusedError: The challenge was answered, the passkey was removed, is another person's, or has
                counted fewer uses than before.
        """
        now = signed_in[0].created_at

        def write(connection: Connection) -> None:
            _answer(connection, digest).refuse_other(Step.SIGN_IN, "", now)
            same = PASSKEYS.c.credential_id == used.credential_id
            row = connection.execute(select(PASSKEYS).where(same).with_for_update()).first()
            if row is None:
                raise SignInRefusedError("this passkey was removed")
            kept = passkey_of(row).used(used.uses, handle, now)
            connection.execute(PASSKEYS.update().where(same).values(_row(kept)))
            insert_sign_in(connection, *signed_in)

        await self._engines.write.run(write)


def revoke_invitations(connection: Connection, person: str, now: datetime) -> None:
    """Revoke the invitations of a person that were not used, and what was begun with them."""
    connection.execute(PASSKEY_CHALLENGES.delete().where(PASSKEY_CHALLENGES.c.person == person))
    of_person = PERSON_INVITATIONS.c.person == person
    for row in connection.execute(
        select(PERSON_INVITATIONS).where(of_person).with_for_update()
    ).all():
        found = PersonInvitation.model_validate_json(row.details)
        if found.used_at is None and found.revoked_at is None:
            _keep_invitation(connection, found.model_copy(update={"revoked_at": now}))


def _answer(connection: Connection, digest: str) -> PasskeyChallenge:
    """Return a challenge, which is good no more."""
    one = PASSKEY_CHALLENGES.c.hash == digest
    row = connection.execute(select(PASSKEY_CHALLENGES).where(one).with_for_update()).first()
    if row is None:
        raise unknown_challenge()
    connection.execute(PASSKEY_CHALLENGES.delete().where(one))
    return PasskeyChallenge.model_validate_json(row.details)


def _use(connection: Connection, invitation_id: str, now: datetime) -> None:
    one = PERSON_INVITATIONS.c.invitation_id == invitation_id
    row = connection.execute(select(PERSON_INVITATIONS).where(one).with_for_update()).one()
    found = PersonInvitation.model_validate_json(row.details)
    found.refuse_ended(now)
    _keep_invitation(connection, found.model_copy(update={"used_at": now}))


def _keep_invitation(connection: Connection, invitation: PersonInvitation) -> None:
    one = PERSON_INVITATIONS.c.invitation_id == invitation.invitation_id
    connection.execute(PERSON_INVITATIONS.update().where(one).values(_row(invitation)))


def _row(kept: PersonInvitation | Passkey | PasskeyChallenge) -> dict[str, str]:
    return {"person": kept.person, "details": kept.model_dump_json()}


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def passkey_of(row: Row[Any]) -> Passkey:
    """Return the passkey of a row."""
    return Passkey.model_validate_json(row.details)
