"""What leaves this host of a span: no secret, no query of a URL, and no traceback."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status

from adapters.redaction import Redactor

_LEFT_OUT = frozenset({"url.query", "exception.stacktrace", "db.name", "db.namespace"})
_URLS = frozenset({"http.url", "http.target", "url.full", "url.path"})


class CleanSpans(SpanExporter):
    """Sends spans on without what nobody else may read."""

    def __init__(self, onward: SpanExporter, redactor: Redactor) -> None:
        self._onward = onward
        self._redactor = redactor

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans."""
        return self._onward.export([self._clean(span) for span in spans])

    def shutdown(self) -> None:
        """End the connection."""
        self._onward.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send what waits."""
        return self._onward.force_flush(timeout_millis)

    def _clean(self, span: ReadableSpan) -> ReadableSpan:
        status = span.status
        said = status.description and self._redactor.text(status.description)
        return ReadableSpan(
            self._redactor.text(_name(span)),
            span.context,
            span.parent,
            span.resource,
            self._attributes(span.attributes),
            [Event(e.name, self._attributes(e.attributes), e.timestamp) for e in span.events],
            span.links,
            span.kind,
            status=Status(status.status_code, said),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )

    def _attributes(self, attributes: Mapping[str, Any] | None) -> dict[str, Any]:
        kept = {k: v for k, v in (attributes or {}).items() if k not in _LEFT_OUT}
        return {k: self._value(k, v) for k, v in kept.items()}

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return self._redactor.text(value.split("?", 1)[0] if name in _URLS else value)
        if isinstance(value, tuple):
            several = cast("tuple[Any, ...]", value)
            return tuple(self._value(name, one) for one in several)
        return value


def _name(span: ReadableSpan) -> str:
    """Return a span's name; of a statement it ends in the path of the database."""
    of_database = (span.attributes or {}).keys() & {"db.system", "db.system.name"}
    return f"{span.name.split(maxsplit=1)[0]} journal" if of_database else span.name
