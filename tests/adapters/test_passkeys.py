"""What passkeys answer: what is taken, and every way in which it does not hold."""

import copy
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import cbor2
import pytest

from adapters.sign_in.passkeys import PasskeyChecks, new_challenge, new_handle
from domain.people.passkeys import Passkey, PasskeyChallenge, Step
from domain.people.sign_ins import SignInRefusedError
from tests.authenticator import PRESENT, Authenticator, packed

URL, HOST = "https://treadle.example.org", "treadle.example.org"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CHECKS = PasskeyChecks(URL)


def asked(**fields):
    base = {"challenge": new_challenge(), "step": Step.INVITATION, "person": "ada"}
    expires = NOW + timedelta(minutes=5)
    return PasskeyChallenge(**base | {"handle": new_handle(), "expires_at": expires} | fields)


async def registered(key, **how):
    challenge = asked()
    options = await CHECKS.to_register(challenge, [])
    made = await CHECKS.registered(key.create(options, **how), challenge.challenge)
    return Passkey(
        passkey_id="p1",
        person="ada",
        name="laptop",
        handle=challenge.handle,
        created_at=NOW,
        **vars(made),
    )


@pytest.fixture
def key():
    return Authenticator(URL, HOST)


async def test_a_passkey_is_asked_for_with_verification_and_without_attestation(key):
    held = await registered(key)
    options = await CHECKS.to_register(asked(handle=held.handle), [held])
    assert options["rp"] == {"id": HOST, "name": "Treadle"}
    assert (options["user"]["name"], options["user"]["id"]) == ("ada", held.handle)
    assert options["attestation"] == "none"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert [each["id"] for each in options["excludeCredentials"]] == [packed(key.id)]

    to_sign = await CHECKS.to_sign_in(new_challenge())
    assert (to_sign["rpId"], to_sign["userVerification"]) == (HOST, "required")
    assert to_sign["allowCredentials"] == []


async def test_what_it_signs_is_taken(key):
    held = await registered(key)
    challenge = new_challenge()
    use = await CHECKS.used(key.get(await CHECKS.to_sign_in(challenge)), challenge, held)
    assert (use.uses, use.handle) == (1, held.handle)


async def test_self_signed_attestation_is_not_needed_and_certificates_are_refused(key):
    for attestation in (
        ("packed", {"alg": -7, "sig": b"x", "x5c": [b"x"]}),
        ("fido-u2f", {"sig": b"x", "x5c": [b"x"]}),
        ("tpm", {"ver": "2.0"}),
        ("android-safetynet", {"ver": "1", "response": b"a.b.c"}),
        ("own", {}),
    ):
        with pytest.raises(SignInRefusedError, match="does not hold"):
            await registered(key, attestation=attestation)


@pytest.mark.parametrize(
    "cose",
    [
        {1: 2, 3: -7, -1: 1, -2: b"\1" * 32, -3: b"\2" * 32},  # not on the curve
        {1: 2, 3: -7, -1: 1, -2: b"", -3: b""},
        {1: 2, 3: -7, -1: 1, -2: 3, -3: 4},
        {1: 3, 3: -257, -1: b"\3", -2: b"\3"},
        {1: 2, 3: -7, -1: 99, -2: b"\1" * 32, -3: b"\2" * 32},
    ],
)
async def test_a_key_that_checks_nothing_is_refused_when_it_is_registered(key, cose):
    with pytest.raises(SignInRefusedError, match="does not hold"):
        await registered(key, cose=cbor2.dumps(cose))


async def test_a_person_who_was_not_verified_is_refused(key):
    with pytest.raises(SignInRefusedError):
        await registered(key, flags=PRESENT)
    held, challenge = await registered(key), new_challenge()
    answer = key.get(await CHECKS.to_sign_in(challenge), flags=PRESENT)
    with pytest.raises(SignInRefusedError):
        await CHECKS.used(answer, challenge, held)


@pytest.mark.parametrize(
    "other",
    [
        Authenticator("https://treadle.example.org.evil.example", HOST),
        Authenticator("http://treadle.example.org", HOST),
        Authenticator(URL, "example.org"),
    ],
)
async def test_another_origin_or_site_is_refused(key, other):
    with pytest.raises(SignInRefusedError):
        await registered(other)
    held, challenge = await registered(key), new_challenge()
    other.key, other.id = key.key, key.id
    answer = other.get(await CHECKS.to_sign_in(challenge), handle=held.handle)
    with pytest.raises(SignInRefusedError):
        await CHECKS.used(answer, challenge, held)


async def test_another_challenge_another_key_and_another_passkey_are_refused(key):
    held, challenge = await registered(key), new_challenge()
    options = await CHECKS.to_sign_in(challenge)
    other = Authenticator(URL, HOST, id=key.id)
    foreign = Authenticator(URL, HOST)
    for answer, of in (
        (key.get(options), new_challenge()),
        (other.get(options), challenge),
        (foreign.get(options), challenge),
    ):
        with pytest.raises(SignInRefusedError, match="does not hold"):
            await CHECKS.used(answer, of, held)


BROKEN = (None, 7, "", "!!", "é", "A", packed(b"\xff" * 40), packed(b"[1]"), packed(b"\x80" * 300))
BROKEN += (packed(b"\x81" * 5000 + b"\0"), packed(b'{"type":1}'), [], {}, "A" * 20_000)


async def test_hostile_answers_are_refused_in_one_way(key):
    held, challenge = await registered(key), new_challenge()
    made = key.create(await CHECKS.to_register(asked(), []))
    signed = key.get(await CHECKS.to_sign_in(challenge))
    for good, check in (
        (made, lambda each: CHECKS.registered(each, challenge)),
        (signed, lambda each: CHECKS.used(each, challenge, held)),
    ):
        for field in ("id", "rawId", "type", "response", *good["response"]):
            for value in BROKEN:
                wrong = copy.deepcopy(good)
                place = wrong if field in wrong else wrong["response"]
                place[field] = value
                if field == "userHandle":
                    continue  # compared by the rules of the domain
                with pytest.raises(SignInRefusedError, match="does not hold"):
                    await check(wrong)
        for whole in ({}, {"response": {}}):
            with pytest.raises(SignInRefusedError, match="does not hold"):
                await check(whole)


def test_its_library_is_not_loaded_before_somebody_signs_in():
    code = "import sys, api.app; sys.exit('webauthn' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
