"""Where the engine of this user answers: all that most commands need of the settings.

Reading it imports no library, so that a command starts at once. What is wrong is left to settings,
which names it.
"""

import json
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

API_PORT = 8420
LAST_PORT = 65_535

JOINED = "joined.toml"
"""The file of a data folder with the settings that `treadle hosts join` got; all other sources take precedence."""

LOGIN = "login.json"
"""The file of a data folder with what `treadle login` got, mode 0600."""

HERE = "local"
"""The TREADLE_URL of the engine on this machine."""

JOINED_TEMPORAL = "joined-temporal.toml"
"""The same of Temporal's client: a file of profiles."""


PAGE_HOST = "treadle.localhost"
"""The page's host on this machine."""


class EngineFiles:
    """What is where for an engine; shared by the settings and the address."""

    data_dir: Path
    api_port: int

    @property
    def api_url(self) -> str:
        """The API's base URL."""
        return f"http://127.0.0.1:{self.api_port}"

    @property
    def page_url(self) -> str:
        """Where this machine's browsers have the page: they are signed in by this name."""
        return f"http://{PAGE_HOST}:{self.api_port}"

    @property
    def token_file(self) -> Path:
        """The API's bearer token, made at first start, mode 0600."""
        return self.data_dir / "token"

    @property
    def api_socket(self) -> Path:
        """The API's unix socket, mode 0600."""
        return self.data_dir / "api.sock"


@dataclass(frozen=True)
class Address(EngineFiles):
    """Where an engine answers."""

    data_dir: Path
    api_port: int


@dataclass(frozen=True)
class Server:
    """A team's server that the command line talks to."""

    url: str
    token: str = field(repr=False)
    ca: str = ""
    """A file of certificates to trust in place of the system's."""


def read_server(data_dir: Path) -> Server | None:
    """Return the server that commands talk to; None for the engine of this machine.

    TREADLE_URL and TREADLE_TOKEN, or one of them, take precedence over what `treadle login` saved.
    """
    url, token = (os.environ.get(f"TREADLE_{name}", "") for name in ("URL", "TOKEN"))
    if url == HERE:
        return None
    try:
        saved: dict[str, Any] = json.loads((data_dir / LOGIN).read_bytes())
        found = Server(str(saved["url"]), str(saved["token"]), str(saved.get("ca") or ""))
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    ca = os.environ.get("TREADLE_CA", "")
    if url and (found is None or found.url != url.rstrip("/")):
        return Server(url.rstrip("/"), token, ca)
    return found and Server(found.url, token or found.token, ca or found.ca)


def config_dir() -> Path:
    """Return the folder of config.toml and of the user's templates and agents."""
    return Path(os.environ.get("TREADLE_CONFIG_DIR") or user_config_path("treadle"))


def use_joined_temporal(data_dir: Path) -> None:
    """Let Temporal's SDK read what a host got when it joined, unless another file is named already."""
    file = data_dir / JOINED_TEMPORAL
    if file.exists():
        os.environ.setdefault("TEMPORAL_CONFIG_FILE", str(file))


def is_temporal_configured() -> bool:
    """Tell whether TEMPORAL_* or a file of profiles is there, which may name a cluster.

    Only Temporal's SDK reads them, and to import it takes longer than all else of many commands.
    """
    if any(name.startswith("TEMPORAL_") for name in os.environ):
        return True
    return (user_config_path("temporalio") / "temporal.toml").exists()


def temporal_variable(name: str) -> str:
    """Return a variable of Temporal's own tools, empty where it is not set."""
    return os.environ.get(f"TEMPORAL_{name}", "")


def read_address() -> Address | None:
    """Return the address in the environment, in config.toml, or the default one.

    None where a setting is not as it should be.
    """
    try:
        found: dict[str, Any] = tomllib.loads((config_dir() / "config.toml").read_text())
    except FileNotFoundError:
        found = {}
    except (OSError, ValueError):
        return None
    for name, value in os.environ.items():
        if value and name.lower().startswith("treadle_"):
            found[name.lower().removeprefix("treadle_")] = value
    try:
        address = Address(
            data_dir=Path(found.get("data_dir") or user_data_path("treadle")),
            api_port=int(found.get("api_port", API_PORT)),
        )
    except (TypeError, ValueError):
        return None
    is_right = address.data_dir.is_absolute() and 0 < address.api_port <= LAST_PORT
    if is_right:
        use_joined_temporal(address.data_dir)
    return address if is_right else None
