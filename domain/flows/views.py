"""What doors show of flow files: which there are, what is wrong with one, who would be its agents."""

from collections.abc import Mapping

from domain.agents.profiles import Scope
from domain.core.wire import Wire
from domain.flows.definition import FlowDefinition
from domain.flows.problems import FlowProblem

_SHOWN = 3


class FoundFlow(Wire):
    """A flow's file as it is now; one with `problems` has no definition and can't be run.

    A hidden one has the name of another that goes before it. `warnings` say what may surprise.
    """

    name: str
    scope: Scope
    path: str
    definition: FlowDefinition | None = None
    problems: tuple[FlowProblem, ...] = ()
    warnings: tuple[str, ...] = ()
    content_hash: str = ""
    is_trusted: bool = True
    is_hidden: bool = False

    @property
    def choice(self) -> str:
        """What names this one among others of its name."""
        return f"{self.scope}:{self.name}"

    def row(self, agents: "tuple[FlowAgent, ...]" = ()) -> "FlowRow":
        """Return it as a row of a list."""
        flow, shown = self.definition, [str(each) for each in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            shown.append(f"and {len(self.problems) - _SHOWN} more")
        known: Mapping[str, object] = {
            "description": flow.description if flow else "",
            "steps": flow.total if flow else 0,
            "commands": flow.shown_commands if flow else (),
            "disabled": flow is None,
            "error": "\n".join(shown),
            "agents": agents,
        }
        return FlowRow.model_validate({**self.model_dump(exclude={"definition"}), **known})


class FlowAgent(Wire):
    """Who does the steps of an agent type: `agent`, or nobody, for a reason."""

    agent_type: str
    agent: str = ""
    missing: str = ""


class FlowRow(Wire):
    """A flow in a list; `error` says why a disabled one can't be run as it is."""

    name: str
    scope: Scope
    path: str
    description: str = ""
    steps: int = 0
    content_hash: str = ""
    disabled: bool = False
    error: str = ""
    problems: tuple[FlowProblem, ...] = ()
    warnings: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    agents: tuple[FlowAgent, ...] = ()
    is_trusted: bool = True
    is_hidden: bool = False


class FlowView(Wire):
    """A flow whole: its row in a list, what it says as it is read, and its file's text."""

    flow: FlowRow
    definition: FlowDefinition | None = None
    text: str = ""
