"""Temporal: the one plugin, the connection, and what goes over it.

The plugin (pydantic converter, sandbox pass-through, failure types) serves client, worker, replayer
and tests. Nothing else among the adapters imports the SDK.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import (
    AddSearchAttributesRequest,
    ListSearchAttributesRequest,
)
from temporalio.client import Client, WorkflowUpdateFailedError
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.envconfig import ClientConfigProfile
from temporalio.exceptions import ApplicationError
from temporalio.plugin import SimplePlugin
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
    WorkflowRunner,
)
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from domain import errors
from domain.commands import Answer, Command
from domain.effects import Effect
from domain.errors import TreadleError
from domain.ports import Journal
from domain.tasks.inputs import TaskResult

PASSED_THROUGH = ("activities", "domain", "pydantic", "pydantic_core", "workflows")
SEARCH_ATTRIBUTES = ("TreadleKind", "TreadleProject", "TreadleStatus", "TreadleWaitingFor")
"""Also registered by treadle/engine.py when it starts the embedded server."""


def plugin() -> SimplePlugin:
    """Return the plugin of every client, worker, replayer and test."""
    return SimplePlugin(
        "treadle", data_converter=pydantic_data_converter, workflow_runner=_passing_through
    )


def _passing_through(runner: WorkflowRunner | None) -> WorkflowRunner:
    if not isinstance(runner, SandboxedWorkflowRunner):
        return runner or SandboxedWorkflowRunner()
    restrictions = runner.restrictions.with_passthrough_modules(*PASSED_THROUGH)
    return replace(runner, restrictions=restrictions)


async def connect(embedded_port: int, *, lazy: bool = False) -> Client:
    """Connect to the cluster that TEMPORAL_* or a profile names, else to the embedded server.

    Raises:
        RuntimeError: The server does not answer (not when lazy).
    """
    config: dict[str, Any] = dict(ClientConfigProfile.load().to_client_connect_config())
    config.setdefault("target_host", f"127.0.0.1:{embedded_port}")
    return await Client.connect(**config, plugins=[plugin()], lazy=lazy)


async def register_search_attributes(client: Client) -> None:
    """Make the search attributes known to a cluster; those it has are left alone."""
    namespace = client.namespace
    known = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=namespace)
    )
    missing = [name for name in SEARCH_ATTRIBUTES if name not in known.custom_attributes]
    if missing:
        keyword = IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(
                namespace=namespace, search_attributes=dict.fromkeys(missing, keyword)
            )
        )


class JournalFirst(Interceptor):
    """Journals the events that an activity carries before the activity does its own work."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the journal before an activity."""
        return _JournalFirst(next, self._journal)


class _JournalFirst(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, journal: Journal) -> None:
        super().__init__(inner)
        self._journal = journal

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        carried: Sequence[Any] = input.args
        for call in carried:
            if isinstance(call, Effect) and (call.events or call.headlines):
                await self._journal.append(call.events, call.headlines)
        return await super().execute_activity(input)


class TemporalDoor:
    """Sends commands to workflows as updates: the tool server's and the API's way in."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer; the command's id makes it once.

        Raises:
            TreadleError: The workflow refused it, or there is no such workflow.
        """
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            return await handle.execute_update(  # pyright: ignore[reportUnknownMemberType] SDK's type
                command.door,
                command,
                id=command.command_id or None,
                result_type=Answer,
            )
        except WorkflowUpdateFailedError as error:
            raise refusal(error) from error
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                raise await self._missing(workflow_id) from error
            raise

    async def _missing(self, workflow_id: str) -> TreadleError:
        """Tell a closed workflow from one that never was, by asking and not by message text."""
        try:
            described = await self._client.get_workflow_handle(workflow_id).describe()
        except RPCError:
            return errors.NotFoundError(f"there is no {workflow_id!r}")
        status = described.status.name.lower() if described.status else "closed"
        return errors.WrongStateError(f"{workflow_id!r} has ended ({status})")


def refusal(error: WorkflowUpdateFailedError) -> TreadleError:
    """Return the domain error that a workflow answered an update with."""
    cause = error.cause
    if isinstance(cause, ApplicationError):
        for kind in _all_errors(TreadleError):
            if kind.type == cause.type:
                return kind(cause.message)
        return errors.InvalidError(cause.message)
    return errors.InvalidError(str(cause or error))


def _all_errors(root: type[TreadleError]) -> list[type[TreadleError]]:
    return [root, *(e for child in root.__subclasses__() for e in _all_errors(child))]


class TaskResults:
    """The results of task workflows."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def result_of(self, workflow_id: str) -> TaskResult:
        """Wait for a task workflow's end and return its result."""
        handle = self._client.get_workflow_handle(workflow_id, result_type=TaskResult)
        return await handle.result()
