"""Plan templates by scope, broken ones beside sound ones, and the prompts."""

import hashlib
import os
import re

import pytest

from adapters.files.known_keys import MisspeltKeyError, unknown_keys
from adapters.files.template_files import BUILT_IN, TemplateFiles
from domain.agents import Prompt, PromptName
from domain.errors import InvalidError, UnknownTemplateError
from domain.templates import BranchStrategy, GatePolicy, PlanTemplate

REPO = ".treadle/plan-templates"


@pytest.fixture
def put(tmp_path):
    """Write a template under a scope: `put("repo/.treadle/plan-templates", "default", text)`."""

    def write(folder, name, text):
        path = tmp_path / folder / name / "TEMPLATE.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


@pytest.fixture
def templates(tmp_path):
    return TemplateFiles(tmp_path / "config")


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "repo").mkdir()
    return str(tmp_path / "repo")


def front(description, extra=""):
    return f"---\nname: T\ndescription: {description}\n{extra}---\nprose\n"


def test_the_repositorys_default_wins_over_the_users_and_that_over_ours(templates, repository, put):
    assert templates.template(None, repository).source == "builtin"
    put("config/plan-templates", "default", front("user's"))
    assert templates.template(None, repository).source == "user"
    put("repo/.flowgentic/plan-templates", "default", front("seed's place"))
    assert templates.template(None, repository).description == "seed's place"
    put(f"repo/{REPO}", "default", front("repository's"))
    assert templates.template(None, repository).description == "repository's"


def test_a_chosen_template_wins_over_every_default(templates, repository, put):
    put(f"repo/{REPO}", "default", front("repository's"))
    assert templates.template("Hotfix", repository).git.branch_strategy is BranchStrategy.SHARED


def test_a_snapshot_names_its_path_and_hash(templates, repository, put):
    text = front("x", "verification: {maxRetries: 1, steps: [{type: command, command: make}]}\n")
    path = put(f"repo/{REPO}", "default", text)

    template = templates.template(None, repository)

    assert template.path == str(path)
    assert template.content_hash == hashlib.sha256(text.encode()).hexdigest()
    assert template.verification.max_retries == 1
    assert template.verification.steps[0].command == "make"


@pytest.mark.parametrize("name", ["nope", "../default", "a/b", " "])
def test_an_unknown_template_is_refused_with_the_known_ones(templates, repository, name):
    with pytest.raises(UnknownTemplateError, match="default, hotfix, spike"):
        templates.template(name, repository)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\nname: &a x\n---\n", "anchors"),
        ("---\nname: *a\n---\n", "anchors"),
        ("---\nname: !!python/object:os.system x\n---\n", "tags"),
        ("---\nname: x\n", "no second line"),
        ("---\n[1, 2]\n---\n", "must be a mapping"),
        ("---\nname: [\n---\n", "not YAML"),
        ("---\nname: {a: b}\n---\n", "name"),
        ("---\nverification: {maxRetries: 99}\n---\n", "max"),
        ("---\nx: " + "y" * 70_000 + "\n---\n", "at most 65536"),
    ],
)
def test_a_template_that_cannot_be_read_says_where_and_why(
    templates, repository, put, text, reason
):
    path = put(f"repo/{REPO}", "default", text)
    with pytest.raises(InvalidError, match=reason) as caught:
        templates.template(None, repository)
    assert str(path) in str(caught.value)


def test_a_template_that_is_a_link_out_of_the_repository_is_not_read(
    templates, repository, put, tmp_path
):
    outside = tmp_path / "secret.md"
    outside.write_text(front("secret"))
    path = put(f"repo/{REPO}", "default", "")
    path.unlink()
    path.symlink_to(outside)
    with pytest.raises(InvalidError, match="link"):
        templates.template(None, repository)


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda file: file.unlink() or file.mkdir(), "not a regular file"),
        (lambda file: file.unlink() or os.mkfifo(file), "not a regular file"),
        (lambda file: file.write_text("prose"), "frontmatter must be a mapping"),
        (lambda file: file.write_text(front("x").replace("prose", "x" * 70_000)), "too big"),
        (lambda file: file.write_text(front("x", "verfication: {}\n")), "did you mean 'verif"),
        (lambda file: file.write_text(front("x").replace("name: T", "name: a/b")), "bad_name"),
        (lambda file: file.write_text(front("x").replace("name: T", "name: 010")), None),
        (lambda file: file.write_text(front("x").replace("name: T", "name: 10")), "wrong_type"),
        (lambda file: file.write_text(front("x").replace("T", "a\u202eb")), "bad_name"),
        (lambda file: file.write_text(front("x").replace("T", "n" * 500)), "bad_name"),
    ],
)
def test_a_broken_template_is_listed_with_its_reason_and_the_others_work(
    templates, repository, put, break_it, reason
):
    put(f"repo/{REPO}", "sound", front("x"))
    break_it(put(f"repo/{REPO}", "broken", front("x")))

    found = {each.name: each.problem for each in templates.found(repository)}

    assert (found["sound"], found["hotfix"]) == ("", "")
    assert (reason or "") in found["broken"]
    assert bool(found["broken"]) == bool(reason)
    with pytest.raises(UnknownTemplateError, match=f"broken.*{reason or ''}"):
        templates.template("nope", repository)


def test_folders_that_are_links_are_listed_and_not_followed(templates, repository, put, tmp_path):
    put("elsewhere", "mine", front("x"))
    put(f"repo/{REPO}", "sound", front("x"))
    (tmp_path / "repo" / REPO / "mine").symlink_to(tmp_path / "elsewhere" / "mine")
    (tmp_path / "repo" / ".flowgentic").symlink_to(tmp_path)

    found = {each.name: each.problem for each in templates.found(repository)}

    assert found["sound"] == ""
    assert "symbolic link" in found["mine"]
    assert "symbolic link" in found[".flowgentic/plan-templates"]


def test_of_many_folders_the_first_are_looked_at(templates, repository, put, tmp_path):
    for number in range(205):
        put(f"repo/{REPO}", f"t{number:03}", front("x"))

    found = [each for each in templates.found(repository) if each.source == "repo"]

    assert [each.name for each in found[:200]] == [f"t{n:03}" for n in range(200)]
    assert [each.problem for each in found[200:]] == [
        "only the first 200 of 205 folders are looked at"
    ]


def test_unknown_keys_are_warnings_and_the_template_is_used(templates, repository, put):
    extra = "licence: x\ngit: {branchPrfix: x/, openPR: false}\n"
    put(f"repo/{REPO}", "default", front("x", extra))

    assert templates.template(None, repository).warnings == (
        "the key 'licence' is not known and was passed over",
        "the key 'git.branchPrfix' is not known and was passed over: did you mean 'branchPrefix'?",
    )


@pytest.mark.parametrize(
    "key", ["Gate", "gates", "verification.step", "verification.steps.0.requird"]
)
def test_a_key_that_nearly_guards_something_is_refused(key):
    *folders, last = key.split(".")
    value: object = {last: True}
    for name in reversed(folders):
        value = [value] if name == "0" else {name: value}
    with pytest.raises(MisspeltKeyError, match="did you mean"):
        unknown_keys(PlanTemplate, value)


@pytest.mark.parametrize("name", list(PromptName))
def test_every_prompt_has_a_file_and_renders_without_fields(templates, name):
    assert "${" not in templates.render(Prompt(name=name))


@pytest.mark.parametrize("name", [n for n in PromptName if n is not PromptName.MESSAGE])
def test_every_prompt_of_ours_starts_with_its_kind(templates, name):
    first = templates.render(Prompt(name=name)).splitlines()[0]
    assert re.match(r"# Treadle: \w+", first)


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        (PromptName.PLANNER, ["propose_plan"]),
        (PromptName.PLANNER_FEEDBACK, ["propose_plan"]),
        (PromptName.PLAN_MISSING, ["propose_plan"]),
        (PromptName.TASK, ["report_done", "report_blocked", "request_port"]),
        (PromptName.VERIFICATION_FAILED, ["report_done", "report_blocked"]),
        (PromptName.GATE_REJECTED, ["report_done"]),
        (PromptName.REPORT_MISSING, ["report_done", "report_blocked"]),
    ],
)
def test_prompts_name_the_tools_and_the_server(templates, name, tools):
    fields = {"ports": "- web", "feedback": "x", "report": "x"}
    text = templates.render(Prompt(name=name, fields=fields))
    assert [tool for tool in tools if f"`{tool}`" not in text] == []
    assert "MCP server `treadle`" in text


def test_a_section_without_content_is_left_out_and_values_are_taken_literally(templates):
    text = templates.render(
        Prompt(name=PromptName.TASK, fields={"task_id": "a", "description": "cost $5 ${goal}"})
    )
    assert "cost $5 ${goal}" in text
    assert "## Approach" not in text
    assert "## Rules" in text


def test_a_users_prompt_replaces_ours(templates, tmp_path):
    own = tmp_path / "config/prompts/task.md"
    own.parent.mkdir(parents=True)
    own.write_text("Do ${title}!")
    assert templates.render(Prompt(name=PromptName.TASK, fields={"title": "it"})) == "Do it!"


def test_the_built_in_templates_assume_no_build_tool(templates, repository):
    names = sorted(p.parent.name for p in (BUILT_IN / "plan-templates").glob("*/TEMPLATE.md"))
    assert names == ["default", "hotfix", "spike"]
    for name in names:
        template = templates.template(name, repository)
        assert template.verification.steps == ()
        assert template.gate is GatePolicy.ASK
        assert template.planning_hints
