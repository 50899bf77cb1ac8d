"""What passkeys are asked for, and whether what they answer holds, by the library `webauthn`.

It is loaded when the first person signs in, as it takes long. Attestation is not asked for: only `none` and
self-signed `packed` are taken, so that nobody's certificate is read. The counter is compared by the rules of the
domain, after the signature.
"""

import asyncio
import base64
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from domain.people.passkeys import Passkey, PasskeyChallenge
from domain.people.sign_ins import SignInRefusedError

Found = TypeVar("Found")
Options = dict[str, Any]
Credential = dict[str, Any]

_CHALLENGE_BYTES = 32
_HANDLE_BYTES = 32
_MOST_BYTES = 16 * 1024
"""The size of an answer; real ones have less than 2 KB."""


@dataclass(frozen=True)
class NewKey:
    """What an authenticator made."""

    credential_id: str
    public_key: str
    uses: int


@dataclass(frozen=True)
class Use:
    """What an authenticator signed."""

    uses: int
    handle: str


class PasskeyChecks:
    """Asks and checks the passkeys of one address that people open."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._host = urlsplit(url).hostname or ""

    async def to_register(self, asked: PasskeyChallenge, held: list[Passkey]) -> Options:
        """Return what the browser makes a passkey by; not on an authenticator that has one of the person's."""
        return await asyncio.to_thread(self._to_register, asked, held)

    async def to_sign_in(self, challenge: str) -> Options:
        """Return what the browser asks any passkey of this address with."""
        return await asyncio.to_thread(self._to_sign_in, challenge)

    async def registered(self, credential: Credential, challenge: str) -> NewKey:
        """Return the key that an authenticator made for a challenge.

        Raises:
            SignInRefusedError: The answer does not hold.
        """
        return await asyncio.to_thread(_held, lambda: self._registered(credential, challenge))

    async def used(self, credential: Credential, challenge: str, passkey: Passkey) -> Use:
        """Return what a passkey signed for a challenge.

        Raises:
            SignInRefusedError: The answer does not hold.
        """
        return await asyncio.to_thread(_held, lambda: self._used(credential, challenge, passkey))

    def _to_register(self, asked: PasskeyChallenge, held: list[Passkey]) -> Options:
        import webauthn
        from webauthn.helpers import structs

        options = webauthn.generate_registration_options(
            rp_id=self._host,
            rp_name="Treadle",
            user_name=asked.person,
            user_id=unpacked(asked.handle),
            challenge=unpacked(asked.challenge),
            attestation=structs.AttestationConveyancePreference.NONE,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                structs.PublicKeyCredentialDescriptor(id=unpacked(each.credential_id))
                for each in held
            ],
        )
        return json.loads(webauthn.options_to_json(options))

    def _to_sign_in(self, challenge: str) -> Options:
        import webauthn
        from webauthn.helpers import structs

        options = webauthn.generate_authentication_options(
            rp_id=self._host,
            challenge=unpacked(challenge),
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        )
        return json.loads(webauthn.options_to_json(options))

    def _registered(self, credential: Credential, challenge: str) -> NewKey:
        import webauthn
        from webauthn import helpers

        parsed = helpers.parse_registration_credential_json(_small(credential))
        _refuse_certificates(parsed.response.attestation_object)
        made = webauthn.verify_registration_response(
            credential=parsed,
            expected_challenge=unpacked(challenge),
            expected_rp_id=self._host,
            expected_origin=self._url,
            require_user_verification=True,
        )
        # one that no signature can be checked with would shut its person out
        key = helpers.decode_credential_public_key(made.credential_public_key)
        helpers.decoded_public_key_to_cryptography(key)
        return NewKey(
            credential_id=packed(made.credential_id),
            public_key=packed(made.credential_public_key),
            uses=made.sign_count,
        )

    def _used(self, credential: Credential, challenge: str, passkey: Passkey) -> Use:
        import webauthn
        from webauthn import helpers

        parsed = helpers.parse_authentication_credential_json(_small(credential))
        if packed(parsed.raw_id) != passkey.credential_id:
            raise ValueError("another passkey")
        found = webauthn.verify_authentication_response(
            credential=parsed,
            expected_challenge=unpacked(challenge),
            expected_rp_id=self._host,
            expected_origin=self._url,
            credential_public_key=unpacked(passkey.public_key),
            credential_current_sign_count=0,
            require_user_verification=True,
        )
        return Use(uses=found.new_sign_count, handle=packed(parsed.response.user_handle or b""))


def new_challenge() -> str:
    """Return a new challenge."""
    return packed(secrets.token_bytes(_CHALLENGE_BYTES))


def new_handle() -> str:
    """Return what authenticators call a person: nothing that tells who it is."""
    return packed(secrets.token_bytes(_HANDLE_BYTES))


def packed(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked(text: str) -> bytes:
    """Return the bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _small(credential: Credential) -> Credential:
    if len(json.dumps(credential)) > _MOST_BYTES:
        raise ValueError("too long")
    return credential


def _refuse_certificates(attestation: bytes) -> None:
    from webauthn.helpers import parse_attestation_object

    found = parse_attestation_object(attestation)
    if found.fmt not in {"none", "packed"} or found.att_stmt.x5c:
        raise ValueError(f"attestation {found.fmt} was not asked for")


def _held(check: Callable[[], Found]) -> Found:
    """Return what a check finds.

    Raises:
        SignInRefusedError: It finds that the answer does not hold, or fails over it.
    """
    try:
        return check()
    except Exception as error:  # the library's parsers fail in many ways over hostile bytes
        raise SignInRefusedError("what the passkey answered does not hold: try again") from error
