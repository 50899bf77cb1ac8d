"""Which host a thread goes to: a function of the hosts as they stand."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire
from domain.hosts.errors import NoHostError, UnknownHostError
from domain.hosts.host import MAX_LABELS, Host, HostState, Label

ALIVE_SECONDS = 30
"""A host that was silent for so long gets nothing new."""


class HostWish(Wire):
    """Where a thread is to go: to a host by its name or id, or to one that has all labels.

    The labels are those that were asked for, then those of its template.
    """

    name: str = ""
    labels: Annotated[tuple[Label, ...], Field(max_length=2 * MAX_LABELS)] = ()

    @property
    def is_empty(self) -> bool:
        """Whether any host will do."""
        return not self.name and not self.labels

    def with_labels(self, labels: Sequence[str]) -> "HostWish":
        """Return the same with further labels, each once."""
        return HostWish(name=self.name, labels=joined(self.labels, labels))


def joined(labels: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of both, each once, in their order."""
    return tuple(dict.fromkeys((*labels, *more)))


def named(hosts: Sequence[Host], name: str) -> Host:
    """Return the host of a name or id.

    Raises:
        UnknownHostError: There is none, or several have the name.
    """
    found = [host for host in hosts if host.host == name] or [
        host for host in hosts if host.name == name
    ]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(host.host for host in found)
        raise UnknownHostError(f"several hosts are called {name!r}: use an id ({ids})")
    known = ", ".join(host.name for host in hosts) or "there are none"
    raise UnknownHostError(f"no host {name[:80]!r}; hosts: {known}")


def obstacle(host: Host, wish: HostWish) -> str:
    """Return why a host cannot take a thread now, empty where it can."""
    if wish.name and wish.name not in {host.host, host.name}:
        return "it is another one"
    if host.state is not HostState.UP:
        return f"it is {host.state}"
    if host.is_silent(ALIVE_SECONDS):
        return "its worker does not answer"
    if missing := lacking(host, wish.labels):
        return f"it lacks the label {', '.join(missing)}"
    return ""


def lacking(host: Host, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels that a host does not have."""
    return tuple(label for label in labels if label not in host.labels)


def refuse_unlabelled(host: Host, labels: Sequence[str], template: str) -> None:
    """Refuse a thread on a host that lacks labels of its template, which only a look at it there has found.

    Raises:
        NoHostError: It lacks some; another host may have them.
    """
    if missing := lacking(host, labels):
        raise NoHostError(
            f"host {host.name} lacks the label {', '.join(missing)}, which the plan template {template} asks "
            "for; see `treadle hosts`"
        )


def candidates(hosts: Sequence[Host], wish: HostWish, agent: str = "") -> list[Host]:
    """Return the hosts that may take a thread, the best one first.

    Those that said that they have the agent come before those that did not: a repository can bring
    one of its own, which only a look at it finds. Then the one with the smallest share of its slots
    taken is best; among equals the one with more slots, then the first by name and id.

    Raises:
        UnknownHostError: The one that is wished for does not exist.
        NoHostError: None can; says for each one why not.
    """
    if wish.name:
        hosts = [named(hosts, wish.name)]
    why = {host.host: obstacle(host, wish) for host in hosts}
    fitting = [host for host in hosts if not why[host.host]]
    if not fitting:
        raise NoHostError(refusal({host.name: why[host.host] for host in hosts}))
    return sorted(fitting, key=lambda host: (agent not in host.agents, *_rank(host)))


def _rank(host: Host) -> tuple[float, int, str, str]:
    slots = max(host.slots, 1)
    return len(host.threads) / slots, -slots, host.name, host.host


def refusal(reasons: dict[str, str]) -> str:
    """Return the sentence for that no host can."""
    if not reasons:
        return "no host can do this: none has started yet; start a worker"
    each = "; ".join(f"{name}: {why}" for name, why in sorted(reasons.items()))
    return f"no host can do this. {each}. See `treadle hosts`"
