"""The dashboard and the alert rules: every metric that they name is in a real scrape."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from temporalio.client import Client
from temporalio.worker import Worker

from activities.slots import Slots
from adapters.redaction import Redactor
from adapters.temporal.runtimes import runtime
from api.app import create_app
from composition.metrics import worker_metrics
from domain.core.ids import SHARED_QUEUE
from settings import Settings
from tests.free_ports import free_row
from workflows import WORKFLOWS

DEPLOY = Path(__file__).parents[2] / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana/treadle.json").read_text())
RULES = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())["groups"][0]["rules"]
NAMED = re.compile(r"\b(?:treadle|temporal|process)_[a-z0-9_]+")
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
QUERIES += [rule["expr"] for rule in RULES]


async def scrape(port: int) -> set[str]:
    """Return the families of a scrape, by the names that their samples have."""
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        answer = await http.get(f"http://127.0.0.1:{port}/metrics")
    answer.raise_for_status()
    found: set[str] = set()
    for family in text_string_to_metric_families(answer.text):
        name = family.name
        samples = {
            "counter": {f"{name}_total"},
            "histogram": {f"{name}_bucket", f"{name}_sum", f"{name}_count"},
        }
        found |= samples.get(family.type, {name})
    return found


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", metrics_port=free_row(4))


async def test_every_metric_of_the_dashboard_and_the_alerts_is_in_a_real_scrape(
    settings: Settings, temporal_server
):
    ports, at = settings.metrics_ports, settings.metrics_at("worker_sdk")
    config = temporal_server.client.service_client.config
    client = await Client.connect(config.target_host, runtime=runtime(at))
    app = create_app(settings, client)
    named = {name for query in QUERIES for name in NAMED.findall(query)}
    worker = Worker(client, task_queue=SHARED_QUEUE, workflows=WORKFLOWS)
    async with (
        app.router.lifespan_context(app),
        worker_metrics(settings, Slots(2), Redactor({})),
        worker,
    ):
        await client.count_workflows("")
        lacking = named
        with suppress(TimeoutError):  # the worker counts its pollers once they poll
            async with asyncio.timeout(60):
                while lacking:
                    asked = (ports.api, ports.worker, ports.worker_sdk)
                    scraped = [await scrape(port) for port in asked]
                    lacking = named.difference(*scraped)
    assert {"treadle_waiting", "treadle_turn_slots", "temporal_num_pollers"} <= named
    assert lacking == set()


def test_each_alert_says_what_it_is_about():
    for rule in RULES:
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in {"info", "warning", "critical"}
    assert len({rule["alert"] for rule in RULES}) == len(RULES)


def test_the_scrape_configuration_has_the_ports_of_the_settings():
    scraping = yaml.safe_load((DEPLOY / "prometheus/prometheus.yaml").read_text())
    targets = {
        int(target.rpartition(":")[2])
        for job in scraping["scrape_configs"]
        for static in job["static_configs"]
        for target in static["targets"]
    }
    assert targets == set(Settings(metrics_port=9464).metrics_ports or ())
