"""Flows of a repository and their runs: running, waiting for a person, stopped, completed."""

import asyncio
import json
from typing import Any

from tests.page.stories.place import PATIENCE_SECONDS, TICK_SECONDS, Place, rule

CODER = {"agentType": "coder", "identifier": "main"}
JUDGE = {"agentType": "judge", "identifier": "main"}


def _says(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": [text]}]


TRIAGE = {
    "description": "Look through new issues until none is left.",
    "steps": [
        {"type": "llm", **CODER, "label": "Collect", "messages": _says("Collect the new issues")},
        {"type": "startLoop", "label": "Until all are sorted", "maxIterations": 5},
        {"type": "llm", **CODER, "label": "Sort one", "messages": _says("Sort the next issue")},
        {"type": "break", **JUDGE, "question": "Are all issues sorted?", "breakOn": "yes"},
        {"type": "endLoop"},
        {"type": "llm", **CODER, "label": "Sum up", "messages": _says("Sum it up")},
    ],
}
RELEASE = {
    "description": "Write notes, ask a person, publish.",
    "steps": [
        {"type": "llm", **CODER, "label": "Write the notes", "messages": _says("Write the notes")},
        {
            "type": "human",
            "label": "Go?",
            "question": "The notes are in NOTES.md. Publish version 2.1?",
            "options": ["publish", "wait a day", "leave"],
            "outputKey": "decision",
        },
        {
            "type": "if",
            "outputKey": "decision",
            "equals": "publish",
            "then": [{"type": "llm", **CODER, "messages": _says("Publish it")}],
            "else": [{"type": "llm", **CODER, "messages": _says("Say what is missing")}],
        },
    ],
}
NIGHTLY = {
    "description": "Watch the build.",
    "steps": [
        {"type": "llm", **CODER, "label": "Begin", "messages": _says("Begin")},
        {"type": "llm", **CODER, "label": "Watch", "messages": _says("Watch the build for long")},
    ],
}
BROKEN = '{\n  "description": "Not yet",\n  "steps": [\n    {"type": "startLoop"},\n    {"type": "llm", "agentType": 3}\n  ]\n}\n'


async def flow_runs(place: Place) -> None:
    """A repository with four flows, one broken, and a run of each kind."""
    no, yes = ({"say": '{"answer": "no"}'}, {"say": '{"answer": "yes"}'})
    rules = [
        rule({"text": "Collect"}, {"run": "ls"}, {"say": "18 issues found; 3 have no label."}),
        rule({"text": "Sort the next"}, {"run": "echo sorted >> issues.txt"}, {"say": "Sorted one."}),
        {"when": {"prompt": "flow-question"}, "turns": [[no], [no], [yes]]},
        rule({"text": "notes"}, {"write": "NOTES.md", "text": "# 2.1\n"}, {"say": "They are in NOTES.md."}),
        rule({"text": "for long"}, {"say": "I watch the build."}, {"hang": True}),
        rule({}, {"say": "Fine."}),
    ]  # fmt: skip
    files = {
        "flows/nightly-triage.json": json.dumps(TRIAGE, indent=2),
        "flows/release.json": json.dumps(RELEASE, indent=2),
        "flows/watch.json": json.dumps(NIGHTLY, indent=2),
        "flows/broken.json": BROKEN,
    }
    repository = place.repository("issues", rules, files)
    for story, flow, until in (
        ("flow_completed", "nightly-triage", "completed"),
        ("flow_waiting", "release", "waiting"),
        ("flow_stopped", "watch", ""),
        ("flow_running", "watch", ""),
    ):
        body = {"working_folder": repository, "agent": "scripted"}
        run = (await place.post(f"/flows/{flow}/runs", body))["conversation_id"]
        place.remember(story, run)
        await _await_run(place, run, until)
        if story == "flow_stopped":
            await place.post(f"/flow-runs/{run}/stop")
    place.remember("flow_runs", repository)


async def _await_run(place: Place, run: str, status: str) -> None:
    """Wait until a run is so, or until it is at its second step."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            view = await place.get(f"/flow-runs/{run}")
            at = (view.get("place") or {}).get("step_index", 0)
            if view["status"] == status or (not status and at >= 1):
                return
            await asyncio.sleep(TICK_SECONDS)
