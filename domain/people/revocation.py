"""What ends when a person is revoked, or a passkey removed."""

from domain.core.wire import Wire
from domain.people.passkeys import Passkey


class Revoked(Wire):
    """A person whom nothing lets in any more, and how much of theirs has ended."""

    person: str
    passkeys: int
    sessions: int
    tokens: int


class RemovedPasskey(Wire):
    """A passkey that lets nobody in any more, and how many tokens have ended with it."""

    passkey: Passkey
    tokens: int
