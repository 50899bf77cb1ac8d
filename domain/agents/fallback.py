"""What a machine can enforce of sandboxes, and what counts where that is less than the rules ask for.

Weaker than asked for is only what the person accepted; without that, the rules stay, and nothing starts.
"""

from enum import StrEnum

from domain.agents.sandbox import Level, SandboxRules
from domain.core.network import Network


class Strength(StrEnum):
    """How much of a sandbox there is, strongest first."""

    FULL = "full"
    FILES = "files"
    OFF = "off"

    @property
    def loss(self) -> str:
        """One sentence: what is not confined; nothing at full strength."""
        return _LOSSES[self]


class Fallback(StrEnum):
    """The weakest sandbox that a person accepts: not asked yet, none weaker than full, or that strength."""

    ASK = "ask"
    REFUSE = "refuse"
    FILES = "files"
    OFF = "off"

    @property
    def least(self) -> Strength:
        """The strength that is accepted at least."""
        is_strength = self in {Fallback.FILES, Fallback.OFF}
        return Strength(self.value) if is_strength else Strength.FULL


_ORDER = list(Strength)
_LOSSES = {
    Strength.FULL: "",
    Strength.FILES: (
        "files and processes are confined, the network is not: agents and verification steps reach every "
        "host and every server of this machine, Treadle's own among them"
    ),
    Strength.OFF: (
        "nothing is confined: agents and verification steps read, write and reach all that you can, "
        "Treadle's keys included"
    ),
}


def needed(rules: SandboxRules) -> Strength:
    """Return what the rules ask of a machine."""
    if rules.level is Level.OFF:
        return Strength.OFF
    return Strength.FILES if rules.network is Network.HOST else Strength.FULL


def fallen(rules: SandboxRules, there: Strength, accepted: Fallback) -> Strength | None:
    """Return the strength that counts in place of what the rules need; None where the rules count.

    Whoever closed the network (`none`) is not given an open one: only `off` is below that.
    """
    if not is_short(rules, there) or _ORDER.index(there) > _ORDER.index(accepted.least):
        return None
    if there is Strength.FILES and rules.network is Network.NONE:
        return None
    return there


def is_short(rules: SandboxRules, there: Strength) -> bool:
    """Tell whether a machine can enforce less than the rules need."""
    return _ORDER.index(there) > _ORDER.index(needed(rules))


def lowered(rules: SandboxRules, there: Strength, accepted: Fallback) -> SandboxRules:
    """Return the rules that count on a machine, as far as their owner accepted weaker ones."""
    match fallen(rules, there, accepted):
        case Strength.FILES:
            return rules.model_copy(update={"network": Network.HOST})
        case Strength.OFF:
            return rules.model_copy(update={"level": Level.OFF})
        case _:
            return rules
