"""The one plugin, and the connection to a cluster.

The plugin (converter with payload codec, how workflows run) serves client, worker, replayer and tests.
"""

import logging
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import (
    AddSearchAttributesRequest,
    ListSearchAttributesRequest,
)
from temporalio.client import Client, Interceptor
from temporalio.envconfig import ClientConfigProfile
from temporalio.plugin import SimplePlugin
from temporalio.service import GrpcCompression, RPCError, RPCStatusCode
from temporalio.worker import UnsandboxedWorkflowRunner, WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from adapters.files.key_ring import KeyRing
from adapters.temporal.conversion import data_converter
from adapters.temporal.details import Details
from adapters.temporal.runtimes import runtime
from adapters.temporal.sealing import IsOurs
from domain.core.listing import TYPES

_LOG = logging.getLogger(__name__)
_NOT_ALLOWED = (RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED)

PASSED_THROUGH = ("activities", "domain", "pydantic", "pydantic_core", "workflows")
_TYPES = {
    "Keyword": IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
    "Text": IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
}
SEARCH_ATTRIBUTES = {name: _TYPES[kind] for name, kind in TYPES.items()}
"""Also registered by treadle/engine.py when it starts the embedded server."""


class TemporalUnreachableError(RuntimeError):
    """Temporal does not answer; the message says where."""


def plugin(
    keys: KeyRing | None, is_ours: IsOurs | None = None, *, is_sandboxed: bool = True
) -> SimplePlugin:
    """Return the plugin of every client, worker and test; without keys, of the replayer.

    Recorded histories are in clear, and in what nobody seals nothing can be forged. With `is_ours`
    a payload that needs a key of another process fails the task that it comes with, to be retried.
    Workers of a client that is not sandboxed run workflows as they are (docs/adr/0046).
    """
    as_they_are = UnsandboxedWorkflowRunner()
    return SimplePlugin(
        "treadle",
        data_converter=data_converter(keys, is_ours),
        interceptors=[Details()],
        workflow_runner=_passing_through if is_sandboxed else as_they_are,
    )


def _passing_through(runner: WorkflowRunner | None) -> WorkflowRunner:
    if not isinstance(runner, SandboxedWorkflowRunner):
        return runner or SandboxedWorkflowRunner()
    restrictions = runner.restrictions.with_passthrough_modules(*PASSED_THROUGH)
    return replace(runner, restrictions=restrictions)


async def connect(
    embedded_port: int,
    keys: KeyRing,
    *,
    lazy: bool = False,
    is_ours: IsOurs | None = None,
    metrics_at: str | None = None,
    interceptors: Sequence[Interceptor] = (),
) -> Client:
    """Connect to the cluster that TEMPORAL_* or a profile names, else to the embedded server.

    With `metrics_at` the SDK serves its own metrics at that address. The interceptors stand before ours.

    Raises:
        KeyRingError: The file of keys is not as it should be.
        ObserveError: The SDK cannot serve its metrics there.
        TemporalUnreachableError: The server does not answer (not when lazy).
    """
    keys.newest()  # made now, so that it can be covered for every child
    config: dict[str, Any] = dict(ClientConfigProfile.load().to_client_connect_config())
    if "target_host" not in config:
        config["target_host"] = f"127.0.0.1:{embedded_port}"
        # on loopback, packing costs both sides more than the bytes it saves
        config["grpc_compression"] = GrpcCompression.NONE
    try:
        return await Client.connect(
            **config,
            plugins=[plugin(keys, is_ours, is_sandboxed=False)],
            lazy=lazy,
            interceptors=interceptors,
            runtime=runtime(metrics_at),
        )
    except RuntimeError as error:  # what the SDK raises where nothing answers, or refuses
        raise TemporalUnreachableError(
            f"Temporal is not reachable at {config['target_host']}, namespace "
            f"{config.get('namespace', 'default')!r}: {error}"
        ) from error


async def register_search_attributes(client: Client) -> None:
    """Make the search attributes known to a cluster; those it has are left alone.

    Where that is not allowed, as in Temporal Cloud, the log says how a person does it.

    Raises:
        TemporalUnreachableError: The namespace does not exist.
    """
    try:
        await _register(client)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            raise _no_namespace(client) from error
        if error.status not in _NOT_ALLOWED:
            raise
        options = " ".join(f"--name {name} --type {kind}" for name, kind in TYPES.items())
        _LOG.warning(
            "search attributes could not be registered (%s): see that namespace %r has each of them, "
            "by `temporal operator search-attribute create %s`, in Temporal Cloud in its settings",
            error.message,
            client.namespace,
            options,
        )


def _no_namespace(client: Client) -> TemporalUnreachableError:
    name, host = client.namespace, client.service_client.config.target_host
    return TemporalUnreachableError(
        f"Temporal at {host} has no namespace {name!r}: choose another with TEMPORAL_NAMESPACE, or run "
        f"`temporal operator namespace create --address {shlex.quote(host)} --namespace {shlex.quote(name)}`"
    )


async def _register(client: Client) -> None:
    namespace = client.namespace
    known = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=namespace)
    )
    missing = {
        name: kind
        for name, kind in SEARCH_ATTRIBUTES.items()
        if name not in known.custom_attributes
    }
    if missing:
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(namespace=namespace, search_attributes=missing)
        )
