"""Recorded histories on workers that trace: the workflows of a traced request replay, without spans."""

import base64
import json
from pathlib import Path

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer

from adapters.redaction import Redactor
from adapters.temporal import plugin
from adapters.temporal.traces import HEADER, tracing
from adapters.tracing import Traces
from adapters.tracing.provider import provider_of
from tests.replay.test_replay import HISTORIES
from workflows import WORKFLOWS

PARENT = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def traced_history(file: Path) -> WorkflowHistory:
    """Return a history as if a traced request had started it."""
    events = json.loads(file.read_text())
    started = events["events"][0]["workflowExecutionStartedEventAttributes"]
    payload = {"metadata": {"encoding": encoded("json/plain")}, "data": encoded(json.dumps(PARENT))}
    started["header"] = {"fields": {HEADER: payload}}
    return WorkflowHistory.from_json(started["workflowId"], events)


@pytest.mark.parametrize("kind", ["thread", "session", "task"])
async def test_histories_replay_on_workers_that_trace(kind: str):
    sent = InMemorySpanExporter()
    provider = provider_of("test", sent, Redactor({}))
    interceptors = tracing(Traces(provider))
    replayer = Replayer(workflows=WORKFLOWS, plugins=[plugin(None)], interceptors=interceptors)
    history = traced_history(HISTORIES / f"{kind}-0.1.0-main-job.json")
    replayed = await replayer.replay_workflow(history, raise_on_replay_failure=False)
    provider.force_flush()
    provider.shutdown()

    assert replayed.replay_failure is None
    # the last workflow task of a history is not a replay: it alone may have spans
    assert all(span.name.startswith("CompleteWorkflow") for span in sent.get_finished_spans())
