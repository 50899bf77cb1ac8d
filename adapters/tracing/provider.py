"""Where the spans of a process go: a collector that speaks OTLP over HTTP."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import Decision, ParentBased, Sampler, SamplingResult
from opentelemetry.trace import SpanKind, Tracer

from adapters.redaction import Redactor
from adapters.tracing.cleaning import CleanSpans
from adapters.tracing.ids import NamedSpans
from adapters.tracing.instruments import observe_libraries

_PATH = "/v1/traces"
_BEGINNING = "RunActivity:start_queued"
"""The activity in which a queue, which goes on for ever, begins something new."""


class _Beginnings(Sampler):
    """Begins a trace with a request and with what the queue starts, never with the engine's own upkeep."""

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> SamplingResult:
        """Decide about a span that has none above it."""
        del parent_context, trace_id, args
        is_work = name.startswith("RunActivity:") and name != _BEGINNING
        is_wanted = kind is SpanKind.SERVER and not is_work
        decision = Decision.RECORD_AND_SAMPLE if is_wanted else Decision.DROP
        return SamplingResult(decision, kwargs.get("attributes"))

    def get_description(self) -> str:
        """Return what collectors show of it."""
        return "Beginnings"


@dataclass(frozen=True)
class Traces:
    """The tracer of a process, and whether spans of turns hold what was asked and answered."""

    provider: TracerProvider
    has_content: bool = False

    @property
    def tracer(self) -> Tracer:
        """What makes spans of ours."""
        return self.provider.get_tracer("treadle", version("treadle"))


def provider_of(service: str, exporter: SpanExporter, redactor: Redactor) -> TracerProvider:
    """Return what makes the spans of a service and sends them by an exporter, without secrets."""
    about = {"service.name": service, "service.version": version("treadle")}
    resource = Resource.create(about)
    provider = TracerProvider(resource=resource, sampler=ParentBased(_Beginnings()))
    provider.add_span_processor(NamedSpans())
    provider.add_span_processor(BatchSpanProcessor(CleanSpans(exporter, redactor)))
    return provider


@asynccontextmanager
async def open_traces(
    service: str, endpoint: str, redactor: Redactor, *, has_content: bool = False
) -> AsyncGenerator[Traces]:
    """Send the spans of a process to a collector until the block ends; open the journal after this.

    Headers, certificates and timeouts are read from OTEL_EXPORTER_OTLP_*, as everywhere.
    """
    url = endpoint if endpoint.endswith(_PATH) else f"{endpoint.rstrip('/')}{_PATH}"
    provider = provider_of(service, OTLPSpanExporter(url), redactor)
    with observe_libraries(provider):
        try:
            yield Traces(provider, has_content)
        finally:
            await asyncio.get_running_loop().run_in_executor(None, provider.shutdown)
