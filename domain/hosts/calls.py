"""What the activity takes and gives that chooses a host."""

from datetime import timedelta

from domain.core.effects import Effect
from domain.core.wire import Wire
from domain.hosts.placement import HostWish


class PlaceCall(Effect):
    """Choose the hosts that a thread or flow run is tried on."""

    stream: str
    wish: HostWish = HostWish()
    agent: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"choose a host for {self.stream}"


class ChosenHost(Wire):
    """A host that may take it."""

    host: str
    name: str


class ChosenHosts(Wire):
    """The hosts that may take it, the best one first; each has `patience` to begin with it."""

    hosts: tuple[ChosenHost, ...]
    patience: timedelta = timedelta(seconds=120)
