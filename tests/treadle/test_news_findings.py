"""What doctor says of channels that do not deliver."""

import pytest

from treadle import news_findings
from treadle.news_findings import news_findings as found


def channel(**more):
    return {"channel": {"name": "hook"}, "newest": "sent", "reason": "", "given_up": 0, **more}


@pytest.fixture
def answers(monkeypatch):
    """What a running engine says of its channels."""
    said = []

    class Engine:
        def __init__(self, settings, patience):
            pass

        def is_answered(self):
            return True

        def get(self, path):
            return {"channels": said}

    monkeypatch.setattr(news_findings, "Client", Engine)
    return said


def test_a_channel_that_delivers_is_not_worth_a_line(answers):
    answers.append(channel())
    assert found(None) == []


def test_one_that_fails_says_why(answers):
    answers.append(channel(newest="waiting", reason="the receiver answered 503"))
    [one] = found(None)
    assert (one.is_well, one.is_required) == (False, False)
    assert one.found == "not delivered, tried again: the receiver answered 503"


def test_what_was_given_up_is_told_though_the_newest_was_sent(answers):
    answers.append(channel(given_up=2))
    [one] = found(None)
    assert one.found == "2 messages of the last week reached nobody"
    assert "treadle inbox" in one.fix
