"""Recorded histories of every released version replay on the workflows of today."""

import base64
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from temporalio import workflow
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer

from adapters.temporal import connection, plugin
from tests.replay.renewing import short_runs
from workflows import WORKFLOWS, TaskWorkflow
from workflows.patches import BOUNDED_HISTORY, SHORTER_HISTORY, UNDELIVERED_EVENTS

HISTORIES = Path(__file__).parent / "histories"
FILES = sorted(HISTORIES.glob("*.json"))
RENEWED = "thread-0.1.0-renewed-thread"
FLOODED = "thread-0.1.0-flooded-thread"
SHORTENED = "thread-0.1.0-shortened-thread"
RENEWALS = {RENEWED, FLOODED, SHORTENED}
RECORDED = {file.stem for file in FILES}
SCENARIOS = (
    "main-job",
    "rejections",
    "aborted-task",
    "failed-verification",
    "signals",
    "refused-turn",
    "amended-plan",
    "reviewed-task",
    "asked-permission",
    "kept-plan-files",
    "scheduled-thread",
    "queued-threads",
    "work-in-session",
    "cancelled-in-temporal",
)
OTHERS = (
    "flow-0.1.0-stopped-flow",
    "session-0.1.0-stopped-flow",
    "queue-0.1.0-queued-threads",
    "queue-0.1.0-scheduled-thread",
    "scheduled-0.1.0-scheduled-thread",
    "tracker-0.1.0-tracked-issue",
    "publication-0.1.0-reworked-pull-request",
    "thread-0.1.0-reworked-pull-request",
)


def history_of(file: Path) -> WorkflowHistory:
    events = json.loads(file.read_text())
    started = events["events"][0]["workflowExecutionStartedEventAttributes"]
    return WorkflowHistory.from_json(started["workflowId"], events)


@pytest.fixture
def replayer() -> Replayer:
    return Replayer(workflows=WORKFLOWS, plugins=[plugin(None)])


@pytest.mark.parametrize("kind", ["thread", "session", "task"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_workflow_has_histories_of_the_released_version(kind: str, scenario: str):
    assert f"{kind}-0.1.0-{scenario}" in RECORDED


def test_flows_the_queue_schedules_trackers_and_pull_requests_have_histories_of_the_released_version():
    assert RECORDED.issuperset(OTHERS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_a_history_replays(replayer: Replayer, file: Path):
    with short_runs() if file.stem in RENEWALS else nullcontext():
        replayed = await replayer.replay_workflow(history_of(file), raise_on_replay_failure=False)
    assert replayed.replay_failure is None


@pytest.mark.parametrize(
    "kind", ["thread", "task", "session", "flow", "queue", "scheduled", "tracker", "publication"]
)
async def test_workflows_reach_nothing_that_the_sandbox_refuses(
    kind: str, monkeypatch: pytest.MonkeyPatch
):
    """Production runs them without it; here they are loaded again in it, as they are for each run."""
    ours = [name for name in connection.PASSED_THROUGH if name != "workflows"]
    monkeypatch.setattr(connection, "PASSED_THROUGH", ours)
    replayer = Replayer(workflows=WORKFLOWS, plugins=[plugin(None)])
    file = next(f for f in FILES if f.stem.startswith(kind) and f.stem not in RENEWALS)
    replayed = await replayer.replay_workflow(history_of(file), raise_on_replay_failure=False)
    assert replayed.replay_failure is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_a_run_that_was_longer_than_the_bound_before_there_was_one_goes_on(
    replayer: Replayer, file: Path
):
    with short_runs():
        replayed = await replayer.replay_workflow(history_of(file), raise_on_replay_failure=False)
    assert replayed.replay_failure is None


@pytest.mark.parametrize(
    ("name", "patch"),
    [
        (RENEWED, BOUNDED_HISTORY),
        (FLOODED, UNDELIVERED_EVENTS),
        (SHORTENED, SHORTER_HISTORY),
    ],
)
def test_a_run_that_ends_at_our_bound_says_by_which_patch(name: str, patch: str):
    events = json.loads((HISTORIES / f"{name}.json").read_text())["events"]
    assert events[-1]["eventType"] == "EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW"
    assert any(patch in text for text in _texts(events))


async def test_a_change_of_the_order_of_commands_fails_the_replay(
    replayer: Replayer, monkeypatch: pytest.MonkeyPatch
):
    effects = TaskWorkflow.effects

    def after_a_timer(task: TaskWorkflow) -> dict[str, Callable[[], Awaitable[None]]]:
        return {key: partial(_later, start) for key, start in effects(task).items()}

    monkeypatch.setattr(TaskWorkflow, "effects", after_a_timer)
    file = next(file for file in FILES if file.stem == "task-0.1.0-main-job")
    with pytest.raises(workflow.NondeterminismError):
        await replayer.replay_workflow(history_of(file))


async def _later(start: Callable[[], Awaitable[None]]) -> None:
    await workflow.sleep(1)
    await start()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_history_tells_nothing_of_the_machine_it_was_recorded_on(file: Path):
    text = "\n".join(_texts(json.loads(file.read_text())))
    assert set(re.findall(r'"(/[^"]*)"', text)) <= {"/repo", "/nowhere"}
    assert "Traceback" not in text
    assert not re.search(r"\d+@", text)


def _texts(value: Any) -> list[str]:
    """Return every string of a history as JSON, payloads decoded."""
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    if isinstance(value, dict):
        payload = value.get("data") if "metadata" in value else None
        decoded = [base64.b64decode(payload).decode(errors="replace")] if payload else []
        rest = [each for key, each in value.items() if key != "data" or not payload]
        return [*decoded, *_texts(rest)]
    return [json.dumps(value)]
