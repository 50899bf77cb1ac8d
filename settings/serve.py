"""The settings of `treadle serve`: the listener of the API for a team."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings

PUBLIC_URL = r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?/?"
Networks = tuple[IPv4Network | IPv6Network, ...]


def networks(text: str) -> Networks:
    """Return the addresses and networks of a list with commas between them."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def _networks(text: str) -> str:
    try:
        networks(text)
    except ValueError as error:
        raise PydanticCustomError("network", "{why}", {"why": str(error)}) from error
    return text


class ServeTable(BaseModel):
    """The table `serve`: where `treadle serve` listens, and how it is reached."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Address that it listens on, like `0.0.0.0` for all."""

    port: Annotated[int, Field(ge=1, le=65535)] = 8443
    """Its port."""

    tls_cert: Path | None = None
    """File of the certificate and its chain, in PEM; needs `tls_key`."""

    tls_key: Path | None = None
    """File of the certificate's private key, in PEM."""

    behind_proxy: bool = False
    """Whether a reverse proxy in front of it speaks TLS; only trusted proxies may then connect."""

    trusted_proxies: Annotated[str, AfterValidator(_networks)] = "127.0.0.1, ::1"
    """Addresses or networks of the proxies, whose `X-Forwarded-For` is believed."""

    takes_owner_token: bool = False
    """Whether the owner's token and tokens are good there as well, and not on this machine only."""

    takes_webhooks: bool = False
    """Whether the webhooks' listener is its own; else it is the engine's on this machine."""


class OidcTable(BaseModel):
    """The table `oidc`: the OpenID Connect provider that people sign in with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: Annotated[str, Field(pattern=r"^https?://[^\s?#]+$")] | None = None
    """The provider's issuer, like `https://login.example.org/realms/team`; without one there is no such sign-in."""

    client_id: str = ""
    """What Treadle is called at the provider."""

    client_secret_file: Path | None = None
    """File with the client's secret; none for a public client."""

    client_secret_env: Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")] = (
        "OIDC_CLIENT_SECRET"  # noqa: S105 - a name
    )
    """Name of the variable that holds the client's secret, where there is no file; the secret itself is in no setting."""

    scopes: str = "openid profile email"
    """What is asked for; `offline_access` may be needed for refresh tokens."""

    name_claim: str = "email"
    """The claim that names a person in people.toml; an `email` counts only if the provider has verified it."""

    groups_claim: str = "groups"
    """The claim with the person's groups."""

    label: Annotated[str, Field(min_length=1, max_length=60)] = "single sign-on"
    """What the sign-in screen calls the provider."""

    session_hours: Annotated[int, Field(ge=1, le=720)] = 12
    """How long people stay signed in at most."""

    refresh_minutes: Annotated[int, Field(ge=1, le=1440)] = 10
    """How often the provider is asked whether a person may stay, if it gave a refresh token."""


_NEVER_SIGNED = frozenset({"authorization", "cookie", "host", "origin", "x-treadle"})


def _header(name: str) -> str:
    if name.lower() in _NEVER_SIGNED:
        why = "this header has a meaning of its own: have the proxy send the token in another one"
        raise PydanticCustomError("header", "{why}", {"why": why})
    return name


class ProxyTable(BaseModel):
    """The table `proxy`: a proxy that signs people in, and says who they are in a signed header."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    header: (
        Annotated[str, Field(pattern="^[A-Za-z][A-Za-z0-9-]{0,60}$"), AfterValidator(_header)]
        | None
    ) = None
    """The header with the signed token (JWT), like `Cf-Access-Jwt-Assertion`; without one there is no such sign-in."""

    keys_url: Annotated[str, Field(pattern=r"^https?://[^\s#]+$")] | None = None
    """Address of the proxy's public keys (JWKS)."""

    issuer: str = ""
    """The issuer that the token must name."""

    audience: str = ""
    """The audience that the token must name: what the proxy calls this application."""

    name_claim: str = "email"
    """The claim that names a person in people.toml; an `email` that the token calls unverified does not count."""

    groups_claim: str = "groups"
    """The claim with the person's groups."""

    sign_out_url: Annotated[str, Field(pattern=r"^(https?:/)?/[^\s]*$")] | None = None
    """Where the proxy signs people out, like `/cdn-cgi/access/logout`."""

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        """Refuse a header whose signature would prove nothing."""
        lacking = [name for name in ("keys_url", "issuer", "audience") if not getattr(self, name)]
        if self.header and lacking:
            why = f"a header proves nothing without: {', '.join(lacking)}"
            raise PydanticCustomError("proxy", "{why}", {"why": why})
        return self


class ServeSettings(BaseSettings):
    """How a team reaches the API; a part of the settings, never read alone."""

    public_url: Annotated[str, Field(pattern=f"^{PUBLIC_URL}$")] | None = None
    """Address that people open, like `https://treadle.example.org`; `treadle serve` takes no other Host and Origin."""

    serve: ServeTable = ServeTable()
    """Where `treadle serve` listens for a team; see the guide."""

    passkeys: bool = False
    """Whether people whom an admin invites sign in with passkeys; there is then no provider and no proxy header."""

    oidc: OidcTable = OidcTable()
    """The OpenID Connect provider that people sign in with."""

    proxy: ProxyTable = ProxyTable()
    """The proxy that signs people in, and says who they are in a signed header."""
