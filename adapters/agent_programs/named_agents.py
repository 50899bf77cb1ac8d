"""The agents that plans name: whether they are known here, and what models they told of."""

from dataclasses import dataclass

from adapters.agent_programs.host import Host
from domain.agents.offers import OfferedOption
from domain.agents.ports import AgentProfiles
from domain.agents.profiles import AgentProfile
from domain.core.errors import TreadleError
from domain.plans.named_agents import MAX_NAMED

MAX_KNOWN = 60
"""Of so many models only the first are kept: one that is missing among them may be there."""


@dataclass(frozen=True)
class HostNamedAgents:
    """Implements `NamedAgents` on the files of agents, and what was kept of their newest session."""

    profiles: AgentProfiles
    host: Host

    def why_not(self, repository: str | None, agent: str, model: str | None) -> str:
        """Say why an agent can't be used for a repository, or not with a model; empty where it can."""
        try:
            profile = self.profiles.profile(agent, repository)
        except TreadleError as error:
            return error.message
        models = self._models(profile) if model else ()
        if not models or len(models) >= MAX_KNOWN or model in models:
            return ""
        more = ", …" if models[MAX_NAMED:] else ""
        named = f"{', '.join(models[:MAX_NAMED])}{more}"
        return f"agent {agent!r} told of no model {model!r}; it has: {named}"

    def _models(self, profile: AgentProfile) -> tuple[str, ...]:
        """Return the models that an agent told of; none where it was never asked."""
        seen = self.host.seen.of(profile, self.host.programs.find(profile)).seen
        options = seen.options if seen else ()
        found = next((option for option in options if _is_model(option)), None)
        return tuple(offered.value for offered in found.values) if found else ()


def _is_model(option: OfferedOption) -> bool:
    return "model" in {option.category, option.option_id}
