"""Who sends a request, by its credentials: the owner, a personal access token, or a browser's session."""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

from starlette.types import Scope

from adapters.journal import SqlJournal
from api.core.browser_sessions import BrowserSessions
from api.core.browser_sign_ins import SECRET, BrowserSignIns
from api.core.incoming import cookies_of, values_of
from api.core.problems import RefusedError
from api.core.rates import Rates
from domain.core.acting import program_name
from domain.core.errors import JournalError
from domain.people.access import Caller, PeopleFileError
from domain.people.roles import Role
from domain.people.sign_ins import ProviderError, SignInRefusedError
from domain.people.tokens import PREFIX, Token, token_hash

TOKEN = "token"  # noqa: S105 - a kind
"""The kind of a session that ends with the token that it was made with."""

CALLER = "treadle.caller"
"""The key of the caller in a request's scope."""

USE_NOTED = timedelta(minutes=1)
"""How old the noted last use of a token may become: not every request writes."""

CLIENT = b"x-treadle-client"
"""The header in which a program says for which client it acts: an editor, another agent."""

_BEARER = b"Bearer "
_OWNER_ONLY_THERE = (
    "the owner's token and tokens are good on the server's own machine only: use a personal access token of a "
    "person in people.toml, or set TREADLE_SERVE_TAKES_OWNER_TOKEN=true"
)
_SIGN_IN = (
    "send `Authorization: Bearer TOKEN` with a personal access token, or on the server's own machine with the TOKEN in "
    "the file `token` of the data folder; sign in a browser with the link that `treadle open` prints, and the command "
    "line of another machine with `treadle login`"
)


def credentials_missing(name: str, detail: str) -> RefusedError:
    """Return the refusal of a request without good credentials (401)."""
    return RefusedError(401, name, detail, _SIGN_IN)


class Callers:
    """Finds who sends a request."""

    def __init__(
        self,
        token: bytes,
        owner: str,
        sessions: BrowserSessions,
        rates: Rates,
        *,
        takes_owner: bool = True,
        sign_ins: BrowserSignIns | None = None,
    ) -> None:
        self._credentials = _digest(_BEARER + token)
        self._owner = Caller(person=owner, is_owner=True)
        self._sessions = sessions
        self._rates = rates
        self._takes_owner = takes_owner
        self._sign_ins = sign_ins

    async def of(self, scope: Scope) -> Caller:
        """Return who sends a request.

        Raises:
            RefusedError: The credentials are missing, wrong, expired, revoked, or not good here (401), or
                the journal cannot be read (503).
        """
        try:
            found = await self._found(scope)
        except (JournalError, PeopleFileError, ProviderError) as error:
            raise RefusedError(error.status, error.type, error.message) from error
        if found.is_owner and not self._takes_owner:
            raise credentials_missing("owner_not_taken", _OWNER_ONLY_THERE)
        return found

    async def _found(self, scope: Scope) -> Caller:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if given:
            return await self._by_token(given, scope)
        if self._sign_ins is not None and self._sign_ins.proxy is not None:
            signed = self._sign_ins.proxy.tokens_in(scope)
            if signed:
                return await self._by_proxy(self._sign_ins, signed, scope)
        is_own_host = values_of(scope, b"host") == [self._sessions.host]
        cookies = cookies_of(scope, self._sessions.cookie_name) if is_own_host else []
        for cookie in cookies:
            if self._sign_ins is not None and cookie.startswith(SECRET):
                return await self._by_sign_in(self._sign_ins, cookie, scope)
            subject = self._sessions.subject_of(cookie)
            if subject is not None:
                return await self._by_session(subject, scope)
        if cookies:
            await self._rates.count_wrong_token()
        raise credentials_missing("token_missing", "the token is missing")

    async def _by_token(self, given: list[bytes], scope: Scope) -> Caller:
        if len(given) == 1 and hmac.compare_digest(_digest(given[0]), self._credentials):
            return self._owner
        text = given[0].removeprefix(_BEARER).decode("latin-1")
        if len(given) == 1 and text.startswith(PREFIX):
            token = await _journal(scope).people.tokens.by_hash(token_hash(text))
            if token is not None:
                return await self._with_token(token, scope)
        await self._rates.count_wrong_token()
        raise credentials_missing("token_wrong", "the token is wrong")

    async def _by_session(self, subject: str, scope: Scope) -> Caller:
        if not subject:
            return self._owner
        kind, _, name = subject.partition(":")
        token = await _journal(scope).people.tokens.by_id(name) if kind == TOKEN else None
        if token is None:
            raise credentials_missing("token_missing", "this session has ended")
        return await self._with_token(token, scope)

    async def _by_sign_in(self, sign_ins: BrowserSignIns, cookie: str, scope: Scope) -> Caller:
        found = await sign_ins.found(cookie, _journal(scope).people)
        if found is None:
            await self._rates.count_wrong_token()
            raise credentials_missing("signed_out", "you are signed out: sign in again")
        return Caller(
            person=found.person,
            groups=found.groups,
            sign_in_id=found.sign_in_id,
            passkey_id=found.passkey_id,
        )

    async def _by_proxy(self, sign_ins: BrowserSignIns, signed: list[str], scope: Scope) -> Caller:
        if len(signed) == 1:
            try:
                return await sign_ins.caller_by_proxy(signed[0], _journal(scope).people)
            except SignInRefusedError as error:
                await self._rates.count_wrong_token()
                raise RefusedError(error.status, error.type, error.message) from error
        await self._rates.count_wrong_token()
        raise RefusedError(403, SignInRefusedError.type, "the proxy's header was sent twice")

    async def _with_token(self, token: Token, scope: Scope) -> Caller:
        now = datetime.now(UTC)
        if token.revoked_at is not None:
            raise credentials_missing("token_revoked", "this token was revoked: create a new one")
        if not token.is_good(now):
            raise credentials_missing("token_expired", "this token has expired: create a new one")
        if token.used_at is None or now - token.used_at > USE_NOTED:
            await _journal(scope).people.tokens.note_use(token.token_id, now)
        return Caller(
            person=token.person,
            groups=token.groups,
            is_owner=token.is_owner,
            scope=token.scope,
            projects=token.projects,
            token_id=token.token_id,
            passkey_id=token.passkey_id,
            program=_program_with(token, scope),
        )


def _program_with(token: Token, scope: Scope) -> str:
    """Return the program whose token it is: one that only proposes is never a person's own word."""
    if token.scope is not Role.PROPOSER:
        return ""
    client = b" ".join(value for name, value in scope["headers"] if name == CLIENT)
    return program_name(token.name, client.decode("latin-1"))


def _journal(scope: Scope) -> SqlJournal:
    return scope["app"].state.journal


def _digest(credentials: bytes) -> bytes:
    """Return a digest to compare, so that the duration reveals nothing about the token."""
    return hashlib.sha256(credentials).digest()
