"""What the scripted agent asks of the client: permissions, several at once if wanted, and any method."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from adapters.scripted_agent.stdio import Stdio
from adapters.tolerant import as_dict

CHOICES = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "once", "name": "Once", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
ANSWERS = {"allow_once": "allowed", "allow_always": "always"}


def ask(stdio: Stdio, session_id: str, call: dict[str, Any], options: Any) -> tuple[str, str]:
    """Ask; returns `allowed`, `always` or `refused`, and the id of the option."""
    offered = CHOICES if options is None else options
    params = {"sessionId": session_id, "toolCall": call, "options": offered}
    outcome = as_dict(stdio.ask("session/request_permission", params).get("outcome"))
    chosen = outcome.get("optionId", "none")
    kinds = {option.get("optionId"): option.get("kind") for option in map(as_dict, offered)}
    return ANSWERS.get(str(kinds.get(chosen)), "refused"), str(chosen)


def call_client(stdio: Stdio, session_id: str, method: str, params: dict[str, Any]) -> str:
    """Call a method of the client; returns its result or its error as JSON."""
    answer = stdio.request(method, {"sessionId": session_id, **params})
    return json.dumps(answer["error"] if "error" in answer else answer.get("result"))


def ask_all(
    stdio: Stdio, session_id: str, calls: list[dict[str, Any]], options: Any
) -> tuple[str, str]:
    """Ask for several at the same time; returns the answers, a comma between two."""
    with ThreadPoolExecutor(len(calls)) as pool:
        asked = [pool.submit(ask, stdio, session_id, call, options) for call in calls]
    answers = [each.result() for each in asked]
    return ",".join(answer for answer, _ in answers), ",".join(option for _, option in answers)
