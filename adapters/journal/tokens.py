"""Personal access tokens, in a table of the journal's database: their hashes, never the tokens."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Boolean, Column, ColumnElement, Connection, Row, Table, Text, select, true

from adapters.journal.engines import Engines
from adapters.journal.passkeys import PASSKEYS
from adapters.journal.sign_ins import SIGN_INS
from adapters.journal.tables import METADATA
from domain.core.errors import NotFoundError
from domain.people.roles import Role
from domain.people.sign_ins import SignInRefusedError
from domain.people.tokens import BELOW, Token

TOKENS = Table(
    "access_tokens",
    METADATA,
    Column("token_id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("is_owner", Boolean, nullable=False),
    Column("projects", Text, nullable=False),
    Column("groups", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("used_at", Text),
    Column("revoked_at", Text),
    Column("passkey_id", Text, nullable=False, server_default=""),
)
"""Times are ISO 8601, lists are JSON."""

_TIMES = ("created_at", "expires_at", "used_at", "revoked_at")


class Tokens:
    """The tokens, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def add(self, token: Token, digest: str, sign_in_id: str = "") -> None:
        """Keep a new token by its hash; `sign_in_id` names the session that it is made in, if any.

        Raises:
            SignInRefusedError: That session, the passkey that it began with, or the token that makes it was
                ended meanwhile.
        """
        row = {
            **token.model_dump(mode="json", exclude=set(_TIMES)),
            **{name: _written(getattr(token, name)) for name in _TIMES},
            "projects": json.dumps(token.projects),
            "groups": json.dumps(token.groups),
            "hash": digest,
        }

        def write(connection: Connection) -> None:
            if token.passkey_id:
                _require_passkey(connection, token.passkey_id)
            if token.made_by:
                _require_token(connection, token.made_by)
            if sign_in_id:
                _require_sign_in(connection, sign_in_id)
            connection.execute(TOKENS.insert().values(row))

        await self._engines.write.run(write)

    async def by_hash(self, digest: str) -> Token | None:
        """Return the token with a hash, also one that is good no longer."""
        query = select(TOKENS).where(TOKENS.c.hash == digest)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else _token_of(row)

    async def by_id(self, token_id: str) -> Token | None:
        """Return a token by its id."""
        query = select(TOKENS).where(TOKENS.c.token_id == token_id)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else _token_of(row)

    async def every(self, person: str | None = None) -> list[Token]:
        """Return the tokens of a person, or of all, the newest first."""
        query = select(TOKENS).order_by(TOKENS.c.created_at.desc(), TOKENS.c.token_id)
        if person is not None:
            query = query.where(TOKENS.c.person == person)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        return [_token_of(row) for row in rows]

    async def note_use(self, token_id: str, now: datetime) -> None:
        """Note that a token was used."""
        one = TOKENS.update().where(TOKENS.c.token_id == token_id)
        used = one.values(used_at=_written(now))
        await self._engines.write.run(lambda at: at.execute(used))

    async def revoke(self, token_id: str, now: datetime, person: str | None = None) -> Token:
        """Revoke a token, of a person or of anybody, and those that it made; one that was revoked stays as it is.

        Raises:
            NotFoundError: There is no such token.
        """

        def change(connection: Connection) -> Row[Any] | None:
            named = TOKENS.c.token_id == token_id
            of_person = true() if person is None else TOKENS.c.person == person
            own = named & of_person
            made = TOKENS.c.token_id.startswith(f"{token_id}{BELOW}", autoescape=True)
            revoke_tokens(connection, (named | made) & of_person, now)
            return connection.execute(select(TOKENS).where(own)).first()

        row = await self._engines.write.run(change)
        if row is None:
            raise NotFoundError("no such token: list them with `treadle tokens list`")
        return _token_of(row)


def revoke_tokens(connection: Connection, which: ColumnElement[bool], now: datetime) -> int:
    """Revoke those of some tokens that are not yet, in the transaction of a connection; returns how many."""
    still = TOKENS.update().where(which, TOKENS.c.revoked_at.is_(None))
    return connection.execute(still.values(revoked_at=_written(now))).rowcount


def _require_token(connection: Connection, token_id: str) -> None:
    one = select(TOKENS.c.revoked_at).where(TOKENS.c.token_id == token_id)
    found = connection.execute(one.with_for_update()).first()
    if found is None or found.revoked_at is not None:
        raise SignInRefusedError("your token was revoked meanwhile: sign in again")


def _require_passkey(connection: Connection, passkey_id: str) -> None:
    one = select(PASSKEYS.c.passkey_id).where(PASSKEYS.c.passkey_id == passkey_id)
    if connection.execute(one.with_for_update()).first() is None:
        raise SignInRefusedError("the passkey that you signed in with was removed: sign in again")


def _require_sign_in(connection: Connection, sign_in_id: str) -> None:
    one = select(SIGN_INS.c.ended_at).where(SIGN_INS.c.sign_in_id == sign_in_id)
    found = connection.execute(one.with_for_update()).first()
    if found is None or found.ended_at is not None:
        raise SignInRefusedError("you were signed out meanwhile: sign in again")


def _written(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="milliseconds")


def _token_of(row: Row[Any]) -> Token:
    times = {name: datetime.fromisoformat(at) for name in _TIMES if (at := getattr(row, name))}
    return Token(
        token_id=row.token_id,
        person=row.person,
        name=row.name,
        scope=Role(row.scope),
        is_owner=row.is_owner,
        passkey_id=row.passkey_id,
        projects=tuple(json.loads(row.projects)),
        groups=tuple(json.loads(row.groups)),
        **times,
    )
