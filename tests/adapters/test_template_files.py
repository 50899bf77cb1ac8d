"""Plan templates by scope, and broken ones beside sound ones."""

import contextlib
import hashlib
import os
import socket

import pytest

from adapters.files.template_files import BUILT_IN
from domain.core.errors import InvalidTemplateError, RepositoryError, UnknownTemplateError
from domain.plans.templates.template import BranchStrategy, GatePolicy
from tests.adapters.template_lab import HOME, OURS, REPO, SEEDS, TemplateLab, front


@pytest.fixture
def lab(tmp_path):
    return TemplateLab(tmp_path)


def test_the_repositorys_default_goes_before_the_users_and_that_before_ours(lab):
    assert lab.template(None, lab.repository).source == "builtin"
    places = {
        "home/.flowgentic/plan-templates": "user",
        HOME: "user",
        OURS: "user",
        SEEDS: "repo",
        REPO: "repo",
    }
    for place, source in places.items():
        lab.put(place, "default", front(place))
        taken = lab.template(None, lab.repository)
        assert (taken.description, taken.source) == (place, source)
        (default,) = (each for each in lab.found(lab.repository) if each.is_default)
        assert default.path == taken.path


def test_a_chosen_template_goes_before_every_default(lab):
    lab.put(REPO, "default", front("repository's"))
    assert lab.template("Hotfix", lab.repository).git.branch_strategy is BranchStrategy.SHARED


def test_two_of_one_name_are_both_listed_by_scope_and_each_can_be_chosen(lab):
    lab.put(REPO, "default", front("theirs").replace("Tee", "Default"))
    lab.put(OURS, "default", front("mine").replace("Tee", "Default"))

    found = {each.label: each.choice for each in lab.found(lab.repository)}

    assert list(found)[:2] == ["Default (Repo)", "Default (User)"]
    for label, description in (("Default (Repo)", "theirs"), ("Default (User)", "mine")):
        assert lab.template(found[label], lab.repository).description == description
    assert lab.template("builtin:default", lab.repository).source == "builtin"
    with pytest.raises(UnknownTemplateError, match="user:hotfix"):
        lab.template("user:hotfix", lab.repository)


def test_of_two_of_one_name_and_scope_the_second_is_listed_as_hidden(lab):
    first = lab.put(REPO, "mine", front("first"))
    lab.put(SEEDS, "mine", front("second"))

    one, other = (e for e in lab.found(lab.repository) if e.choice == "repo:mine")

    assert (one.problem, other.problem.type) == (None, "hidden")
    assert str(first) in other.problem.message
    assert lab.template("mine", lab.repository).description == "first"


def test_any_folder_of_a_repository_stands_for_it(lab):
    lab.put(REPO, "mine", front("x"))
    below = lab.folder / "repo/deep/down"
    below.mkdir(parents=True)
    assert lab.template("mine", str(below)).description == "x"
    for wrong in ("repo", str(lab.folder / "nowhere"), "/a\0b", "/" + "x" * 5000):
        with pytest.raises(RepositoryError, match="whole path"):
            lab.found(wrong)


def test_a_snapshot_names_its_path_and_hash_and_holds_the_guidance(lab):
    text = front("x", "planningHints: be brief\n")
    path = lab.put(REPO, "default", text)

    template = lab.template(None, lab.repository)

    assert (template.id, template.label) == ("default", "Tee (Repo)")
    assert template.path == str(path)
    assert template.content_hash == hashlib.sha256(text.encode()).hexdigest()
    assert template.hints == "be brief\n\nprose"


@pytest.mark.parametrize("name", ["nope", "../default", "a/b", " ", "repo:", "moon:default"])
def test_an_unknown_template_is_refused_with_the_known_ones(lab, name):
    with pytest.raises(UnknownTemplateError, match="default, hotfix, spike"):
        lab.template(name, lab.repository)


def link_out(file):
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def link_folder_out(file):
    outside = file.parents[4] / "outside"
    file.parent.rename(outside)
    file.parent.symlink_to(outside)


def become_socket(file):
    file.unlink()
    # a socket's address is short
    with contextlib.chdir(file.parent), socket.socket(socket.AF_UNIX) as listener:
        listener.bind(file.name)


# what is in a template's place; nothing here is waited for
IN_PLACE = {
    "folder": (lambda file: file.unlink() or file.mkdir(), "not a regular file"),
    "fifo": (lambda file: file.unlink() or os.mkfifo(file), "not a regular file"),
    "socket": (become_socket, "not a regular file"),
    "link": (link_out, "symbolic link"),
    "dangling link": (lambda f: f.unlink() or f.symlink_to("/nowhere"), "symbolic link"),
    "linked folder": (link_folder_out, "symbolic link"),
    "no mapping": (lambda file: file.write_text("prose"), "frontmatter must be a mapping"),
    "too big": (lambda file: file.write_text(front("x" * 70_000)), "too big"),
    "bad value": (lambda file: file.write_text(front("x", "gate: no\n")), "line 4, column 1"),
}


@pytest.mark.parametrize(("put_in_place", "reason"), IN_PLACE.values(), ids=IN_PLACE)
def test_a_broken_template_is_listed_with_its_reason_and_harms_none(lab, put_in_place, reason):
    lab.put(REPO, "sound", front("x"))
    put_in_place(lab.put(REPO, "broken", front("x")))

    found = lab.problems()

    assert (found["repo:sound"], found["builtin:hotfix"]) == ("", "")
    assert reason in found["repo:broken"]
    assert lab.template("sound", lab.repository).description == "x"
    with pytest.raises(InvalidTemplateError, match=f"broken.*{reason}.*builtin:default"):
        lab.template("broken", lab.repository)
    with pytest.raises(UnknownTemplateError, match=f"broken.*{reason}"):
        lab.template("nope", lab.repository)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_template_is_listed_as_one(lab):
    lab.put(REPO, "broken", front("x")).chmod(0)
    assert "cannot be opened" in lab.problems()["repo:broken"]


@pytest.mark.parametrize(
    "name", ["Upper", "a b", "-rf", "ü", "a\u202eb", b"\xff".decode("utf-8", "surrogateescape")]
)
def test_a_folder_that_can_name_no_template_is_listed_with_its_reason(lab, name):
    lab.put(REPO, name, front("x"))
    (found,) = (each for each in lab.found(lab.repository) if each.source == "repo")
    assert found.problem.type == "bad_id"
    assert found.model_dump_json()


def test_a_broken_default_is_refused_and_not_passed_over(lab):
    lab.put(REPO, "default", "prose")
    lab.put(OURS, "default", front("mine"))
    with pytest.raises(InvalidTemplateError, match="line 1"):
        lab.template(None, lab.repository)
    assert lab.template("user:default", lab.repository).description == "mine"


def test_a_folder_of_templates_that_is_a_link_is_not_followed(lab):
    lab.put("elsewhere/plan-templates", "mine", front("x"))
    (lab.folder / "repo/.flowgentic").symlink_to(lab.folder / "elsewhere")

    found = lab.problems()

    assert "symbolic link" in found["repo:.flowgentic/plan-templates"]
    assert "repo:mine" not in found
    for name in (None, "hotfix"):
        assert lab.template(name, lab.repository).source == "builtin"


def test_of_5000_folders_the_first_200_are_looked_at(lab):
    lab.put(REPO, "t0000", front("x"))
    for number in range(1, 5000):
        (lab.folder / REPO / f"t{number:04}").mkdir()
    lab.put(REPO, "t0199", front("x"))
    lab.put(REPO, "t0200", front("x"))

    found = lab.problems()

    assert {"repo:t0000", "repo:t0199"} <= set(found)
    assert "repo:t0200" not in found
    note = "only the first 200 of 5000 folders are looked at"
    assert found["repo:.treadle/plan-templates"] == note
    assert lab.template("t0200", lab.repository).description == "x"


def test_a_home_that_is_a_repository_is_looked_into_once(lab):
    lab.put("home/.treadle/plan-templates", "mine", front("x"))
    (lab.folder / "home/.git").mkdir()
    (lab.folder / "home/.git/HEAD").touch()
    (found,) = (e for e in lab.found(str(lab.folder / "home")) if e.choice.endswith(":mine"))
    assert (found.source, found.problem) == ("repo", None)


def test_supporting_files_beside_a_template_change_nothing(lab):
    file = lab.put(REPO, "mine", front("x"))
    before = lab.template("mine", lab.repository)
    (file.parent / "checks").mkdir()
    (file.parent / "checks/a.sh").write_text("exit 1")
    (file.parent / "agents").symlink_to(lab.folder)
    (file.parent / "asset.bin").write_bytes(b"\0\xff" * 50_000)
    assert lab.template("mine", lab.repository) == before


def test_the_built_in_templates_assume_no_build_tool(lab):
    names = sorted(p.parent.name for p in (BUILT_IN / "plan-templates").glob("*/TEMPLATE.md"))
    assert names == ["default", "hotfix", "spike"]
    for name in names:
        template = lab.template(name, lab.repository)
        assert (template.verification.steps, template.acts, template.warnings) == ((), (), ())
        assert template.gate is GatePolicy.ASK
        assert template.planning_hints
