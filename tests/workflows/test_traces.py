"""Spans as a collector gets them, from real requests, workflows, activities and a journal."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from adapters.redaction import Redactor
from adapters.temporal.traces import tracing
from adapters.tracing import Traces
from adapters.tracing.provider import provider_of
from domain.agents.agents import AgentAnswer, AgentCall, Usage
from tests.collector import Collector, Received, collecting
from tests.played_agents import done
from tests.workflows.conftest import House, housed
from tests.workflows.test_refusals_over_rest import Person, api_before

REPOSITORY = Path(__file__).parents[2]
SECRET = "a1B2" * 9
PLAN = {"summary": "s", "tasks": [{"id": "one", "title": "One"}]}
PLANNED = asyncio.Event()
USAGE = Usage(input_tokens=1200, output_tokens=34, cached_tokens=7, cost=0.5, currency="USD")


@pytest.fixture
async def collector(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Collector]:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
    with collecting() as made:
        yield made


@pytest.fixture
def has_content() -> bool:
    return False


@pytest.fixture
async def person(
    server: WorkflowEnvironment, tmp_path: Path, collector: Collector, *, has_content: bool
) -> AsyncIterator[Person]:
    """Who asks an API that is traced, before a worker that is."""
    exporter = OTLPSpanExporter(f"{collector.endpoint}/v1/traces")
    provider = provider_of("treadle-worker", exporter, Redactor({"KEY": SECRET}))
    config: dict[str, Any] = dict(server.client.config())
    config["interceptors"] = [*tracing(Traces(provider, has_content)), *config["interceptors"]]
    async with (
        housed(Client(**config), tmp_path) as house,
        api_before(house, tmp_path, traces_endpoint=collector.endpoint) as made,
    ):
        house.runner.play = answer
        house.profiles.names.add("scripted")
        yield made
    provider.shutdown()


async def answer(call: AgentCall) -> AgentAnswer:
    """Answer as an agent that repeats what it was asked; planners have a moment for their plan."""
    if call.turn.role == "planner":
        await PLANNED.wait()
    answered = done().model_copy(update={"usage": USAGE, "tool_calls": 2})
    return answered.model_copy(update={"text": f"You asked: {call.prompt}"})


async def opened(person: Person, goal: str = "Build it") -> str:
    body = {
        "goal": goal,
        "repository": str(REPOSITORY),
        "agent": "scripted",
        "model": "small",
        "is_planned": True,
    }
    made = await person.http.post("/v1/threads", json=body)
    assert made.status_code == 201, made.text
    return made.json()["thread_id"]


async def merged(person: Person, goal: str = "Build it") -> str:
    """Open a thread over REST, and let it come to a merge."""
    house: House = person.house
    PLANNED.clear()
    thread = await opened(person, goal)
    proposed = await house.proposed(thread, PLAN)
    PLANNED.set()
    await house.approve(thread, proposed)
    await house.approve(f"{thread}/one", await house.seen(f"{thread}/one", "gate_opened"))
    await house.seen(thread, "plan_completed")
    return thread


def above(span: Received, spans: list[Received]) -> list[str]:
    """Return the names of all spans above one."""
    by_id = {one.span: one for one in spans}
    names: list[str] = []
    while span.parent in by_id:
        span = by_id[span.parent]
        names.append(span.name)
    return names


async def test_one_trace_leads_from_the_request_to_the_merge(person: Person, collector: Collector):
    thread = await merged(person)
    settled = await collector.until("RunActivity:settle_tasks")
    await collector.until("POST /v1/threads")  # the API sends its own
    turns = [
        s for s in collector.of("invoke_agent scripted") if s.attributes.get("treadle.task.id")
    ]
    statement = await collector.until("INSERT journal")
    (request,) = [s for s in collector.of("POST /v1/threads") if s.trace == settled.trace]

    assert request.parent == ""
    assert request.service == "treadle-api"
    assert settled.service == "treadle-worker"
    for span in (settled, turns[0]):
        assert above(span, collector.spans)[-1] == "POST /v1/threads"
        assert span.attributes["treadle.thread.id"] == thread
    assert turns[0].attributes["treadle.task.id"] == "one"
    assert "RunActivity:run_agent_turn" in above(turns[0], collector.spans)
    assert request.attributes["treadle.thread.id"] == thread
    assert statement.trace
    assert collector.paths == {"/v1/traces"}


async def test_a_turn_says_what_it_took_by_the_conventions(person: Person, collector: Collector):
    thread = await merged(person, f"Build it with {SECRET}")
    await collector.until("RunActivity:settle_tasks")
    turn = next(s for s in collector.of("invoke_agent scripted") if "one" in str(s.attributes))

    assert turn.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert turn.attributes["gen_ai.agent.name"] == "scripted"
    assert turn.attributes["gen_ai.request.model"] == "small"
    assert turn.attributes["gen_ai.conversation.id"] == f"{thread}/one/session-1"
    assert turn.attributes["gen_ai.usage.input_tokens"] == 1200
    assert turn.attributes["gen_ai.usage.output_tokens"] == 34
    assert turn.attributes["gen_ai.usage.cache_read.input_tokens"] == 7
    assert turn.attributes["gen_ai.response.finish_reasons"] == ["end_turn"]
    assert turn.attributes["treadle.turn.cost"] == 0.5
    assert not any("messages" in name for name in turn.attributes)
    sent = "".join(span.text for span in collector.spans)
    assert "You asked" not in sent


@pytest.mark.parametrize("has_content", [True])
async def test_texts_are_sent_where_that_is_asked_for_without_secrets(
    person: Person, collector: Collector
):
    PLANNED.set()
    thread = await opened(person, f"Build it with {SECRET}")
    await person.house.seen(f"{thread}/session-1", "turn_ended")
    turn = await collector.until("invoke_agent scripted")

    assert "You asked" in turn.attributes["gen_ai.output.messages"]
    assert SECRET not in "".join(span.text for span in collector.spans)


async def test_what_the_queue_starts_has_a_trace_of_its_own(person: Person, collector: Collector):
    PLANNED.set()
    items = [
        {"goal": goal, "repository": str(REPOSITORY), "agent": "scripted"} for goal in ("a", "b")
    ]
    for item in items:
        assert (await person.http.post("/v1/queue", json={"items": [item]})).is_success
    await collector.until("RunActivity:start_queued")
    starts = collector.of("RunActivity:start_queued")
    requests = {span.trace for span in collector.of("POST /v1/queue")}
    assert all(span.parent == "" for span in starts)
    assert not {span.trace for span in starts} & requests


async def test_the_engines_own_upkeep_begins_no_trace(person: Person, collector: Collector):
    assert (await person.http.get("/v1/health")).is_success
    assert (await person.http.get("/v1/threads?query=never-shown")).status_code < 500
    await collector.until("GET /v1/threads")

    roots = {span.name for span in collector.spans if not span.parent}
    assert roots == {"GET /v1/threads"}
    assert "never-shown" not in "".join(span.text for span in collector.spans)
