"""The page for a browser without a session: the ways to sign in here."""

from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from api.core.page import BY_LINK, BY_PROXY, FOR_TEAM, SAVED, page_for_people
from api.core.reach import Reach
from settings import Settings

START = "/sign-in/oidc"
CALLBACK = "/sign-in/oidc/callback"
PASSKEY = "/sign-in/passkey"


@dataclass(frozen=True)
class SignInDoors:
    """The ways to sign in at one listener."""

    oidc: str | None = None
    """What the identity provider is called; None without one."""

    has_passkeys: bool = False
    """Whether people sign in with passkeys."""

    has_proxy: bool = False
    """Whether a proxy signs people in."""

    team_url: str | None = None
    """Where a team has the page; None on loopback."""

    @classmethod
    def of(cls, settings: Settings, reach: Reach) -> "SignInDoors":
        """Return the ways that the settings give; on loopback there is the owner's link alone."""
        if not reach.is_team:
            return cls()
        return cls(
            oidc=settings.oidc.label if settings.oidc.issuer else None,
            has_passkeys=settings.passkeys,
            has_proxy=settings.proxy.header is not None,
            team_url=reach.url,
        )


def sign_in_page(doors: SignInDoors, path: str) -> str:
    """Return the page, which leads back to a path."""
    if doors.oidc is None and not doors.has_passkeys:
        return page_for_people("Sign in to Treadle", _without_provider(doors) + SAVED)
    way, name = (START, escape(doors.oidc)) if doors.oidc else (PASSKEY, "a passkey")
    start = escape(f"{way}?{urlencode({'to': path})}")
    door = f'<a class="door" href="{start}">Sign in with {name}</a>\n'
    return page_for_people("Sign in to Treadle", door + SAVED)


def refusal_page(words: str) -> str:
    """Return the page for a person who may not come in, with the reason."""
    return page_for_people("You are not signed in", f"<p>{escape(words)}.</p>\n")


def _without_provider(doors: SignInDoors) -> str:
    if doors.has_proxy:
        return BY_PROXY
    return BY_LINK if doors.team_url is None else FOR_TEAM.format(url=escape(doors.team_url))
