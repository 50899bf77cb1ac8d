"""Invitations: good once, for one machine, for a while; and the journal that a host joined."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from adapters.journal import open_journal
from adapters.key_fingerprints import ForeignJournalError, Keys
from domain.core.errors import NotFoundError
from domain.hosts.errors import HostLostError
from domain.hosts.host import HostState
from domain.hosts.joining import (
    HostNameTakenError,
    Invitation,
    InvitationExpiredError,
    InvitationUnknownError,
    InvitationUsedError,
    JoiningHost,
    is_loopback,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(hours=2)
ONE = JoiningHost(host="aaaa1111", name="alpha", attempt="first")
OTHER = JoiningHost(host="bbbb2222", name="beta", attempt="second")
KEYS = Keys({"k1": b"k" * 32}, b"c" * 32)


def invitation(number: str = "i1", **fields: str) -> Invitation:
    expires = NOW + timedelta(hours=1)
    return Invitation(
        invitation_id=number, created_by="ada", created_at=NOW, expires_at=expires, **fields
    )


@pytest.fixture
async def journal(url):
    async with open_journal(url) as found:
        await found.invitations.add(invitation(), "hash")
        yield found


async def test_a_machine_that_joins_is_listed_and_may_ask_again(journal):
    assert await journal.invitations.use("hash", ONE, NOW) == "alpha"
    assert await journal.invitations.use("hash", ONE, NOW) == "alpha"
    (host,) = await journal.hosts.every()
    assert (host.host, host.name, host.state) == ("aaaa1111", "alpha", HostState.UP)
    (used,) = await journal.invitations.every()
    assert (used.used_by, used.used_at) == ("aaaa1111", NOW)


async def test_another_machine_is_refused_with_who_used_it(journal):
    await journal.invitations.use("hash", ONE, NOW)
    with pytest.raises(InvitationUsedError, match=r"host aaaa1111 joined .* good once"):
        await journal.invitations.use("hash", OTHER, NOW)
    assert len(await journal.hosts.every()) == 1


async def test_of_two_machines_at_the_same_time_one_joins(journal):
    both = (journal.invitations.use("hash", each, NOW) for each in (ONE, OTHER))
    done = await asyncio.gather(*both, return_exceptions=True)
    assert sum(isinstance(each, InvitationUsedError) for each in done) == 1
    assert len(await journal.hosts.every()) == 1


async def test_what_is_late_revoked_or_wrong_is_refused(journal):
    with pytest.raises(InvitationExpiredError, match="expired at 2026-01-01 01:00 UTC"):
        await journal.invitations.use("hash", ONE, LATER)
    with pytest.raises(InvitationUnknownError):
        await journal.invitations.use("other", ONE, NOW)
    await journal.invitations.revoke("i1")
    with pytest.raises(InvitationExpiredError, match="revoked"):
        await journal.invitations.use("hash", ONE, NOW)
    with pytest.raises(NotFoundError):
        await journal.invitations.revoke("i9")
    assert await journal.hosts.every() == []


async def test_a_name_that_is_taken_leaves_the_invitation_good(journal):
    await journal.invitations.add(invitation("i2", name="alpha"), "named")
    await journal.invitations.use("hash", ONE, NOW)
    with pytest.raises(HostNameTakenError, match="aaaa1111 is called 'alpha' already"):
        await journal.invitations.use("named", OTHER, NOW)
    await journal.hosts.decide("aaaa1111", HostState.LOST)
    with pytest.raises(HostLostError):
        await journal.invitations.use("named", ONE, NOW)


async def test_a_host_works_on_no_other_journal_than_the_one_that_it_joined(journal):
    await journal.keys.check("aaaa1111", KEYS)
    joined = await journal.keys.journal_id()
    await journal.keys.check("bbbb2222", KEYS, joined)
    with pytest.raises(ForeignJournalError, match="not the journal that this host joined"):
        await journal.keys.check("bbbb2222", KEYS, "another")


@pytest.mark.parametrize(
    "name", ["localhost", "127.0.0.1:7233", "[::1]:7233", "::1", "", "127.9.9.9"]
)
def test_these_mean_the_machine_itself(name):
    assert is_loopback(name)


@pytest.mark.parametrize(
    "name", ["10.0.0.4:7233", "db.example", "[2001:db8::1]:5432", "localhost.example"]
)
def test_these_mean_another_machine(name):
    assert not is_loopback(name)
