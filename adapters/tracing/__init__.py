"""Traces of a process, sent to a collector; nothing outside but the Temporal adapter imports their libraries."""

from adapters.tracing.ids import Ids, ids_of
from adapters.tracing.instruments import traced_app
from adapters.tracing.provider import Traces, open_traces

__all__ = ["Ids", "Traces", "ids_of", "open_traces", "traced_app"]
