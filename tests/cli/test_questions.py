"""What a person types about an agent's question: slips are told, and nothing is sent."""

import io
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.approvals.questions import ask
from cli.core.client import Client
from domain.conversations.questions.question import Question, QuestionKind, QuestionOption
from domain.conversations.questions.views import OpenQuestion
from domain.core.ids import SessionId, TaskId, ThreadId, TurnId
from domain.plans.status import PlanStatus
from domain.reading.views import ThreadView
from domain.threads.progress import Progress
from tests.cli.conftest import Api

THREAD = "thread-add-a-flag-1a2b3c"
NAME = "parse/question-1-1"
ANSWER = f"POST /v1/threads/{THREAD}/questions/parse%2Fquestion-1-1/answer"
OPTIONS = (("always", "allow_always"), ("once", "allow_once"), ("no", "reject_once"))
QUESTION = Question(
    kind=QuestionKind.PERMISSION,
    title="Run make docs",
    scope="execute: make docs",
    options=tuple(
        QuestionOption(option_id=name, label=name.title(), kind=kind) for name, kind in OPTIONS
    ),
    question_id=NAME,
    session_id=SessionId(f"{THREAD}/parse/session-1"),
    turn_id=TurnId("turn-1"),
).hashed()
VIEW = ThreadView(
    thread_id=ThreadId(THREAD),
    goal="add a flag",
    status="waiting",
    repository="/code/app",
    branch="treadle/add-a-flag",
    agent="codex",
    template="default",
    plan_status=PlanStatus.IDLE,
    progress=Progress(done=0, total=1),
    questions=(OpenQuestion(question=QUESTION, workflow_id="w", task_id=TaskId("parse")),),
    opened_at=datetime(2026, 11, 21, tzinfo=UTC),
    changed_at=datetime(2026, 11, 21, tzinfo=UTC),
)


@pytest.fixture
def treadle(api: Api, settings):
    del settings
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, VIEW.model_dump(mode="json"))
    api.answers[ANSWER] = (200, {"message": "answered"})
    return lambda *words, typed="": CliRunner().invoke(app, words, input=typed)


def sent(api: Api):
    return [body for line, _, body in api.got if line == ANSWER]


@pytest.mark.parametrize(
    ("way", "option", "right"), [("deny", "once", "allow"), ("allow", "no", "deny")]
)
def test_an_option_of_the_opposite_is_reported_with_the_right_command(
    api, treadle, way, option, right
):
    done = treadle(way, THREAD, "parse", "--option", option)

    assert f"'{option}' would {right} it: use `treadle {right}`" in str(done.exception)
    assert sent(api) == []


@pytest.mark.parametrize(
    ("typed", "option", "remember"),
    [("2\n", "once", "once"), ("2s\n", "once", "session"), ("9\n3 t\n", "no", "thread")],
)
def test_a_number_typed_may_say_how_long_it_counts(
    api, settings, monkeypatch, typed, option, remember
):
    api.answers[ANSWER] = (200, {"message": "answered"})
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    ask(Client(settings), VIEW, VIEW.questions[0])

    (body,) = sent(api)
    assert (body["option_id"], body["remember"]) == (option, remember)


def test_a_decision_that_is_no_question_of_an_agent_is_looked_for_among_them(api, treadle):
    path = f"/v1/threads/{THREAD}/questions/parse%2Fdecision-9/answer"
    detail = "there is no such thing here; ids look like 'task-1/question-1-2'"
    api.answers[f"POST {path}"] = (404, {"title": "Not found", "detail": detail})

    done = treadle("decide", THREAD, "parse/decision-9", "Red")

    assert detail in str(done.exception)
