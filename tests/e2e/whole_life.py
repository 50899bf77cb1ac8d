"""What the agents do in tests/e2e/test_whole_life.py: a chat, two planners, five tasks, a coordinator."""

from typing import Any

from tests.e2e.engine import Stage

WISH = "The notes are a mess"
GOAL = "Two chapters and a book of both"
MAP = "# TREADLE.md\n\n## Knowledge Base\n- Conventions: docs/conventions.md\n"
HEADING = "# Notes\n"
"""What both chapters write at the top of one file, each in its own words: that conflicts."""

STYLE = {
    "id": "style",
    "header": "Style",
    "question": "Which style do the chapters have?",
    "options": [
        {"label": "plain", "description": "short sentences"},
        {"label": "ornate", "description": "long ones"},
    ],
}
ADDED = {
    "id": "index",
    "title": "Write the index",
    "description": "An index of the book.",
    "depends_on": ["book"],
    "gate": "auto",
    "verification": [{"type": "command", "label": "indexed", "command": "test -s index.txt"}],
}
AMENDMENT = {
    "why": "readers need an index",
    "base_version": 1,
    "changes": [
        {"change": "add", "task": ADDED},
        {"change": "modify", "task_id": "book", "task": {"title": "Bind the book"}},
    ],
}


def _task(name: str, check: str, **more: Any) -> dict[str, Any]:
    step = {"type": "command", "label": f"{name} is right", "command": check}
    description = f"What {name} is for."
    title = f"Write {name}"
    return {"id": name, "title": title, "description": description, "verification": [step], **more}


def plan(approach: str) -> dict[str, Any]:
    """Return the plan of both planners; one of its dependencies leads nowhere."""
    return {
        "summary": "Look, write two chapters at once, bind them.",
        "approach": approach,
        "key_risk": "both chapters touch notes.txt",
        "decisions": [STYLE],
        "tasks": [
            _task("survey", "test -s survey.txt", gate="auto", plan_approval="auto", mode="research"),
            _task(
                "left",
                "grep -q left left.txt",
                depends_on=["survey", "ghost"],
                plan_approval="user",
                decision_id="style",
            ),
            _task("right", "grep -q right right.txt", depends_on=["survey"], gate="auto"),
            _task("book", "test -s book.txt", depends_on=["left", "right"]),
        ],
    }  # fmt: skip


def planners(approach: str, *more: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rules of a planner that proposes by tool, and again when it is sent back."""
    return [
        _rule({"prompt": "planner"}, *more, _call("propose_plan", plan=plan(approach))),
        _rule({"prompt": "planner-feedback"}, _call("propose_plan", plan=plan(f"{approach}er"))),
    ]


def rival() -> dict[str, Any]:
    """Return the scenario of the second planner."""
    return {"name": "rival", "rules": planners("Fast")}


def scenario(stage: Stage) -> dict[str, Any]:
    """Return what the thread's agent does; `right` stops at the place `right` while it is held."""
    return {
        "name": "whole life",
        "rules": [
            _rule(
                {"prompt": "message", "text": WISH},
                _call("suggest_planning", reason="there are three parts", goal=GOAL),
                {"say": "May I plan this first?"},
            ),
            *planners("Slow", _call("invite_planner", agent="rival")),
            _rule({"prompt": "coordinator"}, *_coordinator()),
            *_task_plans(),
            *_work(stage),
        ],
    }


def _rule(when: dict[str, Any], *steps: dict[str, Any]) -> dict[str, Any]:
    return {"when": when, "steps": list(steps)}


def _call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"call": tool, "with": arguments}


def _done(what: str) -> dict[str, Any]:
    return _call("report_done", summary=f"wrote {what}")


def _coordinator() -> list[dict[str, Any]]:
    return [
        _call("task_status"),
        _call("list_ports"),
        _call("enrich_task", task_id="book", context="Bind left before right."),
        _call("propose_amendment", **AMENDMENT),
        {"say": "The survey is done, left is at its gate. I proposed an index."},
    ]


def _task_plans() -> list[dict[str, Any]]:
    fields = {"steps": ["Read the survey", "Write the file"], "summary": "Straight"}
    verdict = '```json\n{"verdict": "approve", "feedback": ""}\n```\n'
    return [
        _rule({"prompt": "task-plan"}, _call("propose_task_plan", **fields)),
        _rule(
            {"prompt": "task-plan-feedback"},
            _call("propose_task_plan", **{**fields, "summary": "Straighter"}),
        ),
        _rule({"prompt": "task-plan-review"}, {"say": f"It is fine.\n\n{verdict}"}),
    ]


def _work(stage: Stage) -> list[dict[str, Any]]:
    return [
        _rule(
            {"task": "survey", "prompt": "task"},
            {"write": "survey.txt", "text": "a survey\n"},
            _call("record_learning", learning="unexpected", text="Notes are in UTF-16."),
            _done("survey.txt"),
        ),
        _rule(
            {"task": "left", "prompt": "task"},
            {"write": "left.txt", "text": "lfet\n"},
            {"edit": "notes.txt", "old": HEADING, "new": "# Notes of the left\n"},
            _done("left.txt"),
        ),
        _rule(
            {"task": "left", "prompt": "verification-failed"},
            {"edit": "left.txt", "old": "lfet", "new": "left"},
            _done("left.txt, right this time"),
        ),
        _rule(
            {"task": "right", "prompt": "task"},
            {"write": "right.txt", "text": "right\n"},
            {"edit": "notes.txt", "old": HEADING, "new": "# Notes of the right\n"},
            {"run": stage.place("right")},
            _done("right.txt"),
        ),
        _rule(
            {"task": "right", "prompt": "conflict"},
            {"write": "notes.txt", "text": "# Notes of both\n"},
            _done("a heading for both"),
        ),
        _rule({"task": "book", "prompt": "task"}, {"write": "book.txt", "text": "b\n"}, _done("it")),
        _rule(
            {"task": "book", "prompt": "gate-rejected"},
            {"write": "book.txt", "text": "a book\n"},
            _done("it, with a word more"),
        ),
        _rule({"task": "index"}, {"write": "index.txt", "text": "a\n"}, _done("index.txt")),
    ]  # fmt: skip
