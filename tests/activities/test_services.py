"""Services that a person starts: only where the task's worktree is, also once it is gone meanwhile."""

from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from activities.services import PersonsServices
from domain.core.errors import WorkspaceError
from domain.core.ids import StreamId, ThreadId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.recipes.recipe import User
from domain.recipes.service_calls import ServiceAction, ServiceCall
from domain.recipes.services import ServiceRun, ServiceState, StartedService

OWNER = StreamId("thread-x/task-1")
WEB = StartedService(
    name="web", run=ServiceRun(user=User.PERSON, state=ServiceState.HEALTHY), output="secret words"
)


class Place:
    """A worktree that is there as often as the test says, and the services in it."""

    def __init__(self, *folders: Path | None) -> None:
        self.checkouts = self
        self._folders = list(folders)
        self.did = []
        self.failure: WorkspaceError | None = None

    async def worktree(self, spec):
        return self._folders.pop(0)

    async def start(self, place, beat):
        if self.failure:
            raise self.failure
        self.did.append(("start", place.user, place.directory, place.names))
        return (WEB,)

    async def stop(self, owner, user, note, names=None):
        self.did.append(("stop", owner, user, names))


def called(action: ServiceAction, *names: str) -> ServiceCall:
    thread = ThreadId("thread-x")
    spec = WorkspaceSpec(
        workspace_id=f"{OWNER}/run-1",
        kind=WorkspaceKind.TASK,
        repository="/r",
        thread_id=thread,
        base="main",
    )
    return ServiceCall(
        call_id="thread-x/services-1",
        thread_id=thread,
        host="here",
        owner=OWNER,
        workspace=spec,
        action=action,
        names=names,
    )


async def carried_out(place: Place, call: ServiceCall):
    return await ActivityEnvironment().run(PersonsServices(place, place).run_services, call)


async def test_they_start_in_the_worktree_and_answer_without_what_they_printed(tmp_path):
    place = Place(tmp_path, tmp_path)
    answer = await carried_out(place, called(ServiceAction.START, "web"))

    assert place.did == [("start", User.PERSON, tmp_path, ("web",))]
    assert (answer.failure, answer.started[0].name, answer.started[0].output) == ("", "web", "")


async def test_nothing_starts_where_there_is_no_worktree():
    place = Place(None)
    answer = await carried_out(place, called(ServiceAction.START))

    assert answer.failure.startswith("the task's workspace is not there")
    assert place.did == []


async def test_what_started_while_the_task_ended_is_stopped(tmp_path):
    place = Place(tmp_path, None)
    answer = await carried_out(place, called(ServiceAction.START))

    assert answer.failure.startswith("the task's workspace is not there")
    assert place.did[-1] == ("stop", OWNER, User.PERSON, None)


@pytest.mark.parametrize(("names", "stopped"), [((), None), (("web",), ("web",))])
async def test_a_persons_are_stopped_by_their_names_or_all(names, stopped):
    place = Place()
    await carried_out(place, called(ServiceAction.STOP, *names))

    assert place.did == [("stop", OWNER, User.PERSON, stopped)]


async def test_what_the_host_cannot_do_is_a_result(tmp_path):
    place = Place(tmp_path)
    place.failure = WorkspaceError("the journal has no workspace recipe text-1")

    assert (await carried_out(place, called(ServiceAction.START))).failure == place.failure.message
