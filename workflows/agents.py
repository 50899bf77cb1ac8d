"""AgentCheckWorkflow: one check of one agent, carried out where agents run."""

from temporalio import workflow

from activities.agents import AgentChecks
from domain.agents.checks import CheckInput, CheckKind, CheckResult
from domain.agents.events import AgentCheckEnded
from workflows.checks import carry_out

CARRIED_OUT = {
    CheckKind.LOOK: AgentChecks.look_at_agent,
    CheckKind.TRY: AgentChecks.try_agent,
    CheckKind.INSTALL: AgentChecks.install_agent,
    CheckKind.SESSIONS: AgentChecks.list_sessions,
}


@workflow.defn(name="AgentCheck")
class AgentCheckWorkflow:
    """Short: one activity, and its result. Whoever started it reads the rest in the journal."""

    @workflow.run
    async def run(self, check: CheckInput) -> CheckResult:
        """Carry out the check; that nobody could is a result, too."""

        def failed(failure: str) -> tuple[CheckResult, AgentCheckEnded]:
            result = CheckResult(kind=check.kind, failure=failure, at=workflow.now())
            return result, AgentCheckEnded(agent=check.agent, result=result)

        return await carry_out(CARRIED_OUT[check.kind], check, failed)
