"""`treadle open`."""

import pytest

from tests.cli.test_commands import THREAD, treadle

assert treadle  # the fixture

URL = "http://temporal.treadle.localhost:8420/open/code"


@pytest.mark.parametrize(
    ("words", "workflow"),
    [
        ((), None),
        (("1a2b3c",), THREAD),
        (("1a2b3c", "parse"), f"{THREAD}/parse"),
        (("flow-review-3",), "flow-review-3"),
        (("queue",), "queue"),
    ],
)
def test_the_web_ui_of_temporal_opens_at_a_workflow(api, treadle, words, workflow):
    api.answers["POST /v1/temporal/links"] = (201, {"url": URL, "seconds": 300})
    assert treadle("open", "--temporal", *words).stdout == f"{URL}\n"
    assert api.got[-1][2] == ({} if workflow is None else {"workflow_id": workflow})


def test_a_thread_is_named_for_temporal_alone(treadle):
    said = treadle("open", "1a2b3c")
    assert said.exit_code == 2
    assert "--temporal" in said.stderr
