"""`treadle publish` of a thread that is a stack of pull requests."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.numbers import MAX_NUMBER
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.forges.stacks import Layer
from domain.publications.views import WatchedPullRequest
from domain.threads.publishing.publication import Publication
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD, VIEW

PLACE = f"/v1/threads/{THREAD}/pull-request"


def layer(task: str, title: str, **more: object) -> Layer:
    made = {"branch": f"treadle/x-{task}", "source": "c", "wanted": "c", "commit": "c", **more}
    return Layer.model_validate({"task_id": task, "title": title, **made})


STACK = (
    layer("parse", "Write the\x1b[31m parser", number=12, url="https://f/12", is_merged=True),
    layer("use", "Use it", number=13, url="https://f/13", trouble="conflicts with main in app.py"),
    layer("log", "Log it", number=14, is_closed=True),
    layer("note", "Note it", number=15),
    layer("document", ""),
)


@pytest.fixture
def publish(api: Api, settings: Settings):
    """The command, on a thread with a stack whose pull requests are open, or as `status` says."""
    del settings

    def run(*words: str, status: str = "open", stack: tuple[Layer, ...] = STACK):
        found = WatchedPullRequest(
            workflow_id=f"{THREAD}/publication/13", number=13, status=status, head_commit="c" * 40
        )
        shown = VIEW.model_copy(update={"publication": Publication(stack=stack)})
        line = Headline(stream=StreamId(THREAD), kind="thread").model_dump(mode="json")
        api.answers["GET /v1/threads"] = (200, {"threads": [line]})
        api.answers[f"GET /v1/threads/{THREAD}"] = (200, shown.model_dump(mode="json"))
        api.answers[f"GET {PLACE}"] = (200, found.model_dump(mode="json"))
        for action in ("look", "merge", "dismiss"):
            api.answers[f"POST {PLACE}/{action}"] = (200, {"message": action})
        return CliRunner().invoke(app, ["publish", *words, THREAD])

    return run


def test_the_stack_is_listed_from_the_lowest_with_what_keeps_one_back(publish):
    shown = publish("status").stdout.splitlines()

    assert shown[:9] == [
        "a stack of 5, merged from the first to the last:",
        "  1. #12  Write the\ufffd parser  merged",
        "     https://f/12",
        "  2. #13  Use it  stopped",
        "     https://f/13",
        "     conflicts with main in app.py",
        "  3. #14  Log it  closed",
        "  4. #15  Note it  open",
        "  5. not open yet  document  waiting",
    ]
    assert shown[9].startswith("pull request #13  open")


def test_one_pull_request_is_no_stack(publish):
    shown = publish("status", stack=()).stdout

    assert "stack" not in shown
    assert shown.startswith("pull request #13")


@pytest.mark.parametrize("status", ["merged", "closed"])
def test_nobody_is_told_to_watch_what_is_over(publish, status: str):
    shown = publish("status", status=status).stdout

    assert f"pull request #13  {status}" in shown
    assert "publish watch" not in shown


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("status",), f"GET {PLACE}?number=14"),
        (("look",), f"POST {PLACE}/look?number=14"),
        (("dismiss", "failed-check-1"), f"POST {PLACE}/dismiss?number=14"),
        (("merge", "--commit", "c" * 40), f"POST {PLACE}/merge?number=14"),
    ],
)
def test_a_number_names_another_of_the_stack(api: Api, publish, words, asked: str):
    done = publish(*words, "--number", "14")

    assert done.exit_code == 0, done.output
    assert asked in [line for line, _, _ in api.got]


@pytest.mark.parametrize("number", ["-1", "first", str(MAX_NUMBER + 1)])
def test_what_is_no_number_is_refused_before_anything_is_asked(api: Api, publish, number: str):
    done = publish("status", "--number", number)

    assert done.exit_code == 2
    assert not [line for line, _, _ in api.got if "pull-request" in line]
