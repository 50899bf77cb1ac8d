"""Parts of ids name threads, tasks, decisions and what waits, whatever their case."""

import json

import pytest

from cli.core.errors import CommandError
from cli.core.works import one_called
from domain.core.ids import TaskId
from domain.plans.plan import Decision
from domain.plans.status import PlanStatus
from domain.reading.views import OpenRequest, TaskView
from domain.tasks.status import TaskStatus
from domain.threads.shown import ShownDecision
from tests.cli.test_commands import GATE, THREAD, VIEW, shown, treadle

assert treadle  # the fixture

TASKS = tuple(
    TaskView(task_id=TaskId(name), title=name, status=TaskStatus.RUNNING)
    for name in ("report", "discount", "discounts-page")
)
DECISION = Decision.model_validate(
    {
        "id": "payment-method",
        "question": "How?",
        "options": [{"label": "Card"}, {"label": "Cash"}],
    }
)
RUNNING = VIEW.model_copy(
    update={
        "plan_status": PlanStatus.ACTIVE,
        "tasks": TASKS,
        "decisions": (ShownDecision.of(DECISION),),
        "requests": (
            OpenRequest(request=GATE, workflow_id=f"{THREAD}/report", task_id=TaskId("report")),
        ),
    }
)


@pytest.fixture
def running(api, treadle):
    shown(api, RUNNING)
    return treadle


@pytest.mark.parametrize(
    ("words", "request_line"),
    [
        (("show", THREAD, "rep"), "GET tasks/report"),
        (("diff", THREAD, "REP"), "GET tasks/report/diff"),
        (("diff", THREAD, "discount"), "GET tasks/discount/diff"),
        (("abort", THREAD, "page"), "POST tasks/discounts-page/abort"),
        (("retry", THREAD, "rep"), "POST tasks/report/retry"),
        (("stop", THREAD, "rep"), "POST tasks/report/stop"),
        (("say", THREAD, "hello", "--task", "rep"), "POST tasks/report/messages"),
        (("skip-wait", THREAD, "rep"), "POST tasks/report/skip-wait"),
        (("switch-agent", THREAD, "rep", "codex"), "POST tasks/report/switch-agent"),
        (("open-session", THREAD, "rep"), "POST tasks/report/sessions"),
        (("terminals", THREAD, "rep"), "GET tasks/report/terminals"),
        (("files", THREAD, "--task", "rep"), "GET tasks/report/files"),
        (("resolve", THREAD, "rep", "keep-a"), "POST tasks/report/conflict"),
        (("decide", THREAD, "meth", "card"), "POST decisions/payment-method"),
    ],
)
def test_a_part_of_a_task_is_enough(api, running, words, request_line):
    running(*words)
    method, _, path = request_line.partition(" ")
    sent = [line.partition("?")[0] for line, _, _ in api.got]
    assert f"{method} /v1/threads/{THREAD}/{path}" in sent


def test_a_label_is_found_whatever_its_case(api, running):
    running("decide", THREAD, "meth", "card")
    assert api.got[-1][2]["selections"] == ["Card"]


def test_a_part_of_several_is_refused_with_their_names(running):
    failed = running("diff", THREAD, "disc").exception
    assert str(failed) == "'disc' matches several tasks: discount, discounts-page"


def test_the_part_of_a_task_that_waits_is_enough_to_approve_it(api, running):
    api.answers[f"POST /v1/threads/{THREAD}/approvals"] = (200, {"message": "approved"})
    assert running("approve", THREAD, "rep").exit_code == 0


def test_the_case_of_a_part_of_a_thread_makes_no_difference(running):
    assert json.loads(running("show", "ADD-a-Flag", "--json").stdout)["thread_id"] == THREAD


def test_the_whole_id_is_never_taken_for_a_part():
    assert one_called("disc", ["disc", "discount"], "tasks") == "disc"
    assert one_called("Disc", ["disc", "discount"], "tasks") == "disc"
    assert one_called("x", ["disc"], "tasks") is None
    with pytest.raises(CommandError):
        one_called("d", ["disc", "discount"], "tasks")


def test_what_was_answered_or_replaced_says_so(api, treadle):
    answered = {"plan-1": "was replaced by plan-2", "plan-2": "was already approved by root"}
    shown(api, VIEW.model_copy(update={"requests": (), "answered": answered}))
    assert "plan-1 was replaced by plan-2" in str(treadle("approve", THREAD, "plan-1").exception)
    assert "plan-2 was already approved" in str(
        treadle("reject", THREAD, "plan-2", "-f", "no").exception
    )


@pytest.mark.parametrize("name", ["amendment-2", "amend", "Ment-2"])
def test_a_part_of_a_request_is_enough(api, treadle, name):
    asked = GATE.model_copy(update={"request_id": "amendment-2"})
    open_request = OpenRequest(request=asked, workflow_id=THREAD)
    shown(api, RUNNING.model_copy(update={"requests": (open_request, *RUNNING.requests)}))
    api.answers[f"POST /v1/threads/{THREAD}/approvals"] = (200, {"message": "approved"})
    assert treadle("approve", THREAD, name).exit_code == 0
    assert api.got[-1][2]["request_id"] == "amendment-2"


def test_a_part_of_requests_that_were_answered_as_well_is_refused(api, treadle):
    asked = GATE.model_copy(update={"request_id": "plan-12"})
    waiting = (OpenRequest(request=asked, workflow_id=THREAD),)
    answered = {"plan-1": "was replaced by plan-12"}
    shown(api, VIEW.model_copy(update={"requests": waiting, "answered": answered, "tasks": ()}))
    assert "plan-1 was replaced" in str(treadle("approve", THREAD, "plan-1").exception)
    assert str(treadle("approve", THREAD, "lan").exception) == (
        "'lan' matches several requests: plan-1, plan-12"
    )


def test_a_name_of_nothing_says_what_waits(running):
    said = str(running("approve", THREAD, "nope").exception)
    assert said.startswith("nothing called 'nope' is waiting for approval")
    assert said.endswith("; waiting: report")


def test_an_empty_name_is_refused_in_words(running):
    assert "a name is empty" in str(running("decide", THREAD, "", "x").exception)


def test_a_task_that_does_not_wait_says_how_it_is(running):
    said = str(running("approve", THREAD, "page").exception)
    assert said == "task 'discounts-page' is not waiting for approval: it is running"
