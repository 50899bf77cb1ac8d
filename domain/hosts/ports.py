"""What activities need of the hosts."""

from collections.abc import Sequence
from typing import Protocol

from domain.hosts.file_calls import FileCall
from domain.hosts.host import Host
from domain.hosts.placement import HostWish


class Placements(Protocol):
    """Which host each thread and flow run is on."""

    async def place(self, stream: str, wish: HostWish, agent: str = "") -> Sequence[Host]:
        """Return the hosts that may take it, the best one first, which is noted.

        Raises:
            UnknownHostError: The one that is wished for does not exist.
            NoHostError: None can; says for each one why not.
        """
        ...

    async def note(self, stream: str, host: str, labels: Sequence[str] = ()) -> None:
        """Note where it is, and labels that its host must have besides those that were asked for."""
        ...

    async def named(self, name: str) -> Host:
        """Return the host of a name or id.

        Raises:
            UnknownHostError: There is none, or several have the name.
        """
        ...

    async def id_of(self, stream: str) -> str:
        """Return the id of the host that it is on, empty where that is not known."""
        ...


class HostFiles(Protocol):
    """The files of a host."""

    def answer(self, call: FileCall) -> str:
        """Carry out a question, and return the answer as JSON; again gives the same.

        Raises:
            TreadleError: The files refuse it.
        """
        ...
