"""Services that a person starts and stops in the worktree of a task."""

from temporalio import activity

from activities.heartbeats import beating
from domain.core.errors import TreadleError
from domain.recipes.recipe import User
from domain.recipes.service_calls import ServiceAction, ServiceAnswer, ServiceCall
from domain.recipes.services import ServicePlace, Services, StartedService
from domain.threads.ports import Workspaces

_STOPPED = "stopped by a person"
_GONE = "the task's workspace is not there: it has not begun, or has ended"


class PersonsServices:
    """Starts and stops services on the host where the worktree is."""

    def __init__(self, workspaces: Workspaces, services: Services) -> None:
        self._workspaces = workspaces
        self._services = services

    @activity.defn
    async def run_services(self, call: ServiceCall) -> ServiceAnswer:
        """Start or stop a person's services; what runs, or runs no more, is left as it is.

        They hold no workspace: agents and verification work there meanwhile. What can't be done is a
        result.
        """
        try:
            async with beating():
                if call.action is ServiceAction.STOP:
                    names = call.names or None
                    await self._services.stop(call.owner, User.PERSON, _STOPPED, names)
                    return ServiceAnswer()
                return await self._start(call)
        except TreadleError as error:
            return ServiceAnswer(failure=error.message)

    async def _start(self, call: ServiceCall) -> ServiceAnswer:
        directory = await self._workspaces.checkouts.worktree(call.workspace)
        if directory is None:
            return ServiceAnswer(failure=_GONE)
        place = ServicePlace(
            call.owner, call.workspace, User.PERSON, directory, names=call.names or None
        )
        started = await self._services.start(place, activity.heartbeat)
        if await self._workspaces.checkouts.worktree(call.workspace) is None:
            # the task ended meanwhile, and nobody else would end them
            await self._services.stop(call.owner, User.PERSON, "ended with the task")
            return ServiceAnswer(failure=_GONE)
        return ServiceAnswer(started=tuple(map(_small, started)))


def _small(started: StartedService) -> StartedService:
    """Return how a service stands without what it printed, which the journal has."""
    return started.model_copy(update={"output": ""})
