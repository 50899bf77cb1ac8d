"""The rules of sandboxes as the user's configuration has them now: its lists are read for each sandbox."""

import logging
from collections.abc import Callable

from adapters.container import check_sandbox
from adapters.processes.confinement import Confinement
from domain.agents.fallback import Fallback, lowered
from domain.agents.sandbox import SandboxRules

_LOG = logging.getLogger(__name__)
_READ_ANEW = ("connect", "hosts")


class CurrentRules:
    """The rules that a worker began with, and the lists of ports and hosts that the user changed since.

    Whatever else changes, as how much is confined, waits for a worker that starts anew.
    """

    def __init__(self, begun: SandboxRules, read: Callable[[], SandboxRules | None]) -> None:
        """Begin; `read` returns what the configuration says, None where it cannot be read."""
        self._begun = self._newest = begun
        self._read = read
        self._at_first = read() or begun

    @property
    def now(self) -> SandboxRules:
        """What counts for a sandbox that is made now; what cannot be read changes nothing."""
        found = self._read()
        if found is not None:
            # what this worker was started with by its environment is in no file
            changed = {
                name: getattr(found, name)
                for name in _READ_ANEW
                if getattr(found, name) != getattr(self._at_first, name)
            }
            self._newest = self._begun.model_copy(update=changed)
        return self._newest


def begun_rules(asked: SandboxRules, accepted: Fallback, confinement: Confinement) -> SandboxRules:
    """Return the rules that count on this machine; what is weaker than asked for goes to the log.

    Raises:
        ContainerError: This container lacks what they need.
    """
    there = confinement.strength
    rules = lowered(asked, there, accepted)
    check_sandbox(confinement.lack_of(rules.of(None, None)))
    if rules != asked:
        _LOG.warning("TREADLE_SANDBOX_FALLBACK=%s: %s", accepted, there.loss)
    return rules
