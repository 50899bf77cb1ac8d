"""Where `treadle login` keeps what it got: a file of the data folder, which agents do not see."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from address import LOGIN
from cli.core.errors import CommandError


class LoginFile:
    """The file, mode 0600."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / LOGIN

    def read(self) -> dict[str, Any] | None:
        """Return what is kept; None where nobody is signed in."""
        try:
            return json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return None

    def write(self, login: Mapping[str, Any]) -> None:
        """Keep a sign-in in place of the one before.

        Raises:
            CommandError: The file cannot be written.
        """
        draft = self._path.with_name(f".{LOGIN}.{secrets.token_hex(4)}")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(login, file)
            draft.replace(self._path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            words = f"{self._path} cannot be written: {error.strerror}"
            raise CommandError(words) from error

    def remove(self) -> None:
        """Forget the sign-in."""
        self._path.unlink(missing_ok=True)
