"""`treadle merge-session`: it waits for the end, and its exit code says what happened."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from domain.core.event import Headline
from domain.core.workspaces import Snapshot
from domain.reading.views import SessionView
from domain.tasks.conflicts import Conflict, ConflictStage, OpenConflict
from domain.threads.lifecycle.state import ChatMerge
from domain.threads.shown import ShownConflict
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD, VIEW

SESSION = f"{THREAD}/session-2"
PATH = f"POST /v1/threads/{THREAD}/sessions/2/merge"
ASKED = Conflict(session_id=SESSION, run=3, commit="b" * 40, branch="treadle/x", files=("a.py",))
MADE = Snapshot(commit="e" * 40, tree="f" * 40, base="0" * 40)
RESOLVED = ASKED.model_copy(update={"resolution": MADE})


@pytest.fixture
def merge(api: Api, settings: Settings):
    """The command, on a thread whose merge goes as the test says."""
    del settings

    def told(ended: ChatMerge, found: tuple[OpenConflict, ...]) -> None:
        chat = SessionView(session_id=SESSION, role="chat", agent="codex", merge=ended)
        conflicts = tuple(map(ShownConflict.of, found))
        view = VIEW.model_copy(update={"sessions": (chat,), "conflicts": conflicts})
        api.answers[f"GET /v1/threads/{THREAD}"] = (200, view.model_dump(mode="json"))

    def run(ended: ChatMerge, *found: OpenConflict):
        told(ChatMerge(number=2, commit="a" * 40), ())
        line = Headline(stream=THREAD, kind="thread").model_dump(mode="json")
        api.answers["GET /v1/threads"] = (200, {"threads": [line]})
        api.answers[PATH] = (202, {"message": "taken", "data": {"number": 3}})
        api.then[PATH] = lambda: told(ended, found)
        return CliRunner().invoke(app, ["merge-session", THREAD])

    return run


def test_what_was_merged_is_told_with_its_commit(merge):
    done = merge(ChatMerge(number=3, commit="e" * 40))
    assert (done.exit_code, "Merged session-2" in done.stdout) == (0, True)
    assert "eeeeeeeeeeee" in done.stdout


def test_what_was_merged_before_is_not_told_as_merged(merge):
    done = merge(ChatMerge(number=3, commit="e" * 40, is_new=False))
    assert (done.exit_code, "Merged" in done.stdout) == (0, False)
    assert f"the changes of session-2 are in {VIEW.branch} already" in " ".join(done.stdout.split())


def test_what_was_not_merged_ends_with_one_and_the_reason(merge):
    done = merge(ChatMerge(number=3, failure="the session has changed nothing yet"))
    assert (done.exit_code, "not merged: the session has changed" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (OpenConflict(conflict=ASKED), "session-2 agent"),
        (OpenConflict(conflict=ASKED, stage=ConflictStage.BY_HAND, path="/w"), "session-2 done"),
        (OpenConflict(conflict=ASKED, stage=ConflictStage.RESOLVING), "in the chat now"),
        (OpenConflict(conflict=RESOLVED, stage=ConflictStage.RESOLVED), "--session 2"),
    ],
    ids=["asked", "by hand", "resolving", "resolved"],
)
def test_a_conflict_ends_with_one_and_the_ways_to_resolve_it(merge, found, words):
    done = merge(ChatMerge(number=3, conflicts=("a.py",)), found)
    assert (done.exit_code, "session-2 conflicts with treadle/x" in done.stdout) == (1, True)
    assert words in done.stdout
    assert f"treadle resolve {THREAD} session-2 leave" in done.stdout
