"""The files of a host that has joined, in its data folder, all of mode 0600."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from address import JOINED, JOINED_TEMPORAL
from cli.core.errors import CommandError

ATTEMPT = "joining"
"""The secret of an attempt to join, which may be repeated until its answer has arrived."""

SERVER = "joined-server"
"""The address of the server that the host joined."""

KEYS = ("payload.keys", "decision.key")


class JoinedFiles:
    """The files, in the data folder of the host."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    @property
    def has_joined(self) -> bool:
        """Whether the host has joined."""
        return (self._data_dir / JOINED).exists()

    @property
    def server(self) -> str:
        """The address of the server that the host joined; empty where it was not kept."""
        try:
            return (self._data_dir / SERVER).read_text().strip()
        except OSError:
            return ""

    def refuse_another(self, server: str) -> None:
        """Refuse to take a host that has joined for one of another server.

        Raises:
            CommandError: It has joined another.
        """
        if self.server not in {"", server}:
            raise CommandError(
                f"this host has joined {self.server} already, not {server}: add --again if that is its new "
                "address, or join with another data folder, which TREADLE_DATA_DIR names"
            )

    def refuse_own(self) -> None:
        """Refuse a data folder that has keys of its own.

        Raises:
            CommandError: It has; what was sealed with them would be lost.
        """
        own = [name for name in KEYS if (self._data_dir / name).exists()]
        if own:
            raise CommandError(
                f"{self._data_dir} has keys of its own ({', '.join(own)}), so it has not joined: join with an empty "
                "data folder, which TREADLE_DATA_DIR names, or remove them if nothing was done with them"
            )

    @property
    def known_host(self) -> str:
        """The id of the host that works in the data folder, empty before its first start."""
        try:
            return (self._data_dir / "host-id").read_text().strip()
        except OSError:
            return ""

    def host_id(self) -> str:
        """Return the host's id, made once."""
        return self._made("host-id", secrets.token_hex(4))

    def attempt(self) -> str:
        """Return the secret of the attempt that has no answer yet."""
        return self._made(ATTEMPT, secrets.token_urlsafe(32))

    def write(self, server: str, answer: Mapping[str, Any], name: str, labels: str) -> None:
        """Keep a server's answer; the settings come last, and say that the host has joined."""
        self._put(SERVER, server)
        self._put("payload.keys", answer["payload_keys"])
        self._put("decision.key", answer["decision_key"])
        temporal = toml({"profile": {"default": answer["temporal"]}})
        self._put(JOINED_TEMPORAL, temporal)
        host = {"name": name, **({"labels": labels} if labels else {})}
        self._put(JOINED, toml({**answer["settings"], "host": host}))
        (self._data_dir / ATTEMPT).unlink(missing_ok=True)

    def _made(self, name: str, fresh: str) -> str:
        path = self._data_dir / name
        if not path.exists():
            self._put(name, fresh)
        return path.read_text().strip()

    def _put(self, name: str, text: str) -> None:
        self._data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._data_dir / name
        draft = path.with_name(f".{name}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)


def toml(table: Mapping[str, Any], above: tuple[str, ...] = ()) -> str:
    """Return a table of texts, truths and tables as TOML."""
    values = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"{_quoted(name)} = {_value(value)}" for name, value in values.items()]
    head = [f"[{'.'.join(map(_quoted, above))}]"] if above and lines else []
    below = (toml(table[name], (*above, name)) for name in table if name not in values)
    return "\n".join([*head, *lines, "", *below])


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else _quoted(str(value))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
