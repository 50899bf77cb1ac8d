"""How plans and templates say which agents do a task at once, and what is wrong with that."""

from typing import Any

import pytest

from adapters.files.template_text import BadTemplateError, read_template
from domain.core.errors import InvalidPlanError
from domain.plans.best_of import BestOf, BestOfEnd, candidate_id, is_candidate, is_run
from domain.plans.plan import PlannedTask
from domain.plans.proposals.limits import PlanRules
from domain.plans.proposals.proposal import Proposal, read_plan
from domain.plans.templates.template import BranchStrategy, GitConventions, PlanTemplate

RULES = PlanRules(takes_best_of=True)
PLAIN = PlanTemplate(name="plain")
TWO = PlanTemplate(name="two", best_of=BestOf(agents=("claude", "codex")))


def planned(template: PlanTemplate = PLAIN, rules: PlanRules = RULES, **task: Any) -> Proposal:
    raw = {"summary": "s", "tasks": [{"id": "app", "title": "App", **task}]}
    return read_plan(raw, template, goal="goal", rules=rules)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("[claude, codex]", BestOf(agents=("claude", "codex"))),
        (
            "{agents: [claude, 'treadle:qwen3:8b'], ends: first_passed, judge: gemini}",
            BestOf(
                agents=("claude", "treadle:qwen3:8b"), ends=BestOfEnd.FIRST_PASSED, judge="gemini"
            ),
        ),
    ],
)
def test_a_template_names_the_agents(said: str, expected: BestOf) -> None:
    template = read_template(f"---\nname: Three\nbestOf: {said}\n---\nText\n".encode(), "x")

    assert template.best_of == expected


@pytest.mark.parametrize("said", ["[claude]", "[a, b, c, d, e, f]", "[a, a]", "[a, '']", "7"])
def test_a_template_with_too_few_too_many_or_the_same_agents_is_refused(said: str) -> None:
    with pytest.raises(BadTemplateError):
        read_template(f"---\nname: Three\nbestOf: {said}\n---\nText\n".encode(), "x")


@pytest.mark.parametrize(
    "task",
    [
        {"bestOf": ["claude"]},
        {"bestOf": ["claude", "claude"]},
        {"bestOf": ["claude", "codex"], "runsAs": "thread"},
        {"candidate_of": "other"},
    ],
)
def test_what_several_agents_cannot_do_at_once_is_refused(task: dict[str, Any]) -> None:
    with pytest.raises(InvalidPlanError, match="bestOf"):
        planned(**task)


def test_several_agents_need_branches_of_their_own() -> None:
    shared = GitConventions(branch_strategy=BranchStrategy.SHARED)

    with pytest.raises(InvalidPlanError, match="branches of their own"):
        planned(PLAIN.model_copy(update={"git": shared}), bestOf=["claude", "codex"])


def test_a_plan_that_asks_for_more_than_its_template_is_acknowledged() -> None:
    asked = planned(bestOf=["claude", "codex"])

    assert [w.needs_acknowledgement for w in asked.warnings] == [True]
    assert "done by 2 agents in parallel" in asked.warnings[0].text
    assert planned(TWO).warnings == ()


def test_a_task_has_what_its_template_says_unless_it_says_otherwise() -> None:
    [task] = planned(TWO).plan.tasks
    [own] = planned(TWO, bestOf=["a", "b"]).plan.tasks
    [alone] = planned(TWO, bestOf={"agents": []}).plan.tasks
    [child] = planned(TWO, runsAs="thread").plan.tasks

    assert task.best_of == TWO.best_of
    assert own.best_of == BestOf(agents=("a", "b"))
    assert not alone.is_contest
    assert child.best_of is None


def test_a_plan_without_tasks_becomes_one_task_and_stays_as_it_is_when_read_again() -> None:
    raw = {"summary": "write a note", "verification": [{"type": "command", "command": "true"}]}

    once = read_plan(raw, TWO, goal="A note", rules=RULES)
    again = read_plan(once.plan.model_dump(mode="json"), TWO, goal="A note", rules=RULES)

    [task] = once.plan.tasks
    assert (task.id, task.title, task.description) == ("the-goal", "A note", "write a note")
    assert [step.command for step in task.verification] == ["true"]
    assert once.plan.verification == ()
    assert again.plan == once.plan


def test_threads_that_began_before_have_one_agent_for_each_task() -> None:
    [task] = planned(TWO, PlanRules(), bestOf=["a", "b"]).plan.tasks

    assert task.best_of is None


def test_a_task_without_several_agents_is_written_as_ever() -> None:
    task = PlannedTask(id="app", title="App")

    assert not {"best_of", "candidate_of"} & task.model_dump().keys()


def test_ids_of_candidates_are_none_of_plans() -> None:
    name = candidate_id(PlannedTask(id="app", title="App").id, 1)

    assert name == "app.b"
    assert is_candidate(name)
    assert [is_run(text) for text in ("app", "app.b", "app.bb", ".b", "app.", "app.B", "a/b.c")] == [
        True, True, False, False, False, False, False,
    ]  # fmt: skip
