"""The tools that agents get: what each is called, takes, says to a model, and becomes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.agents import SessionRole
from domain.commands import (
    AgentCommand,
    ProposePlan,
    ReportBlocked,
    ReportDone,
    RequestPort,
)
from domain.ids import SessionId
from domain.plans import Mode
from domain.templates import GatePolicy
from domain.verification import StepType

Arguments = dict[str, Any]

MAX_REPORT = 4000
"""Characters of a report that are kept with the task."""

AGENTS_STEPS = [
    StepType.COMMAND,
    StepType.SCRIPT,
    StepType.FILE_EXISTS,
    StepType.HTTP_HEALTH,
]


@dataclass(frozen=True)
class Tool:
    """One tool: who may call it, its JSON schema, and the command that a call becomes."""

    name: str
    roles: frozenset[SessionRole]
    description: str
    schema: dict[str, Any]
    command: Callable[[SessionId, Arguments], AgentCommand]


def tools_for(role: SessionRole) -> list[Tool]:
    """Return the tools of a role, in the order they are offered."""
    return [tool for tool in TOOLS if role in tool.roles]


def _object(
    properties: dict[str, Any], required: tuple[str, ...] = (), description: str = ""
) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if description:
        schema["description"] = description
    if required:
        schema["required"] = list(required)
    return schema


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _list(items: dict[str, Any], description: str) -> dict[str, Any]:
    return {"type": "array", "items": items, "description": description}


def _one_of(names: list[Any], description: str) -> dict[str, Any]:
    return {"type": "string", "enum": [str(name) for name in names], "description": description}


STEP = _object(
    {
        "type": _one_of(
            AGENTS_STEPS,
            "command: a shell line run in the task's checkout, passes with exit code 0; "
            "script: a file of the repository with arguments, without a shell; "
            "file_exists: a path is there; http_health: a URL of a declared port answers 2xx.",
        ),
        "label": _text("A few words for people, like 'unit tests'."),
        "command": _text("For command and script."),
        "path": _text("For file_exists, relative to the repository."),
        "url": _text("For http_health; a declared port is written ${ports.ID}."),
        "required": {"type": "boolean", "description": "False: a failure is only noted."},
        "timeout": {"type": "integer", "description": "Milliseconds; 600000 unless given."},
    },
    ("type",),
    "How Treadle itself checks the work. Must run on a fresh checkout, without a person.",
)

TASK = _object(
    {
        "id": _text("Short, lowercase, unique: letters, digits, dashes, like 'parse-dates'."),
        "title": _text("One line that says what is there when the task is done."),
        "description": _text(
            "All that an agent needs that knows nothing of this conversation: what to build, "
            "where, what not to touch, how to see that it works."
        ),
        "mode": _one_of(list(Mode), "What kind of work it is."),
        "depends_on": _list(
            {"type": "string"},
            "Ids of the tasks whose merged work this one needs. Tasks without a path between them "
            "run at the same time, in checkouts of their own: name a dependency where two tasks "
            "would change the same lines.",
        ),
        "verification": _list(STEP, "Steps of this task, after those of the template."),
        "ports": _list(
            _object({"id": _text("Like 'web'."), "description": _text("For what.")}, ("id",)),
            "Network ports that its programs listen on; the agent asks for the number.",
        ),
        "max_retries": {
            "type": "integer",
            "minimum": 0,
            "maximum": 10,
            "description": "How often the agent may mend what failed verification.",
        },
        "gate": _one_of(list(GatePolicy), "ask: a person accepts the verified work; auto: nobody."),
        "decision_id": _text("The decision that must be made before this task starts."),
    },
    ("id", "title", "description"),
)

DECISION = _object(
    {
        "id": _text("Short, lowercase, unique."),
        "question": _text("One question that only a person can answer."),
        "options": _list(
            _object(
                {"label": _text("The choice."), "description": _text("Its consequence.")},
                ("label",),
            ),
            "Two to four choices.",
        ),
        "multi_select": {"type": "boolean", "description": "Whether several may be chosen."},
    },
    ("id", "question", "options"),
)

PLAN = _object(
    {
        "goal": _text("What the person wants, in one or two sentences."),
        "approach": _text("How the tasks together reach it, and what they share."),
        "summary": _text("For people: what will be different. Needed when there are no tasks."),
        "considerations": _list(
            {"type": "string"}, "What the person should know before approving."
        ),
        "key_risk": _text("The one thing most likely to go wrong."),
        "tasks": _list(TASK, "The tasks. None for work that one agent does best in one go."),
        "decisions": _list(DECISION, "Open questions; only tasks that name one wait for it."),
        "verification": _list(STEP, "For a plan without tasks only."),
    },
    ("goal", "approach", "tasks"),
)


def _proposal(session_id: SessionId, arguments: Arguments) -> AgentCommand:
    return ProposePlan(session_id=session_id, plan=_decoded(arguments.get("plan", arguments)))


def _decoded(plan: Any) -> Any:
    """Read a plan that a model sent as a JSON string; anything else stays as it is."""
    if not isinstance(plan, str):
        return plan
    try:
        return json.loads(plan)
    except (ValueError, RecursionError):
        return plan  # the rules say what is wrong with a text


def _shortened(arguments: Arguments, name: str) -> Arguments:
    """Cut a report's text: it goes into histories, whole it is in the transcript."""
    text = arguments.get(name)
    own = {key: value for key, value in arguments.items() if key != "session_id"}
    if not isinstance(text, str) or len(text) <= MAX_REPORT:
        return own
    return {**own, name: f"{text[:MAX_REPORT]} [... cut; the whole of it is in the transcript]"}


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="propose_plan",
        roles=frozenset({SessionRole.PLANNER}),
        description=(
            "Propose the plan. A person sees it and approves or rejects it; after an approval "
            "other agents do the tasks. Every problem of the plan comes back at once: mend all of "
            "them and call again. Calling again replaces the earlier proposal. End your turn when "
            "it was accepted."
        ),
        schema=_object({"plan": PLAN}, ("plan",)),
        command=_proposal,
    ),
    Tool(
        name="report_done",
        roles=frozenset({SessionRole.TASK}),
        description=(
            "Report that the task's work is finished. Treadle then commits and verifies it. Call "
            "it once, as your last act; without it nothing is verified."
        ),
        schema=_object(
            {"summary": _text("What changed and why, in a few sentences, for a reviewer.")},
            ("summary",),
        ),
        command=lambda session_id, arguments: ReportDone(
            session_id=session_id, **_shortened(arguments, "summary")
        ),
    ),
    Tool(
        name="report_blocked",
        roles=frozenset({SessionRole.TASK}),
        description=(
            "Report that the task can't be finished without a person: something is missing, "
            "forbidden or contradictory. Not for failing tests that you can mend."
        ),
        schema=_object(
            {"reason": _text("What blocks, what you tried, what you need.")}, ("reason",)
        ),
        command=lambda session_id, arguments: ReportBlocked(
            session_id=session_id, **_shortened(arguments, "reason")
        ),
    ),
    Tool(
        name="request_port",
        roles=frozenset({SessionRole.TASK}),
        description=(
            "Get the number of a port that the task declares. It is free and yours until the task "
            "ends; asking again gives the same number. Use no other ports."
        ),
        schema=_object({"port_id": _text("The declared id, like 'web'.")}, ("port_id",)),
        command=lambda session_id, arguments: RequestPort(session_id=session_id, **arguments),
    ),
)
