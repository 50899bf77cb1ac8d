"""Passkeys that their people remove: one stays unless they insist, and sessions end with theirs."""

import asyncio

import pytest

from domain.core.errors import NotFoundError
from domain.people.access import Caller
from domain.people.passkeys import ISSUER, LastPasskeyError
from domain.people.sign_ins import Identity, SignInRefusedError
from tests.adapters.test_passkey_tables import (
    NOW,
    passkey,
    people,
    program,
    sign_in,
    token,
)

__all__ = ["people"]


def removed(people, passkey_id, person, **how):
    return people.tables.revocation.remove_passkey(passkey_id, person, NOW, **how)


async def tokens_and_programs(people, *kept):
    """Keep a token and a program that waits for its own, for each name; made by whom it says."""
    for name, person, passkey_id in kept:
        made = token(person, token_id=name, passkey_id=passkey_id)
        await people.tables.tokens.add(made, f"token {name}")
        confirmed = Caller(person=person, passkey_id=passkey_id)
        waiting = program(person, user_code=name, confirmed_by=confirmed)
        await people.tables.device_logins.add(waiting, f"program {name}")


async def still_good(people):
    tables, tokens = people.tables, await people.tables.tokens.every()
    good = {each.token_id for each in tokens if each.is_good(NOW)}
    waiting = {
        each.token_id for each in tokens if await tables.device_logins.by_code(each.token_id)
    }
    assert good == waiting
    return good


async def test_people_remove_their_own_passkeys(people):
    await people.added()
    with pytest.raises(NotFoundError):
        await removed(people, "p1", "bob")
    with pytest.raises(LastPasskeyError, match="only passkey"):
        await removed(people, "p1", "ada")
    assert (await removed(people, "p1", "ada", is_forced=True)).passkey.name == "laptop"
    with pytest.raises(SignInRefusedError, match="was removed"):
        await people.signed(passkey(uses=6))


async def test_of_two_passkeys_that_are_removed_at_the_same_time_one_stays(people):
    await people.added(1)
    await people.added(2)
    removals = (removed(people, each, "ada") for each in ("p1", "p2"))
    ended = await asyncio.gather(*removals, return_exceptions=True)
    assert sorted(type(each).__name__ for each in ended) == ["LastPasskeyError", "RemovedPasskey"]
    assert len(await people.passkeys.every("ada")) == 1


async def test_sessions_end_with_the_passkey_that_they_began_with(people):
    kept = people.tables.sign_ins
    sessions = {
        "with it": sign_in(1, issuer=ISSUER, passkey_id="p1"),
        "as an older server kept it": sign_in(2, issuer=ISSUER),
        "with another": sign_in(3, issuer=ISSUER, passkey_id="p2"),
        "of a provider": sign_in(4, issuer="https://login.example.org"),
        "of bob": sign_in(5, "bob", issuer=ISSUER, passkey_id="p1"),
    }
    for each in sessions.values():
        await kept.add(*each)
    await people.added(1)
    await people.added(2)
    await removed(people, "p1", "ada")
    stay = [name for name, (_, digest) in sessions.items() if await kept.by_hash(digest)]
    assert stay == ["with another", "of a provider", "of bob"]


async def test_tokens_and_programs_end_with_the_passkey_of_the_session_that_made_them(people):
    await people.added(1)
    await people.added(2)
    made = [("with-it", "ada", "p1"), ("with-another", "ada", "p2"), ("without", "ada", "")]
    await tokens_and_programs(people, *made)
    assert (await removed(people, "p1", "ada")).tokens == 1
    assert await still_good(people) == {"with-another", "without"}
    with pytest.raises(SignInRefusedError, match="was removed"):
        await people.tables.tokens.add(token("ada", passkey_id="p1"), "made a moment later")


async def test_sessions_tokens_and_programs_end_when_a_name_is_forgotten(people):
    sign_ins = people.tables.sign_ins
    for number, person in enumerate(("ada", "bob")):
        await sign_ins.bind(Identity(issuer="https://a", subject=person, person=person))
        await sign_ins.add(*sign_in(number, person, issuer="https://a"))
    await tokens_and_programs(people, ("of-ada", "ada", ""), ("of-bob", "bob", ""))
    session, _ = sign_in(0, "ada", issuer="https://a")
    assert await people.tables.revocation.forget("ada", NOW)
    made = token("ada", token_id="late")
    with pytest.raises(SignInRefusedError, match="signed out meanwhile"):
        await people.tables.tokens.add(made, "made a moment later", session.sign_in_id)
    assert await people.tables.revocation.forget("ada", NOW) is False
    assert await still_good(people) == {"of-bob"}
    assert await sign_ins.by_hash("session 0") is None
    assert await sign_ins.by_hash("session 1")
    again = Identity(issuer="https://a", subject="eve", person="ada")
    assert await sign_ins.bind(again) == "ada"
