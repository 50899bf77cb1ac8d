"""One request: what is sent, and what may be sent again."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote

from treadle_client.errors import TreadleError
from treadle_client.wire import Model

_ID = "command_id"
_DOTS = frozenset({".", ".."})


@dataclass(frozen=True)
class Call:
    """A request that is complete, so that it can be sent again as it is."""

    method: str
    url: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Mapping[str, Any] | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether it is carried out once however often it is sent: it reads, or has an id."""
        return self.method == "GET" or (self.body is not None and _ID in self.body)


def call_of(
    method: str,
    template: str,
    path: Mapping[str, object] | None = None,
    query: Mapping[str, object] | None = None,
    body: Model | None = None,
    *,
    has_id: bool = True,
) -> Call:
    """Return the request of an operation; a command without an id gets one, unless the API keeps none.

    Raises:
        TreadleError: A part of the path is empty, which would be another path.
    """
    url = template
    for name, value in (path or {}).items():
        url = url.replace(f"{{{name}}}", _part(name, _text(value)))
    given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return Call(method, url, given, None if body is None else _content(body, has_id=has_id))


def _part(name: str, text: str) -> str:
    if not text:
        raise TreadleError(f"{name} is empty")
    return text.replace(".", "%2E") if text in _DOTS else quote(text, safe="")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _content(body: Model, *, has_id: bool) -> dict[str, Any]:
    found = body.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if has_id and _ID in type(body).model_fields and not found.get(_ID):
        found[_ID] = secrets.token_hex(16)
    return found
