"""`treadle open`."""

import pytest

from tests.cli.test_commands import THREAD, VIEW, shown, treadle

assert treadle  # the fixture

FIRST, SECOND = VIEW.tasks
STARTED = VIEW.model_copy(update={"tasks": (FIRST.model_copy(update={"run": 1}), SECOND)})
URL = "http://temporal.treadle.localhost:8420/open/code"


@pytest.mark.parametrize(
    ("words", "workflow"),
    [
        ((), None),
        (("1a2b3c",), THREAD),
        (("1a2b3c", "parse"), f"{THREAD}/parse"),
        (("1a2b3c", "par"), f"{THREAD}/parse"),
        (("flow-review-3",), "flow-review-3"),
        (("release-1",), "flow-release-1"),
        (("rel",), "flow-release-1"),
        (("queue",), "queue"),
    ],
)
def test_the_web_ui_of_temporal_opens_at_a_workflow(api, treadle, words, workflow):
    shown(api, STARTED)
    api.answers["GET /v1/flow-runs"] = (200, {"runs": [{"run_id": "flow-release-1"}]})
    api.answers["POST /v1/temporal/links"] = (201, {"url": URL, "seconds": 300})
    assert treadle("open", "--temporal", *words).stdout == f"{URL}\n"
    assert api.got[-1][2] == ({} if workflow is None else {"workflow_id": workflow})


def test_a_thread_is_named_for_temporal_alone(treadle):
    said = treadle("open", "1a2b3c")
    assert said.exit_code == 2
    assert "--temporal" in said.stderr


@pytest.mark.parametrize(
    ("task", "why"),
    [("nope", "no task or session 'nope'"), ("show", "task 'show' has not started")],
)
def test_a_workflow_that_does_not_exist_is_not_linked(api, treadle, task, why):
    shown(api, STARTED)
    assert why in str(treadle("open", "--temporal", "1a2b3c", task).exception)
    assert not [line for line, _, _ in api.got if line.startswith("POST")]
