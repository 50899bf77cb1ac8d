"""What a session offers its client: modes, options, commands; and what the agent can do."""

from typing import Any

from treadle_agent import VERSION
from treadle_agent.providers import PROVIDERS, Model
from treadle_agent.store import Record

BUILD, PLAN = "build", "plan"
MODES = (
    {
        "id": BUILD,
        "name": "Build",
        "description": "Reads, edits and runs commands; asks before it acts.",
    },
    {"id": PLAN, "name": "Plan", "description": "Only reads, lists and searches: changes nothing."},
)
EFFORTS = ("default", "low", "medium", "high", "max")
COMMANDS = (
    {
        "name": "compact",
        "description": "Replace the conversation by a summary of it, to free context",
        "input": {"hint": "what the summary must keep (optional)"},
    },
)


def about() -> dict[str, Any]:
    """Return the answer to `initialize`."""
    return {
        "protocolVersion": 1,
        "agentInfo": {"name": "treadle-agent", "title": "Treadle", "version": VERSION},
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
            "mcpCapabilities": {"http": True, "sse": False},
            "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
        },
        "authMethods": [
            {
                "id": provider.name,
                "name": f"{provider.title}: set {' or '.join(provider.keys)}",
                "description": f"Give the agent a key of {provider.title} in its environment",
            }
            for provider in PROVIDERS
        ],
    }


def options(record: Record, models: list[Model]) -> list[dict[str, Any]]:
    """Return the config options of a session: mode, model, thought level."""
    known = {model.model_id for model in models}
    own = [] if record.model in known else [Model(record.model, record.model)]
    return [
        _select("mode", "mode", "Mode", record.mode, [(m["id"], m["name"]) for m in MODES]),
        _select(
            "model", "model", "Model", record.model, [(m.model_id, m.title) for m in own + models]
        ),
        _select(
            "thought_level",
            "thought_level",
            "Thought level",
            record.effort,
            [(effort, effort.title()) for effort in EFFORTS],
        ),
    ]


def opened(record: Record, models: list[Model]) -> dict[str, Any]:
    """Return what a session's opening answers beside its id."""
    return {
        "modes": {"currentModeId": record.mode, "availableModes": list(MODES)},
        "configOptions": options(record, models),
    }


def _select(
    option_id: str, category: str, name: str, current: str, values: list[tuple[str, str]]
) -> dict[str, Any]:
    return {
        "id": option_id,
        "category": category,
        "name": name,
        "type": "select",
        "currentValue": current,
        "options": [{"value": value, "name": title} for value, title in values],
    }
