"""`treadle learnings`: what is asked of the API, and what people see."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError

ONE = {
    "learning_id": "l-5f0c3a91d2",
    "repository": "/home/ann/shop",
    "text": "The price tests need\x1b[31m TZ=UTC [bold]",
    "learning": "next",
    "origins": [
        {"thread_id": "thread-a", "task_id": "api", "run": 1, "at": "2026-01-01T00:00:00Z"}
    ],
    "seen": 1,
    "offered": 7,
    "used": 3,
    "standing": "live",
    "expires": "2026-05-01T00:00:00Z",
    "touched_at": "2026-02-01T00:00:00Z",
    "gone": ["thread-a"],
}
TWO = {
    **ONE,
    "learning_id": "l-77ab000000",
    "text": "An outdated note",
    "standing": "removed",
    "removed_by": "ann",
    "expires": None,
}


@pytest.fixture
def treadle(api, settings):
    """Run a command against an API that has two learnings."""
    page = {"learnings": [ONE, TWO], "lifetime_days": 90}
    api.answers |= {
        "GET /v1/learnings": (200, page),
        f"POST /v1/learnings/{ONE['learning_id']}/keep": (200, {"message": "kept for good"}),
        "POST /v1/learnings/promotions": (201, {"thread_id": "thread-p", "message": "ok"}),
    }

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["learnings", *arguments], catch_exceptions=True)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.output

    return run


def test_the_list_shows_what_agents_are_told_and_never_what_terminals_obey(treadle):
    shown = treadle()
    assert "l-5f0c3a91d2" in shown
    assert "[bold]" in shown
    assert "\x1b[31m" not in shown
    assert "thread-a (removed) api; used 3, offered 7; expires 2026-05-01" in " ".join(
        shown.split()
    )
    assert "outdated" not in shown
    assert "removed by ann" in treadle("--all")


def test_a_part_of_an_id_is_enough_where_it_names_one(treadle, api):
    assert "kept for good" in treadle("keep", "5f0c")
    assert api.got[-1][2] | {"command_id": ""} == {
        "repository": "/home/ann/shop",
        "is_kept": True,
        "command_id": "",
    }
    with pytest.raises(CommandError, match="matches several"):
        treadle("keep", "l-")
    with pytest.raises(CommandError, match="no learning"):
        treadle("remove", "zz")


def test_a_promotion_names_the_thread_that_proposes_it(treadle, api):
    assert "treadle attach thread-p" in treadle("promote", "5f0c", "--agent", "claude")
    sent = api.got[-1][2]
    assert (sent["learning_ids"], sent["agent"]) == (["l-5f0c3a91d2"], "claude")
