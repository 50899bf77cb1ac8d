"""Invitations, and machines that join with them."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from sqlalchemy.engine import make_url

from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.processes.run_ledger import boot_id
from adapters.temporal.joining import shared_profile
from api.core.bodies import CommandBody
from api.core.dependencies import SettingsDep, ThreadLists
from api.core.permissions import INVITES, JOINS, AccessDep
from api.hosts.bodies import InvitationBody, JoinBody
from domain.hosts.joining import (
    PREFIX,
    Invitation,
    InvitationUnknownError,
    JoiningHost,
    NotSharedError,
    is_loopback,
)
from domain.people.tokens import token_hash
from settings import Settings

router = APIRouter(tags=["hosts"])


class NewInvitation(BaseModel):
    """A new invitation; the `token` is shown this once."""

    token: str
    details: Invitation


class InvitationList(BaseModel):
    """Invitations, the newest first."""

    invitations: list[Invitation]


class Membership(BaseModel):
    """All that a worker of a host that has joined needs.

    `payload_keys` and `decision_key` are the content of its key files, `settings` those that all hosts
    share, `temporal` a profile of Temporal's client.
    """

    name: str
    payload_keys: str
    decision_key: str
    settings: dict[str, str]
    temporal: dict[str, Any]


@router.get("/host-invitations", dependencies=[INVITES])
async def invitations(journal: ThreadLists) -> InvitationList:
    """List the invitations of hosts."""
    return InvitationList(invitations=await journal.invitations.every())


@router.post("/host-invitations", status_code=201, dependencies=[INVITES])
async def invite_host(
    body: InvitationBody, journal: ThreadLists, access: AccessDep
) -> NewInvitation:
    """Make an invitation for one machine; its token is shown once, and only its hash is kept."""
    now = datetime.now(UTC)
    text = PREFIX + secrets.token_urlsafe(32)
    invitation = Invitation(
        invitation_id=secrets.token_hex(6),
        name=body.name or "",
        created_by=access.caller.person,
        created_at=now,
        expires_at=now + timedelta(minutes=body.minutes),
    )
    await journal.invitations.add(invitation, token_hash(text))
    return NewInvitation(token=text, details=invitation)


@router.post("/host-invitations/{invitation_id}/revoke", dependencies=[INVITES])
async def revoke_invitation(
    invitation_id: str, _body: CommandBody, journal: ThreadLists
) -> Invitation:
    """Revoke an invitation: nobody joins with it from now on."""
    return await journal.invitations.revoke(invitation_id)


@router.post("/host-joins", dependencies=[JOINS])
async def join_host(
    body: JoinBody, journal: ThreadLists, settings: SettingsDep, request: Request
) -> Membership:
    """Give a machine with an invitation the keys and addresses that its worker needs."""
    if not body.token.startswith(PREFIX):
        await request.app.state.rates.count_wrong_token()
        raise InvitationUnknownError("this is no token of `treadle hosts invite`")
    temporal = shared_profile(settings.temporal_port)
    if settings.join_temporal_address:
        temporal["address"] = settings.join_temporal_address
    journal_url = settings.join_journal_url or settings.journal
    if body.boot != boot_id():
        _refuse_own(journal_url, temporal["address"])
    joining = JoiningHost(host=body.host, name=body.name, attempt=token_hash(body.attempt))
    try:
        name = await journal.invitations.use(token_hash(body.token), joining, datetime.now(UTC))
    except InvitationUnknownError:
        await request.app.state.rates.count_wrong_token()
        raise
    return Membership(
        name=name,
        payload_keys=KeyRing(settings.payload_key_file).read().decode(),
        decision_key=SecretFile(settings.code_key_file).read().decode(),
        settings=_shared(settings, journal_url, await journal.keys.journal_id()),
        temporal=temporal,
    )


def _shared(settings: Settings, journal_url: str, journal_id: str) -> dict[str, str]:
    found = {
        "journal_url": journal_url,
        "journal_id": journal_id,
        "hub_url": settings.hub_url,
        "repository_schemes": settings.repository_schemes,
        "deployment": settings.deployment,
    }
    return {name: value for name, value in found.items() if value}


def _refuse_own(journal_url: str, temporal: str) -> None:
    """Refuse to give another machine addresses that mean something else there.

    Raises:
        NotSharedError: The journal is a file, or it or Temporal is at a loopback address.
    """
    url = make_url(journal_url)
    if url.get_backend_name() == "sqlite":
        raise NotSharedError(
            "this server's journal is a SQLite file, which no other machine can work with: move it to PostgreSQL "
            "with `treadle move-journal`"
        )
    if is_loopback(url.host or ""):
        raise NotSharedError(
            f"this server's journal is at {url.host or 'a local socket'}, which other machines do not reach: set "
            "TREADLE_JOIN_JOURNAL_URL to the URL that they use"
        )
    if is_loopback(temporal):
        raise NotSharedError(
            f"this server's Temporal is at {temporal}, which other machines do not reach: run Temporal as a "
            "service, or set TREADLE_JOIN_TEMPORAL_ADDRESS to the address that they use"
        )
