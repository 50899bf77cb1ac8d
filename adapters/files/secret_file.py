"""Secrets of this installation: the API's token and the key of decision codes."""

import os
import secrets
from pathlib import Path


class SecretFile:
    """A secret in a file of mode 0600, made of 256 random bits at first use."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> bytes:
        """Return the secret, the same to all processes, in letters, digits, `-` and `_`."""
        try:
            return self.path.read_bytes().strip()
        except FileNotFoundError:
            self._make()
            return self.path.read_bytes().strip()

    def draw(self) -> str:
        """Return a new secret."""
        return secrets.token_urlsafe(32)

    def _make(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(self.draw() + "\n")
            file.flush()
            os.fsync(file.fileno())  # what is sealed with it must not outlive it
        try:
            os.link(draft, self.path)  # the first of two processes wins, and nobody reads half
        except FileExistsError:
            pass
        finally:
            draft.unlink()
