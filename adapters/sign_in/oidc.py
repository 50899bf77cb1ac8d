"""An OpenID Connect provider: discovery, the code flow with PKCE, refresh and logout."""

import hmac
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from httpx2 import HTTPError

from adapters.sign_in.key_sets import KeySets
from domain.people.sign_ins import ProviderError, SignInRefusedError

KEEP_SECONDS = 3600
TIMEOUT_SECONDS = 10
ENDED = frozenset({"invalid_grant", "interaction_required", "login_required", "consent_required"})
"""What a provider answers to a refresh when the person may not stay signed in."""


@dataclass(frozen=True)
class ProviderTokens:
    """What a provider gave for a person who signed in, or stays signed in."""

    claims: Mapping[str, Any]
    refresh_token: str
    id_token: str


@dataclass(frozen=True)
class Challenge:
    """What begins one sign-in, and must come back with it."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str


class OidcProvider:
    """One provider, by its issuer."""

    def __init__(self, issuer: str, client_id: str, client_secret: str | None, scopes: str) -> None:
        self.issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._scopes = scopes
        self._http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)
        self._found: dict[str, Any] = {}
        self._found_at = float("-inf")
        self._keys: KeySets | None = None

    async def close(self) -> None:
        """End its connections."""
        await self._http.aclose()

    async def authorization_url(self, challenge: Challenge) -> str:
        """Return where a browser signs in.

        Raises:
            ProviderError: The provider does not answer.
        """
        endpoint = (await self._metadata())["authorization_endpoint"]
        async with self._client(challenge.redirect_uri) as client:
            url, _ = client.create_authorization_url(
                endpoint,
                state=challenge.state,
                nonce=challenge.nonce,
                code_verifier=challenge.verifier,
            )
        return url

    async def exchange(self, code: str, challenge: Challenge) -> ProviderTokens:
        """Return the tokens for a code, which works once.

        Raises:
            SignInRefusedError: The code or the token is not good.
            ProviderError: The provider does not answer.
        """
        metadata = await self._metadata()
        async with self._client(challenge.redirect_uri) as client:
            found = await self._asked(
                client.fetch_token(
                    metadata["token_endpoint"],
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=challenge.verifier,
                )
            )
        id_token = str(found.get("id_token", ""))
        claims = await self._id_claims(id_token)
        if not hmac.compare_digest(str(claims.get("nonce", "")), challenge.nonce):
            raise SignInRefusedError("the token is of another sign-in: sign in again")
        return await self._with_userinfo(found, claims, id_token)

    async def refresh(self, refresh_token: str, subject: str, id_token: str) -> ProviderTokens:
        """Return new tokens of a person who stays signed in.

        Raises:
            SignInRefusedError: The person may not.
            ProviderError: The provider does not answer.
        """
        metadata = await self._metadata()
        async with self._client() as client:
            client.token = {"refresh_token": refresh_token, "access_token": "-"}
            found = await self._asked(
                client.refresh_token(metadata["token_endpoint"], refresh_token=refresh_token)
            )
        fresh = str(found.get("id_token", ""))
        claims = await self._id_claims(fresh) if fresh else {"iss": self.issuer, "sub": subject}
        if claims["sub"] != subject:
            raise SignInRefusedError("the identity provider answered for somebody else")
        found.setdefault("refresh_token", refresh_token)
        return await self._with_userinfo(found, claims, fresh or id_token)

    async def logout_url(self, id_token: str, back_to: str) -> str | None:
        """Return where a browser signs out of the provider; None where it offers nothing."""
        try:
            endpoint = (await self._metadata()).get("end_session_endpoint")
        except ProviderError:
            return None
        if not endpoint:
            return None
        query = {"client_id": self._client_id, "post_logout_redirect_uri": back_to}
        return f"{endpoint}?{urlencode(query | ({'id_token_hint': id_token} if id_token else {}))}"

    def _client(self, redirect_uri: str | None = None) -> Any:
        return AsyncOAuth2Client(
            client_id=self._client_id,
            client_secret=self._client_secret,
            scope=self._scopes,
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            timeout=TIMEOUT_SECONDS,
        )

    async def _asked(self, asking: Any) -> dict[str, Any]:
        try:
            return dict(await asking)
        except OAuthError as error:
            if error.error in ENDED:
                words = "the identity provider does not take this sign-in: sign in again"
                raise SignInRefusedError(words) from error
            raise ProviderError(f"the identity provider refused: {error.error}") from error
        except (HTTPError, ValueError, KeyError) as error:
            raise ProviderError(f"the identity provider does not answer: {error}") from error

    async def _id_claims(self, id_token: str) -> dict[str, Any]:
        metadata = await self._metadata()
        if self._keys is None:
            self._keys = KeySets(self._http, metadata["jwks_uri"])
        expected = {"iss": self.issuer, "aud": self._client_id}
        claims = await self._keys.claims(id_token, expected)
        audience: list[str] | str = claims["aud"]
        party: str | None = claims.get("azp")
        is_shared = not isinstance(audience, str) and len(audience) > 1
        if (is_shared or party is not None) and party != self._client_id:
            raise SignInRefusedError("the token was made for another client")
        return claims

    async def _with_userinfo(
        self, found: Mapping[str, Any], claims: dict[str, Any], id_token: str
    ) -> ProviderTokens:
        """Add what the provider says of the person elsewhere: many leave addresses and groups to it."""
        endpoint = (await self._metadata()).get("userinfo_endpoint")
        if endpoint and (access := found.get("access_token")):
            try:
                answer = await self._http.get(
                    endpoint, headers={"Authorization": f"Bearer {access}"}
                )
                more: Any = answer.json() if answer.is_success else {}
            except (httpx.HTTPError, ValueError) as error:
                raise ProviderError(f"the identity provider does not answer: {error}") from error
            if isinstance(more, dict) and more.get("sub") == claims["sub"]:  # pyright: ignore[reportUnknownMemberType]
                claims = {**more, **claims}
        return ProviderTokens(claims, str(found.get("refresh_token", "")), id_token)

    async def _metadata(self) -> dict[str, Any]:
        if time.monotonic() - self._found_at < KEEP_SECONDS:
            return self._found
        url = self.issuer.rstrip("/") + "/.well-known/openid-configuration"
        try:
            answer = await self._http.get(url)
            answer.raise_for_status()
            found: dict[str, Any] = answer.json()
            _check_metadata(found, self.issuer)
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            if self._found:
                return self._found
            raise ProviderError(
                f"the identity provider at {url} does not answer: {error}"
            ) from error
        self._found, self._found_at = found, time.monotonic()
        return found


def _check_metadata(found: dict[str, Any], issuer: str) -> None:
    if found["issuer"] != issuer:
        raise ValueError(f"it says that its issuer is {found['issuer']!r}")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        if not isinstance(found[name], str):
            raise TypeError(f"{name} is no address")
