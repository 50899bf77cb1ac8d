import pytest
from typer.testing import CliRunner

from cli.app import app
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD

FIND = {
    "position": 7,
    "stream": f"{THREAD}/session-1",
    "top": THREAD,
    "title": "Why",
    "project": "/code/app",
    "at": "2026-01-01T00:00:00Z",
    "speaker": "person",
    "by": "ann",
    "excerpt": [
        {"text": "the \x1b[31m", "is_match": False},
        {"text": "button", "is_match": True},
        {"text": "\nflickers", "is_match": False},
    ],
}


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    api.answers["GET /v1/search"] = (200, {"finds": [FIND], "next": 7, "unindexed": 0})
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD, "status": "chat"}]})
    return lambda *arguments: CliRunner().invoke(app, ["search", *arguments])


def test_finds_are_shown_with_their_place_and_without_lines_of_their_own(api: Api, treadle):
    first, second, third = treadle("butt", "flick").stdout.splitlines()

    assert first.startswith(f"{THREAD}  session-1  ann  2")
    assert second == "  the �button⏎flickers"
    assert third == "More: add --before 7"
    assert "q=butt+flick" in api.got[-1][0]


def test_a_thread_is_meant_by_a_part_of_its_id(api: Api, treadle):
    treadle("word", "-t", THREAD[7:12], "--before", "7", "-n", "3")

    asked = api.got[-1][0]
    assert all(part in asked for part in (f"thread={THREAD}", "after=7", "limit=3"))


def test_a_search_says_that_nothing_is_found_and_what_is_not_searched_yet(api: Api, treadle):
    api.answers["GET /v1/search"] = (200, {"finds": [], "next": None, "unindexed": 1200})
    done = treadle("word")
    assert done.stdout == "Nothing found.\n"
    assert "1,200 older events" in done.stderr
