"""Personal access tokens, and who the caller is."""

import secrets
from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, Request
from pydantic import BaseModel

from adapters.journal import SqlJournal
from api.core.bodies import CommandBody
from api.core.dependencies import ThreadLists
from api.core.permissions import OF_OWN, AccessDep
from api.people.bodies import TokenBody
from domain.core.errors import InvalidError
from domain.people.access import Access, Caller, RoleMissingError
from domain.people.directory import Directory
from domain.people.roles import EVERY_PROJECT, Role
from domain.people.tokens import BELOW, PREFIX, Token, token_hash

router = APIRouter(tags=["people"], dependencies=[OF_OWN])


class TokenList(BaseModel):
    """Tokens, the newest first."""

    tokens: list[Token]


class NewToken(BaseModel):
    """A new token; the `token` itself is shown this once."""

    token: str
    details: Token


class Me(BaseModel):
    """Who sends the request, and their roles: in everything (`*`) and by project."""

    person: str
    name: str
    is_owner: bool
    has_directory: bool
    """Whether there are other people than the owner."""
    role: Role
    """The highest role in any project."""
    roles: dict[str, Role]
    scope: Role
    """The most that the credentials give."""
    program: str
    """The program that acts for the person, if it is one: it only proposes."""
    expires_at: datetime | None
    """When the token expires, where one was sent."""


@router.get("/me")
async def me(request: Request, access: AccessDep, journal: ThreadLists) -> Me:
    """Get who you are, and your roles."""
    directory: Directory | None = access.directory or _directory(request)
    user = directory.users.get(access.caller.person) if directory else None
    named = [EVERY_PROJECT, *await journal.people.projects.every()]
    roles = {name: access.role_in(name) for name in named}
    token = await journal.people.tokens.by_id(access.caller.token_id)
    return Me(
        person=access.caller.person,
        name=(user.name if user else "") or access.caller.person,
        is_owner=access.caller.is_owner,
        has_directory=directory is not None,
        role=access.anywhere,
        roles={name: role for name, role in roles.items() if role is not Role.NONE},
        scope=access.caller.scope,
        program=access.caller.program,
        expires_at=token.expires_at if token else None,
    )


@router.get("/tokens")
async def tokens(journal: ThreadLists, access: AccessDep) -> TokenList:
    """List your tokens; an admin sees those of all."""
    person = None if _is_admin(access) else access.caller.person
    return TokenList(tokens=await journal.people.tokens.every(person))


@router.post("/tokens", status_code=201)
async def create_token(
    body: TokenBody, journal: ThreadLists, access: AccessDep, request: Request
) -> NewToken:
    """Create a token; its text is shown once, and only its hash is kept.

    One that only proposes (`proposer`) may also be made by a token: it ends with that.
    """
    caller = access.caller
    person = body.person or caller.person
    is_own = person == caller.person
    _refuse_more_than_own(body, access, is_own=is_own)
    directory = _directory(request)
    if not is_own and (directory is None or not directory.knows(person)):
        raise InvalidError(f"people.toml names no {person!r}: add the person there first")
    now = datetime.now(UTC)
    maker = await _maker(caller, journal)
    expires_at = now + timedelta(days=body.days)
    text = PREFIX + secrets.token_urlsafe(32)
    token = Token(
        token_id=f"{maker.token_id}{BELOW}{secrets.token_hex(6)}"
        if maker
        else secrets.token_hex(6),
        person=person,
        name=body.name,
        scope=body.scope,
        is_owner=caller.is_owner and is_own,
        projects=tuple(body.projects) or caller.projects,
        groups=caller.groups if is_own else (),
        created_at=now,
        expires_at=min(expires_at, maker.expires_at) if maker else expires_at,
        passkey_id=caller.passkey_id if is_own else "",
    )
    await journal.people.tokens.add(token, token_hash(text), caller.sign_in_id)
    return NewToken(token=text, details=token)


@router.post("/tokens/{token_id}/revoke")
async def revoke_token(
    token_id: str, _body: CommandBody, journal: ThreadLists, access: AccessDep
) -> Token:
    """Revoke a token: it is refused from now on."""
    person = None if _is_admin(access) else access.caller.person
    return await journal.people.tokens.revoke(token_id, datetime.now(UTC), person)


def _refuse_more_than_own(body: TokenBody, access: Access, *, is_own: bool) -> None:
    """Refuse a token that gives more than its maker has.

    Raises:
        RoleMissingError: It does.
    """
    caller = access.caller
    only_proposes = is_own and body.scope is Role.PROPOSER
    if caller.token_id and caller.scope is not Role.ADMIN and not only_proposes:
        raise RoleMissingError("a token creates others only with the scope admin: sign in instead")
    if not is_own:
        access.require(Role.ADMIN)
    if body.scope is Role.NONE or not caller.scope.allows(body.scope):
        raise RoleMissingError(f"a token of the scope {caller.scope} makes none of {body.scope}")
    if caller.projects and not set(body.projects) <= set(caller.projects):
        raise RoleMissingError("a token for some projects makes none for others: name its projects")
    if caller.projects and not body.projects and not only_proposes:
        raise RoleMissingError("a token for some projects makes none for all: name its projects")


async def _maker(caller: Caller, journal: SqlJournal) -> Token | None:
    """Return the token that makes another one, which ends with it; None where a person does, or an admin's token."""
    if not caller.token_id or caller.scope is Role.ADMIN:
        return None
    return await journal.people.tokens.by_id(caller.token_id)


def _is_admin(access: Access) -> bool:
    return access.role_in(EVERY_PROJECT).allows(Role.ADMIN)


def _directory(request: Request) -> Directory | None:
    return request.app.state.people.read()
