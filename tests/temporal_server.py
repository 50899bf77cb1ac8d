"""Temporal's own dev server, one for all tests of a worker of xdist."""

import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.files.key_ring import KeyRing
from adapters.temporal import plugin, register_search_attributes

API_NAMESPACE = "api"
"""Where tests of the API have their stand-ins; those of workflows end all that runs in `default`."""


@asynccontextmanager
async def temporal_server_with(
    tmp_path_factory: pytest.TempPathFactory, *arguments: str
) -> AsyncGenerator[WorkflowEnvironment]:
    """Run a server with more arguments; what it holds is sealed with keys of its own."""
    keys = KeyRing(tmp_path_factory.mktemp("keys") / "payload.keys")
    environment = await WorkflowEnvironment.start_local(
        dev_server_existing_path=str(Path(sys.executable).parent / "temporal"),
        plugins=[plugin(keys)],
        dev_server_log_level="error",
        dev_server_extra_args=arguments,
    )
    try:
        await register_search_attributes(environment.client)
        yield environment
    finally:
        await environment.shutdown()


@pytest.fixture(scope="session")
async def temporal_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[WorkflowEnvironment]:
    async with temporal_server_with(tmp_path_factory, "--namespace", API_NAMESPACE) as made:
        yield made
