"""The client of the REST API."""

import contextlib
import secrets
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from address import EngineFiles, Server, read_address, read_server
from cli.core.console import load_settings, say
from cli.core.errors import CommandError, RefusedError, UnreachableError
from cli.core.patience import RESTART_SECONDS, RETRY_SECONDS, is_worth_waiting, seconds_to_wait
from cli.core.transport import HEADERS, EngineTransport, ForeignPortError

CONFIRMATION_SECONDS = 60
_LONG = httpx.Timeout(30, read=300)
"""For answers from a whole journal, whose first byte may take long."""

STREAM_SILENCE_SECONDS = 45
"""The API sends a ping every 15 s; three missing ones mean that it is gone."""

_PENDING = "/v1/commands/"
_DOTS = frozenset({".", ".."})


class Client:
    """A client of one engine's API: the one of this machine, or a server."""

    def __init__(
        self,
        settings: EngineFiles,
        server: Server | None = None,
        patience: float = RESTART_SECONDS,
        *,
        token: str = "",
        program: str = "",
    ) -> None:
        """Connect; with a `token` in place of the saved one, for a `program` that acts with it."""
        self._patience = patience
        self._settings = settings
        self._server = server
        self._own_token = token
        self._named = {"X-Treadle-Client": program} if program else {}
        if server is not None:
            from cli.core.servers import way_to  # what most commands do not need

            self._http = httpx.Client(**way_to(server))
            return
        self._http = httpx.Client(
            base_url=settings.api_url,
            transport=EngineTransport(settings),
            timeout=30,
            headers=HEADERS,
        )

    @property
    def is_local(self) -> bool:
        """Whether this is the engine of this machine, and no server."""
        return self._server is None

    def close(self) -> None:
        """Close all connections; a command that ends need not."""
        self._http.close()

    def is_answered(self) -> bool:
        """Tell whether an engine answers.

        Raises:
            UnreachableError: The port belongs to another user's process.
        """
        try:
            return self._http.get("/v1/health", timeout=3).is_success
        except ForeignPortError as error:
            raise UnreachableError(str(error)) from error
        except httpx.TransportError:
            return False

    def get(self, path: str, **parameters: str | int) -> Any:
        """Read something.

        Raises:
            RefusedError: The API refused the request.
            UnreachableError: Nothing answers.
        """
        return self._send("GET", path, params=parameters).json()

    def text(self, path: str, **parameters: str) -> str:
        """Read a text, like a diff; fails like `get`."""
        return self._send("GET", path, params=parameters).text

    def pieces(self, path: str, **parameters: str) -> Iterator[str]:
        """Read a long text piece by piece; fails like `get`, and if it is cut off."""
        with (
            self._transport_errors(),
            self._http.stream(
                "GET", path, headers=self._token(), params=parameters, timeout=_LONG
            ) as answer,
        ):
            if answer.is_error:
                answer.read()
                raise self._refusal(answer)
            yield from answer.iter_text()

    def post(self, path: str, body: Mapping[str, Any], **parameters: str) -> Any:
        """Send a command; fails like `get`.

        Every command gets an id: it is repeated until a worker confirms it, and carried out once.
        """
        return self._command("POST", path, body, parameters)

    def delete(self, path: str, body: Mapping[str, Any]) -> Any:
        """Delete something, like `post`."""
        return self._command("DELETE", path, body)

    def _command(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any],
        parameters: Mapping[str, str] | None = None,
    ) -> Any:
        body = {"command_id": secrets.token_hex(8), **body}
        message = {name: value for name, value in body.items() if value is not None}
        gives_up = time.monotonic() + CONFIRMATION_SECONDS
        while True:
            try:
                answer = self._send(method, path, json=message, params=parameters)
            except RefusedError as error:
                if error.name != "not_confirmed" or time.monotonic() > gives_up:
                    raise
            else:
                if not _is_pending(answer) or not self._is_taken(answer, gives_up):
                    return answer.json() if answer.content else {}

    def _is_taken(self, answer: httpx.Response, gives_up: float) -> bool:
        """Wait until a worker has taken a command that was accepted; sent again it is answered then."""
        while time.monotonic() < gives_up:
            time.sleep(RETRY_SECONDS)
            with self._transport_errors():
                asked = self._patiently("GET", answer.headers["Location"], {})
            if not _is_pending(asked):
                return True
        return False

    def events(
        self, path: str, after: int, on_open: Callable[[httpx.Response], None] | None = None
    ) -> Iterator[ServerSentEvent]:
        """Yield the events after a position until the connection ends; fails like `get`."""
        headers = {**self._token(), "Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10, read=STREAM_SILENCE_SECONDS)
        with (
            self._transport_errors(),
            connect_sse(self._http, "GET", path, headers=headers, timeout=timeout) as source,
        ):
            if source.response.is_error:
                source.response.read()
                raise self._refusal(source.response)
            if on_open is not None:
                on_open(source.response)
            yield from (event for event in source.iter_sse() if event.data)

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        with self._transport_errors():
            answer = self._patiently(method, path, options)
        if answer.is_error or answer.is_redirect:
            raise self._refusal(answer)
        return answer

    def _refusal(self, answer: httpx.Response) -> CommandError:
        """Return an error response as an exception, with what to do about a server elsewhere."""
        if self._server is not None and answer.is_redirect:
            where = answer.headers.get("Location", "another page")[:200]
            return UnreachableError(f"{self._server.url} leads to {where}: is it a Treadle server?")
        if self._server is not None and answer.status_code == HTTPStatus.UNAUTHORIZED:
            hint = f"sign in with `treadle login {self._server.url}`"
            return RefusedError({**refusal(answer).problem, "hint": hint})
        return refusal(answer)

    def _patiently(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        """Send a request, and retry while the API restarts, or is too busy for a moment.

        Nothing is done twice, as commands have ids.
        """
        gives_up = time.monotonic() + self._patience
        is_elsewhere = self._server is not None
        is_reported = False
        while True:
            token, pause = self._token(), RETRY_SECONDS
            try:
                answer = self._http.request(method, path, headers=token, **options)
                if token or answer.status_code != HTTPStatus.UNAUTHORIZED or not self._token():
                    wanted = seconds_to_wait(answer)
                    if wanted is None or time.monotonic() + wanted > gives_up:
                        return answer
                    pause = wanted  # otherwise the engine has just written its first token
            except httpx.TransportError as error:
                is_hopeless = time.monotonic() > gives_up
                if is_hopeless or not is_worth_waiting(
                    error, self._settings, elsewhere=is_elsewhere
                ):
                    raise
            if not is_reported:
                say(f"{self._name} is restarting or busy; retrying.", style="dim")
                is_reported = True
            time.sleep(pause)

    @property
    def _name(self) -> str:
        return "The engine's API" if self._server is None else self._server.url

    def _token(self) -> dict[str, str]:
        if self._own_token:
            return {"Authorization": f"Bearer {self._own_token}", **self._named}
        if self._server is not None:
            return {"Authorization": f"Bearer {self._server.token}"}
        try:
            return {"Authorization": f"Bearer {self._settings.token_file.read_text().strip()}"}
        except OSError:
            return {}

    @contextlib.contextmanager
    def _transport_errors(self) -> Generator[None]:
        try:
            yield
        except ForeignPortError as error:
            raise UnreachableError(str(error)) from error
        except httpx.TransportError as error:
            if self._server is None:
                raise self._unreachable(error) from error
            from cli.core.servers import why_not

            raise UnreachableError(why_not(self._server.url, error)) from error
        except httpx.InvalidURL as error:
            raise CommandError(f"invalid value: {error}") from error

    def _unreachable(self, error: httpx.TransportError) -> UnreachableError:
        if isinstance(error, httpx.ReadTimeout):
            return UnreachableError(
                f"the engine at {self._settings.api_url} did not answer in time and may be busy; "
                f"logs are in {self._settings.data_dir / 'logs'}"
            )
        return UnreachableError(
            f"no engine is running at {self._settings.api_url}: start one with `treadle up`, "
            "or set TREADLE_API_PORT"
        )


def connect(patience: float = RESTART_SECONDS) -> Client:
    """Return a client of the server that this user is signed in at, or else of their engine.

    It sends again for `patience` seconds while that starts anew.
    An invalid setting ends the command.

    Raises:
        CommandError: The server's address is not safe.
    """
    settings = read_address() or load_settings()
    return Client(settings, read_server(settings.data_dir), patience)


def refusal(answer: httpx.Response) -> RefusedError:
    """Return an error response as an exception; if it is not a problem document, quote it."""
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or "title" not in problem:
        problem = {
            "title": f"{answer.status_code} {answer.reason_phrase}",
            "detail": answer.text[:200],
        }
    return RefusedError({"status": answer.status_code, **problem})


EMPTY = "a name is empty: give an id or a part of it"


def path_of(*parts: str) -> str:
    """Return a path under /v1 with every part quoted, including dots that would change the path.

    Raises:
        CommandError: A part is empty, which would be another path.
    """
    if not all(parts):
        raise CommandError(EMPTY)
    return "/v1/" + "/".join(
        part.replace(".", "%2E") if part in _DOTS else quote(part, safe="") for part in parts
    )


def _is_pending(answer: httpx.Response) -> bool:
    """Tell whether a command was accepted, and waits for a worker."""
    is_accepted = answer.status_code == HTTPStatus.ACCEPTED
    return is_accepted and answer.headers.get("Location", "").startswith(_PENDING)
