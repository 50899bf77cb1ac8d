"""Ends what lets people in: all of a person, of a name that is forgotten, or of one passkey, each in one transaction."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, select

from adapters.journal.device_logins import DEVICE_LOGINS
from adapters.journal.engines import Engines
from adapters.journal.passkeys import PASSKEYS, passkey_of, revoke_invitations
from adapters.journal.sign_ins import IDENTITIES, SIGN_INS, end_sign_ins
from adapters.journal.tokens import TOKENS, revoke_tokens
from domain.core.errors import NotFoundError
from domain.people.access import Caller
from domain.people.device_logins import DeviceLogin
from domain.people.passkeys import LastPasskeyError
from domain.people.revocation import RemovedPasskey, Revoked


class Revocation:
    """Ends what people have, by the connections of an open journal."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def revoke(self, person: str, now: datetime) -> Revoked:
        """Remove a person's passkeys, invitations, sessions, tokens and sign-ins of programs.

        Passkeys go first: who signs in at the same time has theirs locked, and ends a moment later.
        """

        def write(connection: Connection) -> Revoked:
            revoke_invitations(connection, person, now)
            passkeys = connection.execute(PASSKEYS.delete().where(PASSKEYS.c.person == person))
            sessions = connection.execute(SIGN_INS.delete().where(SIGN_INS.c.person == person))
            _drop_programs(connection, lambda by: by.person == person)
            return Revoked(
                person=person,
                passkeys=passkeys.rowcount,
                sessions=sessions.rowcount,
                tokens=revoke_tokens(connection, TOKENS.c.person == person, now),
            )

        return await self._engines.write.run(write)

    async def forget(self, person: str, now: datetime) -> bool:
        """Free a name for another identity, and end the sessions, tokens and programs of who had it; False if nobody."""

        def write(connection: Connection) -> bool:
            freed = connection.execute(IDENTITIES.delete().where(IDENTITIES.c.person == person))
            if not freed.rowcount:
                return False
            connection.execute(SIGN_INS.delete().where(SIGN_INS.c.person == person))
            _drop_programs(connection, lambda by: by.person == person)
            revoke_tokens(connection, TOKENS.c.person == person, now)
            return True

        return await self._engines.write.run(write)

    async def remove_passkey(
        self, passkey_id: str, person: str, now: datetime, *, is_forced: bool = False
    ) -> RemovedPasskey:
        """Remove a passkey of a person; the last one only by force.

        The sessions that began with it end, and the person's tokens and programs that were made in these.

        Raises:
            NotFoundError: They have none of this id.
            LastPasskeyError: They have no other.
        """
        of_person = select(PASSKEYS).where(PASSKEYS.c.person == person)

        def write(connection: Connection) -> RemovedPasskey:
            # locked first: who signs in with it at the same time does so before, and is out, or is refused
            held = connection.execute(of_person.with_for_update()).all()
            found = next((row for row in held if row.passkey_id == passkey_id), None)
            if found is None:
                raise NotFoundError(
                    "you have no such passkey: list them with `treadle passkeys list`"
                )
            if len(held) == 1 and not is_forced:
                raise LastPasskeyError(
                    "this is your only passkey, and without it you get in only with a new invitation of an admin: add "
                    "another one first, or remove it with `treadle passkeys remove ID --force`"
                )
            connection.execute(PASSKEYS.delete().where(PASSKEYS.c.passkey_id == passkey_id))
            end_sign_ins(connection, person, passkey_id)
            _drop_programs(connection, lambda by: by.passkey_id == passkey_id)
            made = TOKENS.c.passkey_id == passkey_id
            return RemovedPasskey(
                passkey=passkey_of(found), tokens=revoke_tokens(connection, made, now)
            )

        return await self._engines.write.run(write)


def _drop_programs(connection: Connection, is_theirs: Callable[[Caller], bool]) -> None:
    """Drop the programs that somebody confirmed and that have not fetched their token."""
    for row in connection.execute(select(DEVICE_LOGINS).with_for_update()).all():
        login = DeviceLogin.model_validate_json(row.details)
        if login.confirmed_by is not None and is_theirs(login.confirmed_by):
            connection.execute(DEVICE_LOGINS.delete().where(DEVICE_LOGINS.c.hash == row.hash))
