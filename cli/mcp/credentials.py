"""The token that the MCP server acts with: one that only proposes, whatever its person may do.

It is made with the person's own credentials, once, and kept in the data folder with mode 0600. From then on
nothing else is sent: whoever finds it can propose and comment in that person's name, as a program.
"""

import os
import re
import secrets
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from address import EngineFiles, Server, read_address, read_server
from cli.core.client import Client
from cli.core.console import load_settings
from cli.core.errors import CommandError, RefusedError
from domain.core.acting import signature
from domain.people.tokens import token_hash

SCOPE = "proposer"
NAME = "MCP"
DAYS = 90
RENEWED = timedelta(days=7)
"""How long before its end a token is made anew, at the next start."""

MAX_CLIENTS = 16

_MADE_AGAIN = {"token_expired", "token_wrong", "token_missing"}


class Credential:
    """A token that only proposes, and clients that act with it."""

    def __init__(
        self, settings: EngineFiles, server: Server | None, token: str, file: Path | None
    ) -> None:
        self.token = token
        self.file = file
        """Where it is kept; None where it was given in the environment."""
        self.page = settings.page_url if server is None else server.url
        self.realm = token_hash(token)[:16]
        """A name of the token that is no secret."""
        self._settings = settings
        self._server = server
        self.client_for = lru_cache(MAX_CLIENTS)(self._client)
        self.signature_for = lru_cache(MAX_CLIENTS)(self._signature)

    def _client(self, program: str) -> Client:
        """Return the client that acts for a program: an editor, another agent."""
        return Client(self._settings, self._server, token=self.token, program=program)

    def _signature(self, program: str) -> str:
        """Return how what a program sends is signed; fails like `Client.get`."""
        me = self.client_for(program).get("/v1/me")
        return signature(me["person"], me["program"])


def proposing() -> Credential:
    """Return a token that only proposes: the one in use, the kept one, or a new one.

    Raises:
        CommandError: No engine answers, or the kept token was revoked.
    """
    settings = read_address() or load_settings()
    server = read_server(settings.data_dir)
    own = Client(settings, server)
    if server is not None and own.get("/v1/me")["scope"] == SCOPE:
        return Credential(settings, server, server.token, None)
    file = _file_of(settings, server)
    kept = Credential(settings, server, _read(file), file)
    if kept.token and _is_good(kept):
        return kept
    made: Any = own.post("/v1/tokens", {"name": NAME, "scope": SCOPE, "days": DAYS})
    _write(file, made["token"])
    return Credential(settings, server, made["token"], file)


def _is_good(kept: Credential) -> bool:
    """Tell whether a kept token may be used for a while.

    Raises:
        CommandError: It was revoked, or gives more than it should.
    """
    try:
        me = kept.client_for("").get("/v1/me")
    except RefusedError as error:
        if error.name == "token_revoked":
            raise CommandError(
                f"the token of `treadle mcp` was revoked; to create a new one, remove {kept.file}"
            ) from error
        if error.name in _MADE_AGAIN:
            return False
        raise
    if me["scope"] != SCOPE:
        raise CommandError(f"the token in {kept.file} can do more than propose: remove that file")
    until = datetime.fromisoformat(me["expires_at"])
    return until - datetime.now(UTC) > RENEWED


def _file_of(settings: EngineFiles, server: Server | None) -> Path:
    """Return where the token of an engine, or of a server elsewhere, is kept."""
    place = "" if server is None else "-" + re.sub(r"[^A-Za-z0-9.]+", "-", server.url)
    return settings.data_dir / f"mcp-token{place}"


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _write(file: Path, token: str) -> None:
    """Write a file that nobody else ever reads: it takes the place of another one when it is whole.

    Raises:
        CommandError: It cannot be written.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(f"{token}\n")
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise CommandError(f"{file} cannot be written: {error.strerror}") from error
