"""What doctor says of webhooks."""

import pytest

from settings import Settings
from settings.webhooks import WebhooksTable
from tests.webhooks.senders import sender
from treadle import up, webhook_findings
from treadle.engine import EngineError

AT = "2026-11-29T10:00:00Z"


@pytest.fixture
def said(monkeypatch):
    """What a running engine says of its webhooks."""
    answer = {"deliveries": [], "refused": [], "refused_since": []}

    class Engine:
        def __init__(self, settings, patience):
            pass

        def is_answered(self):
            return True

        def get(self, path):
            return answer

    monkeypatch.setattr(webhook_findings, "Client", Engine)
    return answer


@pytest.fixture
def settings(tmp_path):
    table = WebhooksTable(listen="127.0.0.1:8430", senders=(sender("github", tmp_path),))
    return Settings(data_dir=tmp_path, webhooks=table)


def test_nothing_is_said_where_webhooks_are_off(said, tmp_path):
    assert webhook_findings.webhook_findings(Settings(data_dir=tmp_path)) == []


def test_webhooks_that_come_are_well(said, settings):
    said["deliveries"].append({"sender": "github", "at": AT})
    said["refused"].append({"sender": "", "reason": "unknown_sender", "count": 4, "last_at": AT})
    [one] = webhook_findings.webhook_findings(settings)
    assert one.is_well
    assert one.found == f"last from github at {AT}; refused: 4 × unknown_sender (unknown sender)"


def test_a_sender_whose_deliveries_are_all_refused_is_told_with_what_to_do(said, settings):
    refused = {"sender": "github", "reason": "bad_signature", "count": 9, "last_at": AT}
    said["refused"].append(refused)
    said["refused_since"].append(refused)
    _, one = webhook_findings.webhook_findings(settings)
    assert (one.name, one.is_well, one.is_required) == ("webhook github", False, False)
    assert "bad_signature" in one.found
    assert "secret" in one.fix


def test_a_sender_without_a_secret_is_told(said, settings):
    settings.webhooks.senders[0].secret_file.write_text("")
    one = webhook_findings.webhook_findings(settings)[0]
    assert (one.name, one.is_well) == ("webhook secret", False)


def test_the_engine_says_it_in_a_line_and_does_not_start(settings):
    up._check_webhooks(settings)
    settings.webhooks.senders[0].secret_file.unlink()
    with pytest.raises(EngineError, match=r"webhook github: .* cannot be read.*openssl rand"):
        up._check_webhooks(settings)
