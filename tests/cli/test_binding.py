"""Every command that decides is bound to what was seen: by the hash beside it, or by a look at it."""

import io
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.approvals import approvals
from cli.core.client import Client
from cli.plans import decisions as plan_decisions
from domain.conversations.place import FlowPlace
from domain.conversations.questions.question import Question, QuestionKind, QuestionOption
from domain.conversations.questions.views import OpenQuestion
from domain.core.ids import WORK, SessionId, TaskId, TurnId
from domain.core.workspaces import Snapshot
from domain.flows.requests import HumanRequest
from domain.plans.plan import Decision, DecisionOption
from domain.reading.flow_runs import OpenFlowRequest
from domain.reading.views import OpenRequest
from domain.tasks.conflicts import Conflict, OpenConflict
from domain.threads.shown import ShownConflict, ShownDecision
from tests.cli.conftest import Api
from tests.cli.test_commands import GATE, REQUEST, THREAD, VIEW
from tests.cli.test_flow_runs import fold_of
from tests.domain.flow_world import FlowRun, FlowText

RUN = "flow-paper-1"


def question(name, kind, *options):
    asked = Question(
        kind=kind,
        title="Which of these?",
        options=options,
        question_id=f"parse/{name}",
        session_id=SessionId(f"{THREAD}/parse/session-1"),
        turn_id=TurnId("turn-1"),
    )
    return OpenQuestion(question=asked.hashed(), workflow_id="w", task_id=TaskId("parse"))


MAY_I = question(
    "question-1-1",
    QuestionKind.PERMISSION,
    QuestionOption(option_id="yes", label="Yes", kind="allow_once"),
    QuestionOption(option_id="no", label="No", kind="reject_once"),
)
WHICH = question(
    "question-1-2", QuestionKind.DECISION, QuestionOption(option_id="red", label="Red")
)
LOOK = ShownDecision.of(
    Decision(id="look", question="Which of these?", options=(DecisionOption(label="plain"),))
)
CONFLICT = ShownConflict.of(
    OpenConflict(conflict=Conflict(task_id="parse", run=1, commit="c", files=("a.py",)))
)
OF_CHAT = ShownConflict.of(
    OpenConflict(
        conflict=Conflict(session_id=f"{THREAD}/session-2", run=1, commit="c", files=("a.py",))
    )
)
STEP = OpenFlowRequest(
    request=HumanRequest(
        request_id="r",
        question="Which of these?",
        place=FlowPlace(step_index=1, total_steps=2),
    ),
    content_hash="5e" * 32,
)
OF_WORK = ShownConflict.of(
    OpenConflict(conflict=Conflict(task_id=WORK, run=1, commit="c", files=("a.py",)))
)
SHOWN = VIEW.model_copy(
    update={
        "questions": (MAY_I, WHICH),
        "decisions": (LOOK,),
        "conflicts": (CONFLICT, OF_CHAT, OF_WORK),
    }
)
FLOW = fold_of(FlowRun(FlowText().llm("write").flow())).view()
FLOW = FLOW.model_copy(update={"request": STEP})
ROOT = f"/v1/threads/{THREAD}"

WORDS = "Which of these?"


class Deciding(NamedTuple):
    """A command that decides: where it posts, the hash of what waits, and what is seen of that."""

    words: tuple[str, ...]
    path: str
    content: str
    seen: str = WORDS


PLAN = (f"{ROOT}/approvals", REQUEST.content_hash, "add a flag")
ASKED = (f"{ROOT}/questions/parse%2Fquestion-1-1/answer", MAY_I.question.content_hash)
CHOICE = (f"{ROOT}/questions/parse%2Fquestion-1-2/answer", WHICH.question.content_hash)
DECISION = (f"{ROOT}/decisions/look", LOOK.content_hash)
COMMANDS = (
    Deciding(("approve", THREAD, "--acknowledge"), *PLAN),
    Deciding(("reject", THREAD, "-f", "no"), *PLAN),
    Deciding(("allow", THREAD), *ASKED),
    Deciding(("deny", THREAD), *ASKED),
    Deciding(("decide", THREAD, "parse/question-1-2", "Red"), *CHOICE),
    Deciding(("decide", THREAD, "look", "plain"), *DECISION),
    Deciding(("plan", "decide", THREAD, "look", "plain"), *DECISION),
    Deciding(
        ("resolve", THREAD, "parse", "keep-a"),
        f"{ROOT}/tasks/parse/conflict",
        CONFLICT.content_hash,
        "conflicts with",
    ),
    Deciding(
        ("resolve", THREAD, "keep-b"),
        f"{ROOT}/tasks/{WORK}/conflict",
        OF_WORK.content_hash,
        "the work conflicts with",
    ),
    Deciding(
        ("resolve", THREAD, "session-2", "agent"),
        f"{ROOT}/sessions/2/conflict",
        OF_CHAT.content_hash,
        "session-2 conflicts with",
    ),
    Deciding(("flow", "answer", RUN, "it"), f"/v1/flow-runs/{RUN}/answer", STEP.content_hash),
)
NAMED = {"decide", "plan", "resolve"}
each = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.words[0])


@pytest.fixture
def treadle(api: Api, settings):
    del settings
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    api.answers[f"GET {ROOT}"] = (200, SHOWN.model_dump(mode="json"))
    api.answers[f"GET /v1/flow-runs/{RUN}"] = (200, FLOW.model_dump(mode="json"))
    for command in COMMANDS:
        api.answers[f"POST {command.path}"] = (200, {"message": "done"})
    return lambda *words, typed="": CliRunner().invoke(app, words, input=typed)


def sent(api: Api, command: Deciding) -> list[str]:
    """Return the hashes that a command sent; it sent nothing else."""
    posted = [(line, body) for line, _, body in api.got if line.startswith("POST")]
    assert {line for line, _ in posted} <= {f"POST {command.path}"}
    return [body["content_hash"] for _, body in posted]


@each
def test_the_beginning_of_the_hash_that_was_printed_is_enough(api: Api, treadle, command: Deciding):
    done = treadle(*command.words, "--hash", command.content[:12])
    assert done.exit_code == 0, done.exception
    assert sent(api, command) == [command.content]


@each
def test_what_has_another_hash_is_not_answered(api: Api, treadle, command: Deciding):
    done = treadle(*command.words, "--hash", "0ther")
    assert "not '0ther': review it again" in str(done.exception)
    assert sent(api, command) == []


@each
def test_without_a_terminal_it_is_about_what_waits_now(api: Api, treadle, command: Deciding):
    assert treadle(*command.words).exit_code == 0
    assert sent(api, command) == [command.content]


@each
def test_a_person_at_a_terminal_is_shown_what_waits_and_asked(
    api: Api, treadle, monkeypatch: pytest.MonkeyPatch, command: Deciding
):
    monkeypatch.setattr("cli.core.confirmation.is_watched", lambda: True)
    no = treadle(*command.words, typed="n\n")
    assert (no.exit_code, sent(api, command)) == (1, [])
    assert command.seen in no.stderr
    assert treadle(*command.words, typed="y\n").exit_code == 0
    assert sent(api, command) == [command.content]


def test_a_decision_on_a_terminal_is_sent_with_the_hash_that_was_drawn(
    api: Api, settings, monkeypatch: pytest.MonkeyPatch
):
    path, content = DECISION
    api.answers[f"POST {path}"] = (200, {"message": "decided"})
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    plan_decisions.ask_decision(Client(settings), SHOWN, LOOK)
    assert sent(api, Deciding((), path, content)) == [content]


def test_the_diff_of_a_gate_is_of_the_work_that_is_asked_about(
    api: Api, settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    snapshot = Snapshot(commit="c" * 40, tree="t" * 40, base="b" * 40)
    task = SHOWN.tasks[0].model_copy(update={"snapshot": snapshot})
    asked = OpenRequest(request=GATE, workflow_id=f"{THREAD}/parse", task_id=task.task_id)
    problem = {"type": "treadle:not_what_was_shown", "title": "x", "detail": "it has worked on"}
    api.answers[f"GET {ROOT}/tasks/parse/diff"] = (409, problem)
    monkeypatch.setattr("sys.stdin", io.StringIO("d\nl\n"))
    view = SHOWN.model_copy(update={"tasks": (task,), "requests": (asked,)})
    assert not approvals.ask(Client(settings), view, asked)
    assert f"commit={'c' * 40}" in api.got[-1][0]
    assert "it has worked on" in capsys.readouterr().err


@pytest.mark.parametrize("command", [known for known in COMMANDS if known.words[0] in NAMED])
def test_what_was_not_there_is_not_answered_by_what_comes_after(
    api: Api, treadle, command: Deciding
):
    api.answers[f"GET {ROOT}"] = (200, VIEW.model_dump(mode="json"))
    treadle(*command.words)
    assert sent(api, command) == ["unseen"]
