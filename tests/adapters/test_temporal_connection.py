"""A cluster of somebody else's: what it does not answer or allow is said in a sentence."""

import logging

import pytest
from temporalio.api.workflowservice.v1 import DescribeTaskQueueResponse
from temporalio.service import RPCError, RPCStatusCode

from adapters.files.key_ring import KeyRing
from adapters.temporal import (
    TemporalUnreachableError,
    connect,
    is_answering,
    is_polled,
    register_search_attributes,
)
from tests.free_ports import free_ports


class Cluster:
    """A cluster whose operator service refuses every call."""

    namespace = "team.acct"

    def __init__(self, status: RPCStatusCode) -> None:
        self._status = status

    @property
    def operator_service(self) -> "Cluster":
        return self

    async def list_search_attributes(self, request: object) -> None:
        raise RPCError("not for you", self._status, b"")


@pytest.mark.parametrize("status", [RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED])
async def test_attributes_that_may_not_be_registered_are_left_to_a_person(status, caplog):
    with caplog.at_level(logging.WARNING):
        await register_search_attributes(Cluster(status))

    assert "(not for you)" in caplog.text
    assert "--name TreadleStatus --type Keyword" in caplog.text
    assert "--name TreadleTitle --type Text" in caplog.text


async def test_other_failures_of_a_registration_are_not_hidden():
    with pytest.raises(RPCError, match="not for you"):
        await register_search_attributes(Cluster(RPCStatusCode.UNAVAILABLE))


async def test_a_server_that_does_not_answer_is_named(tmp_path):
    (port,) = free_ports(1)
    with pytest.raises(TemporalUnreachableError, match=rf"127.0.0.1:{port}, namespace 'default'"):
        await connect(port, KeyRing(tmp_path / "payload.keys"))


class AgedConnection:
    """A cluster that ends so many calls with a status before it answers one."""

    namespace = "default"

    def __init__(self, *statuses: RPCStatusCode) -> None:
        self._statuses = list(statuses)

    @property
    def workflow_service(self) -> "AgedConnection":
        return self

    async def describe_task_queue(self, request: object) -> DescribeTaskQueueResponse:
        if self._statuses:
            raise RPCError("operation was canceled", self._statuses.pop(0), b"")
        return DescribeTaskQueueResponse()

    describe_namespace = describe_task_queue


async def test_a_call_that_ended_with_its_connection_is_asked_once_more():
    assert not await is_polled(AgedConnection(RPCStatusCode.CANCELLED), "nobody")
    assert await is_answering(AgedConnection(RPCStatusCode.CANCELLED))


@pytest.mark.parametrize("statuses", [[RPCStatusCode.UNAVAILABLE], [RPCStatusCode.CANCELLED] * 2])
async def test_a_server_that_stays_away_is_told(statuses):
    with pytest.raises(RPCError, match="operation was canceled"):
        await is_polled(AgedConnection(*statuses), "nobody")
    with pytest.raises(RPCError, match="operation was canceled"):
        await is_answering(AgedConnection(*statuses))
