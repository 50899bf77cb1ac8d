"""The agents of the matrix: what each is installed from, and how it is pointed at the model stub.

What is here is what a person would set to use a model server of their own; all else is in the
agents' profiles.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from adapters.files.agent_profiles import AgentFiles
from tests.agents.installation import environment, install, python_of
from tests.agents.newest import newest_profile
from tests.e2e.engine import Engine

HERE = Path(__file__).parent
MODEL = "stub-1"
KEY = "stub-key"
OWN_REQUIREMENTS = HERE.parents[1] / "adapters" / "builtin_agent" / "requirements.txt"
OWN_LIBRARY = re.compile(r"^pydantic-ai-harness.*$", re.MULTILINE)

Files = dict[str, str]
Variables = dict[str, str]


@dataclass(frozen=True)
class Pointing:
    """What points an agent at a model server: variables, and files below HOME."""

    variables: Variables
    files: Files = field(default_factory=dict)


@dataclass(frozen=True)
class Contender:
    """One agent: its profile's name, which is also the folder of its lock, and how it finds its model.

    `profile` is written as a user would write it, for agents that Treadle has no profile of.
    `is_in_ci` agents are part of `make test`; with those that are `is_whole_in_ci` it goes through all
    scenarios. `sessions` is how many of its sessions run at once; the heaviest peak at 2 GB. `cannot` are the
    scenarios that it fails, with the reason. `is_newest` takes the newest version that its registry
    has, not the one of its profile.
    """

    name: str
    point: Callable[[str], Pointing]
    profile: dict[str, object] | None = None
    is_in_ci: bool = False
    is_whole_in_ci: bool = False
    sessions: int = 3
    python: tuple[int, int] | None = None
    cannot: dict[str, str] = field(default_factory=dict)
    is_newest: bool = False

    @property
    def is_installed_by_treadle(self) -> bool:
        """Whether a profile of ours names its package and version."""
        return self.profile is None

    @property
    def is_built_in(self) -> bool:
        """Whether it is Treadle's own."""
        return False

    def own_profile(self) -> str | None:
        """Return the file of its profile as a user would write it, None where ours is taken."""
        if self.profile is not None:
            return yaml.safe_dump(self.profile, sort_keys=False)
        return newest_profile(self.name) if self.is_newest else None

    @property
    def package(self) -> str:
        """The package and version that it is installed from."""
        if self.profile is None:
            package = AgentFiles().profile(self.name).install.package
            return re.sub(r"==|(?<=.)@(?=[^@]*$)", " ", package)
        return (HERE / self.name / "requirements.in").read_text().strip().replace("==", " ")

    def find_python(self) -> Path | None:
        """Return the Python that it wants; None where any will do.

        Raises:
            NotHereError: The machine has none that is new enough for it.
        """
        python = python_of(self.python) if self.python else None
        if self.python and python is None:
            wanted = ".".join(map(str, self.python))
            raise NotHereError(f"it wants Python {wanted} or newer, which this machine has not")
        return python

    def programs(self) -> tuple[str, ...]:
        """Install what Treadle has no profile of; returns the folders for its PATH."""
        if self.profile is None:
            return ()
        python = self.find_python() or Path(sys.executable)
        return (str(environment(HERE / self.name, python) / "bin"),)

    async def install(self, engine: Engine) -> None:
        """Install what Treadle has a profile of, by Treadle's own command."""
        if self.profile is None:
            await install(engine, self.name)


class OwnAgent(Contender):
    """Treadle's own agent, which Treadle itself installs, once for all tests."""

    @property
    def is_installed_by_treadle(self) -> bool:
        """No profile names it: its versions are those of its lock file."""
        return False

    @property
    def is_built_in(self) -> bool:
        """It is."""
        return True

    @property
    def package(self) -> str:
        """What it is built on."""
        return OWN_LIBRARY.search(OWN_REQUIREMENTS.read_text())[0].replace("==", " ")

    async def install(self, engine: Engine) -> None:
        """Do nothing: it is installed when it is first asked for."""


class NotHereError(Exception):
    """An agent can't run on this machine."""


def _claude(url: str) -> Pointing:
    return Pointing({"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY})


def _codex(url: str) -> Pointing:
    provider = {
        "name": "stub",
        "base_url": f"{url}/v1",
        "wire_api": "responses",
        "requires_openai_auth": True,
        "supports_websockets": False,
    }
    config = {"model": MODEL, "model_provider": "stub", "model_providers": {"stub": provider}}
    return Pointing({"CODEX_CONFIG": json.dumps(config), "OPENAI_API_KEY": KEY})


def _gemini(url: str) -> Pointing:
    auth = {"auth": {"selectedType": "gemini-api-key"}}
    settings = {"security": auth, "model": {"name": MODEL}}
    variables = {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": KEY}
    return Pointing(variables, {".gemini/settings.json": json.dumps(settings)})


def _opencode(url: str) -> Pointing:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {MODEL: {}},
    }
    config = {
        "provider": {"stub": provider},
        "model": f"stub/{MODEL}",
        "small_model": f"stub/{MODEL}",
    }
    files = {".config/opencode/opencode.json": json.dumps(config)}
    return Pointing({"OPENCODE_DISABLE_MODELS_FETCH": "1", **_reachable(url)}, files)


def _openai(url: str) -> Pointing:
    return Pointing({"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL})


def _reachable(url: str) -> Variables:
    """Let agents reach a server in the sandbox that only a file of their own names."""
    port = urlsplit(url).port
    return {"TREADLE_SANDBOX_PORTS": str(port)} if port else {}


def _copilot(url: str) -> Pointing:
    variables = {
        "COPILOT_OFFLINE": "1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": MODEL,
    }
    return Pointing(variables)


def _vibe(url: str) -> Pointing:
    config = f"""
enable_update_checks = false
enable_telemetry = false
active_model = "{MODEL}"

[[providers]]
name = "stub"
api_base = "{url}/v1"
api_key_env_var = "MISTRAL_API_KEY"
backend = "generic"

[[models]]
name = "{MODEL}"
provider = "stub"
alias = "{MODEL}"
"""
    return Pointing({"MISTRAL_API_KEY": KEY, **_reachable(url)}, {".vibe/config.toml": config})


FAST_AGENT: dict[str, object] = {
    "title": "fast-agent",
    "command": ["fast-agent-acp", "--model", f"generic.{MODEL}", "--shell"],
    "environment": ["GENERIC_API_KEY", "GENERIC_BASE_URL"],
    "set_environment": {"FAST_AGENT_HOME": "${home}"},
    "client": ["terminal"],
    "litter": [".fast-agent/"],
}


def _fast_agent(url: str) -> Pointing:
    return Pointing({"GENERIC_API_KEY": KEY, "GENERIC_BASE_URL": f"{url}/v1"})


def _treadle(url: str) -> Pointing:
    variables = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY}
    return Pointing(variables)


KILLS = ("agent killed", "worker killed")
USAGES = ("usage", "usage, stopped")
TELLS_NONE = "it answers a prompt without tokens"
LAST_CALL = "it answers a prompt with the tokens of its last model call, not of all"
GEMINI_LACKS = {
    "terminal": "it titles a tool that takes a command by that command alone, so the person is asked",
    "usage": "it tells no cached tokens apart from the input",
    "usage, stopped": "it answers a prompt that is stopped without tokens",
}
NO_PROFILE = "its profile is its user's, and names no package"
NO_LOAD = "it keeps a session only where its process leaves in good order"
CONTENDERS = (
    OwnAgent("treadle", _treadle, is_in_ci=True, is_whole_in_ci=True),
    Contender("codex", _codex, is_in_ci=True, is_whole_in_ci=True),
    Contender("claude", _claude, is_in_ci=True),
    Contender(
        "opencode", _opencode, is_in_ci=True, sessions=2, cannot=dict.fromkeys(USAGES, LAST_CALL)
    ),
    Contender("gemini", _gemini, sessions=2, cannot=GEMINI_LACKS),
    Contender("qwen", _openai, sessions=2),
    Contender("copilot", _copilot, sessions=2),
    Contender("vibe", _vibe, python=(3, 12)),
    Contender(
        "fast-agent",
        _fast_agent,
        profile=FAST_AGENT,
        python=(3, 12),
        cannot={"install": NO_PROFILE},
    ),
    Contender(
        "agentao",
        _openai,
        cannot=dict.fromkeys(KILLS, NO_LOAD) | dict.fromkeys(USAGES, TELLS_NONE),
    ),
)


def write_files(home: Path, files: Files) -> None:
    """Write an agent's files below a home."""
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
