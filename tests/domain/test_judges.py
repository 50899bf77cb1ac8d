"""Who changes what verifies or instructs is told by name; a gate that closes by itself waits."""

import pytest

from domain.agents.agents import DoneReport, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn
from domain.core.ids import SessionId, TaskId, TurnId
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.tasks import rules
from domain.tasks.commands import EndStep, OpenTask
from domain.tasks.state import Phase, TaskState
from domain.verification.judges.doubts import judged_words
from domain.verification.judges.names import MAX_JUDGES, judges_among, judges_words, with_judges
from domain.verification.judges.policy import JudgePolicy
from domain.verification.judges.suspects import Judged, is_test
from domain.verification.steps import StepResult, StepType, VerificationStep

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
        ("package.json", True),
        (".gitlab-ci.yml", True),
        ("Taskfile.yml", True),
        ("noxfile.py", True),
        ("sub/tox.ini", True),
        ("pytest.ini", True),
        ("justfile", True),
        (".claude/skills/x.md", True),
        ("TREADLE.md", True),
        (".github/copilot-instructions.md", True),
        ("gradlew", True),
        ("CMakeLists.txt", True),
        ("include/rules.mk", True),
        ("tasks.py", False),
        ("src/configure.py", False),
        ("package-lock.json", False),
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


def judged(*names):
    return tuple(Judged(name=name, is_test=is_test(name)) for name in names)


NOW = JudgePolicy.ASK
NO_STEP = "verified by nothing: no required step looked at this change"
LIFTED = "an automatic gate does not wait for it: the template says `judges: {}`"
OPENED = "opened by step check, changed by this task: "


@pytest.mark.parametrize(
    ("fields", "result", "policy", "phase", "doubts"),
    [
        ({}, (), NOW, Phase.ENDED, ()),
        ({"altered": ("src/app.py",)}, (), NOW, Phase.ENDED, ()),
        ({"judges": ("conftest.py",)}, (), NOW, Phase.AT_GATE, ()),
        ({"judges": ("conftest.py",)}, (), None, Phase.AT_GATE, ()),
        ({"altered": ("scripts/check.sh",)}, (), NOW, Phase.AT_GATE, ()),
        ({}, judged("ci/a.sh"), NOW, Phase.AT_GATE, (f"{OPENED}ci/a.sh",)),
        ({}, judged("tests/a.py"), NOW, Phase.AT_GATE, (f"{OPENED}tests/a.py",)),
        (
            {"judges": ("Makefile",)},
            judged("ci/a.sh"),
            JudgePolicy.TELL,
            Phase.ENDED,
            (f"{OPENED}ci/a.sh", LIFTED.format("tell")),
        ),
        ({}, judged("ci/a.sh"), JudgePolicy.TESTS, Phase.AT_GATE, (f"{OPENED}ci/a.sh",)),
        ({"judges": ("Makefile",)}, (), JudgePolicy.TESTS, Phase.AT_GATE, ()),
        (
            {},
            judged("tests/a.py"),
            JudgePolicy.TESTS,
            Phase.ENDED,
            (f"{OPENED}tests/a.py", LIFTED.format("tests")),
        ),
    ],
)
def test_a_person_looks_at_changed_judges_unless_the_template_says_otherwise(
    fields, result, policy, phase, doubts
):
    passed = StepResult(step_id="check", label="check", passed=True, judged=result)

    state = ended((CHECK,), policy, fields, EndStep(attempt=1, result=passed))

    assert (state.phase, state.doubts) == (phase, doubts)


@pytest.mark.parametrize(
    ("steps", "files", "policy", "phase", "doubts"),
    [
        ((), 1, NOW, Phase.AT_GATE, (NO_STEP,)),
        ((), 0, NOW, Phase.ENDED, ()),
        ((), 1, None, Phase.ENDED, ()),
        ((), 1, JudgePolicy.TESTS, Phase.AT_GATE, (NO_STEP,)),
        ((), 1, JudgePolicy.TELL, Phase.ENDED, (NO_STEP, LIFTED.format("tell"))),
        ((CHECK.model_copy(update={"required": False}),), 1, NOW, Phase.AT_GATE, (NO_STEP,)),
    ],
)
def test_what_nothing_verified_waits_for_a_person(steps, files, policy, phase, doubts):
    failed = StepResult(step_id="check", label="check", passed=False, is_required=False)
    ends = [EndStep(attempt=1, result=failed)] if steps else []

    state = ended(steps, policy, {"file_count": files}, *ends)

    assert (state.phase, state.doubts) == (phase, doubts)


def test_no_name_of_a_file_or_step_ends_its_line():
    result = StepResult(step_id="s", label="a\n✓", passed=True, judged=judged("b\n✓ forged"))

    assert len(judged_words(result).splitlines()) == 1
    many = StepResult(step_id="s", passed=True, judged=judged(*map(str, range(12))))
    assert judged_words(many).endswith("8, 9 and 2 more")


def ended(steps, policy, fields, *commands):
    """Return a task with an automatic gate after its turn and the commands that follow."""
    opening = OpenTask(
        task=PlannedTask(id=TaskId("a"), title="do it", verification=steps),
        run=1,
        session_id=SessionId("thread-x/a/session-1"),
        agent="a",
        branch=None,
        max_retries=3,
        is_gate_automatic=True,
        judge_policy=policy,
    )
    done = TurnResult(
        turn_id=TurnId("thread-x/a/session-1/turn-1"),
        report=DoneReport(summary="did it"),
        snapshot=Snapshot(base="a" * 40, commit="b" * 40, tree="c" * 40, **fields),
    )
    state = TaskState()
    for command in (opening, BeginTurn(), EndTurn(result=done), *commands):
        state = rules.fold(state, rules.decide(state, command, NOW).events)
    return state
