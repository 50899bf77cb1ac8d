"""The listener of `treadle serve`: what must be true before it listens, and how it speaks TLS."""

import asyncio
import re
import ssl
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from adapters.data_version import check_data_version
from adapters.files.people_file import NAME as PEOPLE
from adapters.files.people_file import PeopleFile
from adapters.logs import keep_log_clean
from api.app import create_app
from api.core.key_check import check_keys
from api.core.listeners import bound
from api.core.reach import team_reach
from api.core.redaction import make_redactor
from api.server import Server, allow_open_files
from api.webhooks.secrets import WebhookSecretError, checked_secrets
from domain.people.access import PeopleFileError
from settings import Settings, config_dir
from settings.serve import PUBLIC_URL, ServeTable

RENEWAL_SECONDS = 60


class ServeError(Exception):
    """It is not safe to listen like this; the message says what to set."""


def is_loopback(host: str) -> bool:
    """Tell whether an address, or the name of one, is of this machine only."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return is_address(host) and ip_address(host.strip("[]")).is_loopback


def is_address(host: str) -> bool:
    """Tell whether a host is a network address, not a name."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def check_serving(settings: Settings, people: PeopleFile) -> None:
    """Refuse to listen where a password or a token could be read on the way, or where nobody has a role.

    Raises:
        ServeError: It would be so.
    """
    serve = settings.serve
    _check_url(settings)
    _check_tls(serve)
    if not serve.behind_proxy and serve.tls_cert is None:
        if not is_loopback(serve.host):
            raise ServeError(
                f"{serve.host} is beyond this machine: give a certificate with --tls-cert and --tls-key, or "
                "--behind-proxy where a reverse proxy speaks TLS"
            )
        if (settings.public_url or "").startswith("https://"):
            raise ServeError(
                "nothing speaks HTTPS for the public URL: give --tls-cert and --tls-key, or --behind-proxy"
            )
    _check_passkeys(settings)
    _check_webhooks(settings)
    _check_people(people)


def _check_passkeys(settings: Settings) -> None:
    if not settings.passkeys:
        return
    other = "TREADLE_OIDC_ISSUER" if settings.oidc.issuer else ""
    other = "TREADLE_PROXY_HEADER" if settings.proxy.header else other
    if other:
        raise ServeError(
            f"people sign in one way only: unset TREADLE_PASSKEYS, or {other}, which names people too"
        )
    host = urlsplit(settings.public_url or "").hostname or ""
    if is_address(host):
        raise ServeError(
            f"passkeys belong to a name: let TREADLE_PUBLIC_URL name this server, not its address {host}"
        )


def _check_webhooks(settings: Settings) -> None:
    if not settings.serve.takes_webhooks:
        return
    if not settings.webhooks.is_on:
        raise ServeError(
            "webhooks have no listener: set TREADLE_WEBHOOKS_LISTEN to an address and a port, or unset "
            "TREADLE_SERVE_TAKES_WEBHOOKS"
        )
    for sender in settings.webhooks.senders:
        try:
            checked_secrets(sender)
        except WebhookSecretError as error:
            raise ServeError(str(error)) from error
        if sender.template is not None:  # started as the owner, who is none of the team
            raise ServeError(
                f"webhook {sender.name}: {sender.template} is started by the API of `treadle api` or `treadle up`: "
                "let webhooks come in there, or name no template"
            )


def _check_url(settings: Settings) -> None:
    if settings.public_url is None:
        raise ServeError(
            "set TREADLE_PUBLIC_URL to the address that people open, like https://treadle.example.org"
        )
    if not re.fullmatch(PUBLIC_URL, settings.public_url):
        raise ServeError(
            f"the public URL {settings.public_url} must be like https://treadle.example.org, without a path"
        )
    parts = urlsplit(settings.public_url)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise ServeError(
            "TREADLE_PUBLIC_URL must begin with https://: cookies and tokens are sent to it"
        )


def _check_tls(serve: ServeTable) -> None:
    if (serve.tls_cert is None) != (serve.tls_key is None):
        raise ServeError("--tls-cert and --tls-key go together: give both, or none")
    if serve.tls_cert is None or serve.tls_key is None:
        return
    if serve.behind_proxy:
        raise ServeError("choose one: a certificate of its own, or --behind-proxy")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            serve.tls_cert, serve.tls_key, password=_no_password
        )
    except (OSError, ssl.SSLError, ValueError) as error:
        words = f"{serve.tls_cert} and {serve.tls_key} are no certificate with its key: {error}"
        raise ServeError(words) from error


def _no_password() -> str:
    raise ValueError("the key has a password: store it without one, readable by this user only")


def _check_people(people: PeopleFile) -> None:
    try:
        directory = people.read()
    except PeopleFileError as error:
        raise ServeError(str(error)) from error
    if directory is None:
        raise ServeError(
            f"nobody but you may use this server yet: name people and their roles in {people.path}"
        )


async def serve_team(settings: Settings, on_start: Callable[[], None]) -> None:
    """Serve the API to a team until the process is told to stop; `on_start` is called when it listens.

    Raises:
        ServeError: It would not be safe, or nobody could use it.
        PortTakenError: The port is in use.
        JournalError: The journal cannot be opened, or has other keys than this host's.
        DataVersionError: The data folder is of a Treadle that is too new.
    """
    check_serving(settings, PeopleFile(config_dir() / PEOPLE))
    allow_open_files()
    serve = settings.serve
    # the engine on this machine serves its metrics itself
    settings = settings.model_copy(update={"metrics_port": None})
    with bound(serve.port, serve.host, "TREADLE_SERVE_PORT") as listener:
        check_data_version(settings.data_dir)
        keep_log_clean(make_redactor(settings), settings.log_format, settings.log_level)
        app = create_app(settings, reach=team_reach(settings))
        await check_keys(settings)
        on_start()
        server = Server(app, serve.tls_cert, serve.tls_key)
        renewing = asyncio.create_task(_renew_certificate(server, serve))
        try:
            await server.serve(sockets=[listener])
        finally:
            renewing.cancel()


async def _renew_certificate(server: Server, serve: ServeTable) -> None:
    """Load the certificate again whenever its files change, for new connections."""
    if serve.tls_cert is None or serve.tls_key is None:
        return
    seen = _stamp(serve)
    while True:
        await asyncio.sleep(RENEWAL_SECONDS)
        if (found := _stamp(serve)) != seen and server.renew_certificate():
            seen = found


def _stamp(serve: ServeTable) -> tuple[float, ...]:
    files = [file for file in (serve.tls_cert, serve.tls_key) if file and file.exists()]
    return tuple(file.stat().st_mtime for file in files)
