"""What `treadle doctor` finds of the agents, by the same judge as `treadle agents`."""

from adapters.agent_programs.host import Host
from adapters.agent_programs.statuses import AgentStatuses
from adapters.files.agent_profiles import AgentFiles
from domain.agents.status import AgentStatus
from settings import Settings, config_dir, environment, home_dir
from treadle.finding import Finding


def agent_findings(settings: Settings) -> list[Finding]:
    """Tell which agents can work, which files are broken, and what installed agents want."""
    host = Host(settings.data_dir, settings.programs, home_dir(), environment)
    judge = AgentStatuses(host, default_agent=settings.default_agent)
    statuses = [judge.of(found) for found in AgentFiles(config_dir()).found()]
    ready = [each.name for each in statuses if each.is_ready and not each.is_scripted]
    summary = Finding(
        name="agents",
        is_well=bool(ready),
        is_required=False,
        found=", ".join(["scripted", *ready]),
        fix="only the scripted agent can work; see what is missing with `treadle agents`",
    )
    wanting = (each for each in statuses if each.problem or each.program)
    return [summary, *(_finding(each) for each in wanting if not each.is_ready)]


def _finding(agent: AgentStatus) -> Finding:
    missing = next(each for each in agent.missing if each.is_in_the_way)
    return Finding(
        name=f"agent {agent.name}",
        is_well=False,
        is_required=bool(agent.problem),
        found=missing.what,
        fix=missing.fix,
    )
