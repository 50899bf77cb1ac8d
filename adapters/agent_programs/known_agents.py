"""What agents told of themselves and how their last try ended, kept so that lists need no worker."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from adapters.agent_programs.programs import Program
from adapters.files.state_files import write_atomic
from domain.agents.checks import CheckKind, CheckResult, Seen
from domain.agents.profiles import AgentProfile
from domain.core.wire import Wire

IsSet = Callable[[str], bool]
"""Tells whether a variable is set; its value is nobody's business here."""


class KnownAgent(Wire):
    """What is known of one agent.

    `key` names the program that it is known of, `login` what the login looked like when it was tried.
    """

    key: str = ""
    login: str = ""
    seen: Seen | None = None
    tried: CheckResult | None = None


class KnownAgents:
    """One small file for each agent, below the data folder."""

    def __init__(self, data_dir: Path, home: Path, is_set: IsSet) -> None:
        self._folder = data_dir / "agents-seen"
        self._home = home
        self._is_set = is_set

    def of(self, profile: AgentProfile, program: Program | None) -> KnownAgent:
        """Return what is known of an agent, as long as its program is the one that it is known of."""
        try:
            kept = KnownAgent.model_validate_json(self._file(profile.name).read_bytes())
        except (OSError, ValidationError):
            return KnownAgent()
        return kept if kept.key == key_of(profile, program) else KnownAgent()

    def keep(
        self,
        profile: AgentProfile,
        program: Program | None,
        result: CheckResult,
        seen: Seen | None,
    ) -> None:
        """Keep what a check found out, beside what earlier ones did."""
        kept = self.of(profile, program)
        if seen is not None:
            known = kept.seen.needs_login if kept.seen and seen.needs_login is None else None
            changes: dict[str, object] = {"needs_login": known} if known is not None else {}
            if kept.seen and not seen.options:
                changes["options"] = kept.seen.options
            kept = kept.model_copy(update={"seen": seen.model_copy(update=changes)})
        if result.kind is CheckKind.TRY:
            kept = kept.model_copy(update={"tried": result, "login": self.login_mark(profile)})
        kept = kept.model_copy(update={"key": key_of(profile, program)})
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(self._file(profile.name), kept.model_dump_json())

    def login_found(self, profile: AgentProfile) -> str:
        """Return the variable or the file that is a login, empty where there is none."""
        variables = (name for name in profile.login.variables if self._is_set(name))
        files = (f"~/{name}" for name in profile.login.files if (self._home / name).is_file())
        return next(variables, "") or next(files, "")

    def login_mark(self, profile: AgentProfile) -> str:
        """Return what changes when a person logs in or sets a variable."""
        parts = [name for name in profile.login.variables if self._is_set(name)]
        parts += [f"{name} {_changed(self._home / name)}" for name in profile.login.files]
        return _digest(*parts)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def key_of(profile: AgentProfile, program: Program | None) -> str:
    """Return what names an agent's program: its command, its file, and when that was changed."""
    file = str(program.file) if program else ""
    changed = _changed(program.file) if program else ""
    return _digest(*profile.command, file, changed, profile.scope)


def _changed(file: Path) -> str:
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns} {found.st_size}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
