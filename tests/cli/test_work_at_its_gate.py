"""The work of a plan without tasks at its gate: its change can be read, and what was not verified says so."""

import pytest

from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import WORK, RequestId, SessionId
from domain.core.workspaces import Snapshot
from domain.plans.status import PlanStatus
from domain.reading.views import OpenRequest, SessionView, TaskView
from domain.tasks.status import TaskStatus
from domain.verification.steps import VerificationAttempt
from tests.cli.test_commands import THREAD, VIEW, shown, treadle

assert treadle  # the fixture

ASKED = ApprovalRequest(
    request_id=RequestId("gate-1-1"), subject=Subject.GATE, title="Shop", content_hash="ab" * 32
)
AT_GATE = TaskView(
    task_id=WORK,
    title="Shop",
    status=TaskStatus.RUNNING,
    run=1,
    attempts=(VerificationAttempt(attempt=1, is_finished=True),),
    snapshot=Snapshot(base="c0", commit="c1", tree="t1", files=("a.py",), insertions=3),
    request=ASKED,
    sessions=(SessionView(session_id=SessionId(f"{THREAD}/session-1"), role="task", agent="a"),),
)


def view_of(work: TaskView, **changes):
    requests = (OpenRequest(request=ASKED, workflow_id=f"{THREAD}/{WORK}", task_id=WORK),)
    update = {
        "work": work,
        "tasks": (),
        "plans": (),
        "requests": requests,
        "plan_status": PlanStatus.ACTIVE,
    }
    return VIEW.model_copy(update=update | changes)


@pytest.fixture
def at_gate(api, treadle):
    shown(api, view_of(AT_GATE))
    api.answers[f"GET /v1/threads/{THREAD}/tasks/{WORK}/diff"] = (200, "+of the work\n")
    api.answers[f"GET /v1/threads/{THREAD}/changes/diff"] = (200, "+of the thread\n")
    return treadle


@pytest.mark.parametrize("words", [(), ("--session", "1"), ("--since-review",)])
def test_the_diff_of_the_thread_is_that_of_the_work(at_gate, words):
    assert at_gate("diff", THREAD, *words).stdout == "+of the work\n"


def test_another_session_has_a_diff_of_its_own(at_gate):
    assert at_gate("diff", THREAD, "--session", "2").stdout == "+of the thread\n"


def test_the_diff_of_merged_work_is_in_that_of_the_thread(api, at_gate):
    merged = AT_GATE.model_copy(update={"status": TaskStatus.COMPLETED, "merge_commit": "c2"})
    shown(api, view_of(merged, requests=()))
    assert at_gate("diff", THREAD).stdout == "+of the thread\n"


def test_show_says_how_the_change_is_read_and_that_nothing_verified_it(at_gate):
    printed = at_gate("show", THREAD).stdout
    assert f"read the change: treadle diff {THREAD}\n" in printed
    assert "no verification steps" in printed
    assert "passed" not in printed
