"""Browsers that signed in with an identity provider: their sessions, until the provider or a role ends them."""

import logging
import secrets
from datetime import UTC, datetime, timedelta
from typing import Self

from adapters.files.key_ring import KeyRing
from adapters.files.people_file import PeopleFile
from adapters.journal.people_tables import PeopleTables
from adapters.sign_in.oidc import OidcProvider, ProviderTokens
from adapters.sign_in.sealed_texts import SealedTexts
from api.core.signing_proxy import SigningProxy
from domain.people.access import Access, Caller
from domain.people.passkeys import ISSUER, Passkey
from domain.people.roles import Role
from domain.people.sign_ins import (
    ClaimRules,
    Identity,
    ProviderError,
    SignIn,
    SignInRefusedError,
    identity_from,
)
from domain.people.tokens import token_hash
from settings import Settings, secret_of

SECRET = "sid_"  # noqa: S105 - what one begins with
"""What the cookie of a sign-in begins with."""

_LOG = logging.getLogger(__name__)


class BrowserSignIns:
    """Begins, checks and ends sign-ins; the journal keeps them, so they survive a restart."""

    def __init__(self, settings: Settings, keys: KeyRing, people: PeopleFile, owner: str) -> None:
        oidc = settings.oidc
        self._rules = ClaimRules(name_claim=oidc.name_claim, groups_claim=oidc.groups_claim)
        self._lasts = timedelta(hours=oidc.session_hours)
        self._refresh_after = timedelta(minutes=oidc.refresh_minutes)
        self._tokens = SealedTexts(keys, "sign-in tokens")
        self._people = people
        self._owner = owner
        self.challenges = SealedTexts(keys, "sign-in challenge")
        self.proxy = SigningProxy(settings.proxy) if settings.proxy.header else None
        self.provider = (
            OidcProvider(
                oidc.issuer,
                oidc.client_id,
                secret_of(oidc.client_secret_file, oidc.client_secret_env),
                oidc.scopes,
            )
            if oidc.issuer
            else None
        )

    @property
    def lasts_seconds(self) -> int:
        """How long a sign-in lasts at most."""
        return int(self._lasts.total_seconds())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the connections to the provider and the proxy."""
        if self.proxy is not None:
            await self.proxy.close()
        if self.provider is not None:
            await self.provider.close()

    async def begin(
        self, tokens: ProviderTokens, tables: PeopleTables, address: str
    ) -> tuple[SignIn, str]:
        """Sign in whom a provider's tokens name; returns the cookie, too.

        Raises:
            SignInRefusedError: The tokens name nobody who has a role here.
            PeopleFileError: The directory is wrong.
        """
        identity = await self.admitted(identity_from(tokens.claims, self._rules), tables)
        sign_in, secret = self._new(identity, address)
        sign_in = sign_in.model_copy(update={"sealed": self._seal(tokens)})
        await tables.sign_ins.add(sign_in, token_hash(secret))
        return sign_in, secret

    def by_passkey(self, passkey: Passkey, address: str) -> tuple[SignIn, str]:
        """Return the sign-in of a local person, which is kept with the use of the passkey; and the cookie.

        Raises:
            SignInRefusedError: The person has no role here, or is the owner.
            PeopleFileError: The directory is wrong.
        """
        person = passkey.person
        self.require_person(person)
        identity = Identity(issuer=ISSUER, subject=person, person=person)
        sign_in, secret = self._new(identity, address)
        return sign_in.model_copy(update={"passkey_id": passkey.passkey_id}), secret

    def require_person(self, person: str) -> None:
        """Refuse a local person who may not sign in.

        Raises:
            SignInRefusedError: The person has no role here, or is the owner.
            PeopleFileError: The directory is wrong.
        """
        if person == self._owner:
            raise SignInRefusedError(
                f"{person} is the user that this server runs as, and signs in with `treadle open`"
            )
        self._require_role(person, ())

    def _new(self, identity: Identity, address: str) -> tuple[SignIn, str]:
        now, secret = datetime.now(UTC), SECRET + secrets.token_urlsafe(32)
        sign_in = SignIn(
            sign_in_id=secrets.token_hex(6),
            **identity.model_dump(),
            address=address,
            created_at=now,
            checked_at=now,
            ends_at=now + self._lasts,
        )
        return sign_in, secret

    async def admitted(self, identity: Identity, tables: PeopleTables) -> Identity:
        """Return an identity with the name that it has here, and note its groups.

        Raises:
            SignInRefusedError: The name is another identity's or the owner's, or has no role.
            PeopleFileError: The directory is wrong.
        """
        if identity.person == self._owner:
            raise SignInRefusedError(
                f"{identity.person} is the user that this server runs as: name people by another claim"
            )
        identity = identity.model_copy(update={"person": await tables.sign_ins.bind(identity)})
        self._require_role(identity.person, identity.groups)
        await tables.seen.note(identity.person, identity.groups, is_owner=False)
        return identity

    async def found(self, cookie: str, tables: PeopleTables) -> SignIn | None:
        """Return the sign-in of a cookie; None for one that is unknown or has ended.

        Raises:
            PeopleFileError: The directory is wrong.
        """
        sign_in, now = await tables.sign_ins.by_hash(token_hash(cookie)), datetime.now(UTC)
        if sign_in is None or not sign_in.is_good(now):
            return None
        try:
            self._require_role(sign_in.person, sign_in.groups)
            if now - sign_in.checked_at < self._refresh_after:
                return sign_in
            return await self._refreshed(sign_in, now, tables)
        except SignInRefusedError as error:
            _LOG.info("a sign-in has ended: %s", error)
            await self.end(sign_in, tables)
            return None

    async def caller_by_proxy(self, token: str, tables: PeopleTables) -> Caller:
        """Return whom a proxy's signed token names.

        Raises:
            SignInRefusedError: The token is not good, or names nobody who has a role here.
            ProviderError: The proxy's keys cannot be read.
            PeopleFileError: The directory is wrong.
        """
        assert self.proxy is not None  # noqa: S101 - asked before
        identity = self.proxy.known(token)
        if identity is None:
            identity = await self.admitted(await self.proxy.identity(token), tables)
            self.proxy.remember(token, identity)
        self._require_role(identity.person, identity.groups)
        return Caller(person=identity.person, groups=identity.groups)

    async def end(self, sign_in: SignIn, tables: PeopleTables) -> str:
        """End a sign-in; returns the provider's ID token, which its logout wants."""
        ended = sign_in.model_copy(update={"ended_at": datetime.now(UTC), "sealed": ""})
        await tables.sign_ins.change(ended)
        return self._opened(sign_in)[1]

    async def _refreshed(self, sign_in: SignIn, now: datetime, tables: PeopleTables) -> SignIn:
        """Ask the provider whether a person may stay; of several requests at a time, one asks.

        While the provider does not answer, the person stays until the sign-in ends by itself.

        Raises:
            SignInRefusedError: The person may not stay.
        """
        refresh_token, id_token = self._opened(sign_in)
        if self.provider is None or not refresh_token:
            return sign_in
        claimed = sign_in.model_copy(update={"checked_at": now})
        if not await tables.sign_ins.change(claimed, sign_in.checked_at):
            return sign_in
        try:
            tokens = await self.provider.refresh(refresh_token, sign_in.subject, id_token)
        except ProviderError as error:
            _LOG.warning("a sign-in could not be refreshed: %s", error)
            return claimed
        groups = identity_from(tokens.claims, self._rules).groups
        self._require_role(sign_in.person, groups)
        fresh = claimed.model_copy(update={"groups": groups, "sealed": self._seal(tokens)})
        if await tables.sign_ins.change(fresh, now) and groups != sign_in.groups:
            await tables.seen.note(fresh.person, groups, is_owner=False)
        return fresh

    def _require_role(self, person: str, groups: tuple[str, ...]) -> None:
        directory = self._people.read()
        access = Access(caller=Caller(person=person, groups=groups), directory=directory)
        if not access.anywhere.allows(Role.VIEWER):
            raise SignInRefusedError(
                f"{person} has no role here: an admin gives one in people.toml, by name or by group"
            )

    def _seal(self, tokens: ProviderTokens) -> str:
        return self._tokens.seal([tokens.refresh_token, tokens.id_token])

    def _opened(self, sign_in: SignIn) -> tuple[str, str]:
        refresh_token, id_token = self._tokens.open(sign_in.sealed) or ("", "")
        return refresh_token, id_token
