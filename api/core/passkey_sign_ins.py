"""Registering passkeys, and signing in with one: what is asked, and what becomes of the answer."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from adapters.journal.people_tables import PeopleTables
from adapters.sign_in.passkeys import (
    Credential,
    Options,
    PasskeyChecks,
    new_challenge,
    new_handle,
)
from api.core.browser_sign_ins import BrowserSignIns
from domain.core.errors import TreadleError
from domain.people.passkeys import LASTS, Passkey, PasskeyChallenge, PersonInvitation, Step
from domain.people.sign_ins import SignInRefusedError
from domain.people.tokens import token_hash

INVITATION = "/sign-in/invitation"
"""The page of an invitation; its secret is the fragment, which browsers send to no server."""


class Asked(NamedTuple):
    """What a browser gets to ask a passkey with."""

    ceremony: str
    person: str
    options: Options


class Answer(NamedTuple):
    """What comes back, from where, and what the passkey will be called if it is new."""

    ceremony: str
    credential: Credential
    address: str
    name: str = ""


class PasskeySignIns:
    """The passkeys of a team's server, at the address that people open."""

    def __init__(self, url: str, sign_ins: BrowserSignIns) -> None:
        self.url = url.rstrip("/")
        self._sign_ins = sign_ins
        self._checks = PasskeyChecks(self.url)

    async def invite(
        self, person: str, by: str, lasts: timedelta, tables: PeopleTables
    ) -> tuple[str, PersonInvitation]:
        """Return the link of a new invitation; an earlier one of the person is good no more.

        Raises:
            SignInRefusedError: The person has no role, or is the owner.
            PeopleFileError: The directory is wrong.
        """
        self._sign_ins.require_person(person)
        now, secret = datetime.now(UTC), secrets.token_urlsafe(32)
        invitation = PersonInvitation(
            invitation_id=secrets.token_hex(6),
            person=person,
            created_by=by,
            created_at=now,
            expires_at=now + lasts,
        )
        await tables.passkeys.invite(invitation, token_hash(secret))
        return f"{self.url}{INVITATION}#{secret}", invitation

    async def ask_invited(self, secret: str, tables: PeopleTables) -> Asked:
        """Ask the person of an invitation for a passkey.

        Raises:
            PersonInvitationError: The invitation lets nobody in.
            SignInRefusedError: The person has lost their role.
        """
        invitation = await tables.passkeys.invitation(token_hash(secret), datetime.now(UTC))
        self._sign_ins.require_person(invitation.person)
        return await self._ask_new(
            invitation.person, Step.INVITATION, tables, invitation.invitation_id
        )

    async def ask_more(self, person: str, tables: PeopleTables) -> Asked:
        """Ask a person who is signed in for one more passkey."""
        return await self._ask_new(person, Step.ADDITION, tables)

    async def ask_any(self, tables: PeopleTables) -> Asked:
        """Ask for any passkey of this address."""
        challenge = _challenge(Step.SIGN_IN)
        options = await self._checks.to_sign_in(challenge.challenge)
        return Asked(await _keep(challenge, tables), "", options)

    async def register(self, answer: Answer, tables: PeopleTables) -> tuple[str, str]:
        """Register the passkey of an invited person; returns who it is, and the cookie of the sign-in.

        Raises:
            SignInRefusedError: The answer does not hold, or the person has no role any more.
            PersonInvitationError: The invitation was used meanwhile, was revoked, or has expired.
        """
        passkey = await self._made(answer, Step.INVITATION, None, tables)
        signed_in, cookie = self._sign_ins.by_passkey(passkey, answer.address)
        kept = signed_in, token_hash(cookie)
        digest = token_hash(answer.ceremony)
        await tables.passkeys.register(passkey, digest, Step.INVITATION, kept)
        await tables.seen.note(passkey.person, (), is_owner=False)
        return passkey.person, cookie

    async def add(self, answer: Answer, person: str, tables: PeopleTables) -> Passkey:
        """Register one more passkey of a person who is signed in.

        Raises:
            SignInRefusedError: The answer does not hold.
            InvalidError: They have too many.
        """
        passkey = await self._made(answer, Step.ADDITION, person, tables)
        await tables.passkeys.register(passkey, token_hash(answer.ceremony), Step.ADDITION, None)
        return passkey

    async def sign_in(self, answer: Answer, tables: PeopleTables) -> tuple[str, str]:
        """Sign in whose passkey answered; returns who it is, and the cookie.

        Raises:
            SignInRefusedError: The answer does not hold, or the person has no role any more.
        """
        digest = token_hash(answer.ceremony)
        asked = await tables.passkeys.challenge_of(digest)
        try:
            asked.refuse_other(Step.SIGN_IN, "", datetime.now(UTC))
            passkey = await tables.passkeys.by_credential(str(answer.credential.get("id", "")))
            if passkey is None:
                raise SignInRefusedError(
                    "this server does not know the passkey: it was removed, or is of another server"
                )
            use = await self._checks.used(answer.credential, asked.challenge, passkey)
            signed_in, cookie = self._sign_ins.by_passkey(passkey, answer.address)
        except TreadleError:
            await tables.passkeys.drop_challenge(digest)
            raise
        used = passkey.model_copy(update={"uses": use.uses})
        kept = signed_in, token_hash(cookie)
        await tables.passkeys.sign_in(used, use.handle, digest, kept)
        await tables.seen.note(passkey.person, (), is_owner=False)
        return passkey.person, cookie

    async def _ask_new(
        self, person: str, step: Step, tables: PeopleTables, invitation_id: str = ""
    ) -> Asked:
        held = await tables.passkeys.every(person)
        challenge = _challenge(step).model_copy(
            update={
                "person": person,
                "handle": held[0].handle if held else new_handle(),
                "invitation_id": invitation_id,
            }
        )
        options = await self._checks.to_register(challenge, held)
        return Asked(await _keep(challenge, tables), person, options)

    async def _made(
        self, answer: Answer, step: Step, person: str | None, tables: PeopleTables
    ) -> Passkey:
        """Return the passkey that an answer registers, for the person that was asked."""
        digest, now = token_hash(answer.ceremony), datetime.now(UTC)
        asked = await tables.passkeys.challenge_of(digest)
        try:
            asked.refuse_other(step, asked.person if person is None else person, now)
            made = await self._checks.registered(answer.credential, asked.challenge)
        except SignInRefusedError:
            await tables.passkeys.drop_challenge(digest)
            raise
        return Passkey(
            passkey_id=secrets.token_hex(6),
            person=asked.person,
            name=answer.name,
            credential_id=made.credential_id,
            public_key=made.public_key,
            handle=asked.handle,
            uses=made.uses,
            created_at=now,
        )


def _challenge(step: Step) -> PasskeyChallenge:
    ends = datetime.now(UTC) + LASTS
    return PasskeyChallenge(challenge=new_challenge(), step=step, expires_at=ends)


async def _keep(challenge: PasskeyChallenge, tables: PeopleTables) -> str:
    secret = secrets.token_urlsafe(32)
    await tables.passkeys.challenge(challenge, token_hash(secret), datetime.now(UTC))
    return secret
