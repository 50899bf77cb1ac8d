"""Where the engine of this user answers: all that most commands need of the settings.

Reading it imports no library, so that a command starts at once. What is wrong is left to settings.py,
which names it.
"""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

API_PORT = 8420
LAST_PORT = 65_535


class EngineFiles:
    """What is where for an engine; shared by the settings and the address."""

    data_dir: Path
    api_port: int

    @property
    def api_url(self) -> str:
        """The API's base URL."""
        return f"http://127.0.0.1:{self.api_port}"

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


def config_dir() -> Path:
    """Return the folder of config.toml and of the user's templates and agents."""
    return Path(os.environ.get("TREADLE_CONFIG_DIR") or user_config_path("treadle"))


def is_temporal_configured() -> bool:
    """Tell whether TEMPORAL_* or a file of profiles is there, which may name a cluster.

    Only Temporal's SDK reads them, and to import it takes longer than all else of many commands.
    """
    if any(name.startswith("TEMPORAL_") for name in os.environ):
        return True
    return (user_config_path("temporalio") / "temporal.toml").exists()


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
    return address if is_right else None
