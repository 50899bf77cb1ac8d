"""The spawner of a worker: what its children see of Treadle's folders, and in a sandbox of the host."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adapters.files.state_files import write_atomic
from adapters.processes.command import Command
from adapters.processes.isolation import Cover, Isolation, probe_isolation
from adapters.processes.login_path import LIMIT_SECONDS, note_path
from adapters.processes.sandbox import HostView
from adapters.processes.spawner import Spawner
from domain.agents.protected import PROTECTED_FILES

COMMON_VARIABLES = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL"),
)
"""What every child process gets of the environment; secrets only by an agent's profile."""

PUSH_VARIABLES = (
    *("SSH_AUTH_SOCK", "XDG_CONFIG_HOME"),
    *("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"),
)
"""What a push, and a merge into a person's checkout, get beside it: where their git finds what it needs."""

_IDENTITY = ("user.name", "user.email", "init.defaultBranch")
_WORKTREES = f"gitdir:**/worktrees/*-{'[0-9a-f]' * 8}"
"""Git's folders of Treadle's worktrees, by their names: placeholders of masks lie in no other checkout."""


@dataclass(frozen=True)
class HostFolders:
    """Treadle's folders on this host, and more that the user lets sandboxed processes write."""

    data_dir: Path
    programs: Path
    config: Path
    writes: tuple[Path, ...] = ()

    @property
    def git_identity(self) -> Path:
        """The git configuration that sandboxed processes have in place of the user's."""
        return self.shown / "gitconfig"

    @property
    def shown(self) -> Path:
        """The folder of files for git that sandboxed processes read."""
        return self.data_dir / "sandbox"


def host_spawner(
    folders: HostFolders, environment: Mapping[str, str], isolation: Isolation | None = None
) -> Spawner:
    """Return the spawner of a worker; `environment` is what every child gets."""
    data_dir, programs, config = folders.data_dir, folders.programs, folders.config
    with suppress(OSError):
        config.mkdir(parents=True, exist_ok=True)  # one that is missing could be made by them
    is_inside = programs.is_relative_to(data_dir)
    # git in a worktree takes other worktrees that it does not see for removed ones
    shown = (data_dir / "worktrees", data_dir / "repositories", *((programs,) if is_inside else ()))
    home = environment.get("HOME")
    return Spawner(
        data_dir / "runs",
        environment,
        isolation,
        cover=Cover(data_dir, shown, kept=(config, *(() if is_inside else (programs,)))),
        host_view=HostView(
            home=Path(home) if home else None,
            data_dir=data_dir,
            programs=environment.get("PATH", ""),
            reads=(*_installation(), programs, folders.shown),
            writes=folders.writes,
            hidden=(config,),
            git_identity=folders.git_identity,
        ),
    )


async def with_users_path(
    folders: HostFolders, environment: Mapping[str, str], limit_seconds: float = LIMIT_SECONDS
) -> Spawner:
    """Return a spawner whose children have the PATH of the user's login shell; reaps leftovers first."""
    isolation = probe_isolation()
    asking = host_spawner(folders, environment, isolation)
    await asking.reap_leftovers()
    path = await note_path(asking, environment, folders.data_dir, limit_seconds)
    return host_spawner(folders, {**environment, "PATH": path}, isolation)


async def note_identity(spawner: Spawner, file: Path) -> None:
    """Keep the user's name for git, and nothing else of its configuration, for sandboxed processes.

    Beside it lies what keeps placeholders of masks out of `git status` in Treadle's worktrees. An
    `excludesFile` of the repository goes before it.
    """
    file.parent.mkdir(mode=0o700, exist_ok=True)
    sections: dict[str, list[str]] = {}
    for key in _IDENTITY:
        asked = Command(("git", "config", "--global", "--get", key), file.parent, is_brief=True)
        printed = (await spawner.run(asked)).output.text().strip()
        section, _, name = key.partition(".")
        if printed:
            sections.setdefault(section, []).append(f"\t{name} = {_quoted(printed)}\n")
    text = "".join(f"[{section}]\n{''.join(lines)}" for section, lines in sections.items())
    ignored, masks = file.with_name("ignored"), file.with_name("masks")
    write_atomic(ignored, "".join(f"/{name}\n" for name in PROTECTED_FILES))
    write_atomic(masks, f"[core]\n\texcludesFile = {_quoted(str(ignored))}\n")
    write_atomic(file, f'{text}[includeIf "{_WORKTREES}"]\n\tpath = {_quoted(str(masks))}\n')


def _quoted(value: str) -> str:
    """Return a value as git's configuration has it."""
    escaped = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", " ")
    return f'"{escaped}"'


def _installation() -> tuple[Path, ...]:
    """Return where Treadle and its Python lie: agents run its launcher, and its stdio bridge."""
    root = Path(__file__).resolve().parents[2]
    return (root, Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent)
