"""Who changes what verifies or instructs is told by name; a gate that closes by itself waits."""

from functools import reduce

import pytest

from domain.agents import DoneReport, TurnResult
from domain.ids import SessionId, TaskId, TurnId
from domain.judges.names import MAX_JUDGES, judges_among, judges_words, with_judges
from domain.plans.plan import PlannedTask
from domain.tasks import rules
from domain.tasks.commands import BeginTurn, EndStep, EndTurn, OpenTask
from domain.tasks.evolution import evolve
from domain.tasks.state import Phase, TaskState
from domain.verification import StepResult, StepType, VerificationStep
from domain.workspaces import Snapshot

CHECK = VerificationStep(
    id="check",
    type=StepType.COMMAND,
    label="check",
    command="sh ./scripts/check.sh notes.txt && bin/verify",
)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        ("Makefile", True),
        ("GNUmakefile", True),
        ("tests/conftest.py", True),
        ("src/sitecustomize.py", True),
        ("lib/x.pth", True),
        ("web/package.json", True),
        ("pyproject.toml", True),
        (".github/workflows/ci.yml", True),
        (".husky/pre-commit", True),
        (".pre-commit-config.yaml", True),
        ("AGENTS.md", True),
        ("sub/claude.md", True),
        (".cursor/rules/a.mdc", True),
        ("vitest.config.ts", True),
        ("tests/test_new.py", False),
        ("src/app.py", False),
        ("README.md", False),
        ("docs/makefile.md", False),
        ("", False),
    ],
)
def test_what_verifies_or_instructs_is_known_by_its_name(name, is_told):
    assert judges_among([name]) == ((name,) if is_told else ())


def test_the_list_has_an_end_and_no_name_ends_its_line():
    assert len(judges_among(f"{n}/Makefile" for n in range(200))) == MAX_JUDGES
    assert len(judges_words(["a\n  ✓ forged"]).splitlines()) == 1


@pytest.mark.parametrize(
    ("altered", "judges"),
    [
        (("scripts/check.sh",), ("scripts/check.sh",)),
        (("bin/verify",), ("bin/verify",)),
        (("src/app.py", "other/check.sh"), ()),
        (("notes.txt",), ()),
        ((), ()),
    ],
)
def test_a_file_that_was_there_and_that_a_step_names_is_a_judge(altered, judges):
    snapshot = Snapshot(commit="a", tree="b", base="c", altered=altered)

    assert with_judges(snapshot, (CHECK,)).judges == judges


@pytest.mark.parametrize(
    ("fields", "phase"),
    [
        ({}, Phase.ENDED),
        ({"altered": ("src/app.py",)}, Phase.ENDED),
        ({"judges": ("conftest.py",)}, Phase.AT_GATE),
        ({"altered": ("scripts/check.sh",)}, Phase.AT_GATE),
    ],
)
def test_a_person_looks_at_changed_judges_whatever_the_gate_says(fields, phase):
    opening = OpenTask(
        task=PlannedTask(id=TaskId("a"), title="do it", verification=(CHECK,)),
        run=1,
        session_id=SessionId("thread-x/a/session-1"),
        agent="a",
        branch=None,
        max_retries=3,
        is_gate_automatic=True,
    )
    done = TurnResult(
        turn_id=TurnId("thread-x/a/session-1/turn-1"),
        report=DoneReport(summary="did it"),
        snapshot=Snapshot(base="a" * 40, commit="b" * 40, tree="c" * 40, **fields),
    )
    passed = StepResult(step_id="check", label="check", passed=True)
    state = TaskState()

    for command in (opening, BeginTurn(), EndTurn(result=done), EndStep(attempt=1, result=passed)):
        state = reduce(evolve, rules.decide(state, command).events, state)

    assert state.phase is phase
