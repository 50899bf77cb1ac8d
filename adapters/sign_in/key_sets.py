"""The public keys of who signs tokens (JWKS), and tokens checked against them."""

import time
from collections.abc import Mapping
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry

from domain.people.sign_ins import ProviderError, SignInRefusedError

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "Ed25519", "EdDSA"),
)
"""Signatures by a private key only: `none` and shared secrets prove nothing."""

KEEP_SECONDS = 600
AGAIN_SECONDS = 10
"""How often keys are read again for a token with an unknown one, at most."""

LEEWAY_SECONDS = 60


class KeySets:
    """The keys at one address, kept for some minutes, and read again for a key that is not known yet."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self._http = http
        self._url = url
        self._keys: KeySet | None = None
        self._read_at = float("-inf")

    async def claims(self, token: str, expected: Mapping[str, str]) -> dict[str, Any]:
        """Return the claims of a token that is signed by one of the keys, with some claims as expected.

        Raises:
            SignInRefusedError: It is not signed so, has expired, or is for another issuer or audience.
            ProviderError: The keys cannot be read.
        """
        keys = await self._known(KEEP_SECONDS)
        try:
            try:
                found = jwt.decode(token, keys, algorithms=ALGORITHMS)
            except InvalidKeyIdError:
                found = jwt.decode(token, await self._known(AGAIN_SECONDS), algorithms=ALGORITHMS)
            options: dict[str, Any] = {
                name: {"essential": True, "value": value} for name, value in expected.items()
            }
            essential: dict[str, Any] = {name: {"essential": True} for name in ("exp", "sub")}
            JWTClaimsRegistry(leeway=LEEWAY_SECONDS, **(options | essential)).validate(found.claims)
        except (JoseError, ValueError) as error:
            raise SignInRefusedError(f"the signed token is not good: {error}") from error
        return found.claims

    async def _known(self, seconds: float) -> KeySet:
        if self._keys is not None and time.monotonic() - self._read_at < seconds:
            return self._keys
        try:
            answer = await self._http.get(self._url)
            answer.raise_for_status()
            self._keys = KeySet.import_key_set(answer.json())
        except (httpx.HTTPError, JoseError, ValueError, KeyError, TypeError) as error:
            if self._keys is None:
                raise ProviderError(f"the keys at {self._url} cannot be read: {error}") from error
        self._read_at = time.monotonic()
        assert self._keys is not None  # noqa: S101 - read, or raised above
        return self._keys
