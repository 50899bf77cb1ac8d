"""Every route with odd values in every place that takes one: a refusal with a name, never a failure.

The routes, their fields and what these take come from the API's own description. What a body's parser
refuses is tried at the parser, and one of each kind over HTTP; what it takes is all sent.
"""

import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from limits import RateLimitItemPerSecond
from pydantic import TypeAdapter, ValidationError

from api.app import create_app
from api.core.rates import Limits
from domain.core.wire import Body
from domain.threads.events import PlanRequested
from settings import Settings
from tests.api.conftest import event
from tests.api.serving import serving
from tests.free_ports import free_ports

ROOT = Path(__file__).parents[2]
DESCRIPTION = json.loads((ROOT / "api/openapi.json").read_text())
SCHEMAS = DESCRIPTION["components"]["schemas"]
STREAMS = re.compile(r"/stream$")
THREAD = "thread-a"
FOLDER_LIKE = re.compile(r"repo|folder|path|file|project|config")
DEPTH = 3
UNKNOWN_AGENT = "unknown"
"""No agent that a route adds here: a check of one waits for a worker, and there is none."""
NAMED = re.compile(r"^treadle:[a-z_]+$")
PLACES = {"thread": THREAD, "number": "1", "revision": "1", "other": "1", "kind": "sessions"}

TEXTS: list[Any] = [
    "x" * 4_000,
    "/" + "x" * 4_000,
    "a\0b",
    "..",
    "../../etc/passwd",
    "/proc/1/root",
    "/proc/self/mem",
    "/dev/zero",
    "\ud800",
    "",
    7,
    [],
]
NUMBERS: list[Any] = [-1, 0, 10**30, -(10**30), 1.5, 1e308, float("nan"), float("inf"), "x", True]
OTHERS: list[Any] = [None, "x", 10**30, [[]], {"a": {"a": {}}}]
IN_A_PATH = ["x" * 4_000, "a\0b", "..", "../../etc/passwd", "/proc/1/root", "%", "-1", "nan", "1.5"]
IN_A_QUERY = [*IN_A_PATH, "9" * 40, "", "\ud7ff\n", "/dev/zero"]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without references, of several kinds the first."""
    while "$ref" in schema or "anyOf" in schema or "allOf" in schema or "oneOf" in schema:
        if "$ref" in schema:
            schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
        else:
            key = next(k for k in ("anyOf", "allOf", "oneOf") if k in schema)
            schema = {**{k: v for k, v in schema.items() if k != key}, **schema[key][0]}
    return schema


def sample(schema: dict[str, Any], depth: int = DEPTH) -> Any:
    """Return a value that a schema takes, as small as may be."""
    schema = resolved(schema)
    for key in ("const", "default"):
        if schema.get(key) is not None:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "string":
            pattern = schema.get("pattern", "")
            return "0" * 64 if "0-9a-f" in pattern else "a" * max(1, schema.get("minLength", 1))
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case "array":
            few = schema.get("minItems", 0) if depth else 0
            return [sample(schema["items"], depth - 1) for _ in range(few)]
        case "object":
            fields = schema.get("properties", {})
            needed = schema.get("required", [])
            return {name: sample(fields[name], depth - 1) for name in needed if depth}
        case _:
            return {}


def odd_values(schema: dict[str, Any], odd_paths: list[str], name: str) -> list[Any]:
    match resolved(schema).get("type"):
        case "string":
            return [*TEXTS, *(odd_paths if FOLDER_LIKE.search(name) else ())]
        case "integer" | "number":
            return NUMBERS
        case _:
            return OTHERS


def bodies(schema: dict[str, Any], odd_paths: list[str], depth: int = DEPTH) -> Iterator[Any]:
    """Yield bodies with one odd value each, also of what lies within."""
    schema = resolved(schema)
    whole = sample(schema)
    for name, field in schema.get("properties", {}).items():
        for odd in odd_values(field, odd_paths, name):
            yield {**whole, name: odd}
        inner = resolved(field)
        if not depth:
            continue
        if inner.get("type") == "object":
            for odd in bodies(inner, odd_paths, depth - 1):
                yield {**whole, name: odd}
        elif inner.get("type") == "array":
            item = resolved(inner.get("items", {}))
            if item.get("type") == "object":
                for odd in bodies(item, odd_paths, depth - 1):
                    yield {**whole, name: [odd]}
            else:
                for odd in odd_values(item, odd_paths, name):
                    yield {**whole, name: [odd]}


def parsers(kind: type[Body] = Body) -> Iterator[tuple[str, TypeAdapter[Any]]]:
    """Yield what parses each body, by the name that the description gives it."""
    for model in kind.__subclasses__():
        yield model.__name__, TypeAdapter(model)
        yield from parsers(model)


PARSERS = dict(parsers())


def refusals(parser: TypeAdapter[Any], body: bytes) -> frozenset[str]:
    """Return the kinds of refusal that a body gets from its parser, none where it is taken."""
    try:
        parser.validate_python(json.loads(body))
    except ValidationError as error:
        return frozenset(each["type"] for each in error.errors())
    return frozenset()


def operations() -> list[Any]:
    """Return every route: its method, its path and its description."""
    return [
        pytest.param(method.upper(), path, told, id=f"{method} {path.removeprefix('/v1')}")
        for path, methods in DESCRIPTION["paths"].items()
        for method, told in methods.items()
        if method != "parameters"
    ]


def test_every_route_is_described():
    """What the walk takes from the description is all that there is."""
    app = create_app(Settings(data_dir=Path("/nonexistent"), api_port=1, temporal_port=1))
    assert app.openapi()["paths"].keys() == DESCRIPTION["paths"].keys()
    assert len(operations()) > 100


@pytest.fixture(scope="module")
def odd_paths(tmp_path_factory) -> list[str]:
    """Paths that are there and are no folder of work: a file, a pipe, a device, another user's."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "file").write_text("no folder")
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    closed = folder / "closed"
    (closed / "inner").mkdir(parents=True)
    closed.chmod(0)
    names = ("file", "pipe", "loop", "closed", "closed/inner", "file/x", "absent", "")
    return [*(str(folder / name) for name in names), "/dev/null", "/dev/tty", "~nobody/x", "."]


@pytest.fixture(scope="module")
async def served(tmp_path_factory, temporal):
    """A server with stand-ins for threads; its journal knows one thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREADLE_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))
        settings = Settings(
            data_dir=tmp_path_factory.mktemp("odd-values") / "data",
            api_port=free_ports(1)[0],
            temporal_port=free_ports(1)[0],
            default_agent="scripted",
        )
        patient = Limits(writes=RateLimitItemPerSecond(100_000))
        async with serving(settings, temporal, limits=patient) as (journal, http, _):
            await journal.append(
                [event(0), event(1, body=PlanRequested(goal="x", session_id=f"{THREAD}/session-1"))]
            )
            yield http, settings


async def status_of(http, method: str, url: str, body: bytes | None) -> tuple[int, str]:
    """Return the status and the text of a refusal; of what streams only the status is read."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    async with asyncio.timeout(60):
        async with http.stream(method, url, content=body, headers=headers) as answer:
            if answer.status_code < 400:
                return answer.status_code, ""
            return answer.status_code, (await answer.aread()).decode()


def requests(method: str, path: str, told: Any, odd_paths: list[str]) -> Iterator[Any]:
    """Yield all odd requests of one route: url and body."""
    parameters = told.get("parameters", [])
    places = {p["name"]: PLACES.get(p["name"], "a") for p in parameters if p["in"] == "path"}
    has_body = "requestBody" in told
    schema = told["requestBody"]["content"]["application/json"]["schema"] if has_body else {}
    plain = json.dumps(sample(schema)).encode() if has_body else None
    if path.startswith("/v1/agents/"):
        places["name"] = UNKNOWN_AGENT
    url = path.format(**places)
    yield url, plain
    for name in places:
        for odd in IN_A_PATH:
            yield path.format(**{**places, name: quote(odd, safe="")}), plain
    for parameter in parameters:
        if parameter["in"] == "query":
            for odd in [*IN_A_QUERY, *odd_paths]:
                yield f"{url}?{parameter['name']}={quote(odd, safe='')}", plain
    if has_body:
        for body in bodies(schema, odd_paths):
            yield url, json.dumps(body).encode()


def representative(told: Any, made: Iterator[Any]) -> Iterator[Any]:
    """Leave out what the parser refuses as it has refused another body of this route."""
    if "requestBody" not in told:
        yield from made
        return
    reference = told["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    parser, seen = PARSERS[reference.rpartition("/")[2]], set[frozenset[str]]()
    for url, body in made:
        kinds = refusals(parser, body)
        if not kinds or kinds not in seen:
            yield url, body
        seen.add(kinds)


@pytest.mark.parametrize(("method", "path", "told"), operations())
async def test_a_route_refuses_odd_values_by_name(served, odd_paths, method, path, told):
    http, settings = served
    wrong: list[Any] = []
    for url, body in representative(told, requests(method, path, told, odd_paths)):
        status, said = await status_of(http, method, url, body)
        if status < 400:
            continue
        kind = json.loads(said).get("type", "") if said.startswith("{") else ""
        if status >= 500 or not NAMED.match(kind) or str(settings.data_dir) in said:
            wrong.append((status, kind, url[:160], (body or b"")[:200], said[:200]))
    assert not wrong, (len(wrong), wrong[:5])
