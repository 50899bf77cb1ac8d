"""What stands for a payload of Temporal's that no program of ours has sealed.

Anybody who reaches Temporal can send a workflow something, or report the result of an activity. Our
own programs seal what they send (adapters/temporal/sealing.py); all else comes marked, so that the
rules can tell a person at a terminal, who may send commands, from a forger of results.
"""

from dataclasses import dataclass
from typing import Any

UNSEALED_FAILURE = "unsealed"
"""The type of an application failure that no program of ours has reported, whatever it says."""


@dataclass(frozen=True)
class Unsealed:
    """A value that anybody may have sent; None where it does not even decode."""

    value: Any


class Public(str):
    """A text that stays readable in Temporal's Web UI, and so in its database: titles, no more."""

    __slots__ = ()
