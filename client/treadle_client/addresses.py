"""Where the API answers and with which token, found as the command line finds it."""

import json
import os
import tomllib
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
from platformdirs import user_config_path, user_data_path

from treadle_client.errors import AddressError

API_PORT = 8420
HERE = "local"
"""The TREADLE_URL of the engine on this machine."""

_LISTENING = "0A"
"""A socket's state in /proc/net/tcp."""


@dataclass(frozen=True)
class Address:
    """Where an API answers: a server's URL and token, or the data folder of this machine's engine."""

    url: str
    token: str = field(default="", repr=False)
    ca: str = ""
    """A file of certificates to trust in place of the system's."""
    data_dir: Path | None = None

    @property
    def socket(self) -> Path | None:
        """The engine's unix socket, which only its owner can use."""
        found = self.data_dir / "api.sock" if self.data_dir else None
        return found if found is not None and found.exists() else None

    def current_token(self) -> str:
        """Return the token to send now: an engine writes its own at its first start.

        Raises:
            AddressError: The port belongs to a process of another user, who would get the token.
        """
        if self.data_dir is None:
            return self.token
        file = self.data_dir / "token"
        try:
            token = file.read_text().strip()
        except OSError:
            return ""
        strangers = _listeners(httpx.URL(self.url).port or 0) - {os.getuid(), 0, file.stat().st_uid}
        if self.socket is None and strangers:
            raise AddressError(
                f"the port of {self.url} belongs to another user's process: nothing was sent"
            )
        return token

    @property
    def is_engine_alive(self) -> bool:
        """Whether this machine's engine runs, so that its API is likely to be back soon."""
        try:
            state = json.loads(((self.data_dir or Path()) / "engine.json").read_bytes())
            return Path("/proc", str(state["pid"])).exists()
        except (OSError, ValueError, KeyError, TypeError):
            return False


def find_address(url: str = "", token: str = "", ca: str = "") -> Address:
    """Return the address that is given, that TREADLE_URL names, that `treadle login` kept, or the local engine's.

    Raises:
        AddressError: It is none to send a token to.
    """
    url = url or os.environ.get("TREADLE_URL", "")
    token = token or os.environ.get("TREADLE_TOKEN", "")
    ca = ca or os.environ.get("TREADLE_CA", "")
    local = _local()
    kept = None if url == HERE else _kept(local.data_dir or Path())
    if url and url != HERE and (kept is None or kept.url != url.rstrip("/")):
        return Address(_checked(url), token, ca)
    if kept is not None:
        return Address(_checked(kept.url), token or kept.token, ca or kept.ca)
    return local


def _local() -> Address:
    folder = Path(os.environ.get("TREADLE_CONFIG_DIR") or user_config_path("treadle"))
    try:
        found: dict[str, Any] = tomllib.loads((folder / "config.toml").read_text())
    except (OSError, ValueError):
        found = {}
    data_dir = (
        os.environ.get("TREADLE_DATA_DIR") or found.get("data_dir") or user_data_path("treadle")
    )
    port = os.environ.get("TREADLE_API_PORT") or found.get("api_port", API_PORT)
    return Address(f"http://127.0.0.1:{port}", data_dir=Path(data_dir))


def _kept(data_dir: Path) -> Address | None:
    """Return what `treadle login` kept."""
    try:
        found = json.loads((data_dir / "login.json").read_bytes())
        return Address(str(found["url"]), str(found["token"]), str(found.get("ca") or ""))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _checked(text: str) -> str:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise AddressError(f"{text[:80]!r} is no URL: {error}") from error
    if url.userinfo or url.query or url.fragment:
        raise AddressError("give the server's address alone, like https://treadle.example")
    if url.scheme == "https" or (url.scheme == "http" and _is_loopback(url.host)):
        return text.rstrip("/")
    raise AddressError(
        f"{text[:80]!r} is neither https:// nor of this machine: your token would be readable on the way"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listeners(port: int) -> set[int]:
    """Return the user ids of the processes that listen on a local TCP port."""
    found: set[int] = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                found.add(int(fields[7]))
    return found
