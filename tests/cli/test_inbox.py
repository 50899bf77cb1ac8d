"""The inbox and the timeline on a terminal: each command that is named is there."""

from datetime import UTC, datetime, timedelta

import pytest
import typer
from typer.testing import CliRunner

from cli.app import app
from cli.approvals import inbox_drawing
from domain.agents.limits.money import Limited, LimitScope, SpentLimit
from domain.conversations.place import FlowPlace
from domain.conversations.questions.question import Question, QuestionKind
from domain.conversations.questions.views import OpenQuestion
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import WORK
from domain.core.workspaces import Snapshot
from domain.flows.requests import HumanRequest
from domain.money.requests import request_of
from domain.plans.plan import Decision, DecisionOption
from domain.plans.warnings import WarningKind
from domain.publications.items import Item as PullRequestItem
from domain.publications.items import ItemKind
from domain.reading.flow_runs import OpenFlowRequest
from domain.reading.inbox.item import Evidence, Inbox, InboxItem, InboxKind
from domain.reading.money import AskedLimit
from domain.reading.timeline.timeline import Mark, Moment, Span, SpanStatus, TaskLine, Timeline
from domain.tasks.conflicts import Conflict, ConflictStage, OpenConflict
from domain.threads.shown import ShownConflict, ShownDecision
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def item(kind, **fields):
    return InboxItem(
        item_id=kind,
        kind=kind,
        workflow_id=fields.pop("workflow_id", THREAD),
        since=NOW - timedelta(hours=3),
        project="/code/app",
        title="Shop",
        **{"thread_id": THREAD, "subject": f"some {kind}", **fields},
    )


def asks(name, subject):
    return ApprovalRequest(request_id=name, subject=subject, title="x", content_hash="h")


def request(name, subject):
    asked = asks(name, subject)
    return {"request": asked, "requests": (asked,)}


def question(kind):
    asked = Question(
        question_id="q-1", session_id="s", turn_id="t", kind=kind, title="May I?", options=()
    )
    return OpenQuestion(question=asked.hashed(), workflow_id=THREAD)


TWO = (asks("plan-1", Subject.PLAN), asks("plan-2", Subject.PLAN))
ON_FLOW = {"thread_id": None, "run_id": "flow-x-1", "workflow_id": "flow-x-1"}
PLACE = FlowPlace(step_index=1, total_steps=2)
ASKED = OpenFlowRequest(
    request=HumanRequest(request_id="r", question="Go?", place=PLACE), content_hash="h"
)
LOOK = ShownDecision.of(
    Decision(id="look", question="Which?", options=(DecisionOption(label="a b"),))
)
CONFLICT = ShownConflict.of(OpenConflict(conflict=Conflict(task_id="t1", run=1, commit="c")))
OF_WORK = ShownConflict.of(OpenConflict(conflict=Conflict(task_id=WORK, run=1, commit="c")))
ASKS = Conflict(session_id=f"{THREAD}/session-2", run=1, commit="c")
OF_CHAT = ShownConflict.of(OpenConflict(conflict=ASKS))
MADE = Snapshot(commit="e" * 40, tree="f" * 40, base="0" * 40)
RESOLVED = ShownConflict.of(
    OpenConflict(
        conflict=ASKS.model_copy(update={"resolution": MADE}), stage=ConflictStage.RESOLVED, run=1
    )
)

FAILED_CHECK = PullRequestItem(
    item_id="failed-check-1", kind=ItemKind.FAILED_CHECK, subject="tests failed", advice="look"
)
OF_STACK = item(
    "pull_request",
    pull_request=FAILED_CHECK,
    is_stacked=True,
    workflow_id=f"{THREAD}/publication/8",
)
REACHED = SpentLimit(scope=LimitScope(kind=Limited.MONTH, name="2026-11"), limit=5, spent=6)
REQUEST = request_of(REACHED, 1, None)
LIMIT = AskedLimit(request=REQUEST, content_hash=REQUEST.content_hash, words=REQUEST.words)

ITEMS = (
    (item("plan", plans=1, **request("plan-1", Subject.PLAN)), f"approve {THREAD} plan-1"),
    (item("plan", plans=2, request=TWO[0], requests=TWO), f"approve {THREAD} plan-2"),
    (
        item("plan", unread=(WarningKind.CUT,), **request("plan-1", Subject.PLAN)),
        "plan-1 --acknowledge",
    ),
    (item("suggestion", **request("suggestion-1", Subject.SUGGESTION)), "reject"),
    (item("amendment", **request("amendment-1", Subject.AMENDMENT)), "amendment-1"),
    (item("task_plan", task_id="t1", **request("t1/plan-1-1", Subject.TASK_PLAN)), "approve"),
    (
        item("gate", task_id="t1", **request("t1/gate-1-1", Subject.GATE)),
        f"approve {THREAD} t1 --hash h",
    ),
    (item("best_of", task_id="t1", **request("t1/best-1", Subject.BEST_OF)), f"take {THREAD} CAND"),
    (item("decision", decision=LOOK), f"decide {THREAD} look ['a b']"),
    (item("question", question=question(QuestionKind.PERMISSION)), f"deny {THREAD} q-1"),
    (item("question", question=question(QuestionKind.DECISION)), f"decide {THREAD} q-1"),
    (item("question", question=question(QuestionKind.PERMISSION), **ON_FLOW), "flow answer"),
    (item("conflict", task_id="t1", conflict=CONFLICT), f"resolve {THREAD} t1 [by-hand"),
    (
        item("conflict", session_id=f"{THREAD}/session-2", conflict=OF_CHAT),
        f"resolve {THREAD} session-2 [by-hand | keep-a | keep-b | agent | leave]",
    ),
    (
        item("conflict", session_id=f"{THREAD}/session-2", conflict=RESOLVED),
        f"diff {THREAD} --session 2",
    ),
    (item("review_held", task_id="t1", workflow_id=f"{THREAD}/t1"), f"skip-wait {THREAD} t1"),
    (item("conflict", task_id=WORK, conflict=OF_WORK), f"resolve {THREAD} [by-hand"),
    (item("review_held", task_id=WORK, workflow_id=f"{THREAD}/{WORK}"), f"skip-wait {THREAD}"),
    (item("escalation", task_id=WORK), f"retry {THREAD}"),
    (item("escalation", task_id="t1"), f"retry {THREAD} t1"),
    (item("escalation", task_id="t1", workflow_id=f"{THREAD}/t1"), f"say {THREAD} TEXT --task t1"),
    (item("escalation"), f"replan {THREAD}"),
    (item("escalation", **ON_FLOW), "flow resume flow-x-1"),
    (item("escalation", entry_id="thread-x", thread_id=None), "queue release thread-x"),
    (item("issue", workflow_id="tracker-work"), f"tracker keep work {THREAD}"),
    (item("issue", workflow_id="tracker-work"), f"cancel {THREAD}"),
    (item("mention"), f"dismiss {THREAD}"),
    (item("pull_request", pull_request=FAILED_CHECK), f"publish dismiss failed-check-1 {THREAD}"),
    (OF_STACK, f"publish status {THREAD} --number 8"),
    (item("limit", limit=LIMIT, workflow_id="money"), "money raise money/1 USD --hash"),
    (item("limit", limit=LIMIT, workflow_id="money"), "money stop money/1 --hash"),
    (item("limit_near", workflow_id="money"), "money limit --project USD"),
    (item("host_silent", host="build-2", thread_id=None), "hosts lost build-2"),
    (item("concern", task_id="t1"), f"abort {THREAD} t1"),
    (item("concern"), f"attach {THREAD}"),
    (item("set_up"), f"retry-set-up {THREAD}"),
    (item("flow_question", flow_request=ASKED, **ON_FLOW), "flow answer flow-x-1"),
)


def test_nothing_of_a_stack_is_reworked():
    assert not [line for line in inbox_drawing.commands(OF_STACK) if "rework" in line]
    alone = OF_STACK.model_copy(update={"is_stacked": False})
    assert [line for line in inbox_drawing.commands(alone) if "rework" in line]


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    items = tuple(item for item, _ in ITEMS)
    api.answers["GET /v1/inbox"] = (200, Inbox(items=items, position=7).model_dump(mode="json"))
    return lambda *arguments: CliRunner().invoke(app, arguments)


@pytest.mark.parametrize(("waiting", "expected"), ITEMS)
def test_each_thing_has_the_commands_that_answer_it(waiting, expected):
    lines = inbox_drawing.commands(waiting)
    assert any(expected in line for line in lines)
    assert not any(WORK in line for line in lines)
    for line in lines:
        command = typer.main.get_command(app)
        for word in line.split()[1:3]:
            command = getattr(command, "commands", {}).get(word, command)
        assert not hasattr(command, "commands"), line


def test_whatever_decides_is_bound_to_what_is_listed_beside_it():
    deciding = {"approve", "reject", "allow", "deny", "decide", "resolve", "answer"}
    lines = [line for waiting, _ in ITEMS for line in inbox_drawing.commands(waiting)]
    bound = [line for line in lines if deciding & set(line.split()[1:3])]
    assert {word for line in bound for word in line.split()[1:3]} >= deciding
    assert [line for line in bound if " --hash " not in line] == []


def test_every_kind_is_tried_here():
    assert {waiting.kind for waiting, _ in ITEMS} == set(InboxKind)


def test_the_inbox_is_listed_with_what_speaks_for_each_thing(api: Api, treadle):
    found = Evidence(passed=2, failed_optional=1, insertions=30, deletions=4, files=1)
    gate = item("gate", task_id="t1", evidence=found, **request("t1/gate-1-1", Subject.GATE))
    hostile = item("escalation", task_id="t1", subject="a\x1b[31mb", reason="broke")
    both = Inbox(items=(gate, hostile)).model_dump(mode="json")
    api.answers["GET /v1/inbox"] = (200, both)
    shown = treadle("inbox").stdout
    for part in (
        "2 items are waiting",
        "2 passed, 1 optional failed, +30 −4 in 1 file",
        "app",
        "broke",
    ):
        assert part in shown
    assert "\x1b[31m" not in shown


def test_work_without_verification_steps_says_so():
    gate = item("gate", task_id="t1", **request("t1/gate-1-1", Subject.GATE))
    unverified = gate.model_copy(update={"evidence": Evidence(files=1, insertions=2)})
    text = inbox_drawing.drawn(unverified, gate.since).plain
    assert "no verification steps, +2 −0 in 1 file" in text
    early = Evidence(files=1, insertions=2, is_verified=False)
    text = inbox_drawing.drawn(gate.model_copy(update={"evidence": early}), gate.since).plain
    assert "not verified yet, +2" in text


def test_nothing_that_waits_is_said_in_a_line(api: Api, treadle):
    api.answers["GET /v1/inbox"] = (200, {"items": [], "position": 3})
    assert treadle("inbox").stdout == "Nothing is waiting for you.\n"
    assert '"position": 3' in treadle("inbox", "--json").stdout


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (7200, "2 h ago"),
        (1e6, "11 d 13 h ago"),
    ],
)
def test_how_long_something_waits_is_reported_in_its_two_largest_units(seconds, words):
    assert inbox_drawing.ago(timedelta(seconds=seconds)) == words


def test_a_timeline_has_a_bar_for_each_task_and_the_newest_moments(api: Api, treadle):
    later = NOW + timedelta(minutes=10)
    spans = (
        Span(status=SpanStatus.RUNNING, began_at=NOW, ended_at=later, position=2),
        Span(status=SpanStatus.FAILED, began_at=later, position=5),
    )
    mark = Mark(kind="task_failed", at=later, position=5, label="t1 failed")
    moments = tuple(
        Moment(position=n, at=NOW, stream=f"{THREAD}/t1", kind="x", label=f"moment {n}")
        for n in range(30)
    )
    line = TaskLine(task_id="t1", title="One", spans=spans, marks=(mark,))
    whole = Timeline(
        position=9,
        began_at=NOW,
        ended_at=later + timedelta(minutes=10),
        tasks=(line,),
        moments=moments,
    )
    path = f"/v1/threads/{THREAD}"
    api.answers[f"GET {path}/timeline"] = (200, whole.model_dump(mode="json"))
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD, "kind": "thread"}]})
    shown = treadle("timeline", THREAD, "--moments", "2").stdout.splitlines()

    bar = shown[0].split()[1]
    assert abs(bar.count("█") - bar.count("x")) <= 1
    assert shown[0].rstrip().endswith("✗")
    assert [row.split()[-2:] for row in shown if "moment " in row] == [
        ["moment", "28"],
        ["moment", "29"],
    ]
    assert "28 earlier ones" in shown[-1]
