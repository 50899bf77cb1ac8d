"""The client of the REST API."""

import contextlib
import secrets
import time
from collections.abc import Generator, Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from address import EngineFiles, read_address
from cli.core.console import load_settings, say
from cli.core.errors import CommandError, RefusedError, UnreachableError
from cli.core.transport import EngineTransport, ForeignPortError, is_engine_alive

CONFIRMATION_SECONDS = 30
RESTART_SECONDS = 10
_LONG = httpx.Timeout(30, read=300)
"""For answers from a whole journal, whose first byte may take long."""

RETRY_SECONDS = 0.2
STREAM_SILENCE_SECONDS = 45
"""The API sends a ping every 15 s; three missing ones mean that it is gone."""

_PENDING = "/v1/commands/"
_DOTS = frozenset({".", ".."})


class Client:
    """A client of one engine's API."""

    def __init__(self, settings: EngineFiles) -> None:
        self._settings = settings
        self._http = httpx.Client(
            base_url=settings.api_url,
            transport=EngineTransport(settings),
            timeout=30,
            headers={"X-Treadle": "1"},
        )

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
                raise refusal(answer)
            yield from answer.iter_text()

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a command; fails like `get`.

        Every command gets an id: it is repeated until a worker confirms it, and carried out once.
        """
        return self._command("POST", path, body)

    def delete(self, path: str, body: Mapping[str, Any]) -> Any:
        """Delete something, like `post`."""
        return self._command("DELETE", path, body)

    def _command(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        body = {"command_id": secrets.token_hex(8), **body}
        message = {name: value for name, value in body.items() if value is not None}
        gives_up = time.monotonic() + CONFIRMATION_SECONDS
        while True:
            try:
                answer = self._send(method, path, json=message)
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

    def events(self, path: str, after: int) -> Iterator[ServerSentEvent]:
        """Yield the events after a position until the connection ends; fails like `get`."""
        headers = {**self._token(), "Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10, read=STREAM_SILENCE_SECONDS)
        with (
            self._transport_errors(),
            connect_sse(self._http, "GET", path, headers=headers, timeout=timeout) as source,
        ):
            if source.response.is_error:
                source.response.read()
                raise refusal(source.response)
            # pings have no data
            yield from (event for event in source.iter_sse() if event.data)

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        with self._transport_errors():
            answer = self._patiently(method, path, options)
        if answer.is_error:
            raise refusal(answer)
        return answer

    def _patiently(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        """Send a request, and retry for some seconds while the engine restarts its API.

        Nothing is done twice, as commands have ids.
        """
        gives_up = time.monotonic() + RESTART_SECONDS
        is_reported = False
        while True:
            token = self._token()
            try:
                answer = self._http.request(method, path, headers=token, **options)
                if token or answer.status_code != HTTPStatus.UNAUTHORIZED or not self._token():
                    return answer  # otherwise the engine has just written its first token
            except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
                is_hopeless = isinstance(error, ForeignPortError) or time.monotonic() > gives_up
                if is_hopeless or not is_engine_alive(self._settings):
                    raise
            if not is_reported:
                say("The engine's API is restarting; retrying.", style="dim")
                is_reported = True
            time.sleep(RETRY_SECONDS)

    def _token(self) -> dict[str, str]:
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
        except httpx.ReadTimeout as error:
            raise UnreachableError(
                f"the engine at {self._settings.api_url} did not answer in time and may be busy; "
                f"logs are in {self._settings.data_dir / 'logs'}"
            ) from error
        except httpx.InvalidURL as error:
            raise CommandError(f"invalid value: {error}") from error
        except httpx.TransportError as error:
            raise UnreachableError(
                f"no engine is running at {self._settings.api_url}: start one with `treadle up`, "
                "or set TREADLE_API_PORT"
            ) from error


def connect() -> Client:
    """Return a client of this user's engine; an invalid setting ends the command."""
    return Client(read_address() or load_settings())


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
