"""A proxy that signs people in: its signed header, and whom it named of late."""

import time

import httpx
from starlette.types import Scope

from adapters.sign_in.key_sets import KeySets
from adapters.sign_in.oidc import TIMEOUT_SECONDS
from domain.people.sign_ins import ClaimRules, Identity, identity_from
from domain.people.tokens import token_hash
from settings.serve import ProxyTable

KEEP_SECONDS = 60
"""How long a token that was checked is good without another check."""

_KEPT = 1000
_BEARER = "Bearer "


class SigningProxy:
    """Checks the tokens of one proxy; a header without a good signature says nothing."""

    def __init__(self, table: ProxyTable) -> None:
        self._http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)
        self._keys = KeySets(self._http, table.keys_url or "")
        self._expected = {"iss": table.issuer, "aud": table.audience}
        self._header = (table.header or "").lower().encode()
        self._rules = ClaimRules(
            name_claim=table.name_claim,
            groups_claim=table.groups_claim,
            is_verification_said=False,
        )
        self._known: dict[str, tuple[float, Identity]] = {}
        self.sign_out_url = table.sign_out_url

    async def close(self) -> None:
        """End its connections."""
        await self._http.aclose()

    def tokens_in(self, scope: Scope) -> list[str]:
        """Return what the header says: one token, if the proxy is as it should be."""
        given = [value for name, value in scope["headers"] if name == self._header]
        return [value.decode("latin-1").removeprefix(_BEARER) for value in given]

    async def identity(self, token: str) -> Identity:
        """Return whom a token names.

        Raises:
            SignInRefusedError: The token is not good, or names nobody.
            ProviderError: The proxy's keys cannot be read.
        """
        return identity_from(await self._keys.claims(token, self._expected), self._rules)

    def known(self, token: str) -> Identity | None:
        """Return whom a token names that was checked within the last minute."""
        until, identity = self._known.get(token_hash(token), (0.0, None))
        return identity if time.monotonic() < until else None

    def remember(self, token: str, identity: Identity) -> None:
        """Remember whom a token names, for a minute: the expiry has as much leeway."""
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[token_hash(token)] = (time.monotonic() + KEEP_SECONDS, identity)
