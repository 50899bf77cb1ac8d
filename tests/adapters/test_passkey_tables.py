"""Passkeys in the journal: invitations and challenges are good once, counters only grow, revoking ends all."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from adapters.journal import open_journal
from domain.core.errors import InvalidError
from domain.people.access import Caller
from domain.people.device_logins import DeviceLogin, DeviceState
from domain.people.passkeys import (
    LASTS,
    MOST,
    Passkey,
    PasskeyChallenge,
    PersonInvitation,
    PersonInvitationError,
    Step,
)
from domain.people.roles import Role
from domain.people.sign_ins import SignIn, SignInRefusedError
from domain.people.tokens import Token

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=2)


def passkey(number=1, person="ada", **fields):
    return Passkey(
        **{
            "passkey_id": f"p{number}",
            "person": person,
            "name": "laptop",
            "credential_id": f"c{number}",
            "public_key": "key",
            "handle": f"handle of {person}",
            "uses": 5,
            "created_at": NOW,
        }
        | fields
    )


def sign_in(number=1, person="ada", **fields):
    ends = NOW + timedelta(hours=12)
    found = SignIn(
        sign_in_id=f"s{number}",
        person=person,
        created_at=NOW,
        checked_at=NOW,
        ends_at=ends,
        **fields,
    )
    return found, f"session {number}"


class People:
    """The tables, with what each test does to them."""

    def __init__(self, journal):
        self.tables = journal.people
        self.passkeys = journal.people.passkeys
        self.challenges = 0

    async def invite(self, number=1, person="ada"):
        invitation = PersonInvitation(
            invitation_id=f"i{number}",
            person=person,
            created_by="root",
            created_at=NOW,
            expires_at=NOW + timedelta(days=1),
        )
        await self.passkeys.invite(invitation, f"secret {number}")

    async def asked(self, step, person="ada", invitation_id=""):
        self.challenges += 1
        challenge = PasskeyChallenge(
            challenge="c",
            step=step,
            person=person,
            invitation_id=invitation_id,
            expires_at=NOW + LASTS,
        )
        await self.passkeys.challenge(challenge, f"challenge {self.challenges}", NOW)
        return f"challenge {self.challenges}"

    async def added(self, number=1, person="ada"):
        digest = await self.asked(Step.ADDITION, person)
        await self.passkeys.register(passkey(number, person), digest, Step.ADDITION, None)

    async def signed(self, used, number=1, handle="handle of ada", digest=None):
        digest = digest or await self.asked(Step.SIGN_IN, "")
        await self.passkeys.sign_in(used, handle, digest, sign_in(number))


@pytest.fixture
async def people(url):
    async with open_journal(url) as journal:
        yield People(journal)


async def test_an_invited_person_registers_a_passkey_and_is_signed_in_once(people):
    await people.invite()
    assert (await people.passkeys.invitation("secret 1", NOW)).person == "ada"
    digest = await people.asked(Step.INVITATION, invitation_id="i1")
    other = await people.asked(Step.INVITATION, invitation_id="i1")

    await people.passkeys.register(passkey(), digest, Step.INVITATION, sign_in())

    assert [each.passkey_id for each in await people.passkeys.every("ada")] == ["p1"]
    assert (await people.tables.sign_ins.by_hash("session 1")).person == "ada"
    with pytest.raises(PersonInvitationError, match="was used"):
        await people.passkeys.invitation("secret 1", NOW)
    with pytest.raises(PersonInvitationError, match="was used"):
        await people.passkeys.register(passkey(2), other, Step.INVITATION, sign_in(2))
    assert await people.tables.sign_ins.by_hash("session 2") is None
    assert len(await people.passkeys.every("ada")) == 1


async def test_of_two_answers_with_one_invitation_at_the_same_time_one_is_taken(people):
    await people.invite()
    digests = [await people.asked(Step.INVITATION, invitation_id="i1") for _ in range(4)]
    found = await asyncio.gather(
        *(
            people.passkeys.register(passkey(n), digest, Step.INVITATION, sign_in(n))
            for n, digest in enumerate(digests)
        ),
        return_exceptions=True,
    )
    assert sorted(type(each).__name__ for each in found) == [
        "NoneType",
        *["PersonInvitationError"] * 3,
    ]
    assert len(await people.passkeys.every("ada")) == 1


async def test_an_invitation_that_has_expired_or_was_replaced_lets_nobody_in(people):
    await people.invite()
    with pytest.raises(PersonInvitationError, match="has expired"):
        await people.passkeys.invitation("secret 1", LATER)
    digest = await people.asked(Step.INVITATION, invitation_id="i1")
    await people.invite(2)
    with pytest.raises(PersonInvitationError, match="was revoked"):
        await people.passkeys.invitation("secret 1", NOW)
    with pytest.raises(SignInRefusedError, match="start again"):
        await people.passkeys.register(passkey(), digest, Step.INVITATION, sign_in())
    with pytest.raises(PersonInvitationError, match="no such invitation"):
        await people.passkeys.invitation("secret 3", NOW)


async def test_a_challenge_is_good_once_for_its_step_and_person_and_for_minutes(people):
    await people.added()
    digest = await people.asked(Step.SIGN_IN, "")
    await people.signed(passkey(uses=6), digest=digest)
    with pytest.raises(SignInRefusedError, match="start again"):
        await people.signed(passkey(uses=7), 2, digest=digest)
    for step, person in ((Step.ADDITION, "ada"), (Step.INVITATION, "ada")):
        with pytest.raises(SignInRefusedError, match="start again"):
            await people.signed(passkey(uses=7), 2, digest=await people.asked(step, person))
    of_other = await people.asked(Step.ADDITION, "bob")
    with pytest.raises(SignInRefusedError, match="start again"):
        await people.passkeys.register(passkey(2), of_other, Step.ADDITION, None)
    old = await people.asked(Step.ADDITION)
    late = passkey(2, created_at=NOW + LASTS)
    with pytest.raises(SignInRefusedError, match="start again"):
        await people.passkeys.register(late, old, Step.ADDITION, None)


async def test_of_two_equal_uses_at_the_same_time_one_is_taken(people):
    await people.added()
    digests = [await people.asked(Step.SIGN_IN, "") for _ in range(3)]
    found = await asyncio.gather(
        *(people.signed(passkey(uses=6), n, digest=digest) for n, digest in enumerate(digests)),
        return_exceptions=True,
    )
    assert sorted(type(each).__name__ for each in found) == [
        "NoneType",
        *["SignInRefusedError"] * 2,
    ]


async def test_a_counter_that_goes_back_and_another_person_are_refused(people):
    await people.added()
    for uses in (4, 5, 0):
        with pytest.raises(SignInRefusedError, match="counts fewer uses"):
            await people.signed(passkey(uses=uses))
    with pytest.raises(SignInRefusedError, match="made for another person"):
        await people.signed(passkey(uses=6), handle="handle of bob")
    with pytest.raises(SignInRefusedError, match="made for another person"):
        await people.signed(passkey(uses=6), handle="")
    assert await people.tables.sign_ins.by_hash("session 1") is None
    await people.signed(passkey(uses=6))
    (kept,) = await people.passkeys.every("ada")
    assert (kept.uses, kept.used_at) == (6, NOW)


async def test_one_that_does_not_count_is_taken_every_time(people):
    digest = await people.asked(Step.ADDITION)
    await people.passkeys.register(passkey(uses=0), digest, Step.ADDITION, None)
    for number in (1, 2):
        await people.signed(passkey(uses=0), number)
    assert await people.tables.sign_ins.by_hash("session 2")


async def test_a_passkey_is_registered_for_one_person_only_and_twenty_are_the_most(people):
    await people.added()
    of_bob, same = await people.asked(Step.ADDITION, "bob"), passkey(2, "bob", credential_id="c1")
    with pytest.raises(SignInRefusedError, match="registered already"):
        await people.passkeys.register(same, of_bob, Step.ADDITION, None)
    for number in range(2, MOST + 1):
        await people.added(number)
    with pytest.raises(InvalidError, match="nobody has more than 20"):
        await people.added(MOST + 1)


async def test_revoking_a_person_ends_all_that_lets_them_in_and_nobody_elses(people):
    tables = people.tables
    for number, person in enumerate(("ada", "bob")):
        await people.added(number, person)
        await tables.sign_ins.add(*sign_in(number, person))
        await tables.tokens.add(token(person), f"token of {person}")
        await tables.device_logins.add(program(person), f"program of {person}")
        await people.invite(number, person)
    begun = await people.asked(Step.ADDITION)

    ended = await tables.revocation.revoke("ada", NOW)

    assert (ended.passkeys, ended.sessions, ended.tokens) == (1, 1, 1)
    assert await people.passkeys.every("ada") == []
    assert await tables.sign_ins.by_hash("session 0") is None
    assert not (await tables.tokens.by_hash("token of ada")).is_good(NOW)
    assert await tables.device_logins.by_hash("program of ada") is None
    with pytest.raises(PersonInvitationError, match="was revoked"):
        await people.passkeys.invitation("secret 0", NOW)
    with pytest.raises(SignInRefusedError, match="start again"):
        await people.passkeys.register(passkey(9), begun, Step.ADDITION, None)
    assert len(await people.passkeys.every("bob")) == 1
    assert await tables.sign_ins.by_hash("session 1")
    assert (await tables.tokens.by_hash("token of bob")).is_good(NOW)
    assert await tables.device_logins.by_hash("program of bob")
    assert (await people.passkeys.invitation("secret 1", NOW)).person == "bob"


def token(person, **fields):
    made = Token(
        token_id=f"t-{person}",
        person=person,
        name="laptop",
        scope=Role.AUTHOR,
        created_at=NOW,
        expires_at=LATER,
    )
    return made.model_copy(update=fields)


def program(person, **fields):
    made = DeviceLogin(
        user_code=f"CODE-{person}",
        machine="m",
        address="a",
        scope=Role.AUTHOR,
        days=1,
        created_at=NOW,
        expires_at=LATER,
        state=DeviceState.CONFIRMED,
        confirmed_by=Caller(person=person),
    )
    return made.model_copy(update=fields)
