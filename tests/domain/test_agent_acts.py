"""What the thread's agent may do by itself while a plan runs: learnings, context, aborts."""

from domain.core.errors import WrongStateError
from domain.core.ids import CommandId, TaskId
from domain.tasks.agent_commands import AbortByAgent, EnrichTask, RecordLearning
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, Retry
from domain.tasks.status import TaskStatus
from domain.threads.running.briefs import brief
from domain.threads.running.state import Cause
from tests.domain.own_turns_plan import CHAIN, OwnTurnsPlan
from tests.domain.running_plan import CHAT


def test_the_threads_agent_records_a_learning_that_later_tasks_read():
    plan = OwnTurnsPlan(*CHAIN)
    learned = RecordLearning(session_id=CHAT, learning="next", text="use tabs")
    plan.send(learned)
    assert plan.send(learned).message == "Already recorded."
    plan.complete("a")
    (found,) = brief(plan.state, TaskId("b"), 1).learnings
    assert (found.text, found.task_id) == ("use tabs", "")
    assert not any(cause is Cause.LEARNINGS for turn in plan.causes() for cause in turn)


def test_context_that_it_gives_is_in_the_brief_of_a_task_that_has_not_started():
    plan = OwnTurnsPlan(*CHAIN)
    plan.send(EnrichTask(session_id=CHAT, task_id=TaskId("b"), context="a uses tabs"))
    plan.complete("a")
    assert "a uses tabs" in brief(plan.state, TaskId("b"), 1).context
    given = EnrichTask(session_id=CHAT, task_id=TaskId("b"), context="too late")
    assert isinstance(plan.refuses(given), WrongStateError)


def test_it_aborts_nothing_where_the_thread_does_not_allow_it():
    plan = OwnTurnsPlan(*CHAIN)
    error = plan.refuses(AbortByAgent(session_id=CHAT, task_id=TaskId("a"), reason="wrong"))
    assert isinstance(error, WrongStateError)
    assert "agent_aborts" in error.message


def test_what_it_aborts_is_shown_with_its_reason_and_waits_for_a_person():
    plan = OwnTurnsPlan(*CHAIN, agent_aborts=True)
    abort = AbortByAgent(session_id=CHAT, task_id=TaskId("a"), reason="b makes it\nuseless")
    plan.send(abort)
    assert plan.send(abort).message == "a is already being aborted"
    plan.end("a", TaskEnd.CANCELLED)
    plan.settle("a")
    entry = plan.state.tasks[TaskId("a")]
    assert entry.status is TaskStatus.CANCELLED
    assert entry.notes.endswith("b makes it useless")
    assert plan.state.status == "failed"
    assert not plan.is_awaited
    plan.send(Retry(task_id=TaskId("a"), command_id=CommandId("again")))
    assert plan.state.tasks[TaskId("a")].abort_reason == ""


def test_it_aborts_a_task_that_has_not_started():
    plan = OwnTurnsPlan(*CHAIN, agent_aborts=True)
    plan.send(AbortByAgent(session_id=CHAT, task_id=TaskId("b"), reason="not needed"))
    assert plan.statuses == {"a": "running", "b": "cancelled", "c": "blocked"}
    assert plan.state.tasks[TaskId("b")].abort_reason == "not needed"
    plan.send(Abort(task_id=TaskId("a"), by="ada"))
    assert plan.state.tasks[TaskId("a")].abort_reason == ""
