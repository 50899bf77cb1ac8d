"""How an engine is observed, and what keeps it from that; its libraries are an extra."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

from fastapi import FastAPI
from temporalio.client import Interceptor

from adapters.redaction import Redactor


class ObserveError(Exception):
    """Metrics or traces are on and cannot be served or sent; the message says what to do."""


_LIBRARIES = ("prometheus_client", "opentelemetry")


class Tracing(NamedTuple):
    """What makes spans: of Temporal's client and workers, and of the requests to an app."""

    interceptors: Sequence[Interceptor] = ()
    trace_app: Callable[[FastAPI], None] = lambda _: None


@asynccontextmanager
async def tracing_to(
    collector: tuple[str, bool] | None, service: str, redactor: Redactor
) -> AsyncGenerator[Tracing]:
    """Send the spans of a service to a collector until the block ends; without one there are none.

    A collector is its URL, and whether spans of turns hold what was asked and answered.

    Statements of the journal are spans if it is opened within.
    """
    if collector is None:
        yield Tracing()
        return
    from adapters.temporal.traces import tracing
    from adapters.tracing import open_traces, traced_app

    endpoint, has_content = collector
    async with open_traces(service, endpoint, redactor, has_content=has_content) as traces:
        yield Tracing(tracing(traces), partial(traced_app, traces.provider))


def require_observe(setting: str) -> None:
    """Refuse a setting without the libraries that it needs; an empty one is none.

    Raises:
        ObserveError: The extra `observe` is not installed.
    """
    if not setting:
        return
    if any(find_spec(name) is None for name in _LIBRARIES):
        raise ObserveError(
            f"{setting} needs libraries that are not installed: "
            "run `pip install 'treadle[observe]'`, or unset it"
        )
