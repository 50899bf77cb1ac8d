"""Where a forge's token comes from: a variable, the forge's CLI, or an installation of a GitHub App.

No token is ever in a message; `name` says where it should have come from.
"""

import asyncio
import os
import stat
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from pydantic import BaseModel, ValidationError

from domain.forges.errors import ForgeAccessError, ForgeBusyError
from domain.forges.settings import ForgeOptions

Learn = Callable[[Mapping[str, str]], None]

_CLI_SECONDS = 10
_KEPT_SECONDS = 300.0
_APP_SECONDS = 50 * 60.0
"""An installation's token is valid for an hour."""
_JWT_SECONDS = 540
_KEY_BYTES = 16_384
_MADE = 201
_SERVER_ERRORS = 500


class Tokens(Protocol):
    """Where one forge's token comes from."""

    name: str

    def is_missing(self) -> bool:
        """Tell whether there is none for sure, without asking anybody."""
        ...

    async def token(self) -> str:
        """Return the token; `ForgeAccessError` where there is none."""
        ...

    def drop(self) -> None:
        """Forget a token that the forge refused."""
        ...


class FixedToken:
    """A token that does not change while the process runs."""

    def __init__(self, token: str | None, name: str) -> None:
        """Make it; `name` is the variable that it was read from."""
        self.name = name
        self._token = token

    def is_missing(self) -> bool:
        """Tell whether the variable is empty."""
        return not self._token

    async def token(self) -> str:
        """Return the variable's value."""
        return checked(self._token or "", self.name)

    def drop(self) -> None:
        """Keep it: there is no other."""


class CliToken:
    """The token of `gh` or `glab`, where a person is logged in with it."""

    def __init__(self, program: str, host: str, learn: Learn) -> None:
        self.name = f"`{program}`"
        command = ("auth", "token", "--hostname", host)
        self._command = (program, *command)
        if program == "glab":
            self._command = (program, "config", "get", "token", "--host", host)
        self._kept = _Kept(self.name, learn)

    def is_missing(self) -> bool:
        """Say no: only the program knows."""
        return False

    async def token(self) -> str:
        """Return what the program prints, asked again after five minutes."""
        if self._kept.is_old:
            self._kept.keep(await asyncio.to_thread(self._printed), _KEPT_SECONDS)
        return self._kept.token

    def _printed(self) -> str:
        try:
            done = subprocess.run(  # noqa: S603 - fixed arguments, no shell
                self._command,
                capture_output=True,
                text=True,
                timeout=_CLI_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
                cwd=Path(os.sep),
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
            raise ForgeAccessError(
                f"{self.name} gives no token ({type(error).__name__}): install it and log in, or set token_env"
            ) from None
        if done.returncode or not done.stdout.strip():
            raise ForgeAccessError(
                f"{self.name} is not logged in: run `{self._command[0]} auth login`"
            )
        return done.stdout.strip()

    def drop(self) -> None:
        """Ask the program again next time."""
        self._kept.forget()


class _Installed(BaseModel):
    token: str


class AppToken:
    """Tokens of a GitHub App's installation, each used until shortly before it expires."""

    def __init__(self, options: ForgeOptions, learn: Learn) -> None:
        self.name = f"the GitHub App {options.app_id}"
        self._options = options
        self._kept = _Kept(self.name, learn)

    def is_missing(self) -> bool:
        """Say no: the forge knows."""
        return False

    async def token(self) -> str:
        """Return the installation's token, made now where there is none."""
        if self._kept.is_old:
            self._kept.keep(await self._made(), _APP_SECONDS)
        return self._kept.token

    def drop(self) -> None:
        """Make another one next time."""
        self._kept.forget()

    async def _made(self) -> str:
        signed = await asyncio.to_thread(self._signed)
        path = f"/app/installations/{self._options.installation_id}/access_tokens"
        headers = {"Authorization": f"Bearer {signed}", "User-Agent": "treadle"}
        try:
            async with httpx.AsyncClient(headers=headers, timeout=30.0) as client:
                response = await client.post(f"{self._options.root}{path}")
        except httpx.HTTPError as error:
            words = f"the forge does not answer ({type(error).__name__})"
            raise ForgeBusyError(words) from None
        if response.status_code >= _SERVER_ERRORS:
            raise ForgeBusyError(f"the forge fails with {response.status_code}")
        if response.status_code != _MADE:
            raise ForgeAccessError(
                f"{self.name} gets no token ({response.status_code}): check app_id, "
                f"installation_id and private_key_file of {self._options.host}"
            )
        try:
            return _Installed.model_validate_json(response.content).token
        except ValidationError:
            raise ForgeAccessError(f"{self.name} gets no token: is it a GitHub?") from None

    def _signed(self) -> str:
        now = int(time.time())
        claims = {"iat": now - 60, "exp": now + _JWT_SECONDS, "iss": self._options.app_id}
        try:
            key = RSAKey.import_key(private_key(Path(self._options.private_key_file or "")))
            return jwt.encode({"alg": "RS256"}, claims, key)
        except (OSError, ValueError, JoseError) as error:
            raise ForgeAccessError(
                f"{self._options.private_key_file} is no private key that can be read "
                f"({type(error).__name__}): it must be a PEM file with mode 0600"
            ) from None


class _Kept:
    """A token that is kept for a while, and known to the redactor."""

    def __init__(self, name: str, learn: Learn) -> None:
        self._name = name
        self._learn = learn
        self._until = 0.0
        self.token = ""

    @property
    def is_old(self) -> bool:
        return time.monotonic() >= self._until

    def keep(self, token: str, seconds: float) -> None:
        self.token = checked(token, self._name)
        self._learn({f"token of {self._name}": token})
        self._until = time.monotonic() + seconds

    def forget(self) -> None:
        self._until = 0.0


def private_key(file: Path) -> str:
    """Return a private key; one that others may read is refused with a `ValueError`."""
    with file.open("rb") as opened:
        if stat.S_IMODE(os.fstat(opened.fileno()).st_mode) & 0o077:
            raise ValueError(f"{file} is readable by others")
        return opened.read(_KEY_BYTES).decode()


def checked(token: str, name: str) -> str:
    """Return a token that fits into a header; libraries put one that does not into their messages."""
    if not token:
        raise ForgeAccessError(f"there is no token in {name}: set it and start Treadle again")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise ForgeAccessError(
            f"the token in {name} has characters that no token has: set it again"
        )
    return token
