"""The details of a workflow in the Web UI, made when somebody looks and not after each event."""

from typing import Any, Protocol, runtime_checkable

from temporalio import workflow
from temporalio.worker import (
    HandleQueryInput,
    Interceptor,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
)

from domain.core.secret_forms import without_split_secrets

METADATA = "__temporal_workflow_metadata"
"""The query by which the Web UI reads them; the SDK answers it."""


@runtime_checkable
class Detailed(Protocol):
    """A workflow that says where it stands."""

    def details(self) -> str:
        """Return where it stands, as Markdown."""
        ...


class Details(Interceptor):
    """Puts what a workflow says of itself into the SDK's answer."""

    def workflow_interceptor_class(
        self,
        input: WorkflowInterceptorClassInput,  # noqa: A002  (the name is the SDK's)
    ) -> type[WorkflowInboundInterceptor]:
        """Return what sees the queries of every workflow."""
        del input
        return _Queries


class _Queries(WorkflowInboundInterceptor):
    async def handle_query(self, input: HandleQueryInput) -> Any:  # noqa: A002  (the SDK's)
        answer = await super().handle_query(input)
        looked_at: object = workflow.instance()
        if input.query == METADATA and isinstance(looked_at, Detailed):
            answer.current_details = without_split_secrets(looked_at.details())
        return answer
