"""Traces through Temporal: from the request through workflows and activities to each turn.

Spans of workflows have no duration: they are sent when they begin, because a workflow may wait for days.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from temporalio.client import (
    Interceptor,
    OutboundInterceptor,
    StartWorkflowInput,
    StartWorkflowUpdateWithStartInput,
    WorkflowHandle,
    WorkflowUpdateHandle,
)
from temporalio.contrib.opentelemetry import TracingInterceptor
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput
from temporalio.worker import Interceptor as WorkerInterceptor

from adapters.tracing import Ids, Traces, ids_of
from domain.agents.agents import Prompt, TurnInput, TurnResult
from domain.conversations.calls import TurnCall
from domain.queue.inputs import QUEUE

HEADER = "_tracer-data"


def tracing(traces: Traces) -> Sequence[Any]:
    """Return the interceptors of a client, and of its workers."""
    return [TracingInterceptor(traces.tracer), _WithoutEnd(), _Turns(traces)]


class _WithoutEnd(Interceptor):
    """Keeps what goes on for ever out of the trace of who first used it."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:  # noqa: A002  (SDK's name)
        """Stand behind the tracing of a client."""
        return _StartsWithoutEnd(next)


class _StartsWithoutEnd(OutboundInterceptor):
    async def start_workflow(self, input: StartWorkflowInput) -> WorkflowHandle[Any, Any]:  # noqa: A002
        if input.id == QUEUE:
            input.headers = _without(input.headers)
        return await super().start_workflow(input)

    async def start_update_with_start_workflow(
        self,
        input: StartWorkflowUpdateWithStartInput,  # noqa: A002
    ) -> WorkflowUpdateHandle[Any]:
        start = input.start_workflow_input
        if start.id == QUEUE:
            start.headers = _without(start.headers)
        return await super().start_update_with_start_workflow(input)


def _without(headers: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in headers.items() if name != HEADER}


class _Turns(Interceptor, WorkerInterceptor):
    """Makes a span of each turn, by OpenTelemetry's conventions for generative AI.

    A worker takes from its client only what is an interceptor of both.
    """

    def __init__(self, traces: Traces) -> None:
        self._traces = traces

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Stand around a turn."""
        return _Turn(next, self._traces)


class _Turn(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, traces: Traces) -> None:
        super().__init__(inner)
        self._traces = traces

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        call = input.args[0] if input.args else None
        if not isinstance(call, TurnCall):
            return await super().execute_activity(input)
        name = f"invoke_agent {call.turn.agent}"
        with self._traces.tracer.start_as_current_span(name, kind=SpanKind.INTERNAL) as span:
            span.set_attributes(_asked(call.turn))
            if self._traces.has_content:
                span.set_attribute("gen_ai.input.messages", _message("user", call.turn.prompt))
            result = await super().execute_activity(input)
            if isinstance(result, TurnResult):
                _note(span, result, has_content=self._traces.has_content)
            return result


def _asked(turn: TurnInput) -> dict[str, Any]:
    ids = ids_of(turn.owner)
    about = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": turn.agent,
        "gen_ai.conversation.id": turn.session_id,
        "gen_ai.request.model": turn.model,
        "treadle.turn.id": turn.turn_id,
        "treadle.session.role": str(turn.role),
    }
    known = {name: value for name, value in about.items() if value}
    return known | Ids(turn.thread_id, ids.task, turn.session_id).attributes()


def _note(span: Span, result: TurnResult, *, has_content: bool) -> None:
    """Put onto a span what a turn took, and how it ended."""
    usage = result.usage
    about = {
        "gen_ai.provider.name": result.provider,
        "gen_ai.response.model": result.model,
        "gen_ai.usage.input_tokens": usage and usage.input_tokens,
        "gen_ai.usage.output_tokens": usage and usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage and usage.cached_tokens,
        "treadle.turn.cost": usage and usage.cost,
        "treadle.turn.tool_calls": result.tool_calls,
    }
    span.set_attributes({name: value for name, value in about.items() if value})
    if result.retry_at is not None or result.is_asleep:
        span.set_attribute("treadle.turn.pause", "asleep" if result.is_asleep else "delayed")
    elif result.failure is not None:
        span.set_attribute("error.type", "agent_failed")
        span.set_status(Status(StatusCode.ERROR))
    else:
        span.set_attribute("gen_ai.response.finish_reasons", [str(result.stop_reason)])
    if has_content:
        span.set_attribute("gen_ai.output.messages", _message("assistant", result.text))


def _message(role: str, said: Prompt | str) -> str:
    """Return a message by the conventions: of a prompt what its fields say."""
    text = said if isinstance(said, str) else "\n\n".join(said.fields.values())
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])
