"""Real scrapes of an API's metrics, read by Prometheus' own parser."""

import sqlite3
from datetime import UTC, datetime

import httpx
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_text

from adapters.observing import ObserveError
from api.app import create_app
from domain.agents.agents import TurnResult, Usage
from domain.conversations.events import TurnEnded
from domain.forges.received import DeliveryOutcome, Refusal
from domain.reading.measures import families as of
from tests.api.conftest import event, headline
from tests.api.test_inbox import a_waiting_thread
from tests.free_ports import free_ports

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def observed(settings):
    return settings.model_copy(update={"metrics_port": free_ports(1)[0]})


@pytest.fixture
async def app(observed):
    made = create_app(observed)
    async with made.router.lifespan_context(made):
        yield made


async def scrape(settings, accept="text/plain", port=None):
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        url = f"http://127.0.0.1:{port or settings.metrics_port}/metrics"
        return await http.get(url, headers={"Accept": accept})


async def samples(settings):
    answer = await scrape(settings)
    assert answer.status_code == 200
    families = read_text(answer.text)
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def turn(number, stream="thread-a/session-1", model="gpt"):
    usage = Usage(input_tokens=100, output_tokens=20, cost=0.5, currency="USD")
    result = TurnResult(
        turn_id=f"turn-{number}",
        agent="codex",
        model=model,
        usage=usage,
        duration_ms=900,
        text="a private answer about /home/ann/app",
    )
    return event(100 + number, stream, TurnEnded(session_id="s1", result=result))


async def test_what_is_journaled_is_counted_once_however_often_it_is_scraped(app, observed):
    await app.state.journal.append([turn(1), turn(2)])
    again = turn(1, "thread-a/task-1").model_copy(update={"id": "another"})
    await app.state.journal.append([again])
    for _ in range(2):
        found = await samples(observed)
    assert found["treadle_turns_total", "codex", "end_turn"] == 2
    assert found["treadle_tokens_total", "codex", "gpt", "input"] == 200
    assert found["treadle_cost_total", "USD", "codex", "gpt"] == 1
    assert found["treadle_turn_seconds_count", "codex"] == 2
    assert found["treadle_journal_position",] == 3


async def test_what_was_journaled_before_the_start_is_no_increase(app, observed):
    await app.state.journal.append([turn(1)])
    other = observed.model_copy(update={"metrics_port": free_ports(1)[0]})
    later = create_app(other)
    async with later.router.lifespan_context(later):
        await app.state.journal.append([turn(2)])
        assert (await samples(other))["treadle_turns_total", "codex", "end_turn"] == 1


async def test_webhooks_are_counted_by_what_came_of_them(app, observed):
    kept, at = app.state.journal.webhook_deliveries, datetime.now(UTC)
    counts = {
        ("hub", DeliveryOutcome.LOOKED): 2,
        ("hub", DeliveryOutcome.DUPLICATE): 1,
        ("", Refusal.UNKNOWN_SENDER): 3,
    }
    for _ in range(2):
        await kept.count(counts, at)
        found = await samples(observed)
    found = await samples(observed)

    assert found["treadle_webhook_deliveries_total", "hub", "looked"] == 4
    assert found["treadle_webhook_deliveries_total", "duplicate", "hub"] == 2
    assert found["treadle_webhook_refusals_total", "", "unknown_sender"] == 6
    other = observed.model_copy(update={"metrics_port": free_ports(1)[0]})
    later = create_app(other)
    async with later.router.lifespan_context(later):
        await kept.count({("hub", DeliveryOutcome.LOOKED): 1}, at)
        assert (await samples(other))["treadle_webhook_deliveries_total", "hub", "looked"] == 1


async def test_what_waits_is_shown_with_its_age_until_it_is_answered(app, observed):
    assert (await samples(observed))["treadle_waiting", "plan"] == 0
    await a_waiting_thread(app.state.journal)
    found = await samples(observed)
    assert found["treadle_waiting", "plan"] == 1
    assert found["treadle_waiting_oldest_seconds", "plan"] > 0
    assert found["treadle_open", "thread", "waiting"] == 1
    await app.state.journal.append([], [headline("thread-a", status="completed")])
    await app.state.journal.forget("thread-a")
    found = await samples(observed)
    assert found["treadle_waiting", "plan"] == 0
    assert ("treadle_open", "thread", "waiting") not in found


async def test_the_parts_are_shown_and_a_lost_journal_does_not_end_the_scrapes(app, observed):
    found = await samples(observed)
    assert found["treadle_up", "journal"] == 1
    assert found["treadle_up", "temporal"] == 0
    with sqlite3.connect(observed.data_dir / "journal.db") as database:
        database.execute("alter table events rename to lost")
    found = await samples(observed)
    assert found["treadle_up", "journal"] == 0
    assert ("treadle_up", "temporal") not in found


async def test_newer_scrapers_get_openmetrics(app, observed):
    answer = await scrape(observed, "application/openmetrics-text; version=1.0.0")
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    names = {family.name for family in read_openmetrics(answer.text)}
    assert {
        family.name.removesuffix("_total") for family in (*of.OF_EVENTS, *of.OF_WEBHOOKS)
    } <= names
    assert {"treadle_build", "process_resident_memory_bytes"} <= names


async def test_no_prompt_path_title_or_secret_is_in_a_scrape(app, observed):
    await a_waiting_thread(app.state.journal)
    await app.state.journal.append([turn(1, model=SECRET)])
    text = (await scrape(observed)).text
    assert "codex" in text
    for private in (
        "private answer",
        "/home/ann",
        "thread-a",
        "First",
        SECRET,
        str(observed.data_dir),
    ):
        assert private not in text


@pytest.mark.parametrize("host", ["evil.example", "10.0.0.7:9464"])
async def test_a_web_page_cannot_read_metrics_of_loopback_by_a_name_of_its_own(app, observed, host):
    url = f"http://127.0.0.1:{observed.metrics_port}/metrics"
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        assert (await http.get(url, headers={"Host": host})).status_code == 400
        assert (await http.get(url.replace("/metrics", "/livez"))).status_code == 200


async def test_a_taken_port_is_named_with_the_variable_that_moves_it(app, observed):
    second = create_app(observed)
    with pytest.raises(ObserveError, match="TREADLE_METRICS_PORT"):
        async with second.router.lifespan_context(second):
            pass


async def test_metrics_are_off_without_a_port(settings):
    assert settings.metrics_ports is None
    assert settings.metrics_at("worker_sdk") is None
