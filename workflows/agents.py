"""AgentCheckWorkflow: one check of one agent, carried out where agents run."""

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.agents import AgentChecks
from activities.journal import Journaling
from domain.agents.checks import CheckInput, CheckKind, CheckResult
from domain.agents.events import AgentCheckEnded
from domain.core.effects import JournalCall
from domain.core.event import Event
from domain.core.ids import SHARED_QUEUE, EventId, host_queue
from domain.core.seals import Unsealed
from workflows import options
from workflows.failures import words_of
from workflows.starts import check_start

CARRIED_OUT = {
    CheckKind.LOOK: AgentChecks.look_at_agent,
    CheckKind.TRY: AgentChecks.try_agent,
    CheckKind.INSTALL: AgentChecks.install_agent,
}


@workflow.defn(name="AgentCheck")
class AgentCheckWorkflow:
    """Short: one activity, and its result. Whoever started it reads the rest in the journal."""

    @workflow.run
    async def run(self, check: CheckInput) -> CheckResult:
        """Carry out the check; that nobody could is a result, too."""
        check_start(check.stream, check.stream, is_carried=False, is_child=False)
        queue = host_queue(check.host) if check.host else SHARED_QUEUE
        how = options.named(options.on(queue, options.CHECK), "check", check)
        try:
            result: CheckResult | Unsealed = await workflow.execute_activity_method(
                CARRIED_OUT[check.kind], check, **how
            )
        except ActivityError as error:
            result = await self._failed(check, words_of(error))
        if isinstance(result, Unsealed):  # Temporal takes one from anybody local
            result = await self._failed(check, "its result was not reported by a worker of Treadle")
        return result

    async def _failed(self, check: CheckInput, failure: str) -> CheckResult:
        """Journal an end that the check itself did not."""
        result = CheckResult(kind=check.kind, failure=failure, at=workflow.now())
        call = JournalCall(events=(_end(check, result),))
        how = options.named(options.SHORT, "end", call)
        await workflow.execute_activity_method(Journaling.append_events, call, **how)
        return result


def _end(check: CheckInput, result: CheckResult) -> Event:
    body = AgentCheckEnded(agent=check.agent, result=result)
    return Event(
        id=EventId(f"{check.stream}:ended"), stream=check.stream, at=workflow.now(), body=body
    )
