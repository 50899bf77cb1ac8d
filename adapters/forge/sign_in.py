"""Whom a forge takes a token for, and what the token lacks."""

from dataclasses import dataclass

from pydantic import BaseModel, TypeAdapter

from adapters.forge.http import session
from adapters.forge.tokens import Tokens
from domain.forges.errors import ForgeAccessError, ForgeError
from domain.forges.projects import ForgeKind
from domain.forges.settings import ForgeOptions

_ABOUT = "the token's account"


@dataclass(frozen=True)
class SignedIn:
    """Whose token it is; `missing` are scopes that it lacks, as far as the forge says."""

    login: str
    missing: tuple[str, ...] = ()


class _Who(BaseModel):
    login: str = ""
    username: str = ""
    node_id: str = ""

    @property
    def kind(self) -> ForgeKind | None:
        """Whose answer it looks like: only GitHub has node ids, and GitLab has no login."""
        if self.login:
            return ForgeKind.GITHUB if self.node_id else ForgeKind.GITEA
        return ForgeKind.GITLAB if self.username else None


class _Token(BaseModel):
    scopes: list[str] = []


_WHO, _TOKEN = TypeAdapter(_Who), TypeAdapter(_Token)


async def sign_in(options: ForgeOptions, tokens: Tokens) -> SignedIn:
    """Ask a forge whose token it is.

    Raises:
        ForgeError: It refuses, or does not answer; the message says what to do.
    """
    async with session(options.root, tokens, options.kind.value, "application/json") as opened:
        if options.app_id:
            await opened.ask("GET", "/installation/repositories?per_page=1", about=_ABOUT)
            return SignedIn(f"the App {options.app_id}")
        answer = await opened.ask("GET", "/user", about=_ABOUT)
        who = answer.read(_WHO, options.kind.value)
        if who.kind is not options.kind:
            raise ForgeError(_wrong_kind(options, who.kind))
        login = who.login or who.username
        if options.kind is ForgeKind.GITLAB:
            try:
                path = "/personal_access_tokens/self"
                token = (await opened.ask("GET", path, about=_ABOUT)).read(_TOKEN, "GitLab")
            except ForgeAccessError:
                return SignedIn(login, ("api",))
            except ForgeError:
                return SignedIn(login)  # it is a token of another sort
            return SignedIn(login, () if "api" in token.scopes else ("api",))
        scopes = {each.strip() for each in (answer.scopes or "").split(",") if each.strip()}
        lacks = bool(scopes) and not {"repo", "public_repo"} & scopes
        return SignedIn(login, ("repo",) if lacks else ())


def _wrong_kind(options: ForgeOptions, kind: ForgeKind | None) -> str:
    found = f"like {kind.value}, not like {options.kind.value}" if kind else "like no forge"
    return (
        f"{options.root} answers {found}: correct `kind` or `api_url` of this host in config.toml"
    )
