"""The work of a plan without tasks is named by its thread alone."""

import pytest

from domain.core.ids import WORK
from tests.cli.test_commands import THREAD, treadle

assert treadle  # the fixture

OF_WORK, OF_TASK, OF_SESSION = f"tasks/{WORK}", "tasks/parse", "sessions/1"


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("skip-wait", THREAD), f"{OF_WORK}/skip-wait"),
        (("skip-wait", THREAD, "parse"), f"{OF_TASK}/skip-wait"),
        (("skip-wait", THREAD, "1"), f"{OF_SESSION}/skip-wait"),
        (("switch-agent", THREAD, "codex"), f"{OF_WORK}/switch-agent"),
        (("switch-agent", THREAD, "parse", "codex"), f"{OF_TASK}/switch-agent"),
        (("switch-agent", THREAD, "session-1", "codex"), f"{OF_SESSION}/switch-agent"),
        (("resolve", THREAD, "keep-a"), f"{OF_WORK}/conflict"),
        (("abort", THREAD), f"{OF_WORK}/abort"),
        (("retry", THREAD), f"{OF_WORK}/retry"),
    ],
)
def test_a_command_without_a_task_is_for_the_work(api, treadle, words, path):
    api.answers[f"POST /v1/threads/{THREAD}/{path}"] = (200, {"message": "taken"})
    assert "taken" in treadle(*words).stderr


@pytest.mark.parametrize("words", [("resolve", THREAD), ("switch-agent", THREAD, "a", "b", "c")])
def test_too_few_or_many_words_are_refused(treadle, words):
    assert treadle(*words).exit_code == 2
