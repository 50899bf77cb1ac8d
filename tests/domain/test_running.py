"""A plan that runs: verbs in chat, decisions, the coordinator, learnings, concerns, summaries."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.conversations.commands import SendMessage
from domain.core.approval_commands import Approve, Decide
from domain.core.approvals import content_hash
from domain.core.attachments import Attachment
from domain.core.command import Answer
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
    WrongStateError,
)
from domain.core.progress import TaskProgress
from domain.core.workspaces import MergeResult
from domain.tasks.agent_commands import EnrichTask, ListTasks, ProposePlan
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningKind
from domain.tasks.running_commands import Resume, Retry
from domain.threads import rules
from domain.threads.children.commands import NoteChild
from domain.threads.children.events import ChildReport
from domain.threads.commands import EndTask, NoteProgress, SettleTask
from domain.threads.running import coordination
from domain.threads.running.briefs import brief
from tests.domain.strategies import TEMPLATES
from tests.domain.world import World

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAN: dict[str, Any] = {
    "summary": "s",
    "decisions": [
        {
            "id": "features",
            "question": "Which?",
            "options": [{"label": "auth"}, {"label": "logging"}, {"label": "metrics"}],
            "multi_select": True,
            "timeout_seconds": 100,
        }
    ],
    "tasks": [
        {"id": "one", "title": "One", "area": ["src"], "ports": [{"id": "web"}]},
        {"id": "two", "title": "Two", "depends_on": ["one"]},
        {"id": "three", "title": "Three", "decision_id": "features"},
    ],
}


@pytest.fixture
def world() -> World:
    return running(PLAN)


def running(plan: dict[str, Any]) -> World:
    world = World(4, TEMPLATES[0])
    planner = world.thread.planner
    world.send(ProposePlan(session_id=planner, plan=plan), is_repeated=False)
    [request] = world.thread.requests.values()
    shown = request.model_dump(include={"request_id", "content_hash"})
    world.send(Approve(**shown, by="p"))
    return world


def answer(world: World, command: Any) -> Answer:
    decided = rules.decide(world.thread, command, world.now)
    world.send(command, is_repeated=False)
    return decided.answer


def say(world: World, text: str, *files: Attachment) -> Answer:
    said = {"text": text, "attachments": files, "command_id": f"c-{text}"}
    return answer(world, SendMessage(**said, by="p"))


def decide(world: World, *selections: str) -> Answer:
    shown = content_hash(world.thread.decisions["features"].decision)
    features = {"decision_id": "features", "content_hash": shown}
    return answer(world, Decide(**features, selections=selections, by="p"))


def end(world: World, task: str, how: TaskEnd, *learned: str) -> None:
    run = world.thread.tasks[task].run
    learnings = tuple(Learning(learning=LearningKind.NEXT, text=t, task_id=task) for t in learned)
    world.send(EndTask(task_id=task, run=run, end=how, commit="c", learnings=learnings))
    world.send(SettleTask(task_id=task, run=run, merge=MergeResult(commit="m")))


def kinds(world: World) -> list[str]:
    return [event.kind for _, event in world.log]


# --- verbs


def test_a_verb_in_a_chat_is_carried_out_and_told_to_no_agent(world: World):
    before = len(world.thread.seen_prompts)
    assert "paused" in say(world, "/plan pause").message
    assert world.thread.plan_status == "paused"
    status = say(world, "/plan status").message
    assert "paused" in status
    assert "/plan decide features [auth | logging | metrics] #" in status
    shown = status.partition("metrics] ")[2].split(",")[0]
    with pytest.raises(NotShownError):
        say(world, f"/plan decide features auth,metrics #{'0' * 8}")
    say(world, f"/plan decide features auth,metrics {shown}")
    assert world.thread.decisions["features"].selections == ("auth", "metrics")
    assert "auto is on" in say(world, "/plan auto on").message
    assert (world.thread.is_auto, world.thread.auto_by) == (True, "p")
    assert len(world.thread.seen_prompts) == before


# --- decisions


@pytest.mark.parametrize(
    "selections", [(), ("",), ("auth,,logging",), ("auth,auth",), ("auth", "auth"), ("oauth",)]
)
def test_a_choice_that_does_not_fit_is_told_the_valid_ones(
    world: World, selections: tuple[str, ...]
):
    with pytest.raises(InvalidError, match="auth, logging, metrics"):
        decide(world, *selections)


def test_an_unknown_decision_is_not_found(world: World):
    with pytest.raises(NotFoundError, match="this plan has: features"):
        answer(world, Decide(decision_id="nope", content_hash="", selections=("a",)))


def test_a_decision_stands_once_it_is_made(world: World):
    decide(world, "logging", "auth")
    assert "already decided" in decide(world, "auth,logging").message
    with pytest.raises(AlreadyDecidedError):
        decide(world, "metrics")


def test_nothing_is_decided_after_a_cancel(world: World):
    say(world, "/plan cancel")
    with pytest.raises(WrongStateError, match="cancelled"):
        decide(world, "auth")


def test_time_runs_from_when_it_is_asked_and_repeated_timers_do_nothing(world: World):
    told: list[datetime] = []
    for _ in range(3):
        world.wait("decision:features")
        told.append(world.now)
    assert told == [NOW + timedelta(seconds=s) for s in (50, 90, 100)]
    assert kinds(world).count("decision_reminded") == 2
    assert world.thread.decisions["features"].is_expired
    assert world.thread.tasks["three"].status == "needs_decision"


# --- pause, resume, summary


def test_only_a_paused_plan_is_resumed(world: World):
    with pytest.raises(WrongStateError, match="its status is active"):
        answer(world, Resume(command_id="r"))


def test_a_cancelled_plan_is_summed_up_with_what_failed_and_how_to_fix_it(world: World):
    end(world, "one", TaskEnd.FAILED)
    say(world, "/plan cancel")
    completed = world.log[-1][1]
    assert completed.kind == "plan_completed"
    assert "0 of 3" in completed.summary
    assert set(completed.failures) == {"one", "two", "three"}
    assert "treadle plan request" in completed.remedies["one"]


# --- the coordinator


def test_a_fresh_session_is_named_and_gets_messages_with_all_that_is_known(world: World):
    state = world.thread
    assert state.coordinator is not None
    assert all(prompt.session_id != state.coordinator for prompt in state.prompts)
    data = say(world, "how is it going?").data
    assert data["session_id"] == state.coordinator
    queued = next(p for p in world.thread.prompts if p.session_id == state.coordinator)
    prompt = coordination.briefed(queued, world.thread)
    assert prompt is not None
    assert prompt.fields["text"] == "how is it going?"
    assert "- two: pending (after one): Two. waiting for one" in prompt.fields["tasks"]
    assert "Which?" in prompt.fields["questions"]


def test_a_message_to_the_coordinator_keeps_its_writer_and_its_files(world: World):
    picture = Attachment(name="a.png", content_ref="0" * 64)
    say(world, "look at this", picture)
    queued = next(p for p in world.thread.prompts if p.session_id == world.thread.coordinator)
    prompt = coordination.briefed(queued, world.thread)
    assert prompt is not None
    assert (prompt.by, prompt.attachments) == ("p", (picture,))


def test_a_failure_is_told_to_a_coordinator_that_was_spoken_to_only(world: World):
    quiet = len(world.thread.prompts)
    end(world, "one", TaskEnd.FAILED)
    assert len(world.thread.prompts) == quiet
    answer(world, Retry(task_id="one"))
    say(world, "hello")
    end(world, "one", TaskEnd.FAILED)
    last = world.thread.prompts[-1]
    assert last.session_id == world.thread.coordinator
    assert last.prompt is not None
    assert "failed for good" in last.prompt.fields["text"]


def test_only_tasks_that_have_not_started_are_given_more_to_know(world: World):
    session = world.thread.coordinator

    def enrich(task: str) -> Answer:
        command = EnrichTask(session_id=session, task_id=task, context="ids are UUIDs")
        return answer(world, command)

    enrich("two")
    enrich("two")
    assert kinds(world).count("task_enriched") == 1
    assert f"ids are UUIDs (from {session})" in brief(world.thread, "two", 1).context
    with pytest.raises(WrongStateError, match="is running"):
        enrich("one")
    with pytest.raises(NotFoundError):
        enrich("nobody")


def test_a_planner_gets_no_tool_of_the_coordinator(world: World):
    with pytest.raises(WrongStateError):
        answer(world, ListTasks(session_id=world.thread.planner))


# --- learnings and concerns


def test_learnings_bubble_up_once_in_the_order_of_completion(world: World):
    decide(world, "auth")
    end(world, "three", TaskEnd.ACCEPTED, "c1")
    end(world, "one", TaskEnd.ACCEPTED, "a1", "a2")
    assert [learning.text for learning in world.thread.learnings] == ["c1", "a1", "a2"]
    assert kinds(world).count("learnings_added") == 2
    assert [given.text for given in brief(world.thread, "two", 1).learnings] == ["c1", "a1", "a2"]


def test_what_a_failed_run_learned_stays_with_it(world: World):
    end(world, "one", TaskEnd.FAILED, "no")
    assert world.thread.learnings == ()


def test_a_concern_is_raised_once_for_a_run(world: World):
    for turn in range(3):
        told = TaskProgress(task_id="one", run=1, turns=turn, files=("docs/x.md",))
        world.send(NoteProgress(progress=told))
    assert kinds(world).count("supervision_raised") == 1
    assert "outside its area" in say(world, "/plan status").message


def test_word_of_a_run_that_comes_late_changes_nothing(world: World):
    newer = TaskProgress(task_id="one", run=1, turns=2, order=5)
    for told in (newer, newer, newer.model_copy(update={"turns": 1, "order": 4})):
        world.send(NoteProgress(progress=told))
    assert world.thread.tasks["one"].progress == newer
    assert kinds(world).count("task_progressed") == 1
    later = newer.model_copy(update={"waits_for": "approval", "order": 5})
    world.send(NoteProgress(progress=later))
    assert world.thread.tasks["one"].progress == later


def test_a_task_that_waits_for_a_person_is_not_missed(world: World):
    told = TaskProgress(task_id="one", run=1, waits_for="approval")
    world.send(NoteProgress(progress=told))

    assert "no_progress" not in _after_silence(world)
    again = told.model_copy(update={"waits_for": ""})
    world.send(NoteProgress(progress=again))
    assert "no_progress" in _after_silence(world)


def test_a_child_thread_is_missed_only_where_it_never_told_anything():
    world = running({"summary": "s", "tasks": [{"id": "one", "title": "O", "runs_as": "thread"}]})
    [child] = world.thread.family.children
    report = ChildReport(thread_id=child, task_id="one", run=1, waiting_for="approval of the plan")
    silent = world.thread
    world.send(NoteChild(report=report))
    assert "no_progress" not in _after_silence(world)
    world.send(NoteChild(report=report.model_copy(update={"number": 2, "waiting_for": ""})))
    assert "no_progress" not in _after_silence(world)
    world.thread = silent
    assert "no_progress" in _after_silence(world)


def _after_silence(world: World) -> list[str]:
    world.wait("report:one:1")
    return [str(concern) for concern in world.thread.tasks["one"].oversight.raised]
