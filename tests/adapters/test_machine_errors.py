"""Activities that fail because of the machine: people are told which file, and the work goes on."""

import dataclasses
import shutil
from collections import namedtuple

import pytest
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from adapters.temporal import JournalFirst, LostActivities
from adapters.temporal.journal_first import WARNED_ATTEMPT
from tests import fakes


class Failing(ActivityInboundInterceptor):
    """An activity that meets an error."""

    def __init__(self, error):
        self._error = error

    async def execute_activity(self, _input):
        raise self._error


CALL = ExecuteActivityInput(fn=lambda: None, args=(), executor=None, headers={})
DENIED = PermissionError(13, "Permission denied", "/data/worktrees/x")
FULL = OSError(28, "No space left on device")


async def told(error, attempt, *places):
    journal, environment = fakes.MemoryJournal(), ActivityEnvironment()
    environment.info = dataclasses.replace(
        environment.info, attempt=attempt, workflow_id="thread-x/task-1"
    )
    activity = JournalFirst(journal, *places).intercept_activity(Failing(error))
    with pytest.raises(type(error)):
        await environment.run(activity.execute_activity, CALL)
    return [(event.stream, event.body.message) for event in journal.events]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DENIED, "Permission denied: /data/worktrees/x"),
        (FULL, "no space left on"),
    ],
    ids=["a folder", "no file"],
)
async def test_an_activity_that_keeps_meeting_it_warns_the_thread(error, words):
    assert await told(error, WARNED_ATTEMPT - 1) == []
    [(stream, message)] = await told(error, WARNED_ATTEMPT)
    assert stream == "thread-x"
    assert words in message
    assert await told(error, WARNED_ATTEMPT + 1) == []


async def test_a_full_disk_that_is_not_named_is_looked_for_where_work_is_written(
    tmp_path, monkeypatch
):
    room = {str(tmp_path): 0}
    usage = namedtuple("Usage", "total used free")
    monkeypatch.setattr(
        shutil, "disk_usage", lambda place: usage(9, 0, room.get(str(place), 1_000_000))
    )
    [(_, message)] = await told(FULL, WARNED_ATTEMPT, tmp_path / "data")
    assert f"no space left on {tmp_path}: 0 bytes free" in message


async def test_an_activity_runs_that_cannot_be_written_down(tmp_path):
    class Done(ActivityInboundInterceptor):
        def __init__(self):
            pass

        async def execute_activity(self, _input):
            return "done"

    ledger = LostActivities(tmp_path / "activities")
    (tmp_path / "activities").rmdir()
    activity = ledger.intercept_activity(Done())
    assert await ActivityEnvironment().run(activity.execute_activity, CALL) == "done"
