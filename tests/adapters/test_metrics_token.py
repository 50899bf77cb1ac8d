"""Metrics that ask for a token: scraped with it, refused without, and probes as before."""

import httpx
import pytest

from adapters.metrics import Meters, MetricsPage, read_metrics_token, serving_metrics
from adapters.observing import ObserveError
from adapters.redaction import Redactor
from domain.reading.measures import families as of
from settings.observe import ObserveSettings
from tests.free_ports import free_ports

TOKEN = "0123456789abcdef0123"


async def nothing() -> None:
    pass


def page() -> MetricsPage:
    return MetricsPage(Meters(of.OF_HOST, Redactor({})), nothing, lambda: True)


@pytest.fixture
def token_file(tmp_path):
    found = tmp_path / "metrics-token"
    found.write_text(f"{TOKEN}\n")
    return found


async def got(port, path, token=""):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(trust_env=False) as http:
        return await http.get(f"http://127.0.0.1:{port}{path}", headers=headers)


async def test_only_who_has_the_token_reads_metrics(token_file):
    port, sdk = free_ports(2)
    asked = read_metrics_token(token_file, sdk)
    async with (
        serving_metrics(page(), "127.0.0.1", port, asked),
        serving_metrics(page(), "127.0.0.1", sdk),
    ):
        for path in ("/metrics", "/metrics/temporal"):
            for wrong in ("", "wrong", TOKEN[:-1], f"{TOKEN}0"):
                refused = await got(port, path, wrong)
                assert refused.status_code == 401
                assert "treadle_" not in refused.text
            assert "treadle_turn_slots" in (await got(port, path, TOKEN)).text
        assert (await got(port, "/livez")).status_code == 200
        assert (await got(port, "/readyz")).status_code == 200


async def test_an_sdk_that_does_not_answer_is_no_fault_of_the_process(token_file):
    port, sdk = free_ports(2)
    async with serving_metrics(page(), "127.0.0.1", port, read_metrics_token(token_file, sdk)):
        assert (await got(port, "/metrics/temporal", TOKEN)).status_code == 503


@pytest.mark.parametrize("text", ["", "short", "x" * 19, "\N{SNOWMAN}" * 30])
def test_a_token_that_is_none_is_refused(token_file, text):
    token_file.write_text(text)
    with pytest.raises(ObserveError, match=r"TREADLE_METRICS_TOKEN_FILE|the token in"):
        read_metrics_token(token_file, 1)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ObserveError, match="TREADLE_METRICS_TOKEN_FILE cannot be read"):
        read_metrics_token(tmp_path / "missing", 1)


def test_with_a_token_the_sdk_listens_on_loopback_alone(token_file):
    everywhere = ObserveSettings(metrics_port=9464, metrics_host="192.0.2.1")
    assert everywhere.metrics_at("worker_sdk") == "192.0.2.1:9466"
    asking = everywhere.model_copy(update={"metrics_token_file": token_file})
    assert asking.metrics_at("worker_sdk") == "127.0.0.1:9466"
