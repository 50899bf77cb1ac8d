"""Trackers over REST: what is configured, how each stands, and looking, pausing and resuming."""

import json
import uuid
from datetime import UTC, datetime

import pytest
from temporalio import workflow
from temporalio.client import WorkflowHandle
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from domain.core.command import Answer
from domain.core.event import Event
from domain.core.ids import EventId, tracker_id
from domain.forges.hints import ForgeHint
from domain.forges.issues import IssueId, IssueLink
from domain.trackers.commands import KeepIssue, PauseTracker, ResumeTracker
from domain.trackers.events import (
    IssueFollowed,
    IssueQueued,
    IssueTaken,
    IssueUnwanted,
    TrackerFailed,
)
from domain.trackers.state import Stage, TrackedIssue, Untold
from tests.api.conftest import client_of, event, headline
from tests.api.test_permissions import guarded, token_for
from tests.api.test_reading import planned

__all__ = ["guarded"]

LOCKED = Untold(
    what=("taken", "plan-plan-1", "plan-plan-2"),
    reason="it is locked",
    updated_at=datetime.now(UTC),
)


@pytest.fixture(autouse=True)
def configured(monkeypatch, tmp_path):
    """Two trackers in the settings, before those are read."""
    table = {
        "name": "work",
        "kind": "github",
        "project": "acme/app",
        "label": "treadle",
        "repository": str(tmp_path / "repo"),
        "approvers": {"ben": "ben"},
    }
    other = {**table, "name": "other", "repository": str(tmp_path / "elsewhere")}
    monkeypatch.setenv("TREADLE_TRACKERS", json.dumps([table, other]))


async def happened(app, *bodies, start=1):
    stream = tracker_id("work")
    events = [
        Event(id=EventId(f"{stream}:{n}"), stream=stream, at=datetime.now(UTC), body=body)
        for n, body in enumerate(bodies, start)
    ]
    await app.state.journal.append(events, [])


async def test_a_tracker_shows_its_issues_and_what_is_wrong(down_app, down_client):
    ref = IssueId(tracker="github", id="7", key="acme/app#7")
    await happened(
        down_app,
        IssueTaken(ref=ref, title="The links", entry_id="thread-issue-1"),
        IssueQueued(issue_id="7", entry_id="thread-issue-1", untold=LOCKED),
        TrackerFailed(reason="the token in X is wrong"),
    )
    listed = (await down_client.get("/v1/trackers")).json()["trackers"]
    assert [each["source"]["name"] for each in listed] == ["work", "other"]
    assert "'ben' by login" in listed[0]["warnings"][0]
    assert (listed[0]["status"], listed[0]["problem"]) == ("failing", "the token in X is wrong")
    shown = (await down_client.get("/v1/trackers/work")).json()
    [issue] = shown["issues"]
    assert (issue["entry_id"], issue["stage"]) == ("thread-issue-1", "queued")
    assert issue["standing"] == "queued"
    assert issue["problem"] == "refused there: that it is in the queue, the plan (it is locked)"
    taken = TrackedIssue(ref=ref, entry_id="thread-issue-1", stage=Stage.QUEUED, is_started=True)
    await happened(down_app, IssueFollowed(issue=taken), start=4)
    [issue] = (await down_client.get("/v1/trackers/work")).json()["issues"]
    assert (issue["stage"], issue["standing"]) == ("queued", "working")
    assert (await down_client.get("/v1/trackers/other")).json()["issues"] == []


async def test_an_unwanted_issue_is_a_card_and_its_thread_names_it(down_app, down_client):
    thread = "thread-issue-1"
    link = {"key": "acme/app#7", "url": "https://github.com/acme/app/7", "title": "The links"}
    ref = IssueId(tracker="github", id="7", key="acme/app#7")
    opened = planned()[0].body.model_copy(update={"issue": IssueLink(**link)})
    journal = down_app.state.journal
    lines = [headline(thread, status="running"), headline("thread-other", status="running")]
    await journal.append([event(1, thread, opened), event(2, "thread-other", opened)], lines)
    await happened(
        down_app,
        IssueTaken(ref=ref, title="The links", entry_id=thread),
        IssueQueued(issue_id="7", entry_id=thread),
        IssueUnwanted(issue_id="7", entry_id=thread, reason="the issue was closed"),
    )
    line = headline(tracker_id("work"), status="watching").model_copy(update={"kind": "tracker"})
    await journal.append([], [line])
    answer = await down_client.get("/v1/inbox")
    assert answer.status_code == 200, answer.text
    [item] = answer.json()["items"]
    assert (item["kind"], item["thread_id"], item["workflow_id"]) == (
        "issue",
        thread,
        "tracker-work",
    )
    assert item["subject"] == "Work on issue acme/app#7 goes on, though the issue was closed"
    rows = (await down_client.get("/v1/threads")).json()["threads"]
    assert {row["thread_id"]: row["issue"] for row in rows} == {thread: link, "thread-other": None}


async def test_one_that_is_not_configured_is_not_found(down_client):
    answer = await down_client.get("/v1/trackers/none")
    assert answer.status_code == 404
    assert "there are: work, other" in answer.json()["detail"]


async def test_people_see_the_trackers_of_their_projects(guarded, settings):
    app, _ = guarded
    author = await token_for(app, "author")
    async with client_of(app, settings) as client:
        listed = await client.get("/v1/trackers", headers=author)
        hidden = await client.get("/v1/trackers/other", headers=author)
        paused = await client.post("/v1/trackers/work/pause", headers=author, json={})
    assert [each["source"]["name"] for each in listed.json()["trackers"]] == ["work"]
    assert hidden.status_code == 404
    assert paused.status_code == 403


@workflow.defn(name="TrackerStandIn")
class TrackerStandIn:
    """Stands for a tracker: ends with what it was told, once it was resumed."""

    def __init__(self) -> None:
        self._said: list[str] = []

    @workflow.run
    async def run(self) -> list[str]:
        """Wait until it is resumed."""
        await workflow.wait_condition(lambda: "resumed by" in " ".join(self._said))
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self._said

    @workflow.signal
    def look(self, hint: ForgeHint) -> None:
        """Take a hint."""
        self._said.append(f"look {hint.hint_id}")

    @workflow.update
    def pause_tracker(self, command: PauseTracker) -> Answer:
        """Take a command."""
        self._said.append("paused by" if command.by else "by nobody")
        return Answer(message="paused")

    @workflow.update
    def keep_issue(self, command: KeepIssue) -> Answer:
        """Take a command."""
        self._said.append(f"keep {command.entry_id}" if command.by else "by nobody")
        return Answer(message="its work goes on")

    @workflow.update
    def resume_tracker(self, command: ResumeTracker) -> Answer:
        """Take a command."""
        self._said.append("resumed by" if command.by else "by nobody")
        return Answer(message="resumed")


async def test_it_is_looked_at_paused_and_resumed(client, temporal):
    queue = f"trackers-{uuid.uuid4()}"
    missing = await client.post("/v1/trackers/other/look", json={})
    assert missing.status_code == 404
    assert "start Treadle again" in missing.json()["detail"]
    async with Worker(
        temporal,
        task_queue=queue,
        workflows=[TrackerStandIn],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        begun: WorkflowHandle[TrackerStandIn, list[str]] = await temporal.start_workflow(
            TrackerStandIn.run, id=tracker_id("work"), task_queue=queue
        )
        looked = await client.post("/v1/trackers/work/look", json={"command_id": "c1"})
        assert looked.status_code == 202, looked.text
        paused = await client.post("/v1/trackers/work/pause", json={})
        assert paused.json()["message"] == "paused"
        kept = await client.post("/v1/trackers/work/keep", json={"entry_id": "thread-issue-1"})
        assert kept.json()["message"] == "its work goes on"
        resumed = await client.post("/v1/trackers/work/resume", json={})
        assert resumed.json()["message"] == "resumed"
        assert await begun.result() == ["look c1", "paused by", "keep thread-issue-1", "resumed by"]
