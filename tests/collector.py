"""A collector of traces that speaks OTLP over HTTP, as real ones do."""

import asyncio
import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Received:
    """A span as it arrived."""

    name: str
    trace: str
    span: str
    parent: str
    service: str
    attributes: dict[str, Any]
    links: list[str]
    text: str


@dataclass
class Collector:
    """What arrived, and where spans are to be sent."""

    endpoint: str = ""
    spans: list[Received] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    _is_new: asyncio.Event = field(default_factory=asyncio.Event)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)

    def of(self, name: str) -> list[Received]:
        return [span for span in self.spans if span.name == name]

    async def until(self, name: str) -> Received:
        async with asyncio.timeout(60):
            while not self.of(name):
                self._is_new.clear()
                await self._is_new.wait()
        return self.of(name)[0]

    def take(self, body: bytes) -> None:
        """Take what another thread received."""
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            service = _attributes(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [_received(span, service) for span in scope.spans]
        self._loop.call_soon_threadsafe(self._is_new.set)


def _received(span: Any, service: str) -> Received:
    return Received(
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        service,
        _attributes(span.attributes),
        [link.trace_id.hex() for link in span.links],
        str(span),
    )


def _attributes(pairs: Any) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    found = getattr(value, kind)
    return [_value(one) for one in found.values] if kind == "array_value" else found


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector on a free port."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_packed = self.headers.get("Content-Encoding") == "gzip"
            collector.paths.add(self.path)
            collector.take(gzip.decompress(body) if is_packed else body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.endpoint = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
