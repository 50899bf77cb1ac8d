"""Who is signed in, and which identity of a provider each name belongs to: tables of the journal's database."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, Text, UniqueConstraint, select

from adapters.journal.engines import Engines
from adapters.journal.tables import METADATA
from domain.people.passkeys import ISSUER
from domain.people.sign_ins import Identity, SignIn, SignInRefusedError

SIGN_INS = Table(
    "sign_ins",
    METADATA,
    Column("sign_in_id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, index=True),
    Column("checked_at", Text, nullable=False),
    Column("ended_at", Text),
    Column("details", Text, nullable=False),
)
"""The secret in a browser's cookie is kept by its hash only; the details are JSON."""

IDENTITIES = Table(
    "identities",
    METADATA,
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("person", Text, nullable=False),
    UniqueConstraint("issuer", "subject"),
    UniqueConstraint("issuer", "person"),
)
"""A name belongs to who had it first: a provider may give an address to somebody else later."""


class SignIns:
    """The sign-ins, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def bind(self, identity: Identity) -> str:
        """Return the name of an identity: what it is called, or the one that it had first.

        Raises:
            SignInRefusedError: The name is another identity's.
        """

        def change(connection: Connection) -> tuple[str | None, bool]:
            of_issuer = IDENTITIES.c.issuer == identity.issuer
            known = connection.scalar(
                select(IDENTITIES.c.person).where(
                    of_issuer, IDENTITIES.c.subject == identity.subject
                )
            )
            if known is not None:
                return known, False
            taken = connection.scalar(
                select(IDENTITIES.c.subject).where(
                    of_issuer, IDENTITIES.c.person == identity.person
                )
            )
            if taken is None:
                row = identity.model_dump(include={"issuer", "subject", "person"})
                connection.execute(IDENTITIES.insert().values(row))
            return identity.person, taken is not None

        person, is_taken = await self._engines.write.run(change)
        if is_taken or person is None:
            raise SignInRefusedError(
                f"{identity.person} is another account of the identity provider here: an admin frees the name "
                "with `treadle people forget`"
            )
        return person

    async def add(self, sign_in: SignIn, digest: str) -> None:
        """Keep a new sign-in by the hash of its secret."""
        await self._engines.write.run(lambda at: insert_sign_in(at, sign_in, digest))

    async def by_hash(self, digest: str) -> SignIn | None:
        """Return the sign-in of a secret, also one that has ended."""
        query = select(SIGN_INS).where(SIGN_INS.c.hash == digest)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else _sign_in_of(row)

    async def change(self, sign_in: SignIn, before: datetime | None = None) -> bool:
        """Keep a changed sign-in, if it was last checked at `before`; tells whether it was kept."""
        one = SIGN_INS.update().where(SIGN_INS.c.sign_in_id == sign_in.sign_in_id)
        if before is not None:
            one = one.where(
                SIGN_INS.c.checked_at == _written(before), SIGN_INS.c.ended_at.is_(None)
            )
        changed = one.values(**_row(sign_in))
        return await self._engines.write.run(lambda at: at.execute(changed).rowcount > 0)


def insert_sign_in(connection: Connection, sign_in: SignIn, digest: str) -> None:
    """Keep a new sign-in by the hash of its secret, in the transaction of a connection."""
    row = {"sign_in_id": sign_in.sign_in_id, "hash": digest, **_row(sign_in)}
    connection.execute(SIGN_INS.insert().values(row))


def end_sign_ins(connection: Connection, person: str, passkey_id: str) -> None:
    """End the sign-ins of a person that began with a passkey, or with an unknown one, as older servers kept them."""
    for row in connection.execute(select(SIGN_INS).where(SIGN_INS.c.person == person)).all():
        found = _sign_in_of(row)
        if found.issuer == ISSUER and found.passkey_id in {"", passkey_id}:
            one = SIGN_INS.c.sign_in_id == row.sign_in_id
            connection.execute(SIGN_INS.delete().where(one))


def _row(sign_in: SignIn) -> dict[str, Any]:
    return {
        "person": sign_in.person,
        "checked_at": _written(sign_in.checked_at),
        "ended_at": _written(sign_in.ended_at) if sign_in.ended_at else None,
        "details": sign_in.model_dump_json(),
    }


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _sign_in_of(row: Row[Any]) -> SignIn:
    return SignIn.model_validate_json(row.details)
