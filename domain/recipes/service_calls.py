"""What a person has done with the services of a task's workspace: asked for by a workflow on its host."""

from enum import StrEnum

from domain.core.ids import StreamId, ThreadId
from domain.core.summaries import Summarized
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.services import StartedService


class ServiceAction(StrEnum):
    """What is done."""

    START = "start"
    STOP = "stop"


class ServiceCall(Summarized):
    """Start or stop a person's services, all of theirs where no `names` are given.

    Carried out by a workflow with this id on the host of the workspace. `owner` is the task whose end
    is theirs.
    """

    call_id: str
    thread_id: ThreadId
    host: str
    owner: StreamId
    workspace: WorkspaceSpec
    action: ServiceAction
    names: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"{self.action} services of {self.owner}"


class ServiceAnswer(Wire):
    """How the services stand that were started; a `failure` says why nothing was done."""

    started: tuple[StartedService, ...] = ()
    failure: str = ""
