"""Whose a span is: the thread, task and session, as attributes that a search finds."""

import re
from typing import NamedTuple

from opentelemetry.context import Context
from opentelemetry.sdk.trace import Span, SpanProcessor
from opentelemetry.trace import get_current_span

WORKFLOW = "temporalWorkflowID"
"""The attribute by which Temporal's interceptor says whose a span is."""

_NAMES = ("treadle.thread.id", "treadle.task.id", "treadle.session.id")
_PATH = re.compile(r"/v1/threads/([^/?]+)(?:/tasks/([^/?]+))?", re.ASCII)


class Ids(NamedTuple):
    """What a span belongs to; empty where it belongs to none."""

    thread: str = ""
    task: str = ""
    session: str = ""

    def attributes(self) -> dict[str, str]:
        """Return the attributes of a span."""
        named = {f"treadle.{name}.id": value for name, value in self._asdict().items()}
        return {name: value for name, value in named.items() if value}


def ids_of(workflow_id: str) -> Ids:
    """Return what a workflow's id names; a flow's run and the queue are no threads."""
    thread, *below = workflow_id.split("/")
    if not thread.startswith("thread-"):
        return Ids()
    session = workflow_id if below and below[-1].startswith("session-") else ""
    task = below[0] if below and not below[0].startswith("session-") else ""
    return Ids(thread, task, session)


def ids_of_path(path: str) -> Ids:
    """Return what the path of a request names."""
    found = _PATH.match(path)
    return Ids(found[1], found[2] or "") if found else Ids()


class NamedSpans(SpanProcessor):
    """Gives each span the ids of its workflow, else those of the span around it.

    A request that opens a thread learns its id from what it starts.
    """

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Give a span its ids."""
        around = get_current_span(parent_context)
        above = around.attributes if isinstance(around, Span) else None
        known = span.attributes or {}
        ids = ids_of(str(known.get(WORKFLOW, ""))).attributes()
        if ids and isinstance(around, Span) and "treadle.thread.id" not in (above or {}):
            around.set_attribute("treadle.thread.id", ids["treadle.thread.id"])
        taken = {k: v for k, v in (above or {}).items() if k in _NAMES and k not in known}
        span.set_attributes(ids or taken)

    def on_end(self, span: object) -> None:
        """Do nothing."""

    def shutdown(self) -> None:
        """Do nothing."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 (the SDK's)
        """Have nothing to send."""
        return True
