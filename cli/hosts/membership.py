"""Asking a server to let this machine join, over TLS or from this machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from cli.core.errors import RefusedError, UnreachableError
from cli.core.servers import trusted, why_not

_PROXY_ALONE = frozenset({502, 503, 504})


def ask(url: httpx.URL, body: Mapping[str, Any], ca: Path | None = None) -> Any:
    """Return the answer of a server to a machine that joins.

    Raises:
        RefusedError: The server refused it.
        UnreachableError: It does not answer, or its certificate is not good.
    """
    # no proxy of the environment: for an address of this machine it would see the keys
    with httpx.Client(verify=trusted(ca), timeout=30, trust_env=url.scheme == "https") as client:
        try:
            answer = client.post(url.join("/v1/host-joins"), json=body, headers={"X-Treadle": "1"})
        except httpx.TransportError as error:
            raise UnreachableError(why_not(url, error)) from error
    if answer.is_success:
        return _parsed(answer)
    problem: Any = _parsed(answer) if "json" in answer.headers.get("content-type", "") else None
    if problem is None and answer.status_code in _PROXY_ALONE:
        raise UnreachableError(
            f"{url} answered {answer.status_code}: the proxy is there, but Treadle behind it does not answer. "
            "Start `treadle serve`, then join again with the same token"
        )
    unknown = {"detail": f"{url} answered {answer.status_code}: is there a Treadle server at it?"}
    raise RefusedError(problem or unknown)


def _parsed(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        raise UnreachableError(f"{answer.url.host} is no Treadle server") from error
