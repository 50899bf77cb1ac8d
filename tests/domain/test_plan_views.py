"""Plans are compared, their changes are shown, and what a fresh agent gets is written down."""

from hypothesis import given

from domain.plans.changes import changes
from domain.plans.comparison import FinishedTaskCost, compared, expected_cost, summarised
from domain.plans.handoff import MAX_HANDOFF_BYTES, handoff
from domain.plans.modes import CATALOGUE, planner_catalogue, specialist_of
from domain.plans.plan import Decision, DecisionOption, Mode, Plan, PlannedTask
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from tests.domain.planning_world import World
from tests.domain.strategies import plans

PLAIN = PlanTemplate(name="plain", agent_instructions="Be kind.")


def task(name, *needs, **fields):
    return PlannedTask(id=name, title=name.upper(), depends_on=needs, **fields)


PLAN = Plan(
    goal="Shop",
    approach="Adapter",
    key_risk="Over-abstraction",
    tasks=(
        task("a", area=("src/**",), max_turns=5),
        task("b", "a", mode=Mode.TEST, area=("src/**", "tests/**"), max_turns=3),
        task("c"),
        task("d", "b"),
    ),
    decisions=(
        Decision(
            id="db",
            question="Which?",
            options=(DecisionOption(label="A"), DecisionOption(label="B")),
        ),
    ),
)


def test_a_comparison_tells_what_a_person_chooses_by():
    other = Plan(summary="all at once", tasks=(task("x", area=("src/**",)),))
    side = compared(
        summarised(plan, (), revision=n, planner="claude", warnings=0)
        for n, plan in enumerate((PLAN, other), 1)
    )
    first, second = side.plans
    assert (first.tasks, len(first.parallel_groups), first.critical_path) == (
        4,
        3,
        ("a", "b", "d"),
    )
    assert (first.key_risk, first.files, first.decisions) == (
        "Over-abstraction",
        ("src/**", "tests/**"),
        1,
    )
    assert second.parallel_groups == (("x",),)
    assert side.shared_files == ("src/**",)
    assert compared(()).plans == ()


def test_cost_is_reported_by_budgets_and_by_history_and_never_guessed():
    assert expected_cost(PLAN, ()).turns_at_most is None
    budgeted = PLAN.model_copy(update={"tasks": PLAN.tasks[:2]})
    assert expected_cost(budgeted, ()).turns_at_most == 8
    assert expected_cost(budgeted, ()).expected_turns is None
    history = [FinishedTaskCost(mode=Mode.CODE, turns=t, tokens=1000) for t in (1, 2, 9)]
    history.append(FinishedTaskCost(mode=Mode.TEST, turns=4, tokens=0))
    cost = expected_cost(budgeted, history)
    assert (cost.expected_turns, cost.expected_tokens, cost.known) == (6, 2000, 4)
    assert expected_cost(Plan(summary="x"), history).expected_turns == 2


def test_changes_name_the_task_the_field_and_both_values():
    after = PLAN.model_copy(
        update={
            "key_risk": "PCI",
            "tasks": (
                PLAN.tasks[0],
                task("b", "c", mode=Mode.TEST, area=("src/**", "tests/**"), max_turns=3),
                task("e"),
                PLAN.tasks[3],
            ),
            "decisions": (),
        }
    )
    found = changes(PLAN, after)
    assert [change.line for change in found.tasks] == [
        "~ b: B (depends on)",
        "+ e: E",
        "- c: C",
    ]
    assert (found.tasks[0].fields[0].before, found.tasks[0].fields[0].after) == ("a", "c")
    assert [f.field for f in found.fields] == ["key risk"]
    assert [change.line for change in found.decisions] == ["- db: Which?"]
    assert not found.is_reordered


def test_another_order_is_a_change():
    turned = PLAN.model_copy(update={"tasks": PLAN.tasks[::-1]})
    assert changes(PLAN, turned).is_reordered
    assert changes(PLAN, PLAN).is_empty


@given(plans(), plans())
def test_changes_back_are_the_changes_turned_around(before, after):
    old, new = read_plan(before, PLAIN).plan, read_plan(after, PLAIN).plan
    there, back = changes(old, new), changes(new, old)
    turned = {"+": "-", "-": "+", "~": "~"}
    assert {(c.id, turned[c.sign]) for c in there.tasks} == {(c.id, c.sign) for c in back.tasks}
    assert changes(old, old).is_empty


def test_a_handoff_has_all_that_a_fresh_agent_needs():
    text = handoff(PLAN, PLAIN, {"db": ("A",)})
    for words in ("Shop", "Adapter", "`b` B (test, after a)", "Which? **A**", "Be kind."):
        assert words in text
    assert "open (A, B)" in handoff(PLAN, PLAIN)


def test_a_handoff_is_bounded():
    long = Plan(goal="ä" * 40_000, tasks=(task("a"),))
    assert len(handoff(long, PLAIN).encode()) <= MAX_HANDOFF_BYTES


def test_every_mode_is_in_the_catalogue():
    assert set(CATALOGUE) == set(Mode)
    assert all(len(guide.icon) == 1 for guide in CATALOGUE.values())
    for name in ("Implementation Specialist", "Validation Specialist", "Execution Specialist"):
        assert name in planner_catalogue()


def test_an_owner_is_the_specialist_in_place_of_the_modes_and_shows_in_the_changes():
    plain, owned = task("a"), task("a").model_copy(update={"owner": "Backend Engineer"})
    assert specialist_of(plain) == "Implementation Specialist"
    assert specialist_of(owned) == "Backend Engineer"
    (changed,) = changes(Plan(tasks=(plain,)), Plan(tasks=(owned,))).tasks
    assert [field.field for field in changed.fields] == ["owner"]
    assert "owner" not in plain.model_dump(), "what was approved without one keeps its hash"


def test_a_revision_says_which_one_took_its_place():
    world = World()
    world.propose()
    world.propose(summary="otherwise")
    assert [plan.superseded_by for plan in world.state.plans] == [2, None]
