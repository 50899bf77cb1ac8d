"""`treadle serve`: the API for a team, beside an engine or where none is."""

import asyncio
from typing import Any, NoReturn

import typer
from pydantic import ValidationError

from adapters.data_version import DataVersionError
from adapters.files.key_ring import KeyRingError
from api.core.listeners import PortTakenError
from api.serving import ServeError, serve_team
from cli.core.console import say
from domain.core.errors import JournalError
from settings import Settings
from settings.serve import ServeTable


def serve(settings: Settings, given: dict[str, Any]) -> None:
    """Serve the API until a signal; options take precedence over settings."""
    try:
        chosen = {name: value for name, value in given.items() if value is not None}
        url = chosen.pop("public_url", settings.public_url)
        table = ServeTable.model_validate({**settings.serve.model_dump(), **chosen})
        settings = settings.model_copy(update={"public_url": url, "serve": table})
        asyncio.run(serve_team(settings, on_start=lambda: _say_where(settings)))
    except KeyboardInterrupt:
        pass
    except ValidationError as error:
        first = error.errors()[0]
        _end(f"--{'-'.join(str(part) for part in first['loc']).replace('_', '-')}: {first['msg']}")
    except (ServeError, PortTakenError, KeyRingError, JournalError, DataVersionError) as error:
        _end(str(error))


def _say_where(settings: Settings) -> None:
    table = settings.serve
    scheme = "http" if table.tls_cert is None else "https"
    say(f"Serving {settings.public_url} at {scheme}://{table.host}:{table.port}. Ctrl-C stops it.")


def _end(words: str) -> NoReturn:
    say(f"treadle serve: {words}", style="red")
    raise typer.Exit(1)
