"""Tasks that several agents do at once on a terminal: as they are approved, compared and taken."""

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from cli.app import app
from cli.plans import digest_drawing
from cli.tasks.contest_drawing import contest
from domain.conversations.stats import TaskStats
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import RequestId, TaskId
from domain.core.money import Money
from domain.plans.best_of import BestOf, BestOfEnd
from domain.plans.plan import Plan
from domain.reading.contest_views import CandidateView, ContestView
from domain.threads.contests.state import CandidateStanding
from tests.cli.test_commands import PLAN, THREAD, VIEW, shown, treadle

assert treadle  # the fixture

ASKED = ApprovalRequest(
    request_id=RequestId("app/best-of-1-1"),
    subject=Subject.BEST_OF,
    title="The app",
    content_hash="c" * 64,
)


def candidate(letter: str, **more: object) -> CandidateView:
    return CandidateView(
        candidate=TaskId(f"app.{letter.lower()}"),
        letter=letter,
        agent="claude",
        standing=CandidateStanding.READY,
        commit="a" * 40,
        attempts=1,
        passed=2,
        insertions=10,
        deletions=2,
        files=2,
        work_ms=2_000,
        **more,
    )


TOLD = TaskStats(
    prompt_tokens=12_000,
    completion_tokens=900,
    tool_calls=7,
    duration_seconds=250,
    money=Money(told=420_000),
)
UNKNOWN = TaskStats(tool_calls=4, money=Money(unknown=3))
CONTEST = ContestView(
    task_id=TaskId("app"),
    title="The app",
    ends=BestOfEnd.ALL,
    request=ASKED,
    candidates=(
        candidate("A", stats=TOLD),
        candidate("B", stats=UNKNOWN),
        candidate("C", made_of="B with src/app.py of A"),
    ),
)


def drawn(width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width).print(contest(CONTEST))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_a_candidate_is_one_line_where_there_is_room():
    head, *rows = drawn(120)[1:5]
    assert head.split() == ["agent", "status", "checks", "changes", "time", "tokens", "cost"]
    assert [row[0] for row in rows] == ["A", "B", "C"]
    assert "12,000 in, 900 out  $0.42" in rows[0]
    assert "tool call" not in "".join(rows)


def test_tokens_that_nobody_told_are_no_zeros():
    [row] = [line for line in drawn(120) if line.startswith("B ")]
    assert "0 in" not in row
    assert "unknown (3 turns)" in row


def test_a_candidate_takes_few_lines_on_a_narrow_terminal():
    lines = drawn(80)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 12
    assert "…" not in lines[1], "a heading is cut"


def test_work_that_was_put_together_says_of_what():
    assert "  C: B with src/app.py of A" in drawn(120)


def test_what_was_taken_is_said_by_its_letter(api, treadle):
    shown(api, VIEW.model_copy(update={"requests": (), "contests": (CONTEST,)}))
    api.answers[f"POST /v1/threads/{THREAD}/tasks/app.b/take"] = (
        202,
        {"message": "app/best-of-1-1: approved by ada", "data": {"candidate": "app.b"}},
    )
    assert treadle("take", THREAD, "B").stderr.endswith("Took candidate B of app: The app\n")


def test_a_choice_that_needs_another_person_is_not_said_to_be_made(api, treadle):
    shown(api, VIEW.model_copy(update={"requests": (), "contests": (CONTEST,)}))
    missing = {"message": "app/best-of-1-1/app.b: 1 more", "data": {"missing": "1 more"}}
    api.answers[f"POST /v1/threads/{THREAD}/tasks/app.b/take"] = (202, missing)
    assert "1 more" in treadle("take", THREAD, "B").stderr


RENAMED = r"""diff --git a/old.py b/new.py
similarity index 97%
rename from old.py
rename to new.py
@@ -1 +1 @@
-rename from x
+rename to y
diff --git "a/a\303\244 \"b\".py" b/c.py
similarity index 100%
rename from "a\303\244 \"b\".py"
rename to c.py
"""


@pytest.mark.parametrize(
    ("files", "sent"),
    [
        (["new.py"], ["new.py", "old.py"]),
        (["old.py", "new.py"], ["old.py", "new.py"]),
        (["other.py"], ["other.py"]),
        (["c.py"], ["c.py", 'aä "b".py']),
    ],
)
def test_a_renamed_file_is_taken_with_its_old_name(api, treadle, files, sent):
    shown(api, VIEW.model_copy(update={"requests": (), "contests": (CONTEST,)}))
    root = f"/v1/threads/{THREAD}/tasks"
    api.answers[f"GET {root}/app.a/diff"] = (200, RENAMED)
    api.answers[f"POST {root}/app/put-together"] = (202, {"message": "being put together"})

    result = treadle("put-together", THREAD, "B", *(f"A:{file}" for file in files))

    assert result.exit_code == 0, result.output
    assert f"GET {root}/app.a/diff?since=base&commit={'a' * 40}" in [got[0] for got in api.got]
    assert api.got[-1][2]["parts"] == [{"candidate": "app.a", "files": sent}]
    assert ("A renamed old.py" in result.stderr) is (sent[1:] == ["old.py"])


@pytest.mark.parametrize(
    ("best_of", "words"),
    [
        (BestOf(agents=("claude", "codex")), "best of claude, codex"),
        (
            BestOf(agents=("claude", "codex"), ends=BestOfEnd.FIRST_PASSED, judge="gemini"),
            "best of claude, codex, until one passes, with an opinion of gemini",
        ),
        (BestOf(), ""),
    ],
)
def test_a_plan_says_who_does_its_tasks_before_it_is_approved(api, treadle, best_of, words):
    tasks = (PLAN.tasks[0].model_copy(update={"best_of": best_of}), *PLAN.tasks[1:])
    plan = VIEW.plans[0].model_copy(
        update={"plan": PLAN.model_copy(update={"tasks": tasks}), "warnings": ()}
    )
    shown(api, VIEW.model_copy(update={"plans": (plan,)}))
    told = treadle("plan", "show").stdout
    assert best_of.words == words
    assert words in told
    assert ("best of" in told) is bool(words)


def test_the_digest_of_a_large_plan_counts_the_tasks_of_several_agents():
    best_of = BestOf(agents=("claude", "codex"))
    tasks = [
        {"id": f"t{n}", "title": "t", "description": "t", "best_of": best_of.model_dump()}
        for n in range(40)
    ]
    lines = digest_drawing.digest(Plan.model_validate({"goal": "g", "tasks": tasks}), "all")
    assert "40 done by several agents" in str(lines[1])


def test_the_expected_cost_is_seen_where_a_plan_is_approved(api, treadle, monkeypatch):
    monkeypatch.setattr("cli.core.confirmation.is_watched", lambda: True)
    api.answers[f"GET /v1/threads/{THREAD}/plans/1/estimate"] = (
        200,
        {"words": "$4.00 ($2.00 to $6.00)", "beyond": ["$5.00 for the thread"]},
    )
    done = CliRunner().invoke(app, ["approve"], input="n\n")
    assert "Expected cost: $4.00 ($2.00 to $6.00)" in done.stderr
    assert "! This may exceed a limit: $5.00 for the thread" in done.stderr
