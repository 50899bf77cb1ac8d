"""Refusal of unknown query parameters, which are most likely misspelled."""

from collections.abc import Iterator
from difflib import get_close_matches

from fastapi import Request
from fastapi.dependencies.models import Dependant

from api.core.problems import RefusedError, echo


def refuse_unknown_parameters(request: Request) -> None:
    """Check that the route has each parameter, and that none is repeated.

    Addresses of the page are for the page to read.

    Raises:
        RefusedError: One is unknown or repeated (422).
    """
    if not request.url.path.startswith("/v1/"):
        return
    known = list(dict.fromkeys(_named(request.scope["route"].dependant)))
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]}?" if close else None
            detail = f"unknown parameter {echo(name)}; parameters: {', '.join(known) or 'none'}"
            raise RefusedError(422, "unknown_parameter", detail, hint)
        if given.count(name) > 1:
            raise RefusedError(
                422, "duplicate_parameter", f"the parameter {echo(name)} is repeated"
            )


def _named(dependant: Dependant) -> Iterator[str]:
    """Yield the names of the parameters of a route and of what it depends on."""
    yield from (parameter.alias for parameter in dependant.query_params)
    for each in dependant.dependencies:
        yield from _named(each)
