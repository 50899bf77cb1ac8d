"""`treadle run --also`: a thread with more than one repository."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from domain.core.beside import OpenedBeside
from domain.core.changes import BesideChanges, BranchChanges
from domain.core.event import Headline
from domain.core.workspaces import RepositoryFacts
from domain.plans.templates.template import PlanTemplate
from domain.recipes.ports import FoundRecipe, RecipeSource
from domain.recipes.recipe import WorkspaceRecipe
from domain.threads.events import ThreadOpened
from domain.threads.landing.calls import Landing, LandingStage
from tests.api.conftest import event
from tests.cli.test_commands import THREAD, VIEW

OPENED = ThreadOpened(
    goal="x",
    agent="fake",
    facts=RepositoryFacts(root="/work/app", head="a" * 40),
    template=PlanTemplate(name="plain"),
    branch="treadle/x",
    name="app",
    beside=(
        OpenedBeside(
            name="api", repository="/work/api", begins_at="b" * 40, since="a" * 40, uncommitted=2
        ),
        OpenedBeside(name="lib", repository="/work/lib", begins_at="c" * 40, since="a" * 40),
    ),
)


@pytest.fixture
def run(api, settings, tmp_path, monkeypatch):
    """Say `treadle run` in a folder beside two others."""
    del settings
    for name in ("app", "api", "lib"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "app")
    journaled = {"position": 1, "event": event(1, body=OPENED).model_dump(mode="json")}
    api.answers["POST /v1/threads"] = (201, {"thread_id": THREAD})
    api.answers[f"GET /v1/threads/{THREAD}/events"] = (200, {"events": [journaled], "after": 1})
    return lambda *arguments: CliRunner().invoke(app, ("run", "x", "--detach", *arguments))


def sent(api):
    return next(body for path, _, body in api.got if path == "POST /v1/threads")


def test_other_repositories_are_sent_by_their_whole_paths(api, run, tmp_path):
    said = run("--also", "../api", "--also", str(tmp_path / "lib"))

    assert said.exit_code == 0, said.output
    assert sent(api)["repository"] == str(tmp_path / "app")
    assert sent(api)["also"] == [str(tmp_path / "api"), str(tmp_path / "lib")]


def test_what_a_thread_does_not_start_from_is_said_of_each(api, run):
    said = run("--also", "../api", "--also", "../lib").stderr

    assert "with api (/work/api); 2 uncommitted changes ignored: work starts from HEAD" in said
    assert "with lib (/work/lib)\n" in said


def test_one_repository_is_sent_as_before(api, run):
    assert run().exit_code == 0
    assert "also" not in sent(api)


def test_the_others_are_shown_with_the_thread(api, settings):
    del settings
    shown = VIEW.model_copy(update={"beside": ("/work/api", "/work/lib")})
    line = Headline(stream=THREAD, kind="thread").model_dump(mode="json")
    api.answers["GET /v1/threads"] = (200, {"threads": [line]})
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, shown.model_dump(mode="json"))

    said = CliRunner().invoke(app, ["show", THREAD])

    assert "/work/api, /work/lib" in said.output


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_recipe_of_another_repository_is_shown_before_it_is_trusted(
    api, run, tmp_path, is_trusted
):
    found = FoundRecipe(
        recipe=WorkspaceRecipe(setup=("make deps",)),
        source=RecipeSource.REPO,
        path="/work/api/.treadle/workspace.toml",
        content_hash="a" * 64,
        acts=("runs before agents work: make deps",),
        is_trusted=is_trusted,
    )
    api.answers["POST /v1/threads"] = (
        409,
        {"title": "no", "type": "treadle:recipe_not_trusted", "status": 409},
    )
    views = {"found": found.model_dump(mode="json")}
    api.answers["GET /v1/recipes"] = (200, views)

    said = run("--also", "../api")

    assert ("make deps" in said.stderr) is not is_trusted
    assert said.exception is not None


FOUND = BranchChanges(
    branch="treadle/x",
    commit="c" * 40,
    base="a" * 40,
    target="main",
    target_commit="a" * 40,
    beside=(BesideChanges(name="api", commit="d" * 40, target="main", target_commit="b" * 40),),
)
MERGE = f"POST /v1/threads/{THREAD}/merge"


@pytest.fixture
def merge(api, settings):
    del settings

    def told(landing):
        shown = VIEW.model_copy(update={"landing": landing})
        api.answers[f"GET /v1/threads/{THREAD}"] = (200, shown.model_dump(mode="json"))

    def run(*arguments):
        told(Landing())
        line = Headline(stream=THREAD, kind="thread").model_dump(mode="json")
        api.answers["GET /v1/threads"] = (200, {"threads": [line]})
        api.answers[f"GET /v1/threads/{THREAD}/changes"] = (200, FOUND.model_dump(mode="json"))
        api.answers[MERGE] = (202, {"message": "taken"})
        api.then[MERGE] = lambda: told(Landing(number=1, stage=LandingStage.MERGED))
        return CliRunner().invoke(app, ["merge", THREAD, *arguments])

    return run


def test_a_merge_is_of_what_was_seen_in_all_repositories(api, merge):
    assert merge("--commit", "cccc", "--onto", "aaaa,api=bbbb").exit_code == 0

    sent = next(body for line, _, body in api.got if line == MERGE)
    assert sent["beside"] == {"api": "b" * 40}


@pytest.mark.parametrize("onto", ["aaaa", "api=bbbb", "aaaa,api=bbbb,lib=cccc", "aaaa,api=cccc"])
def test_a_merge_of_something_else_sends_nothing(api, merge, onto):
    said = merge("--commit", "cccc", "--onto", onto)

    with pytest.raises(CommandError, match=r"aaaaaaaaaaaa,api=bbbbbbbbbbbb|main of api is at"):
        raise said.exception
    assert not any(line == MERGE for line, _, _ in api.got)


def test_without_a_terminal_the_whole_line_is_told(merge):
    with pytest.raises(CommandError, match="--onto aaaaaaaaaaaa,api=bbbbbbbbbbbb merges"):
        raise merge().exception
