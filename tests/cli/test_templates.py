"""`treadle template`, and how `treadle run` asks before a template may act."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.folders import BadPathError
from domain.plans.templates.template import PlanTemplate, TemplateSource, VerificationDefaults
from domain.plans.templates.views import FoundTemplate, TemplateProblem, TemplateView
from domain.verification.steps import StepType, VerificationStep

FOUND = FoundTemplate(
    choice="repo:default",
    label="Default (Repo)",
    source=TemplateSource.REPO,
    path="/code/app/.treadle/plan-templates/default/TEMPLATE.md",
    description="Ours [bold]\x1b[31m",
    content_hash="ab12" * 16,
    is_default=True,
    is_trusted=False,
    acts=("runs: make\nrm -rf /", "merges verified work without asking (gate: auto)"),
    warnings=("line 3, column 1: the key 'x' is not known",),
)
BROKEN = FOUND.model_copy(
    update={
        "choice": "repo:broken",
        "label": "broken (Repo)",
        "path": "/code/app/.treadle/plan-templates/broken/TEMPLATE.md",
        "is_default": False,
        "problem": TemplateProblem(
            type="bad_value", message="line 4, column 1: gate: no (bad_value)", line=4, column=1
        ),
    }
)
OURS = FoundTemplate(
    choice="builtin:default", label="Default (Builtin)", source=TemplateSource.BUILTIN, path="/t"
)
TEMPLATE = PlanTemplate(
    name="Default",
    source=TemplateSource.REPO,
    verification=VerificationDefaults(
        steps=(VerificationStep(type=StepType.COMMAND, label="Tests", command="make test"),),
        kept=("Tests",),
    ),
)
REFUSAL = {"title": "Template not trusted", "type": "treadle:template_not_trusted", "status": 409}


@pytest.fixture
def treadle(api, settings):
    """Run a command against an API that has three templates, one of them broken."""
    del settings
    listed = [each.model_dump(mode="json") for each in (FOUND, BROKEN, OURS)]
    api.answers["GET /v1/templates"] = (200, {"templates": listed})
    view = TemplateView(found=FOUND, template=TEMPLATE).model_dump(mode="json")
    for name in ("default", "repo%3Adefault"):
        api.answers[f"GET /v1/templates/{name}"] = (200, view)
    trusted = FOUND.model_copy(update={"is_trusted": True}).model_dump(mode="json")
    api.answers["POST /v1/templates/trust"] = (200, trusted)

    def run(*arguments, **options):
        return CliRunner().invoke(app, arguments, **options)

    return run


def posts(api):
    return [(what, body) for what, _, body in api.got if what.startswith("POST")]


def test_the_list_has_scopes_problems_warnings_and_the_rule(treadle):
    done = treadle("template", "list")
    assert done.exit_code == 0
    for part in (
        "Default (Repo) *",
        "repo:default",
        "not trusted",
        "broken",
        "line 4, column 1: gate: no",
        "line 3, column 1: the key 'x'",
        "* is the default",
        "Ours [bold]�",
    ):
        assert part in done.stdout


def test_a_template_is_shown_with_each_field(treadle):
    done = treadle("template", "show", "default")
    for part in ("Tests (command, in every task): make test", "per-task, treadle/", "ab12ab12"):
        assert part in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 1, "✗ /code/app/.treadle/plan-templates/broken/TEMPLATE.md"),
        (("broken",), 1, "line 4, column 1"),
        (("default",), 0, "✓ /code/app"),
        (("repo:default",), 0, "✓ /code/app"),
        (("/code/app/.treadle/plan-templates/broken/TEMPLATE.md",), 1, "✗"),
    ],
)
def test_a_check_of_a_broken_template_ends_with_1(treadle, arguments, code, told):
    done = treadle("template", "check", *arguments)
    assert done.exit_code == code
    assert told in done.stdout


def test_a_check_of_no_template_is_refused(treadle):
    assert "no template 'nope'" in str(treadle("template", "check", "nope").exception)


def test_trust_is_asked_with_all_that_is_done_and_bound_to_what_was_shown(treadle, api, tmp_path):
    done = treadle("template", "trust", "--repo", str(tmp_path), input="y\n")

    assert done.exit_code == 0
    assert "  - runs: make\n    rm -rf /\n  - merges verified work without asking" in done.stderr
    assert done.stderr.count("Trust it until its file changes") == 1
    ((_, body),) = posts(api)
    assert body == {
        "template": "repo:default",
        "repository": str(tmp_path),
        "content_hash": FOUND.content_hash,
    }


@pytest.mark.parametrize(
    ("answer", "told"),
    [("", f"trust repo:default --hash {FOUND.content_hash}"), ("n\n", "choose another one")],
)
def test_without_a_yes_nothing_is_trusted_and_the_way_is_reported(treadle, api, answer, told):
    done = treadle("template", "trust", "default", input=answer)
    assert done.exit_code == 1
    assert told in str(done.exception)
    assert not posts(api)


def test_a_hash_trusts_unasked(treadle, api):
    done = treadle("template", "trust", "default", "--hash", "ab12")
    assert done.exit_code == 0
    assert posts(api)[0][1]["content_hash"] == "ab12"


def test_a_run_asks_for_trust_and_goes_on(treadle, api, tmp_path):
    api.answers["POST /v1/threads"] = (409, REFUSAL)
    opened = (201, {"thread_id": "thread-x-1a2b3c", "message": "open"})
    api.then["POST /v1/templates/trust"] = lambda: api.answers.update({"POST /v1/threads": opened})
    api.answers["GET /v1/threads/thread-x-1a2b3c/events"] = (200, {"events": []})

    done = treadle("run", "do it", "--repo", str(tmp_path), "--detach", input="y\n")

    assert (done.exit_code, done.stderr.count("Trust it until its file changes")) == (0, 1)
    (first, one), (trust, _), (again, two) = posts(api)
    assert (first, trust, again) == (
        "POST /v1/threads",
        "POST /v1/templates/trust",
        "POST /v1/threads",
    )
    assert one.pop("command_id") != two.pop("command_id")
    assert one == two


def test_a_run_that_nobody_watches_is_refused_even_with_yes(treadle, api, tmp_path):
    api.answers["POST /v1/threads"] = (409, REFUSAL)
    done = treadle("run", "do it", "--repo", str(tmp_path), "--yes")
    assert done.exit_code == 1
    assert "no answer" in str(done.exception)
    assert len(posts(api)) == 1


def test_a_new_template_is_written_by_the_engine_and_what_comes_next_is_reported(
    treadle, api, tmp_path
):
    api.answers["POST /v1/templates"] = (201, OURS.model_dump(mode="json"))
    done = treadle("template", "new", "slow-lane", "--repo", str(tmp_path))
    assert "treadle template check slow-lane" in done.stderr
    treadle("template", "new", "slow-lane", "--mine")
    assert [body for _, body in posts(api)] == [
        {"name": "slow-lane", "repository": str(tmp_path)},
        {"name": "slow-lane"},
    ]


def test_templates_of_another_host_are_asked_by_its_name_and_paths_there(treadle, api):
    assert treadle("template", "list", "--host", "build-1").exit_code == 0
    there = ("--repo", "/away/app", "--host", "build-1")
    assert treadle("template", "show", "default", *there).exit_code == 0
    trusting = ("template", "trust", "repo:default", *there, "--hash", FOUND.content_hash)
    assert treadle(*trusting).exit_code == 0
    first, second, (path, _, body) = api.got[-3:]
    assert first[0] == "GET /v1/templates?host=build-1"
    assert second[0] == "GET /v1/templates/default?repository=%2Faway%2Fapp&host=build-1"
    assert path == "POST /v1/templates/trust?host=build-1"
    assert body["repository"] == "/away/app"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("template", "list", "--repo", "app"), "app must be an absolute path on host build-1"),
        (("template", "trust", "--hash", "ab"), "absolute path of the repository on host build-1"),
        (("workspace", "show"), "absolute path of the repository on host build-1"),
    ],
)
def test_a_folder_of_this_machine_is_none_of_another_host(treadle, api, arguments, sentence):
    result = treadle(*arguments, "--host", "build-1")
    assert isinstance(result.exception, BadPathError)
    assert sentence in str(result.exception)
    assert api.got == []
