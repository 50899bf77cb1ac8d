"""How long Temporal keeps histories: the embedded server does as the settings say, and doctor says it."""

import asyncio
from datetime import timedelta

import pytest
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.service import RPCError, RPCStatusCode

from settings import Settings
from tests.free_ports import free_ports
from treadle import histories
from treadle.children import spawn
from treadle.cluster import connected
from treadle.engine import temporal_binary, temporal_command

DEADLINE = 60


@pytest.fixture
async def settings(tmp_path):
    """The settings of an embedded server that runs."""
    port = free_ports(1)[0]
    settings = Settings(
        data_dir=tmp_path, temporal_port=port, is_temporal_ui_on=False, temporal_retention_days=12
    )
    server = await spawn(temporal_command(settings, temporal_binary()), tmp_path / "log")
    async with asyncio.timeout(DEADLINE):
        while await connected(settings) is None:  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.1)
    yield settings
    server.kill()
    await server.wait()


async def found(settings: Settings) -> str:
    (finding,) = await asyncio.to_thread(histories.history_findings, settings)
    assert finding.is_well
    return finding.found


async def test_the_embedded_server_keeps_histories_as_long_as_the_settings_say(settings):
    client = await connected(settings)
    assert client
    assert await found(settings) == "Temporal keeps what has ended for 1 day"
    for _ in range(2):
        await histories.keep_histories(settings)
        described = await client.workflow_service.describe_namespace(
            DescribeNamespaceRequest(namespace=client.namespace)
        )
        kept = described.config.workflow_execution_retention_ttl.ToTimedelta()
        assert kept == timedelta(days=12)
    assert await found(settings) == "Temporal keeps what has ended for 12 days"


async def test_a_server_that_is_too_busy_to_be_set_does_not_stop_a_start(
    settings, monkeypatch, caplog
):
    async def late(_):
        raise RPCError("Timeout expired", RPCStatusCode.DEADLINE_EXCEEDED, b"")

    monkeypatch.setattr(histories, "_kept_for", late)
    await histories.keep_histories(settings)
    assert "did not take its retention (Timeout expired)" in caplog.text


async def test_a_server_that_does_not_say_is_left_alone(settings, monkeypatch):
    async def denied(_):
        raise RPCError("Request unauthorized.", RPCStatusCode.PERMISSION_DENIED, b"")

    monkeypatch.setattr(histories, "_kept_for", denied)
    assert "does not say" in await found(settings)


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        (timedelta(hours=1), "1 hour"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(days=2), "2 days"),
    ],
)
async def test_a_short_time_is_a_finding(settings, monkeypatch, kept, words):
    async def told(_):
        return kept

    monkeypatch.setattr(histories, "_kept_for", told)
    (finding,) = await asyncio.to_thread(histories.history_findings, settings)
    assert finding.found.endswith(f"for {words}")
    assert finding.is_well == (kept >= timedelta(days=1))


def test_nothing_is_found_where_no_server_answers(tmp_path):
    assert histories.history_findings(Settings(data_dir=tmp_path, temporal_port=1)) == []
