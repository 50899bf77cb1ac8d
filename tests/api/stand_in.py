"""Stand-ins for the real workflows: they answer, refuse and end as their messages say."""

from collections.abc import Sequence
from typing import Any

from temporalio import workflow
from temporalio.common import RawValue
from temporalio.exceptions import ApplicationError

from domain.core.command import Answer


@workflow.defn(name="Thread")
class StandIn:
    def __init__(self) -> None:
        self._is_over = False
        self._decided: dict[str, str] = {}

    @workflow.run
    async def run(self, thread: dict[str, Any]) -> None:
        del thread
        await workflow.wait_condition(lambda: self._is_over)

    @workflow.update(name="open")
    async def open_(self) -> Answer:
        thread = workflow.info()
        return Answer(message=f"opened {thread.workflow_id}")

    @workflow.update(dynamic=True)
    async def take(self, name: str, args: Sequence[RawValue]) -> Answer:
        message = workflow.payload_converter().from_payload(args[0].payload, dict[str, Any])
        if name == "cancel":
            self._is_over = True
        if message.get("text", "").startswith("refuse:"):
            _, kind, reason = message["text"].split(":")
            raise ApplicationError(reason, type=kind, non_retryable=True)
        if name in {"approve", "reject"} and self._decided.setdefault("any", name) != name:
            raise ApplicationError("it was decided otherwise", type="already_decided")
        return Answer(message=name, data=message)


@workflow.defn(name="Flow")
class RunStandIn(StandIn):
    @workflow.run
    async def run(self, thread: dict[str, Any]) -> None:
        await super().run(thread)


@workflow.defn(name="Queue")
class QueueStandIn(StandIn):
    @workflow.run
    async def run(self, thread: dict[str, Any]) -> None:
        await super().run(thread)


@workflow.defn(name="Money")
class MoneyStandIn(StandIn):
    @workflow.run
    async def run(self, thread: dict[str, Any]) -> None:
        await super().run(thread)
