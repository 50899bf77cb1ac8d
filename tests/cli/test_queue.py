"""`treadle queue add`: what an entry waits for, by a part of its id."""

import pytest

from cli.core.errors import CommandError
from domain.queue.entry import EntryState
from domain.reading.queue import QueueView
from tests.cli.test_commands import THREAD, treadle
from tests.cli.test_queue_pages import shown

assert treadle  # the fixture


@pytest.fixture
def queue(api):
    waiting = QueueView(entries=(shown("thread-write-the-parser", EntryState.WAITING),))
    api.answers["GET /v1/queue"] = (200, waiting.model_dump(mode="json"))
    api.answers["POST /v1/queue"] = (202, {"entries": ["thread-new"]})
    return api


@pytest.mark.parametrize(
    ("option", "part", "whole"),
    [
        ("--base", "write-the", "thread-write-the-parser"),
        ("--after", "write-the", "thread-write-the-parser"),
        ("--base", "1a2b3c", THREAD),
        ("--after", "1a2b3c", THREAD),
        ("--after", "flow-review", "flow-review"),
    ],
)
def test_a_part_of_an_id_says_what_to_wait_for(queue, treadle, option, part, whole):
    assert treadle("queue", "add", "Test the parser", option, part).exit_code == 0

    [body] = [body for what, _, body in queue.got if what == "POST /v1/queue"]
    [item] = body["items"]
    assert [item.get("base"), *item["after"]] in ([whole], [None, whole])


def test_a_part_that_fits_nothing_is_reported(queue, treadle):
    with pytest.raises(CommandError, match="no thread matches 'zzz'"):
        raise treadle("queue", "add", "Test the parser", "--base", "zzz").exception


@pytest.mark.parametrize("what", [("Test the parser",), ("--flow", "review")])
def test_an_entry_says_where_it_works(queue, treadle, what):
    named = "https://git.example/team/app.git@main"
    places = ("--repo", named, "--host", "build-1", "--label", "gpu", "--label", "zone=a")
    assert treadle("queue", "add", *what, *places).exit_code == 0

    [body] = [body for what, _, body in queue.got if what == "POST /v1/queue"]
    [item] = body["items"]
    assert (item["host"], item["labels"]) == ("build-1", ["gpu", "zone=a"])
    assert item.get("repository", item.get("working_folder")) == named


def test_a_url_that_names_no_repository_queues_nothing(queue, treadle):
    refused = treadle("queue", "add", "Test it", "--repo", "https://ann:secret@git.example/a.git")
    assert (refused.exit_code, "credential helper" in str(refused.exception)) == (1, True)
    assert not [what for what, *_ in queue.got if what == "POST /v1/queue"]
