"""Plans on the command line: side by side, what changed, warnings read, written anew in an editor."""

import stat
from pathlib import Path

import pytest

from cli.core.errors import CommandError
from domain.plans.changes import changes
from domain.plans.comparison import FinishedTaskCost, compared, summarised
from domain.threads.planning.state import Critique
from tests.cli.test_commands import PLAN, REQUEST, THREAD, VIEW, shown, treadle

assert treadle  # the fixture

PLANS = f"/v1/threads/{THREAD}/plans"
PROPOSED = VIEW.plans[0]
OTHER = PLAN.model_copy(update={"approach": "Otherwise", "tasks": PLAN.tasks[:1]})
WARNED = PROPOSED.model_validate(
    {**PROPOSED.model_dump(), "warnings": [{"kind": "removed", "text": "cycle a → b → a \x1b[2J"}]}
)


@pytest.fixture
def waiting(api):
    """A plan whose dependencies were fixed."""
    shown(api, VIEW.model_copy(update={"plans": (WARNED,)}))
    api.answers[f"POST /v1/threads/{THREAD}/approvals"] = (200, {"message": "approved"})


def test_plans_are_compared_side_by_side(api, treadle):
    history = [FinishedTaskCost(mode="code", turns=3, tokens=1000)]
    both = compared(
        summarised(plan, history, revision=n, planner=f"agent{n}", warnings=0)
        for n, plan in enumerate((PLAN, OTHER), 1)
    )
    api.answers[f"GET {PLANS}/compare"] = (200, both.model_dump(mode="json"))
    told = treadle("plan", "compare", THREAD, "1", "2").stdout
    assert api.got[-1][0].endswith("compare?revisions=1%2C2")
    for words in ("Plan 1 (agent1)", "Plan 2 (agent2)", "Otherwise", "parse → show", "2 (1, 1)"):
        assert words in told
    assert "about 6 turns (as 1 finished task took)" in told


def test_what_changed_is_reported_by_task_and_field(api, treadle):
    found = changes(PLAN, OTHER).model_dump(mode="json")
    api.answers[f"GET {PLANS}/1/diff/2"] = (200, {"before": 1, "after": 2, "changes": found})
    told = treadle("plan", "diff", THREAD, "1", "2").stdout
    assert "approach: nothing → Otherwise" in told
    assert "- show: Show it [bold]" in told


def test_warnings_are_read_before_a_plan_is_approved(api, treadle, waiting):
    refused = treadle("approve")
    assert "add --acknowledge" in str(refused.exception)
    assert "! cycle a → b → a �" in refused.stderr
    assert not any(path.startswith("POST") for path, _, _ in api.got)
    assert treadle("approve", "--acknowledge").exit_code == 0
    assert api.got[-1][2]["is_acknowledged"] is True


def test_a_plan_is_shown_with_its_critics_and_its_packet(api, treadle):
    said = Critique(session_id=f"{THREAD}/session-2", turn=1, text="Task **show** is too large.")
    plan = PROPOSED.model_copy(update={"critiques": (said,), "handoff": "## Goal\n\nadd"})
    shown(api, VIEW.model_copy(update={"plans": (plan,)}))
    told = treadle("plan", "show").stdout
    assert "The critic in session-2 says:" in told
    assert "is too large" in told
    assert treadle("plan", "handoff").stdout.startswith("## Goal")


def editor(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "editor"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("EDITOR", str(program))
    monkeypatch.delenv("VISUAL", raising=False)


def test_a_plan_is_changed_in_the_persons_editor_and_then_approved(
    api, treadle, tmp_path, monkeypatch
):
    editor(tmp_path, 'sed -i "s/Parse it/Parse all/" "$1"', monkeypatch)
    request = REQUEST.model_copy(update={"request_id": "plan-2", "content_hash": "cd" * 32})
    api.answers[f"POST {PLANS}/1/edits"] = (
        202,
        {"message": "as you wrote it", "data": {"request": request.model_dump(mode="json")}},
    )
    edited = PROPOSED.model_copy(update={"revision": 2, "by": "ada", "request": request})
    asked = VIEW.requests[0].model_copy(update={"request": request})
    view = VIEW.model_copy(update={"plans": (PROPOSED, edited), "requests": (asked,)})
    api.then[f"POST {PLANS}/1/edits"] = lambda: shown(api, view)
    api.answers[f"POST /v1/threads/{THREAD}/approvals"] = (200, {"message": "approved"})

    assert treadle("approve", "--edit", "--acknowledge").exit_code == 0

    posted = [(path, body) for path, _, body in api.got if path.startswith("POST")]
    assert posted[0][1]["plan"]["tasks"][0]["title"] == "Parse all"
    assert posted[1][1]["request_id"] == "plan-2"


def test_an_edit_that_is_no_json_sends_nothing(api, treadle, tmp_path, monkeypatch):
    editor(tmp_path, 'echo "{," > "$1"', monkeypatch)
    refused = treadle("plan", "edit")
    with pytest.raises(CommandError, match="not valid JSON"):
        raise refused.exception
    kept = Path(refused.stderr.rpartition("is saved in ")[2].strip())
    assert kept.read_text() == "{,\n"
    kept.unlink()
    assert not any(path.startswith("POST") for path, _, _ in api.got)


def test_an_editor_that_fails_is_reported_in_a_sentence(api, treadle, tmp_path, monkeypatch):
    editor(tmp_path, "exit 3", monkeypatch)
    with pytest.raises(CommandError, match="nothing was sent"):
        raise treadle("plan", "edit").exception
    assert not any(path.startswith("POST") for path, _, _ in api.got)


@pytest.mark.parametrize(
    ("words", "is_planned"),
    [
        (["run", "add a flag"], False),
        (["run", "add a flag", "--plan"], True),
        (["run", "/plan add a flag"], True),
        (["run", "add a flag", "--rival", "codex"], True),
        (["plan", "add a flag"], True),
        (["plan", "goal", "add", "--rival", "codex:gpt-6"], True),
    ],
)
def test_a_thread_is_planned_at_once_only_when_asked(api, treadle, words, is_planned):
    api.answers["POST /v1/threads"] = (201, {"thread_id": THREAD})
    api.answers[f"POST /v1/threads/{THREAD}/plans/planners"] = (200, {"message": "planning"})
    api.answers[f"GET /v1/threads/{THREAD}/events"] = (200, {"events": [], "after": 0})
    assert treadle(*words, "--detach").exit_code == 0
    opened = next(body for path, _, body in api.got if path == "POST /v1/threads")
    assert opened["is_planned"] is is_planned


def test_a_goal_is_planned_in_the_thread_that_is_named(api, treadle):
    api.answers[f"POST /v1/threads/{THREAD}/plans"] = (200, {"message": "planning"})
    assert (
        treadle("plan", "request", "1a2b3c", "add a flag", "--rival", "codex:gpt-6").exit_code == 0
    )
    path, _, body = api.got[-1]
    assert (path, body["goal"]) == (f"POST /v1/threads/{THREAD}/plans", "add a flag")
    assert body["rivals"] == [{"agent": "codex", "model": "gpt-6"}]


def test_each_of_several_plans_is_asked_for_by_its_name_and_its_warnings(api, treadle):
    other = REQUEST.model_copy(update={"request_id": "plan-2"})
    asked = (VIEW.requests[0], VIEW.requests[0].model_copy(update={"request": other}))
    shown(api, VIEW.model_copy(update={"plans": (WARNED,), "requests": asked}))
    told = treadle("plan", "status").stdout
    assert f"treadle approve {THREAD} plan-1 --acknowledge --hash ab12ab12ab12, or" in told
    assert f"treadle approve {THREAD} plan-2 --hash ab12ab12ab12, or" in told


def test_an_edit_that_changes_nothing_says_so(api, treadle, tmp_path, monkeypatch):
    editor(tmp_path, "true", monkeypatch)
    assert "No changes." in treadle("plan", "edit").stderr


@pytest.mark.parametrize(
    ("words", "path", "body"),
    [
        ("combine 1a2b3c 1 2 -f tests", "1/combinations", {"other": 2, "feedback": "tests"}),
        ("critic --agent codex", "1/critiques", {"agent": "codex"}),
        ("rival 1a2b3c codex", "planners", {"agent": "codex"}),
    ],
)
def test_the_other_verbs_of_plans_send_one_request(api, treadle, words, path, body):
    api.answers[f"POST {PLANS}/{path}"] = (202, {"message": "asked", "data": {}})
    assert treadle("plan", *words.split()).exit_code == 0
    method, _, sent = api.got[-1]
    assert method == f"POST {PLANS}/{path}"
    assert body.items() <= sent.items()


@pytest.mark.parametrize(("said", "turns"), [("off", 0), ("5", 5)])
def test_turns_of_its_own_are_allowed_or_turned_off(api, treadle, said, turns):
    api.answers[f"POST /v1/threads/{THREAD}/own-turns"] = (200, {"message": "so be it"})
    assert "so be it" in treadle("plan", "turns", "1a2b3c", said).stderr
    assert api.got[-1][2]["turns"] == turns


def test_a_number_of_turns_that_is_none_sends_nothing(api, treadle):
    assert treadle("plan", "turns", "1a2b3c", "many").exit_code == 2
    assert not any(path.startswith("POST") for path, _, _ in api.got)


def test_a_thread_is_opened_with_its_limits(api, treadle):
    api.answers["POST /v1/threads"] = (201, {"thread_id": THREAD})
    api.answers[f"GET /v1/threads/{THREAD}/events"] = (200, {"events": [], "after": 0})
    assert treadle("run", "x", "--own-turns", "0", "--parallel", "2", "--detach").exit_code == 0
    opened = next(body for path, _, body in api.got if path == "POST /v1/threads")
    assert (opened["planner"]["own_turns"], opened["planner"]["max_parallel_steps"]) == (0, 2)


def test_the_packet_is_changed_in_the_persons_editor(api, treadle, tmp_path, monkeypatch):
    editor(tmp_path, 'printf "only this" > "$1"', monkeypatch)
    api.answers[f"POST {PLANS}/1/edits"] = (202, {"message": "as you wrote it", "data": {}})
    assert treadle("plan", "edit", "--handoff").exit_code == 0
    assert api.got[-1][2]["handoff"] == "only this"
