"""Bad plans and the clear answer to each."""

from typing import Any

import pytest

from domain.core.errors import InvalidPlanError
from domain.plans.plan import MAX_DEPTH, Plan
from domain.plans.proposals.limits import PlanLimits, PlanRules
from domain.plans.proposals.proposal import Proposal, read_plan
from domain.plans.proposals.shape import CUT, MAX_TEXT_BYTES
from domain.plans.templates.template import PlanTemplate, Port, Resources, VerificationDefaults
from domain.plans.warnings import WarningKind, plan_hash
from domain.verification.steps import StepType, VerificationStep, port_references, with_ports

PLAIN = PlanTemplate(name="plain")
STRICT = PlanTemplate(
    name="strict",
    verification=VerificationDefaults(
        steps=(
            VerificationStep(type=StepType.COMMAND, label="Tests", command="make test"),
            VerificationStep(type=StepType.COMMAND, command="make lint", required=False),
        )
    ),
    resources=Resources(default_ports=(Port(id="web"),)),
)


def task(**fields: Any) -> dict[str, Any]:
    return {"tasks": [{"id": "a", "title": "A", **fields}]}


def step(**fields: Any) -> dict[str, Any]:
    return task(ports=[{"id": "a"}], verification=[{"type": "command", **fields}])


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def ports(*ids: str) -> dict[str, Any]:
    return task(ports=[{"id": port} for port in ids])


def tasks(*ids: str) -> dict[str, Any]:
    return {"tasks": [{"id": name, "title": "x"} for name in ids]}


def decision(*labels: str, **fields: Any) -> dict[str, Any]:
    options = [{"label": label} for label in labels]
    asked = {"id": "database", "question": "Which?", "options": options, **fields}
    return {"summary": "x", "decisions": [asked]}


REFUSED: list[tuple[str, Any, str]] = [
    ("prose", "First we look around.", "bad_json: Expecting value at line 1"),
    ("tasks that depend outside of themselves", {"tasks": [], "dependencies": ["a"]}, "unknown_field"),
    ("nothing to do", {"tasks": []}, "missing_field"),
    ("10,000 tasks", tasks(*(f"t-{n}" for n in range(10_000))), "too_many_tasks: 10000 tasks"),
    ("201 tasks", tasks(*(f"t-{n}" for n in range(201))), "at most 200"),
    ("the same id twice", tasks("a", "a"), "duplicate_id"),
    ("ids that differ in case", tasks("ab", "aB"), "bad_id"),
    ("ids in NFC and NFD", tasks("caf\u00e9", "cafe\u0301"), "bad_id"),
    ("an id with a zero-width space", tasks("ab", "a\u200bb"), "bad_id"),
    *((f"the id {name[:9]!r}", tasks(name), "bad_id") for name in ["-rf", "..", "con", ".git", "HEAD"]),
    ("an id of 300 characters", tasks("a" * 300), "bad_id"),
    ("the id of a session", tasks("session-1"), "bad_id"),
    *(
        (f"the port {name[:9]!r}", ports(name), "bad_port_id")
        for name in ["API", "a_b", "a.b", "-a", "a-", "a" * 64, "${x}"]
    ),
    ("a port twice", ports("web", "web"), "duplicate_port"),
    ("50 ports", ports(*(f"p{n}" for n in range(50))), "too_many: 50 ports, at most 10"),
    ("planApproval AUTO", task(planApproval="AUTO"), "bad_value: planApproval: 'AUTO'; allowed: 'none', 'auto' or 'user'"),
    ("an unknown mode", task(mode="hack"), "allowed: 'code', 'test'"),
    ("an unknown way to run", task(runs_as="process"), "allowed: 'task' or 'thread'"),
    ("a command step without command", step(), "missing_field: a command step needs 'command'"),
    ("a file step without path", step(type="file_exists"), "missing_field"),
    ("a health step without URL", step(type="http_health"), "missing_field"),
    ("a step with two subjects", step(command="true", url="http://x"), "conflict"),
    ("the step type shell", step(type="shell", command="ls"), "unknown_step_type: 'shell'; known are: command, script"),
    ("the step type Command", step(type="Command", command="ls"), "unknown_step_type"),
    ("no step type", task(verification=[{"command": "ls"}]), "missing_field: 'type'"),
    ("an empty command", step(command="  "), "missing_field"),
    ("a command with NUL", step(command="a\0b"), "bad_value"),
    ("a command of 100 KB", step(command="x" * 100_000), "too_long"),
    *(
        (f"the reference {text}", step(command=f"curl {text}"), f"unknown_port: {named!r}")
        for text, named in [
            ("${ports.unknown}", "unknown"),
            ("${ports.}", ""),
            ("${ports.a${ports.b}}", "b"),
            ("${ports.a${ports.a}}", "${ports.a${ports.a}}"),
            ("${PORTS.a}", "${PORTS.a}"),
            ("${env.X}", "${env.X}"),
        ]
    ),
    *(
        (f"the timeout {wrong!r}", step(command="ls", timeout=wrong), "bad_timeout")
        for wrong in [0, -5, 10**12, "5m", True, 1.5, None]
    ),
    ("a number that is a truth value", task(max_turns=True), "bad_value: max_turns"),
    ("no tokens at all", task(max_tokens=0), "bad_value: max_tokens"),
    ("a field that is nearly one", task(depend_on=["b"]), "unknown_field: 'depend_on': did you mean"),
    ("a text with broken JSON", '{"summary": "x",\n}', "bad_json: trailing comma at line 2, column 1"),
    ("a text with a field twice", '{"summary": "x", "summary": "y"}', "bad_json: the field 'summary'"),
    ("lists in lists without end", {"summary": "x", "more": nested(500)}, "bad_value: too deep"),
    ("no title", {"tasks": [{"id": "a"}]}, "task 'a': missing_field: 'title'"),
    ("an unknown decision", task(decision_id="d"), "unknown_decision"),
    ("a decision with one option", decision("a"), "too_few"),
    ("a decision with many options", decision(*(str(n) for n in range(11))), "too_many"),
    ("two options of one label", decision("a", "a"), "duplicate_option"),
    ("a default that is no option", decision("a", "b", safe_default="c"), "unknown_option"),
    ("a decision without a question", decision("a", "b", question=" "), "missing_field"),
    ("a decision's id with spaces", decision("a", "b", id="my choice"), "bad_id"),
    ("an area outside", task(area=["../x"]), "bad_value: area '../x'"),
    ("an area that is everything", task(area=["/"]), "bad_value"),
    ("verification beside tasks", {**tasks("a"), "verification": [{"type": "command", "command": "x"}]}, "conflict"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "answer"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_a_bad_plan_is_refused_with_a_stable_type(raw: Any, answer: str) -> None:
    with pytest.raises(InvalidPlanError) as caught:
        read_plan(raw, PLAIN)
    assert answer in caught.value.message


def many(count: int, words: str = "x") -> dict[str, Any]:
    told = [{"id": f"t-{n}", "title": "x", "description": words} for n in range(count)]
    return {"summary": "x", "tasks": told}


def test_a_large_plan_is_taken_by_what_histories_hold_of_it():
    large = PlanRules(limits=PlanLimits())
    assert len(read_plan(many(1_000, "x" * 900), PLAIN, rules=large).plan.tasks) == 1_000
    for raw, answer in (
        (many(1_001), "too_many_tasks: 1001 tasks, at most 1000"),
        (many(1_000, "x" * 1_020), "too_large"),
    ):
        with pytest.raises(InvalidPlanError, match=answer):
            read_plan(raw, PLAIN, rules=large)


def removed(raw: dict[str, Any]) -> list[str]:
    proposal = read_plan(raw, PLAIN)
    assert all(w.kind is WarningKind.REMOVED and w.needs_acknowledgement for w in proposal.warnings)
    return [warning.text for warning in proposal.warnings]


def ring(size: int) -> dict[str, Any]:
    return {
        "tasks": [
            {"id": f"t{n}", "title": "x", "depends_on": [f"t{n % size + 1}"]}
            for n in range(1, size + 1)
        ]
    }


def test_a_dependency_on_itself_is_removed_and_shown_as_a_cycle() -> None:
    assert removed(task(depends_on=["a"])) == [
        "task 'a': cycle: a → a: it depended on itself; removed"
    ]


def test_a_cycle_is_removed_and_shown_with_its_path() -> None:
    assert removed(ring(2)) == [
        "task 't2': cycle: the dependency of 't2' on 't1' was removed: t1 → t2 → t1"
    ]


def test_a_cycle_of_fifty_is_shown_whole() -> None:
    (shown,) = removed(ring(50))
    assert " → ".join([*(f"t{n}" for n in range(1, 51)), "t1"]) in shown


def test_a_cycle_of_long_names_says_how_much_it_leaves_out() -> None:
    names = [f"{'n' * 50}-{n}" for n in range(200)]
    each = [
        {"id": name, "title": "x", "depends_on": [names[(n + 1) % 200]]}
        for n, name in enumerate(names)
    ]
    (shown,) = removed({"tasks": each})
    assert "more)" in shown or len(shown) == 500


@pytest.mark.parametrize("ghost", ["ghost", "thread-other/task-1", "", "A"])
def test_an_unknown_dependency_is_removed_and_named(ghost: str) -> None:
    (shown,) = removed(task(depends_on=[ghost]))
    assert "unknown_dependency" in shown
    assert repr(ghost) in shown


def test_a_literal_reference_is_written_with_two_dollars() -> None:
    text = "echo $${ports.a} ${ports.a}"
    read_plan(step(command=text), PLAIN)
    assert port_references(text) == ["a"]
    assert with_ports(text, {"a": 3001}) == "echo ${ports.a} 3001"


def test_shell_variables_are_no_references() -> None:
    text = "echo ${HOME} ${ports} ${x%.*} $$ `${process.version}`"
    plan, warnings = read_plan(step(command=text), PLAIN)
    assert plan.tasks[0].verification[0].command == text
    assert not warnings


def test_a_required_step_of_the_template_cannot_become_optional() -> None:
    for own in ({"label": "tests", "command": "true"}, {"command": "make test"}):
        weak = {"type": "command", "required": False, **own}
        with pytest.raises(InvalidPlanError, match="required_step_removed"):
            read_plan(task(verification=[weak]), STRICT)


def test_a_step_that_says_it_is_required_stays_as_it_is() -> None:
    kept = STRICT.verification.model_copy(update={"kept": ("Tests",)})
    template = STRICT.model_copy(update={"verification": kept})
    other = {"type": "command", "label": "tests", "command": "make unit"}
    for fields in (
        {"skip_steps": ["Tests"]},
        {"skips_template_steps": True},
        {"verification": [other]},
    ):
        with pytest.raises(InvalidPlanError, match="required_step_removed: 'Tests'"):
            read_plan(task(**fields), template)
    read_plan(task(skip_steps=["make lint"]), template)


def test_a_step_that_the_planner_replaces_or_leaves_out_is_reported() -> None:
    other = {"type": "command", "label": "tests", "command": "make unit"}
    plan, warnings = read_plan(task(verification=[other], skip_steps=["make lint"]), STRICT)
    assert [s.command for s in plan.tasks[0].verification] == ["make unit"]
    assert [w.kind for w in warnings] == [WarningKind.STEPS_LEFT_OUT] * 2
    with pytest.raises(InvalidPlanError, match="unknown_step: 'nothing'"):
        read_plan(task(skip_steps=["nothing"]), STRICT)


def test_a_completed_plan_read_again_stays_as_it_is() -> None:
    own = {"type": "command", "command": "make unit"}
    for raw in (task(verification=[own]), {"summary": "x", "verification": [own]}):
        plan = read_plan(raw, STRICT).plan
        assert read_plan(plan.model_dump(mode="json"), STRICT).plan == plan


def test_a_description_of_two_megabytes_is_cut_and_told() -> None:
    plan, (warning,) = read_plan(task(description="ä" * 1_000_000), PLAIN)
    assert plan.tasks[0].description.endswith(CUT)
    assert len(plan.tasks[0].description.encode()) <= MAX_TEXT_BYTES
    assert warning.kind is WarningKind.CUT
    assert warning.needs_acknowledgement


def test_markup_and_control_characters_are_kept_as_they_are_for_doors_to_show_inert() -> None:
    text = "\x1b[31mred\x1b[0m </script> \u202etxt"
    assert read_plan(task(description=text), PLAIN).plan.tasks[0].description == text


def test_a_thread_below_three_others_has_no_child_threads() -> None:
    raw = task(runs_as="thread")
    read_plan(raw, PLAIN, depth=MAX_DEPTH - 1)
    for depth in (MAX_DEPTH, 20):
        with pytest.raises(InvalidPlanError, match="too_deep"):
            read_plan(raw, PLAIN, depth=depth)


def test_the_words_of_seed_002_are_read_as_well() -> None:
    raw = {"steps": [{"step_id": "step_1", "title": "x"}]}
    with pytest.raises(InvalidPlanError, match="task 'step_1': bad_id"):
        read_plan(raw, PLAIN)
    raw = {"steps": [{"step_id": "a", "title": "x", "dependsOn": [], "planApproval": "user"}]}
    assert read_plan(raw, PLAIN).plan.tasks[0].plan_approval == "user"


def test_an_approval_binds_to_plan_warnings_and_handoff() -> None:
    plan, warnings = read_plan(task(depends_on=["a"]), PLAIN)
    shown = {
        plan_hash(plan, warnings, "handoff"),
        plan_hash(plan, (), "handoff"),
        plan_hash(plan, warnings, "other"),
        plan_hash(Plan(), warnings, "handoff"),
    }
    assert len(shown) == 4
    assert plan_hash(*Proposal(plan, warnings), "handoff") in shown


def test_a_health_check_may_have_its_method_in_front() -> None:
    url = "GET http://localhost:${ports.web}/health"
    raw = task(verification=[{"type": "http_health", "url": url}], ports=[{"id": "web"}])
    (checked,) = read_plan(raw, PLAIN).plan.tasks
    assert checked.verification[0].url == url  # what was proposed is what is approved
    assert checked.verification[0].subject == "http://localhost:${ports.web}/health"
