"""Places of sandboxed processes: the workspaces that they work in, and how these are shown to them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from adapters.processes.git_folders import common_git_folder
from domain.recipes.containers import Container


@dataclass(frozen=True)
class SandboxPlace:
    """One process's place: its workspace, seen as `shown_at`, and what of its own it reads and writes.

    One that `asks_servers` may connect to unix sockets of this host. `beside` are workspaces of other
    repositories, and where each is seen.
    """

    workspace: Path
    is_writable: bool
    own: tuple[Path, ...] = ()
    reads: tuple[Path, ...] = ()
    shown_at: Path | None = None
    asks_servers: bool = False
    caches: tuple[Path, ...] = ()
    container: Container | None = None
    beside: tuple[tuple[Path, Path], ...] = ()

    @property
    def others(self) -> "tuple[SandboxPlace, ...]":
        """The places of the repositories beside, as if each were the only one."""
        return tuple(
            SandboxPlace(there, self.is_writable, shown_at=None if seen == there else seen)
            for there, seen in self.beside
        )

    def in_container(self, masks: Iterable[Path]) -> "list[tuple[SandboxPlace, list[Path]]]":
        """Return it with its masks for each path by which a container's processes see it."""
        held = [*masks]
        folder = self.container.folder if self.container else None
        also = [] if folder in {None, self.shown_at} else [replace(self, shown_at=folder)]
        return [(one, held) for one in (self, *also)]

    def mount(self, workspace: Path) -> tuple[str, str, str]:
        """Return the arguments that show its workspace, by the path where that really is."""
        option = "--bind" if self.is_writable else "--ro-bind"
        return option, str(workspace), str(self.seen(workspace))

    def seen(self, path: Path) -> Path:
        """Return where the process sees what lies in its workspace."""
        if self.shown_at is None or not path.is_relative_to(self.workspace.resolve()):
            return path
        return (
            self.shown_at.parent.resolve()
            / self.shown_at.name
            / path.relative_to(self.workspace.resolve())
        )


Others = Iterable[tuple[SandboxPlace, Iterable[Path]]]
"""Places of repositories beside, each with its masks."""


def workspace_arguments(places: Others) -> Iterator[str]:
    """Yield bubblewrap's arguments that show workspaces, each with its git folder and what else is only read of it."""
    for seat, masks in places:
        workspace = seat.workspace.resolve()
        yield from seat.mount(workspace)
        common = common_git_folder(workspace)
        if common:
            yield from ("--ro-bind", str(common), str(common))
        for mask in masks:
            yield from ("--ro-bind", str(mask), str(seat.seen(mask)))
