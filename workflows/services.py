"""ServiceWorkflow: services of a task's workspace, started or stopped on its host for a person."""

from temporalio import workflow

from activities.services import PersonsServices
from domain.core.ids import host_queue
from domain.recipes.service_calls import ServiceAnswer, ServiceCall
from workflows import options
from workflows.asking import ask_host
from workflows.starts import check_start


@workflow.defn(name="Services")
class ServiceWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, call: ServiceCall) -> ServiceAnswer:
        """Carry out the call; that nobody could is a result, too."""
        check_start(call.call_id, call.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(call.host), options.CHECK), call.action, call)
        return await ask_host(
            PersonsServices.run_services, call, how, lambda why: ServiceAnswer(failure=why)
        )
