"""How an agent stands on this host: installed, logged in, what it offers, and what is missing."""

from enum import StrEnum

from domain.agents.checks import CheckResult, Seen
from domain.agents.profiles import Scope
from domain.core.wire import Wire


class LoginState(StrEnum):
    """Whether an agent can reach its model, as far as it is known without asking it."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_NEEDED = "not needed"


class Missing(Wire):
    """What keeps an agent from working, or should be known of it; `fix` is the command, or a sentence."""

    what: str
    fix: str
    is_in_the_way: bool = True


class AgentStatus(Wire):
    """One agent's file, and how its agent stands.

    `is_installed` is None where another host would start it. `program` is its file, empty for one
    that Treadle brings. `login_by` names the variable or file that is the login, never its value.
    `seen` and `tried` are of the program as it is now. `problem` is what is wrong with the file.
    """

    name: str
    scope: Scope
    path: str
    title: str = ""
    problem: str = ""
    content_hash: str = ""
    is_trusted: bool = True
    is_hidden: bool = False
    is_scripted: bool = False
    is_default: bool = False
    is_installed: bool | None = None
    program: str = ""
    version: str = ""
    pinned: str = ""
    login: LoginState = LoginState.UNKNOWN
    login_by: str = ""
    seen: Seen | None = None
    tried: CheckResult | None = None
    missing: tuple[Missing, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether nothing that is known keeps it from working."""
        return not any(each.is_in_the_way for each in self.missing)


class AgentDetails(Wire):
    """An agent's profile as people may see it: of variables and files the names, never what is in them."""

    status: AgentStatus
    command: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    package: str = ""
    provider: str = ""
    modes: dict[str, str] = {}
    options: dict[str, str | bool] = {}
    client: tuple[str, ...] = ()
    mcp: str = "auto"
    own_folders: tuple[str, ...] = ()
    connect: tuple[int, ...] = ()
