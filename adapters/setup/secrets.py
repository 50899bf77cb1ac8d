"""Secrets that recipes name: read when a process needs them, and kept in memory only."""

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import keyring
from dotenv import dotenv_values
from keyring.errors import KeyringError

from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from domain.recipes.errors import SecretUnavailableError
from domain.recipes.recipe import Secret, User, WorkspaceRecipe

_LIMIT_SECONDS = 60.0
_LIMIT_BYTES = 64 << 10
_KEPT_SECONDS = 600.0


class RecipeSecrets:
    """Reads secrets; `learn` is told each value, so that it is kept out of all that is kept."""

    def __init__(self, spawner: Spawner, learn: Callable[[Mapping[str, str]], None]) -> None:
        self._spawner = spawner
        self._learn = learn
        self._known: dict[tuple[str, Secret], tuple[float, str]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def of(self, recipe: WorkspaceRecipe, repository: Path, user: str) -> dict[str, str]:
        """Return the secrets that one user gets, by their names.

        Raises:
            SecretUnavailableError: One cannot be read; says which, and why.
        """
        found: dict[str, str] = {}
        for name, secret in recipe.secrets.items():
            if user in secret.users or (_is_step(user) and User.VERIFICATION in secret.users):
                found[name] = await self._value(name, secret, repository)
        return found

    async def _value(self, name: str, secret: Secret, repository: Path) -> str:
        key = (str(repository), secret)
        async with self._one_at_a_time:  # a password manager asks once, not once a task
            read_at, value = self._known.get(key, (0.0, ""))
            if not value or time.monotonic() - read_at > _KEPT_SECONDS:
                value = await self._read(name, secret, repository)
                self._learn({name: value})
                self._known[key] = time.monotonic(), value
        return value

    async def _read(self, name: str, secret: Secret, repository: Path) -> str:
        try:
            if secret.command is not None:
                value = await self._printed(secret.command, repository)
            elif secret.file is not None:
                file = repository / secret.file
                values = await asyncio.to_thread(dotenv_values, file, interpolate=False)
                value = values.get(name)
            else:
                value = await asyncio.to_thread(keyring.get_password, secret.keyring or "", name)
        except (OSError, ValueError, KeyringError) as error:
            raise SecretUnavailableError(f"secret {name} cannot be read: {error}") from error
        if not value:
            where = secret.command or secret.file or f"keyring {secret.keyring!r}"
            raise SecretUnavailableError(f"secret {name} is not there: {where} has none")
        return value

    async def _printed(self, command: str, repository: Path) -> str:
        """Return what a command prints, run as the user does: it may need their login."""
        done = await self._spawner.run(
            Command(("/bin/sh", "-c", command), repository),
            limit_seconds=_LIMIT_SECONDS,
            output_limit_bytes=_LIMIT_BYTES,
        )
        if done.is_timed_out:
            raise OSError(f"{command} did not end within {_LIMIT_SECONDS:g} s")
        if done.returncode != 0:
            last = done.errors.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            raise OSError(f"{command}: {last[0]}")
        return done.output.text().rstrip("\n")


def _is_step(user: str) -> bool:
    return user not in {User.SETUP, User.AGENT, User.PERSON}
