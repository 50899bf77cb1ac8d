"""What `treadle doctor` says of Temporal's Web UI, and how the embedded server serves it."""

import pytest

from settings import Settings
from treadle.engine import temporal_command
from treadle.web_ui import web_ui_findings


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, api_port=8420, temporal_ui_port=8233)


def test_doctor_names_its_address_and_how_to_sign_in(settings):
    [finding] = web_ui_findings(settings)
    assert finding.found == "http://temporal.treadle.localhost:8420 (`treadle open --temporal`)"
    assert not finding.is_required
    [off] = web_ui_findings(settings.model_copy(update={"is_temporal_ui_on": False}))
    assert (off.is_well, off.found) == (True, "off")


def test_doctor_asks_for_the_address_of_a_cluster_s_web_ui(settings, monkeypatch):
    monkeypatch.setenv("TEMPORAL_ADDRESS", "cluster:7233")
    [finding] = web_ui_findings(settings)
    assert (finding.is_well, "TREADLE_TEMPORAL_UI_URL" in finding.found) == (True, True)


def test_the_embedded_web_ui_asks_nothing_of_the_internet(settings):
    assert "--ui-disable-news-fetch" in temporal_command(settings, "temporal")
