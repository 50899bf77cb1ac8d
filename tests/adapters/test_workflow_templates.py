"""Workflow templates as files: where they lie, what is read, and what is said of broken ones."""

import os
from pathlib import Path

import pytest

from adapters.files.workflow_templates import WorkflowTemplateFiles, read_workflow_template
from domain.core.errors import InvalidTemplateError, UnknownTemplateError

SOUND = b"goals: [{id: a, goal: do it}]\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "repo/.treadle/workflow-templates").mkdir(parents=True)
    return tmp_path / "repo"


@pytest.fixture
def files(tmp_path: Path) -> WorkflowTemplateFiles:
    (tmp_path / "config/workflow-templates").mkdir(parents=True)
    return WorkflowTemplateFiles(tmp_path / "config")


def put(folder: Path, name: str, content: bytes) -> None:
    (folder / f"{name}.yaml").write_bytes(content)


def test_those_that_come_along_are_sound():
    found = WorkflowTemplateFiles().found(None)
    assert [(each.name, each.problems) for each in found] == [
        ("research-then-build", ()),
        ("upkeep", ()),
    ]


def test_a_repositorys_goes_before_the_users_and_that_before_ours(files, repository, tmp_path):
    ours = repository / ".treadle/workflow-templates"
    put(ours, "both", b"description: repo\ngoals: [{id: a, goal: x}]")
    put(tmp_path / "config/workflow-templates", "both", SOUND)
    put(tmp_path / "config/workflow-templates", "upkeep", SOUND)

    found = files.found(str(repository))
    assert [(e.name, e.scope, e.is_hidden) for e in found] == [
        ("both", "repo", False),
        ("both", "user", True),
        ("upkeep", "user", False),
        ("research-then-build", "builtin", False),
        ("upkeep", "builtin", True),
    ]
    assert files.usable("both", str(repository))[1].description == "repo"


def test_a_file_is_read_afresh_each_time(files, repository):
    folder = repository / ".treadle/workflow-templates"
    put(folder, "one", SOUND)
    before = files.one("one", str(repository)).content_hash
    put(folder, "one", b"goals: [{id: a, goal: other}]")
    assert files.usable("one", str(repository))[1].goals[0].goal == "other"
    assert files.one("one", str(repository)).content_hash != before


def test_links_pipes_and_odd_names_are_listed_with_the_reason_and_harm_no_other(
    files, repository, tmp_path
):
    folder = repository / ".treadle/workflow-templates"
    (tmp_path / "secret.yaml").write_bytes(SOUND)
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    os.mkfifo(folder / "pipe.yaml")
    put(folder, "Odd name", SOUND)
    put(folder, "big", b"#" * 70_000)
    put(folder, "fine", SOUND)

    found = {e.name: [p.type for p in e.problems] for e in files.found(str(repository))}
    assert {name: found[name] for name in ("link", "pipe", "Odd name", "big", "fine")} == {
        "link": ["unreadable"],
        "pipe": ["unreadable"],
        "Odd name": ["bad_name"],
        "big": ["unreadable"],
        "fine": [],
    }


def test_a_folder_that_is_a_link_is_not_looked_into(files, repository, tmp_path):
    folder = repository / ".treadle/workflow-templates"
    folder.rmdir()
    folder.symlink_to(tmp_path / "config/workflow-templates")
    put(tmp_path / "config/workflow-templates", "mine", SOUND)
    first, mine, *_ = files.found(str(repository))
    assert [p.type for p in first.problems] == ["unreadable"]
    assert (mine.name, mine.problems) == ("mine", ())


def test_a_broken_one_is_refused_and_an_unknown_one_names_those_there_are(files, repository):
    put(repository / ".treadle/workflow-templates", "upkeep", b"goals: []")
    with pytest.raises(InvalidTemplateError, match=r"line 1, column 1: goals: give at least one"):
        files.usable("upkeep", str(repository))
    with pytest.raises(UnknownTemplateError, match="there are: research-then-build, upkeep"):
        files.usable("nope", str(repository))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "missing_field"),
        (b"goals: 5", "wrong_type"),
        (b"- a", "not_a_mapping"),
        (b"goals: [{id: a, goal: x, gaol: y}]", "unknown_key"),
        (b"goals: [{id: a, goal: x}]\nparameters: {p: {defualt: x}}", "unknown_key"),
        (b"goals: [{id: a, goal: x, priority: 9}]", "out_of_range"),
        (b"goals: [{id: a, goal: x, priority: high}]", "wrong_type"),
        (b"goals: [{id: a, goal: [x]}]", "wrong_type"),
        (b"goals: [{id: a, id: b, goal: x}]", "duplicate_key"),
        (b"goals: &g [{id: a, goal: x}]", "yaml_feature_not_allowed"),
        (b"\xff", "not_utf8"),
    ],
)
def test_every_mistake_has_a_name_and_a_line(content: bytes, expected: str):
    _, problems = read_workflow_template(content)
    assert [problem.type for problem in problems] == [expected]
    assert problems[0].line == (2 if b"\n" in content else 1)


def test_all_mistakes_are_reported_at_once():
    text = b"goals:\n  - id: a\n    goal: x\n    after: [b]\n  - id: A\n    goal: ${c}\n"
    _, problems = read_workflow_template(text)
    assert [(p.type, p.line) for p in problems] == [
        ("bad_name", 5),
        ("unknown_parameter", 6),
        ("unknown_goal", 4),
    ]
