"""Requests and answers of a forge double, and which part of it answers what."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

PAGE = 100


class RefusedError(Exception):
    """The forge refuses a request."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass
class Asked:
    """One request; paths are matched as they were sent, with what is percent-encoded in one piece."""

    method: str
    target: str
    headers: dict[str, str]
    raw: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw) if self.raw else {}


@dataclass
class Answered:
    """One answer: JSON, or text or bytes as they are."""

    status: int = 200
    content: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    route: str = ""

    def encoded(self) -> bytes:
        if self.content is None:
            return b""
        if isinstance(self.content, bytes):
            return self.content
        if isinstance(self.content, str):
            return self.content.encode()
        return json.dumps(self.content).encode()


Handler = Callable[..., Answered]


class Router:
    """Handlers by method and path, as in `/repos/{owner}/{repo}/pulls`."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.routes: list[tuple[str, str, re.Pattern[str], Handler]] = []

    def add(self, line: str, handler: Handler) -> None:
        """Add a handler of `METHOD /path`."""
        method, path = line.split(" ")
        pattern = re.compile(
            re.sub(r"\{\w+\}", "([^/]+)", re.escape(path).replace(r"\{", "{").replace(r"\}", "}"))
        )
        self.routes.append((method, path, pattern, handler))

    def answer(self, asked: Asked) -> Answered:
        """Return the answer of the first handler that fits."""
        path = asked.path.removeprefix(self.root)
        for method, line, pattern, handler in self.routes:
            found = pattern.fullmatch(path)
            if found and method == asked.method:
                answered = handler(asked, *map(unquote, found.groups()))
                answered.route = f"{method} {line}"
                return answered
        raise LookupError(f"no such route: {asked.method} {path}")


def paged(asked: Asked, items: list[Any], root: str) -> Answered:
    """Return a page of a list, with a link to the next one; the page of an object is its `items`."""
    size = min(int(asked.query.get("per_page") or asked.query.get("limit") or 30), PAGE)
    page = int(asked.query.get("page", 1))
    start = (page - 1) * size
    headers = {"X-Total-Count": str(len(items)), "X-Total": str(len(items))}
    if start + size < len(items):
        bare = asked.path.removeprefix("/")
        rest = "&".join(f"{k}={v}" for k, v in asked.query.items() if k != "page")
        headers["Link"] = f'<{root}/{bare}?{rest}&page={page + 1}>; rel="next"'
        headers["X-Next-Page"] = str(page + 1)
    return Answered(200, items[start : start + size], headers)
