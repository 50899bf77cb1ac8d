"""The settings of the sandbox: what agents and verification steps may read, write and reach."""

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from address import EngineFiles
from domain.agents.fallback import Fallback, Strength, lowered
from domain.agents.sandbox import Level, SandboxRules, checked_ports, port_list
from domain.core.hosts import checked_hosts, host_list
from domain.core.network import Network
from settings.observe import ObserveSettings


def _absolute(path: Path) -> Path:
    if path.is_absolute():
        return path
    raise PydanticCustomError("relative_path", "use an absolute path, starting with /")


def folder_list(text: str) -> tuple[Path, ...]:
    """Return the folders of a list with `:` between them."""
    return tuple(Path(part) for part in text.split(os.pathsep) if part)


def _folders(text: str) -> str:
    for path in folder_list(text):
        _absolute(path)
    return text


Folder = Annotated[Path, AfterValidator(_absolute)]


class SandboxSettings(ObserveSettings, EngineFiles):
    """What confines agents; a part of the settings, never read alone."""

    data_dir: Folder
    api_port: int
    temporal_port: int
    temporal_ui_port: int

    sandbox: Literal["workspace-write", "off"] = "workspace-write"
    """Whether agents and verification steps are confined; with `workspace-write`, planners and reviewers only read."""

    sandbox_fallback: Literal["ask", "refuse", "files", "off"] = "ask"
    """The weakest sandbox that you accept where this machine cannot make a full one: files without a network (`files`), or none (`off`)."""

    root: Literal["warn", "refuse"] = "warn"
    """What `treadle up` and a worker do when run as root: `warn` and go on, or `refuse` to start."""

    sandbox_network: Literal["ports", "none", "host"] = "ports"
    """What the sandbox reaches: its own ports and listed hosts, only Treadle's tools (`none`), or all that you reach (`host`)."""

    sandbox_ports: Annotated[str, AfterValidator(checked_ports)] = ""
    """More ports that sandboxes may connect to, like `80, 8000-8010`."""

    sandbox_hosts: Annotated[str, AfterValidator(checked_hosts)] = ""
    """More hosts that sandboxes reach by HTTPS without asking, like `git.example.org, *.example.net`; `*` is every public host."""

    sandbox_direct: bool = False
    """Whether sandboxes reach port 443 of every host, and UDP, without the proxy: no host list applies then."""

    sandbox_writes: Annotated[str, AfterValidator(_folders)] = ""
    """More folders that sandboxes may write to, separated by `:`."""

    sandbox_off: Annotated[str, AfterValidator(_folders)] = ""
    """Repositories that run without a sandbox, separated by `:`."""

    @field_validator("sandbox_writes")
    @classmethod
    def _are_apart(cls, value: str, info: ValidationInfo) -> str:
        data_dir: Path | None = info.data.get("data_dir")
        if data_dir is None:  # wrong itself, which is told
            return value
        for path in folder_list(value):
            if data_dir.is_relative_to(path) or path.is_relative_to(data_dir):
                words = "name no folder in or around the data folder: it holds Treadle's keys"
                raise PydanticCustomError("around_data", words)
        return value

    @property
    def sandbox_rules(self) -> SandboxRules:
        """What the sandbox settings say, and that Treadle's own ports are never reached."""
        off = {name for path in folder_list(self.sandbox_off) for name in (path, path.resolve())}
        ports = {
            self.api_port,
            self.temporal_port,
            self.temporal_ui_port,
            *(self.metrics_ports or ()),
        }
        return SandboxRules(
            level=Level(self.sandbox),
            network=Network(self.sandbox_network),
            connect=port_list(self.sandbox_ports),
            forbidden=frozenset(ports),
            off_for=tuple(sorted(map(str, off))),
            hosts=host_list(self.sandbox_hosts),
            is_direct=self.sandbox_direct,
        )

    def rules_on(self, there: Strength) -> SandboxRules:
        """Return the rules that count on a machine of this strength, weaker ones only where accepted."""
        return lowered(self.sandbox_rules, there, self.fallback)

    @property
    def fallback(self) -> Fallback:
        """The weakest sandbox that is accepted."""
        return Fallback(self.sandbox_fallback)

    @property
    def own_writes(self) -> tuple[Path, ...]:
        """The folders of `sandbox_writes`."""
        return folder_list(self.sandbox_writes)
