"""`treadle merge`: only what a person says that they have seen."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from domain.core.changes import BranchChanges
from domain.core.event import Headline
from domain.reading.views import ThreadView
from domain.threads.landing.calls import Landing, LandingStage
from domain.threads.running.health import Outstanding
from domain.threads.running.view import RunningView
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD, VIEW

FOUND = BranchChanges(
    branch="treadle/x", commit="c" * 40, base="a" * 40, target="main", target_commit="a" * 40
)
SEEN = ("--commit", "cccc", "--onto", "aaaa")
PATH = f"POST /v1/threads/{THREAD}/merge"


@pytest.fixture
def merge(api: Api, settings: Settings):
    """The command, on a thread whose merge goes as the test says."""
    del settings

    def told(landing: Landing, view: ThreadView) -> None:
        shown = view.model_copy(update={"landing": landing})
        api.answers[f"GET /v1/threads/{THREAD}"] = (200, shown.model_dump(mode="json"))

    def run(*arguments: str, ends: Landing | None = None, view: ThreadView = VIEW):
        told(Landing(), view)
        line = Headline(stream=THREAD, kind="thread").model_dump(mode="json")
        api.answers["GET /v1/threads"] = (200, {"threads": [line]})
        api.answers[f"GET /v1/threads/{THREAD}/changes"] = (200, FOUND.model_dump(mode="json"))
        api.answers[PATH] = (202, {"message": "taken"})
        api.then[PATH] = lambda: told(ends or Landing(number=1, stage=LandingStage.MERGED), view)
        return CliRunner().invoke(app, ["merge", THREAD, *arguments])

    return run


def test_what_was_seen_is_sent_and_how_it_went_is_reported(api: Api, merge):
    ends = Landing(number=1, stage=LandingStage.MERGED, target="main", merge_commit="e" * 40)

    done = merge(*SEEN, ends=ends)

    assert "Merged treadle/x into main: eeeeeeeeeeee" in done.stdout
    sent = next(body for line, _, body in api.got if line == PATH)
    assert (sent["commit"], sent["target_commit"]) == ("c" * 40, "a" * 40)


def test_a_refusal_ends_the_command_with_one(merge):
    ends = Landing(number=1, stage=LandingStage.REFUSED, target="main", failure="main has moved")

    done = merge(*SEEN, ends=ends)

    assert (done.exit_code, "not merged: main has moved" in done.stdout) == (1, True)


def test_an_unfinished_plan_is_noted(merge):
    left = Outstanding(task_id="docs", status="failed", reason="it broke", remedy="")
    view = VIEW.model_copy(update={"running": RunningView(outstanding=(left,))})
    for said in (SEEN, ()):
        assert "unfinished" not in merge(*said).stderr
        assert "The plan is unfinished" in (found := merge(*said, view=view).stderr)
        assert "docs failed" in found


@pytest.mark.parametrize("said", [("--commit", "d"), ("--commit", "c", "--onto", "b"), ()])
def test_what_was_not_seen_is_not_merged(api: Api, merge, said):
    with pytest.raises(CommandError, match=r"review it again|confirm the commits"):
        raise merge(*said).exception
    assert PATH not in [line for line, _, _ in api.got]
