"""The libraries whose calls are spans: HTTP in and out, and the journal's database."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI
from opentelemetry.instrumentation.fastapi import FastAPIInstrumentor
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
from opentelemetry.instrumentation.sqlalchemy import (  # pyright: ignore[reportMissingTypeStubs]
    SQLAlchemyInstrumentor,
)
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Span

from adapters.tracing.ids import ids_of_path

NOT_TRACED = ",".join(("/livez", "/readyz", "/v1/health", "/stream", "/events"))
"""Probes, and streams that end when the page is closed."""


@contextmanager
def observe_libraries(provider: TracerProvider) -> Generator[None]:
    """Make spans of HTTP requests, and of statements of engines that are made meanwhile."""
    libraries = (HTTPXClientInstrumentor(), SQLAlchemyInstrumentor())
    for library in libraries:  # the check knows SQLAlchemy 2.0 only; the events are those of 2.1
        library.instrument(tracer_provider=provider, skip_dep_check=True)
    try:
        yield
    finally:
        for library in libraries:
            library.uninstrument()


def traced_app(provider: TracerProvider, app: FastAPI) -> None:
    """Make a span of each request to an app, in front of everything else that it does."""
    FastAPIInstrumentor.instrument_app(
        app,
        server_request_hook=_name,
        tracer_provider=provider,
        excluded_urls=NOT_TRACED,
        exclude_spans=["receive", "send"],
    )
    app.middleware_stack = app.build_middleware_stack()  # that of before may be in use already


def _name(span: Span, scope: dict[str, Any]) -> None:
    span.set_attributes(ids_of_path(str(scope.get("path", ""))).attributes())
