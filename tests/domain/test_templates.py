"""What templates say of themselves, and what planners are told of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.plans.templates.hints import conventions
from domain.plans.templates.rules import is_branch
from domain.plans.templates.template import PlanTemplate, TemplateSource

LINT = {"type": "command", "label": "Lint", "command": "make lint"}
AUDIT = {"type": "command", "command": "make audit"}
REVIEW = {"type": "review_agent", "label": "Security", "prompt": "look"}


def template(**fields):
    return PlanTemplate.model_validate({"name": "Default", **fields})


def test_a_planner_is_told_what_every_task_gets_and_what_it_may_leave_out():
    told = conventions(
        template(
            verification={"steps": [LINT, AUDIT, REVIEW], "kept": ["make audit"]},
            resources={"defaultPorts": [{"id": "web", "description": "Application"}]},
            git={"branchStrategy": "shared"},
            planningHints="- Be brief\n",
            guidance="When in doubt, ask.",
        )
    )
    assert told == (
        "Every task is verified by these steps before its own, so do not repeat them:\n"
        "- Lint: command `make lint`\n"
        "- make audit: command `make audit`\n"
        "- Security: review_agent `look`\n"
        "\n"
        "Where one does not fit a task, like lint for text alone, name it in the task's "
        "`skip_steps`; the person is told. This can be done with: Lint, Security.\n"
        "\n"
        "Every task declares these ports:\n"
        "- web: Application\n"
        "\n"
        "All tasks share one branch and run one after the other.\n"
        "\n"
        "- Be brief\n"
        "\n"
        "When in doubt, ask."
    )


def test_of_a_template_that_says_nothing_a_planner_is_told_nothing():
    assert conventions(template()) == ""


@pytest.mark.parametrize(
    ("source", "label"),
    [
        (TemplateSource.REPO, "Default (Repo)"),
        (TemplateSource.USER, "Default (User)"),
        (TemplateSource.BUILTIN, "Default (Built-in)"),
    ],
)
def test_a_label_has_the_scope(source, label):
    assert template(source=source).label == label


@pytest.mark.parametrize("name", ["main", "feature/x", "release/1.0", "a_b-c.d/E9"])
def test_a_plain_name_is_a_branch(name):
    assert is_branch(name)


@given(st.text(alphabet="ab/.-_@{}$();\n \\~^:?*[x", max_size=12))
def test_what_is_a_branch_is_plain_for_git_and_a_shell(name):
    # the rules of git-check-ref-format, and no character that a shell would act on
    forbidden = ["..", "//", "@{", ".lock/", *" ~^:?*[\\;$(){}\n"]
    bad = name.startswith(("-", "/", ".")) or name.endswith(("/", ".", ".lock")) or not name
    bad = bad or "/." in name or any(part in name for part in forbidden)
    assert not (bad and is_branch(name))
