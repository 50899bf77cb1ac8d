"""Confinement: what a sandbox adds to the start of one process, and what is tidied up after it.

It fails closed: where a level, or a network policy, cannot be enforced on this host, nothing starts.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from adapters.container import SANDBOX_OPTIONS, is_container
from adapters.egress.doors import Gate
from adapters.egress.proxy import EgressProxy
from adapters.processes.isolation import Isolation
from adapters.processes.landlock import PortRules, has_port_rules
from adapters.processes.masks import Masks
from adapters.processes.places import SandboxPlace
from adapters.processes.sandbox import (
    HostView,
    SandboxUnavailableError,
    sandbox_base,
)
from domain.agents.fallback import Strength
from domain.agents.sandbox import Level, Sandbox
from domain.core.network import Network
from domain.recipes.containers import Container

_OFF = "turn the sandbox off with TREADLE_SANDBOX=off, which lets agents do all that you can"


@dataclass(frozen=True)
class Confined:
    """One confined start: bubblewrap's arguments, the environment, port rules, the way out."""

    arguments: tuple[str, ...]
    environment: dict[str, str]
    rules: PortRules | None
    leave: Callable[[], None]


class Confinement:
    """Makes sandboxes on this host.

    Without a `proxy` those that would reach hosts through it reach none.
    """

    proxy: EgressProxy | None = None

    def __init__(
        self,
        isolation: Isolation,
        host_view: HostView | None = None,
        has_ports: Callable[[], bool] = has_port_rules,
    ) -> None:
        """Begin; `has_ports` tells whether the kernel has rules for ports."""
        self._isolation = isolation
        self._has_ports = has_ports
        self._host_view = host_view
        self._masks = Masks()

    def confine(self, sandbox: Sandbox, seat: SandboxPlace, gate: Gate | None = None) -> Confined:
        """Prepare a start; `leave` is to be called when its process has ended.

        The `gate` is asked for hosts that the sandbox does not list.

        Raises:
            SandboxUnavailableError: This host cannot enforce it; the message says what to do.
            OSError: The workspace does not take the placeholders of protected names.
        """
        lack = self.lack_of(sandbox)
        if lack or self._host_view is None:
            raise SandboxUnavailableError(lack or "sandbox: this worker was made without one")
        end = ExitStack()  # closed twice, it does its work once
        try:
            masks = self._held(seat, end)
            others = [(one, self._held(one, end)) for one in seat.others]
        except BaseException:
            end.close()
            raise
        arguments = self._host_view.arguments(
            seat, masks, others, has_overlays=self._isolation.has_overlays
        )
        alone = sandbox.network in {Network.NONE, Network.OWN_LOOPBACK}
        out, environment = sandbox, self._host_view.environment
        if self.proxy is not None and sandbox.hosts is not None:
            door = self.proxy.open(sandbox, gate)
            end.callback(self.proxy.close, door)
            environment |= self.proxy.environment(door)
            out = sandbox.model_copy(update={"connect": (*sandbox.connect, self.proxy.port)})
        return Confined(
            (*sandbox_base(seat.container), *(("--unshare-net",) if alone else ()), *arguments),
            environment,
            self._rules(out),
            end.close,
        )

    def unconfined(self, seat: SandboxPlace, container: Container) -> tuple[str, ...]:
        """Return bubblewrap's arguments for a process in a container that nothing else confines.

        Raises:
            SandboxUnavailableError: This host makes no namespaces.
        """
        if self._host_view is None or not self._isolation.is_namespace:
            raise SandboxUnavailableError(
                f"a container needs bubblewrap: {self._isolation.summary}"
            )
        others = [(one, ()) for one in seat.others]
        has_overlays = self._isolation.has_overlays
        arguments = self._host_view.arguments(seat, (), others, has_overlays=has_overlays)
        return (*self._isolation.plain_in(container), *arguments)

    def _held(self, seat: SandboxPlace, end: ExitStack) -> list[Path]:
        """Hold the masks of a place until the end; one that is only read has none."""
        if not seat.is_writable:
            return []
        workspace = seat.workspace.resolve()
        masks = self._masks.hold(workspace)
        end.callback(self._masks.release, workspace)
        return masks

    @property
    def strength(self) -> Strength:
        """The strongest sandbox that this host can make."""
        if self._isolation.no_sandbox:
            return Strength.OFF
        return Strength.FULL if self._has_ports() else Strength.FILES

    def lack_of(self, sandbox: Sandbox) -> str:
        """Say what this host lacks for a sandbox, and what to do; nothing where all is there."""
        if sandbox.level is Level.OFF:
            return ""
        if self._isolation.no_sandbox:
            return (
                f"the sandbox ({sandbox.level}) cannot be made: {self._isolation.no_sandbox}. "
                f"{_way_out()}, or {_OFF}"
            )
        if sandbox.network is Network.PORTS and not self._has_ports():
            return (
                "the sandbox cannot keep agents off local servers: this kernel has no Landlock rules "
                "for ports (Linux 6.7 or newer, on x86-64, ARM64 or RISC-V). Accept an open network "
                f"with TREADLE_SANDBOX_FALLBACK=files, or {_OFF}"
            )
        return ""

    def _rules(self, sandbox: Sandbox) -> PortRules | None:
        if sandbox.network is Network.PORTS:
            return PortRules(sandbox.ports, sandbox.connect, sandbox.binds_any, sandbox.has_udp)
        is_closed = sandbox.network is Network.NONE and self._has_ports()
        return PortRules(has_udp=False) if is_closed else None


def _way_out() -> str:
    if is_container():
        return f"Start the container with {SANDBOX_OPTIONS}, as deploy/compose.yaml does"
    return "Allow unprivileged user namespaces, or install bubblewrap from your system"
