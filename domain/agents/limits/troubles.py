"""What the error of an agent's turn means for the turn: wait, begin afresh, resume, or ask a person.

Agents tell errors as JSON-RPC errors, some with a kind of their own in `data.errorKind` (Claude), others
as the last message of a turn that ends well (Codex); see facts in docs/reference/agents.md.
"""

import re
from enum import StrEnum

from domain.agents.limits.rate_limits import is_refusal, is_too_long

AUTHENTICATE = -32000
"""ACP's code for "log in first"; some agents use it for all errors of theirs."""

_LOGIN = re.compile(
    r"""authentication.?(?:failed|required|error) | auth.?required | not\slogged\sin | log\s?in\sfirst
    | run\s/login | (?:invalid|incorrect|missing|expired|no)\s(?:\w{1,12}\s){0,2}?api.?key
    | api.?key\s(?:not\svalid|expired|is\s(?:missing|required|not\sset)) | unauthori[sz]ed | unauthenticated
    | oauth_org_not_allowed | account_on_hold | verification_required | cloud_credential_error
    | \b(?:status|code|error|http)\W{0,8}(?:code\W{0,4})?(?:401|403)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ENDED = re.compile(
    r"worker_shutdown|session (?:has )?ended unexpectedly|process (?:has )?exited|transport_lost",
    re.IGNORECASE,
)


class Trouble(StrEnum):
    """What an error asks for."""

    LIMIT = "limit"
    """The provider refused, or could not be reached: the turn waits and goes on."""

    CONTEXT = "context"
    """What was said is too long for the model: a fresh context can go on."""

    ENDED = "ended"
    """The agent's own worker is gone: its session can be reopened."""

    LOGIN = "login"
    """A person must log in, or fix a key."""

    OTHER = "other"
    """Anything else: a person is asked."""


def trouble_of(message: str, code: int | None = None) -> Trouble:
    """Read an agent's error: its words with its data, and the code of JSON-RPC where it has one."""
    if is_too_long(message):
        return Trouble.CONTEXT
    if _ENDED.search(message):
        return Trouble.ENDED
    if is_refusal(message):
        return Trouble.LIMIT
    if code == AUTHENTICATE or _LOGIN.search(message):
        return Trouble.LOGIN
    return Trouble.OTHER
