"""Which templates may act unasked, and the trust in those of repositories."""

import pytest

from domain.core.errors import NotShownError, TemplateNotTrustedError
from tests.adapters.template_lab import HOME, OURS, REPO, STEPS, TemplateLab, front


@pytest.fixture
def lab(tmp_path):
    return TemplateLab(tmp_path)


def test_a_repositorys_commands_are_refused_until_that_very_content_is_trusted(lab):
    file = lab.put(REPO, "default", front("x", STEPS))

    with pytest.raises(TemplateNotTrustedError) as caught:
        lab.template(None, lab.repository)
    shown = lab.view(None, lab.repository).found
    assert (shown.is_trusted, shown.acts) == (False, ("runs: make",))
    for part in (
        str(file),
        shown.content_hash,
        "runs: make",
        "treadle template trust repo:default",
    ):
        assert part in caught.value.message

    for _ in range(2):
        lab.trust("default", lab.repository, shown.content_hash, "ada")
    assert lab.template(None, lab.repository).verification.steps[0].command == "make"

    file.write_text(front("x", STEPS.replace("make", "make all")))
    with pytest.raises(TemplateNotTrustedError, match="runs: make all"):
        lab.template(None, lab.repository)
    with pytest.raises(NotShownError):
        lab.trust("default", lab.repository, shown.content_hash, "ada")
    file.write_text(front("x", STEPS))
    assert lab.view(None, lab.repository).found.is_trusted


def test_the_same_content_in_another_place_is_trusted_for_itself(lab):
    lab.put(REPO, "default", front("x", STEPS))
    lab.put("other/.treadle/plan-templates", "default", front("x", STEPS))
    shown = lab.view(None, lab.repository).found
    lab.trust("default", lab.repository, shown.content_hash, "ada")
    with pytest.raises(TemplateNotTrustedError):
        lab.template(None, str(lab.folder / "other"))


@pytest.mark.parametrize(
    ("extra", "act"),
    [
        (STEPS, "runs: make"),
        ("verification: {steps: [{type: script, command: ./x.sh}]}\n", "runs: ./x.sh"),
        ("verification: {steps: [{type: review_agent, prompt: look}]}\n", "has reviewed: look"),
        (
            "verification: {judges: tests}\n",
            "lets work that changed existing tests merge without asking (judges: tests)",
        ),
        (
            "resources: {hosts: ['*.Example.org']}\n",
            "lets agents and steps reach by HTTPS: *.example.org",
        ),
        ("gate: auto\n", "merges verified work without asking (gate: auto)"),
        (
            "git: {openPR: true, prTarget: dev}\n",
            "pushes the branch and opens a pull request against dev",
        ),
    ],
)
def test_whatever_acts_without_asking_needs_trust(lab, extra, act):
    lab.put(REPO, "default", front("x", extra))
    assert lab.view(None, lab.repository).found.acts == (act,)
    with pytest.raises(TemplateNotTrustedError):
        lab.template(None, lab.repository)


def test_words_alone_need_no_trust(lab):
    steps = "verification: {steps: [{type: file_exists, path: README.md}]}\n"
    lab.put(REPO, "default", front("x", f"planningHints: x\nagentInstructions: y\n{steps}"))
    assert lab.template(None, lab.repository).description == "x"


def test_of_the_users_folders_the_configuration_needs_no_trust_and_the_home_does(lab):
    # agents can write to the home folder, so a template there may be theirs
    lab.put(OURS, "mine", front("x", STEPS))
    lab.put(HOME, "planted", front("x", "gate: auto\n"))
    assert lab.template("mine", lab.repository).verification.steps
    with pytest.raises(TemplateNotTrustedError):
        lab.template("planted", lab.repository)


def test_what_is_trusted_lies_in_the_data_folder_for_its_owner_alone(lab):
    lab.put(REPO, "default", front("x", STEPS))
    shown = lab.view(None, lab.repository).found
    lab.trust("default", lab.repository, shown.content_hash, "ada")

    (file,) = (lab.folder / "data/trust").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert '"by":"ada"' in file.read_text()
    file.write_text("{")
    assert not lab.view(None, lab.repository).found.is_trusted
