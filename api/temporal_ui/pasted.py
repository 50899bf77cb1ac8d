"""Takes a whole line of `treadle show --signals` where the Web UI asks for the name of a signal."""

import base64
import json
import re
import shlex
from itertools import pairwise
from typing import Any
from urllib.parse import quote, unquote

from api.core.problems import RefusedError

_SIGNAL = re.compile(
    r"/api/v1/namespaces/[^/]+/workflows/(?P<workflow>[^/]+)(/runs/[^/]+)?/signal/(?P<name>[^/]+)"
)
_LINE = re.compile(r"\s*(\S*/)?temporal\s+workflow\s+signal\s")
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
"""How the signals of Treadle's workflows are named."""

_SHOWN = 40


def unfold_line(path: str, body: bytes) -> tuple[str, bytes]:
    """Return path and body of a signal, with name and input of the line that was pasted as its name.

    Raises:
        RefusedError: The line is cut off, or is for another workflow.
    """
    place = _SIGNAL.fullmatch(path)
    line = unquote(place["name"]) if place else ""
    if place is None or not _LINE.match(line):
        return path, body
    given = _options(line)
    workflow = unquote(unquote(place["workflow"]))
    if given["--workflow-id"] != workflow:
        detail = f"this line is for the workflow {given['--workflow-id']!r}: send it there"
        raise RefusedError(409, "another_workflow", detail)
    payload = {
        "metadata": {"encoding": base64.b64encode(b"json/plain").decode()},
        "data": base64.b64encode(given["--input"].encode()).decode(),
    }
    sent = {**_parsed(body), "signalName": given["--name"], "input": {"payloads": [payload]}}
    name = quote(given["--name"], safe="")
    return f"{path.removesuffix(place['name'])}{name}", json.dumps(sent).encode()


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        return dict(json.loads(body))
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedError(400, "bad_request", "the body of a signal is a JSON object") from error


def _options(line: str) -> dict[str, str]:
    try:
        words = shlex.split(line)
        given = dict(pairwise(words))
        json.loads(given["--input"])
    except (ValueError, KeyError, RecursionError):
        given = {}
    if not {"--name", "--input", "--workflow-id"} <= given.keys():
        detail = (
            "this line is not complete: copy all of it, or choose the signal and paste its input"
        )
        raise RefusedError(400, "bad_request", detail)
    if not _NAME.fullmatch(given["--name"]):
        detail = f"{given['--name'][:_SHOWN]!r} is not the name of a signal: copy the line as it is"
        raise RefusedError(400, "bad_request", detail)
    return given
