"""Settings: the only reader of the environment and of config files in Treadle's own processes.

Every field is `TREADLE_<NAME>` in the environment or `<name>` in `config.toml` of the configuration
folder; an empty variable counts as none. Temporal's own (TEMPORAL_ADDRESS …) are read in adapters/temporal/.
"""

import getpass
import json
import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from platformdirs import user_data_path
from pydantic import Field, ValidationError
from pydantic_core import to_json
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from address import API_PORT, JOINED, EngineFiles, config_dir, use_joined_temporal
from domain.agents.limits.circling import CirclingLimits
from domain.agents.permissions import PermissionMode
from domain.hosts.host import HostSettings
from domain.plans.settings import PlannerSettings
from domain.queue.entry import QueueLimits
from settings.deployment import DeploymentSettings
from settings.forges import ForgeSettings
from settings.money import MoneySettings
from settings.news import NewsSettings
from settings.problems import problem_of
from settings.repositories import RepositorySettings
from settings.retention import RetentionSettings
from settings.sandboxes import Folder, SandboxSettings
from settings.serve import ServeSettings
from settings.trackers import TrackerSettings
from settings.webhooks import WebhookSettings

MODEL_VARIABLES = (
    *("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
    *("OLLAMA_BASE_URL", "OLLAMA_HOST", "TREADLE_AGENT_MODEL"),
)
"""With any one of these Treadle's own agent reaches a model."""


def _own_agent() -> str | None:
    return "treadle" if any(os.environ.get(name) for name in MODEL_VARIABLES) else None


def _started_in() -> Path:
    try:
        return Path.cwd()
    except OSError:  # it was removed
        return Path(os.sep)


Port = Annotated[int, Field(ge=1, le=65535)]


class PlannerTable(PlannerSettings, extra="forbid"):
    """The table `planner`; one that names a setting which is none is refused."""


class QueueTable(QueueLimits, extra="forbid"):
    """The table `queue`; the same."""


class HostTable(HostSettings, extra="forbid"):
    """The table `host`; the same."""


class Settings(
    SandboxSettings,
    RepositorySettings,
    RetentionSettings,
    NewsSettings,
    MoneySettings,
    TrackerSettings,
    DeploymentSettings,
    ServeSettings,
    ForgeSettings,
    WebhookSettings,
    EngineFiles,
):
    """Where things are and how much may run; read once at the start of each process."""

    model_config = SettingsConfigDict(
        env_prefix="TREADLE_",
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
    )

    data_dir: Folder = Field(default_factory=lambda: user_data_path("treadle"))
    """Folder of the journal, Temporal's database, worktrees, agent homes, keys and logs; mode 0700."""

    api_port: Port = API_PORT
    """Port of the API on 127.0.0.1."""

    api_host: Literal["127.0.0.1", "0.0.0.0"] = "127.0.0.1"  # noqa: S104 - refused outside of containers
    """Address that the API listens on; `0.0.0.0` is for containers, whose port is published on 127.0.0.1."""

    temporal_port: Port = 7233
    """Port of the embedded Temporal server on 127.0.0.1."""

    temporal_ui_port: Port = 8233
    """Port of the embedded server's Web UI on 127.0.0.1."""

    is_temporal_ui_on: bool = True
    """Whether the embedded server serves its Web UI; `treadle open --temporal` signs you in."""

    temporal_ui_url: Annotated[str, Field(pattern="^https?://[^/@?#]+(/[^?#]*)?$")] | None = None
    """Web UI of your own cluster: at `http://` served decoded, as the embedded one; `https://` is only linked."""

    programs_dir: Folder | None = None
    """Where `treadle agents install` installs agents; `programs` in the data folder by default."""

    journal_url: str | None = None
    """SQLAlchemy URL of the journal, for PostgreSQL; a SQLite file in the data folder by default."""

    working_folder: Folder = Field(default_factory=_started_in)
    """Folder of flow runs that name none."""

    default_agent: str | None = Field(default_factory=_own_agent)
    """Agent of threads that name none; `treadle`, the built-in agent, if the key of a model is set."""

    max_turns: Annotated[int, Field(ge=1, le=64)] = 8
    """Agent turns that run at the same time on this host; plan for 0.5 GB of memory each."""

    host: HostTable = HostTable()
    """What this host is called and labelled, where threads are placed on several."""

    planner: PlannerTable = PlannerTable()
    """How plans run, unless the thread says otherwise; see domain/plans/settings.py."""

    queue: QueueTable = QueueTable()
    """How much runs at the same time when the queue starts something, until a person says otherwise."""

    plan_files: bool = False
    """Whether the agents of new threads may keep plan files, unless the thread says otherwise."""

    idle_agent_seconds: Annotated[int, Field(ge=1)] = 600
    """The process of an agent is closed after this many seconds without a turn."""

    turn_idle_seconds: Annotated[int, Field(ge=1)] = 1800
    """A turn in which the agent sends nothing for this many seconds is ended."""

    circling: CirclingLimits = CirclingLimits()
    """What an agent may do in one turn before you are told, and before it is ended."""

    permissions: PermissionMode = PermissionMode.POLICY
    """When you are asked for permission: `policy` for what leaves the sandbox, `ask` for every action, `allow` never."""

    question_wait_seconds: Annotated[int, Field(ge=1, le=21_600)] = 3600
    """After a turn has waited this long for your answers, its agent is closed; the answer starts it again."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then the environment, then config.toml, then what the host got when it joined."""
        del dotenv_settings, file_secret_settings
        toml = TomlConfigSettingsSource(settings_cls, config_dir() / "config.toml")
        given = {**toml(), **env_settings(), **init_settings()}.get("data_dir")
        joined = Path(given or user_data_path("treadle")).expanduser() / JOINED
        return init_settings, env_settings, toml, TomlConfigSettingsSource(settings_cls, joined)

    @property
    def programs(self) -> Path:
        """The folder of installed agents, which agents may read."""
        return self.programs_dir or self.data_dir / "programs"

    @property
    def journal(self) -> str:
        """The journal's SQLAlchemy URL."""
        return self.journal_url or f"sqlite+aiosqlite:///{self.data_dir / 'journal.db'}"

    @property
    def code_key_file(self) -> Path:
        """The key of decision codes, mode 0600."""
        return self.data_dir / "decision.key"

    @property
    def payload_key_file(self) -> Path:
        """The keys that seal what Temporal holds, mode 0600."""
        return self.data_dir / "payload.keys"


class SettingsError(Exception):
    """A setting is wrong; the message names each wrong one, a line each."""


def load_settings() -> Settings:
    """Read the settings.

    Raises:
        SettingsError: A variable, or config.toml, is not as it should be.
    """
    file = config_dir() / "config.toml"
    try:
        settings = Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from error
    except ValidationError as error:
        raise SettingsError("\n".join(problem_of(file, each) for each in error.errors())) from error
    use_joined_temporal(settings.data_dir)
    return settings


def home_dir() -> Path:
    """Return the home of who runs this process, where more templates may lie."""
    return Path.home()


def environment(names: tuple[str, ...]) -> dict[str, str]:
    """Return the named variables that are set: what an agent's profile may hand on."""
    return {name: os.environ[name] for name in names if name in os.environ}


def environment_of(settings: Settings) -> dict[str, str]:
    """Return this process's environment with settings put in, for a child that shall have them."""
    chosen = settings.model_dump(exclude_unset=True)
    chosen |= {
        name: json.dumps(value, default=str)
        for name, value in chosen.items()
        if isinstance(value, tuple)
    }
    for table in [name for name, value in chosen.items() if isinstance(value, dict)]:
        chosen |= {f"{table}_{name}": value for name, value in chosen.pop(table).items()}
    values = {f"TREADLE_{name.upper()}": _variable(value) for name, value in chosen.items()}
    return {**os.environ, **values}


def _variable(value: object) -> str:
    """Return a value as pydantic-settings reads it from a variable: lists as JSON."""
    return to_json(value).decode() if isinstance(value, list | tuple) else str(value)


def secret_of(file: Path | None, variable: str) -> str | None:
    """Return a secret that a setting names by its file, or by its variable; None where there is none.

    Raises:
        SettingsError: The file cannot be read.
    """
    if file is None:
        return os.environ.get(variable) or None
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from error


def user_name() -> str:
    """Return who runs this process: whose token it is, and who is named in decisions."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"
