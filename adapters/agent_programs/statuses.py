"""Judges how agents stand on this host, from files alone: no agent is started for a list."""

from collections.abc import Iterator
from dataclasses import dataclass

from adapters.agent_programs.builtin import TREADLE_AGENT, BuiltinAgent
from adapters.agent_programs.host import Host
from adapters.agent_programs.known_agents import KnownAgent
from adapters.agent_programs.programs import OURS, Program
from adapters.files.agent_profiles import FoundProfile
from domain.agents.errors import AgentNotInstalledError, InstallError
from domain.agents.profiles import AgentProfile
from domain.agents.status import AgentDetails, AgentStatus, LoginState, Missing


@dataclass(frozen=True)
class AgentStatuses:
    """Judges agents; `is_here` tells whether they would be started on this host."""

    host: Host
    is_here: bool = True
    default_agent: str | None = None

    def of(self, found: FoundProfile) -> AgentStatus:
        """Return how the agent of a file stands."""
        status = AgentStatus(
            name=found.name,
            scope=found.scope,
            path=str(found.path),
            problem=found.problem,
            content_hash=found.content_hash,
            is_trusted=found.is_trusted,
            is_hidden=found.is_hidden,
            is_default=found.name == self.default_agent and not found.is_hidden,
        )
        profile = found.profile
        if profile is None:
            fix = f"fix or remove {found.path}"
            return status.model_copy(update={"missing": (Missing(what=found.problem, fix=fix),)})
        program = self.host.programs.find(profile)
        kept = self.host.seen.of(profile, program)
        login_by = self.host.seen.login_found(profile)
        known = {
            "title": profile.title,
            "is_scripted": profile.is_scripted,
            "is_installed": self._is_installed(profile, program),
            "program": str(program.file) if program else "",
            "version": _version(program, kept),
            "pinned": profile.install.version if profile.install else "",
            "login": self._login(profile, kept, login_by),
            "login_by": login_by,
            "seen": kept.seen,
            "tried": kept.tried,
        }
        status = status.model_copy(update=known)
        missing = (*_missing(status, profile), *self._built_in(profile))
        return status.model_copy(update={"missing": missing})

    def details(self, found: FoundProfile) -> AgentDetails:
        """Return what people may see of an agent."""
        status, profile = self.of(found), found.profile
        if profile is None:
            return AgentDetails(status=status)
        modes = {
            "plan": profile.plan_mode,
            "work": profile.work_mode,
            "ask": profile.ask_mode,
            "in Treadle's sandbox": profile.confined_mode,
        }
        return AgentDetails(
            status=status,
            command=profile.command,
            environment=profile.environment,
            sets=tuple(profile.set_environment),
            files=tuple(profile.files),
            package=profile.install.package if profile.install else "",
            provider=profile.provider,
            modes={name: mode for name, mode in modes.items() if mode},
            options=profile.options,
            client=profile.client,
            mcp=profile.mcp,
            own_folders=profile.own_folders,
            connect=profile.connect,
        )

    def refuse_missing(self, profile: AgentProfile) -> None:
        """Refuse an agent whose program is not here, if it would be started here.

        Raises:
            AgentNotInstalledError: The message says how to install it.
        """
        if self._is_installed(profile, self.host.programs.find(profile)) is False:
            raise AgentNotInstalledError(
                f"agent {profile.name!r} is not installed here: {install_words(profile)}"
            )

    def _built_in(self, profile: AgentProfile) -> Iterator[Missing]:
        """Yield a word on the built-in agent's libraries, where they are not there yet."""
        if TREADLE_AGENT not in profile.command or not self.is_here:
            return
        try:
            BuiltinAgent(self.host.programs.folders).command()
        except InstallError:
            what = "its libraries (160 MB) are installed at its first use"
            fix = install_words(profile)
            yield Missing(what=what, fix=fix, is_in_the_way=False)

    def _is_installed(self, profile: AgentProfile, program: Program | None) -> bool | None:
        if profile.command[0] in OURS:
            return True
        return program is not None if self.is_here else None

    def _login(self, profile: AgentProfile, kept: KnownAgent, login_by: str) -> LoginState:
        """Return what the last try told, as long as the login is the one it told it of; else what is there."""
        needs_login = kept.seen.needs_login if kept.seen else None
        if needs_login is not None and kept.login == self.host.seen.login_mark(profile):
            return LoginState.NO if needs_login else LoginState.YES
        if login_by:
            return LoginState.YES
        if profile.login.variables or profile.login.files:
            return LoginState.NO
        return LoginState.NOT_NEEDED if profile.is_scripted else LoginState.UNKNOWN


def install_words(profile: AgentProfile) -> str:
    """Return what a person does to install an agent."""
    if profile.install is not None or TREADLE_AGENT in profile.command:
        return f"treadle agents install {profile.name}"
    return profile.install_hint or f"put {profile.command[0]!r} on the PATH of `treadle up`"


def _version(program: Program | None, kept: KnownAgent) -> str:
    if program is not None and program.version:
        return program.version
    return kept.seen.version if kept.seen else ""


def _missing(status: AgentStatus, profile: AgentProfile) -> Iterator[Missing]:
    if not status.is_trusted:
        fix = f"treadle agents trust {profile.name}"
        yield Missing(what="it comes with the repository, and nobody has trusted it", fix=fix)
    if status.is_installed is False:
        yield Missing(what="it is not installed", fix=install_words(profile))
        return
    if status.login is LoginState.NO:
        yield Missing(what="it is not logged in", fix=_login_words(profile))
    is_other = status.program and status.version and status.pinned
    if is_other and status.version != status.pinned:
        what = f"{status.version} is installed, {status.pinned} is what was tested"
        yield Missing(what=what, fix=install_words(profile), is_in_the_way=False)
    tried = status.tried
    if tried is not None and not tried.is_well and status.login is not LoginState.NO:
        what = f"its last try failed: {tried.failure.splitlines()[0] if tried.failure else ''}"
        yield Missing(what=what, fix=f"treadle agents try {profile.name}", is_in_the_way=False)


def _login_words(profile: AgentProfile) -> str:
    variables = " or ".join(profile.login.variables)
    return profile.login.hint or f"set {variables}, and start Treadle anew"
