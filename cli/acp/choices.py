"""What a person chooses for a conversation in the editor: plan or chat, the agent, its model, the template."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from acp import schema

from cli.core.errors import CommandError
from domain.agents.status import AgentStatus
from domain.plans.templates.views import FoundTemplate

CHAT, PLAN = "chat", "plan"
MODES = {
    CHAT: ("Chat", "Talk with an agent in a worktree; it can suggest a plan"),
    PLAN: (
        "Plan first",
        "Plan the next message as a goal; nothing runs before you approve the plan",
    ),
}
MODE, AGENT, MODEL, TEMPLATE = "mode", "agent", "model", "template"
DEFAULT = ""
_MODEL_CATEGORIES = frozenset({"model"})


@dataclass(frozen=True)
class Choices:
    """What was chosen; empty is the engine's default."""

    mode: str = CHAT
    agent: str = DEFAULT
    model: str = DEFAULT
    template: str = DEFAULT


@dataclass(frozen=True)
class Offered:
    """What can be chosen in a repository."""

    agents: tuple[AgentStatus, ...] = ()
    templates: tuple[FoundTemplate, ...] = ()

    @classmethod
    def of(cls, agents: dict[str, Any], templates: dict[str, Any]) -> "Offered":
        """Return what the API lists and what can be used of it."""
        known = map(AgentStatus.model_validate, agents["agents"])
        files = map(FoundTemplate.model_validate, templates["templates"])
        return cls(
            tuple(a for a in known if a.is_ready and not a.problem and not a.is_hidden),
            tuple(t for t in files if t.problem is None and t.is_trusted),
        )

    def models(self, agent: str) -> dict[str, str]:
        """Return the models of an agent by id, as far as a try has told them."""
        found = next((a for a in self.agents if self._is(a, agent)), None)
        if found is None or found.seen is None:
            return {}
        options = (o for o in found.seen.options if o.category in _MODEL_CATEGORIES)
        return {v.value: v.name or v.value for option in options for v in option.values}

    @staticmethod
    def _is(agent: AgentStatus, name: str) -> bool:
        return agent.name == name or (name == DEFAULT and agent.is_default)


def modes(choices: Choices) -> schema.SessionModeState:
    """Return the modes, for editors that know no options."""
    known = [
        schema.SessionMode(id=name, name=title, description=words)
        for name, (title, words) in MODES.items()
    ]
    return schema.SessionModeState(available_modes=known, current_mode_id=choices.mode)


def options(
    choices: Choices, offered: Offered, *, is_open: bool
) -> list[schema.SessionConfigOptionSelect | schema.SessionConfigOptionBoolean]:
    """Return the options as they stand; the template is chosen before a thread is open."""
    found = [_mode(choices), _agent(choices, offered)]
    if models := offered.models(choices.agent):
        named = [("", "Default"), *models.items()]
        found.append(_select(MODEL, "Model", choices.model, named, "model"))
    if not is_open and offered.templates:
        named = [("", "Default"), *((t.choice, t.label) for t in offered.templates)]
        found.append(_select(TEMPLATE, "Template", choices.template, named))
    return [*found]


def _mode(choices: Choices) -> schema.SessionConfigOptionSelect:
    named = [(name, title) for name, (title, _) in MODES.items()]
    return _select(MODE, "Mode", choices.mode, named, "mode")


def _agent(choices: Choices, offered: Offered) -> schema.SessionConfigOptionSelect:
    default = next((a.title or a.name for a in offered.agents if a.is_default), "")
    first = [("", f"Default ({default})" if default else "Default")]
    named = [*first, *((a.name, a.title or a.name) for a in offered.agents)]
    if choices.agent not in dict(named):
        named.append((choices.agent, choices.agent))
    return _select(AGENT, "Agent", choices.agent, named)


def _select(
    name: str,
    title: str,
    current: str,
    values: Sequence[tuple[str, str]],
    category: Any = None,
) -> schema.SessionConfigOptionSelect:
    listed = [schema.SessionConfigSelectOption(value=v or "default", name=n) for v, n in values]
    return schema.SessionConfigOptionSelect(
        id=name,
        name=title,
        category=category,
        type="select",
        current_value=current or "default",
        options=listed,
    )


def chosen(choices: Choices, offered: Offered, name: str, value: str) -> Choices:
    """Return the choices with one changed; another agent has its own models.

    Raises:
        CommandError: There is no such option, or it has no such value.
    """
    known = {
        MODE: set(MODES),
        AGENT: {a.name for a in offered.agents},
        MODEL: set(offered.models(choices.agent)),
        TEMPLATE: {t.choice for t in offered.templates},
    }
    if name not in known:
        raise CommandError(f"there is no option {name!r}; there are: {', '.join(known)}")
    given = DEFAULT if value == "default" and name != MODE else value
    if given and given not in known[name]:
        raise CommandError(f"{name} cannot be {value!r}; it can be: {_listed(known[name])}")
    more = {MODEL: DEFAULT} if name == AGENT else {}
    return replace(choices, **{**more, name: given})


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing else here"
