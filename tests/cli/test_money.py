"""`treadle money`: what is asked of the API, and what people see."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from domain.agents.limits.money import Limited, LimitScope, SpentLimit
from domain.money.requests import request_of
from domain.reading.money import AskedLimit, LimitView, MoneyView

MONTH = LimitScope(kind=Limited.MONTH, name="2026-11")
REQUEST = request_of(SpentLimit(scope=MONTH, limit=50_000_000, spent=50_120_000), 3, None)
VIEW = MoneyView(
    month="2026-11",
    standing=(
        LimitView(
            scope=MONTH,
            words=MONTH.words,
            limit=50_000_000,
            spent=50_120_000,
            reserved=250_000,
            unknown=2,
        ),
    ),
    asked=(AskedLimit(request=REQUEST, content_hash=REQUEST.content_hash, words=REQUEST.words),),
)


@pytest.fixture
def treadle(api, settings):
    """Run a command against an API that has one limit that is reached."""
    del settings
    api.answers["GET /v1/money"] = (200, VIEW.model_dump(mode="json"))
    for what in ("raise", "stop", "limits"):
        api.answers[f"POST /v1/money/{what}"] = (200, {"message": f"{what} done", "data": {}})
    return lambda *arguments: CliRunner().invoke(app, ["money", *arguments])


def bodies(api, what):
    return [body for key, _, body in api.got if key == what]


def test_the_month_is_shown_with_what_waits_and_how_it_is_answered(treadle):
    shown = treadle()
    assert shown.exit_code == 0, shown.output
    assert "≥ $50.12 (2 turns unknown)" in shown.output
    assert f"treadle money raise money/3 USD --hash {REQUEST.content_hash[:12]}" in shown.output


def test_a_limit_is_raised_for_what_was_shown(treadle, api):
    raised = treadle("raise", "money/3", "$80.50", "--hash", REQUEST.content_hash[:12])
    assert raised.exit_code == 0, raised.output
    [body] = bodies(api, "POST /v1/money/raise")
    assert (body["usd"], body["content_hash"]) == (80.5, REQUEST.content_hash)


def test_what_waits_is_stopped(treadle, api):
    assert treadle("stop", "money/3").exit_code == 0
    [body] = bodies(api, "POST /v1/money/stop")
    assert body["request_id"] == "money/3"


def test_limits_are_set(treadle, api):
    assert treadle("limit", "--month", "200").exit_code == 0
    [body] = bodies(api, "POST /v1/money/limits")
    assert (body["month_usd"], body.get("project_usd"), body["is_reset"]) == (200, None, False)


@pytest.mark.parametrize("amount", ["-1", "0", "10 €", "nan", "inf", "1e9", "ten"])
def test_what_is_no_amount_is_refused(treadle, amount):
    refused = treadle("raise", "money/3", "--", amount)
    assert refused.exit_code == 2
    assert "is not an amount" in refused.output


def test_a_request_that_is_not_open_is_refused(treadle):
    refused = treadle("stop", "money/9")
    assert isinstance(refused.exception, CommandError)
    assert "open: money/3" in str(refused.exception)


def test_an_answer_to_what_was_not_shown_is_refused(treadle, api):
    refused = treadle("raise", "money/3", "80", "--hash", "0123")
    assert isinstance(refused.exception, CommandError)
    assert "review it again with `treadle money`" in str(refused.exception)
    assert bodies(api, "POST /v1/money/raise") == []
