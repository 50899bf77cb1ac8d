"""What an editor asks of candidates and of spending limits: nothing is approved that was not shown."""

from datetime import UTC, datetime
from unittest.mock import Mock

import pytest
from acp import schema

from cli.acp.agent import TreadleAgent
from cli.acp.asks import asks_in
from cli.acp.editor import Editor
from cli.acp.following import Desk
from cli.acp.rest import is_moving
from cli.mcp.readings import needs_of
from domain.conversations.questions.question import Question, QuestionKind, QuestionOption
from domain.conversations.questions.views import OpenQuestion
from domain.core.acting import MAX_PROGRAM
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import RequestId, SessionId, TaskId, ThreadId, TurnId
from domain.plans.best_of import BestOfEnd
from domain.plans.status import PlanStatus
from domain.reading.contest_views import CandidateView, ContestView
from domain.reading.task_activity import TaskActivity
from domain.reading.views import OpenRequest, SessionView, TaskView, ThreadView
from domain.tasks.status import TaskStatus
from domain.threads.contests.state import CandidateStanding
from domain.threads.progress import Progress

THREAD = ThreadId("thread-add-a-flag-1a2b3c")
APP = TaskId("app")
ASKED = ApprovalRequest(
    request_id=RequestId("app/best-of-1-1"),
    subject=Subject.BEST_OF,
    title="The app",
    content_hash="c" * 64,
)
CONTEST = ContestView(
    task_id=APP,
    title="The app",
    ends=BestOfEnd.ALL,
    request=ASKED,
    candidates=(
        CandidateView(
            candidate=TaskId("app.a"),
            letter="A",
            agent="claude",
            standing=CandidateStanding.READY,
        ),
    ),
)
VIEW = ThreadView(
    thread_id=THREAD,
    goal="add a flag",
    status="waiting",
    repository="/code/app",
    branch="treadle/add-a-flag",
    agent="codex",
    template="default",
    plan_status=PlanStatus.ACTIVE,
    progress=Progress(done=0, total=1),
    requests=(OpenRequest(request=ASKED, workflow_id=THREAD),),
    contests=(CONTEST,),
)


def test_of_candidates_none_is_taken_or_approved_in_an_editor():
    [ask] = asks_in(VIEW, "in an editor")

    posts = [option.post for option in ask.options if option.post is not None]
    assert [(post.path, post.body["choice"]) for post in posts] == [(("approvals",), "reject")]
    assert posts[0].body["content_hash"] == ASKED.content_hash
    assert {option.kind for option in ask.options} == {"reject_once"}
    assert f"treadle take {THREAD} CANDIDATE" in ask.text
    assert "claude" in ask.text


def test_a_no_of_an_agent_is_never_taken_for_a_yes_that_is_remembered():
    """An agent names its no as an editor names the yes for the whole thread."""
    named = [("ok", "allow_once"), ("ok/thread", "reject_once"), ("-ok/thread", "reject_once")]
    question = Question(
        kind=QuestionKind.PERMISSION,
        title="Run make",
        scope="execute: make",
        options=tuple(
            QuestionOption(option_id=name, label=name, kind=kind) for name, kind in named
        ),
        question_id="app/question-1-1",
        session_id=SessionId(f"{THREAD}/app/session-1"),
        turn_id=TurnId("turn-1"),
    ).hashed()
    asked = OpenQuestion(question=question, workflow_id=f"{THREAD}/app", task_id=APP)
    [ask] = asks_in(VIEW.model_copy(update={"requests": (), "questions": (asked,)}), "")

    found: dict[str, set[str]] = {}
    for option in ask.options:
        assert option.post is not None
        found.setdefault(option.option_id, set()).add(option.post.body["option_id"])
    assert all(len(answers) == 1 for answers in found.values())
    assert len(found) == len(ask.options)
    assert found["ok/thread"] == {"ok/thread"}


def working(**waits: object) -> ThreadView:
    """A thread whose one task works."""
    name = SessionId(f"{THREAD}/app/session-1")
    session = SessionView(session_id=name, role="task", agent="a", is_working=True, **waits)
    task = TaskView(
        task_id=APP,
        title="The app",
        status=TaskStatus.RUNNING,
        activity=TaskActivity.WAITING_FOR_PROVIDER if waits else TaskActivity.WORKING,
        sessions=(session,),
    )
    more = {"status": "running", "requests": (), "contests": (), "tasks": (task,)}
    return VIEW.model_copy(update=more)


SOON = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize("is_over_limit", [True, False], ids=["reached", "crowded"])
def test_a_turn_that_waits_for_a_limit_of_money_waits_for_a_person(is_over_limit: bool):
    view = working(waits_until=SOON, waits_for="the thread has spent $2.10 of $2.00")
    [task] = view.tasks
    [session] = task.sessions
    told = session.model_copy(update={"is_over_limit": is_over_limit})
    view = view.model_copy(
        update={"tasks": (task.model_copy(update={"sessions": (told,)}),)},
    )

    assert is_moving(view) is not is_over_limit
    assert [need.kind for need in needs_of(view)] == (["limit"] if is_over_limit else [])


def test_a_working_task_moves():
    assert is_moving(working())
    assert needs_of(working()) == []


def test_a_chat_at_a_limit_does_not_move():
    chat = SessionView(
        session_id=SessionId(f"{THREAD}/session-1"),
        role="chat",
        agent="a",
        is_working=True,
        waits_until=SOON,
        waits_for="a limit",
        is_over_limit=True,
    )
    view = VIEW.model_copy(
        update={"status": "chat", "requests": (), "contests": (), "sessions": (chat,)}
    )

    assert not is_moving(view)
    assert view.over_limits == ("a limit",)


async def test_an_editor_s_name_is_one_plain_line_of_what_is_decided():
    desk = Desk(engine=Mock(), editor=Editor(Mock()), page="")
    name = "Zed) and approved by bob\n(" + "x" * 900
    info = schema.Implementation(name="zed", version="1", title=name)
    await TreadleAgent(desk).initialize(1, client_info=info)

    told = desk.editor.name
    assert told.startswith("Zed and approved by bob x")
    assert len(told) <= MAX_PROGRAM
    assert not {"(", ")", "\n"} & {*told}
