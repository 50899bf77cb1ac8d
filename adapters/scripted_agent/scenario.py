"""The scenario: its rules, which one a prompt meets, and what is wrong with it."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from adapters.tolerant import as_dict, as_list

Step = dict[str, Any]

PLACE = ".treadle/scenario.yaml"
ACTS = frozenset(
    {
        *("say", "think", "update", "write", "edit", "delete", "run", "call", "ask", "wait"),
        *("stop", "error", "exit", "hang", "garbage", "stderr", "ignore_cancel", "usage"),
        *("send", "stop_reading", "limit", "client"),
    }
)
OPTIONS = frozenset(
    {"if", "unless", "kind", "text", "old", "new", "with", "save", "times", "timeout", "options"}
)
CONDITIONS = frozenset({"prompt", "role", "task", "title", "text", "number"})
KINDS = {
    "plan": "planner",
    "revise the plan": "planner-feedback",
    "plan missing": "plan-missing",
    "plan refused": "plan-refused",
    "combine plans": "combine-plans",
    "review the plan": "critic",
    "compare the work of several": "judge",
    "plan an amendment": "amendment-planner",
    "revise the amendment": "amendment-feedback",
    "amendment missing": "amendment-missing",
    "message while the plan runs": "coordinator",
    "turn of your own while the plan runs": "own-turn",
    "plan task": "task-plan",
    "revise the plan of task": "task-plan-feedback",
    "plan of task": "task-plan-missing",
    "review the plan of task": "task-plan-review",
    "review the work of task": "review",
    "review missing of task": "review-missing",
    "resolve the conflict of task": "conflict",
    "resolve the conflict of your changes": "chat-conflict",
    "go on with a fresh context": "compacted",
    "task": "task",
    "verification failed": "verification-failed",
    "changes requested": "gate-rejected",
    "report missing": "report-missing",
    "interrupted": "interrupted",
    "forked from another thread": "forked",
    "this conversation goes on in another directory": "imported",
    "yes or no": "flow-question",
    "yes or no again": "flow-question-again",
}
ROLES = {
    **dict.fromkeys(("planner", "planner-feedback", "plan-missing", "plan-refused"), "planner"),
    **dict.fromkeys(
        ("combine-plans", "amendment-planner", "amendment-feedback", "amendment-missing"), "planner"
    ),
    **dict.fromkeys(("critic", "task-plan-review", "judge"), "reviewer"),
    **dict.fromkeys(("review", "review-missing"), "code_reviewer"),
    **dict.fromkeys(("task-plan", "task-plan-feedback", "task-plan-missing"), "task_planner"),
    **dict.fromkeys(("task", "verification-failed", "gate-rejected", "conflict"), "task"),
    "report-missing": "task",
}
"""What a session is for, known from its prompts; it stays what it was at any other prompt."""


REPEATS = {"interrupted": "## What was asked", "compacted": "## What to do now"}
"""Where prompts repeat what was asked before, to an agent that was cut off or knows nothing of it."""

_TASK = re.compile(r"^## The task (\S+)\s+(.*)", re.MULTILINE)


class ScenarioError(Exception):
    """The scenario can't be played; the message says where and why."""


class ReceivedPrompt(NamedTuple):
    """What a prompt is: its kind, and what its first lines name. `message` is any other text."""

    kind: str
    text: str
    task: str | None = None
    title: str | None = None
    number: int | None = None


class Rule(NamedTuple):
    """One rule: when it plays, and its steps the first, second … time in a session."""

    name: str
    when: Mapping[str, Any]
    turns: tuple[list[Step], ...]


class Scenario(NamedTuple):
    """A whole scenario; `start` and `can` change how the process itself behaves."""

    name: str = "nothing"
    rules: tuple[Rule, ...] = ()
    start: Mapping[str, Any] = {}
    can: Mapping[str, Any] = {}

    def rule_for(
        self, prompt: ReceivedPrompt, role: str, task: str | None, title: str | None
    ) -> Rule | None:
        """Return the first rule that a prompt meets in a session of this role and task."""
        facts = {"prompt": prompt.kind, "role": role, "task": task, "number": prompt.number}
        texts = {"title": title or "", "text": prompt.text}
        return next((rule for rule in self.rules if _fits(rule.when, facts, texts)), None)


def read_prompt(text: str) -> ReceivedPrompt:
    """Tell what a prompt is by the first line that Treadle's prompt files give it."""
    lines = text.strip().splitlines() or [""]
    words = lines[0].removeprefix("# Treadle: ")
    for head in sorted(KINDS, key=len, reverse=True):
        if lines[0].startswith("# Treadle: ") and words.startswith(head):
            rest = words[len(head) :].strip()
            number = re.fullmatch(r"\((?:attempt|revision) (\d+)\)", rest)
            task = rest.split()[0] if head.endswith("task") and rest else None
            title = next((line.strip() for line in lines[1:] if line.strip()), None)
            if KINDS[head] == "compacted" and (named := _TASK.search(text)):
                task, title = named.groups()
            return ReceivedPrompt(
                kind=KINDS[head],
                text=text,
                task=task,
                title=title if task else None,
                number=int(number[1]) if number else None,
            )
    return ReceivedPrompt(kind="message", text=text)


def repeated_in(prompt: ReceivedPrompt) -> list[ReceivedPrompt]:
    """Return the prompts that a prompt repeats, the outer ones first; the last is what is asked."""
    # a compacted one has texts of people before what is asked, an interrupted one a whole prompt after it
    cut = str.partition if prompt.kind == "interrupted" else str.rpartition
    heading = REPEATS.get(prompt.kind)
    request = cut(prompt.text, heading)[2].strip() if heading and heading in prompt.text else ""
    if not request:
        return []
    found = read_prompt(request)
    return [found, *repeated_in(found)]


def load() -> Scenario:
    """Read the scenario of TREADLE_SCENARIO, else of the current directory.

    Raises:
        ScenarioError: There is none, or it can't be played.
    """
    path = Path(os.environ.get("TREADLE_SCENARIO") or PLACE)
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        raw = yaml.load(path.read_bytes(), Loader=loader)  # noqa: S506  (a safe loader, in C)
    except OSError as error:
        raise ScenarioError(
            f"there is no scenario at {path} ({error.strerror}): the scripted agent has no model, "
            f"it plays {PLACE} of the repository or the file in TREADLE_SCENARIO"
        ) from error
    except yaml.YAMLError as error:
        raise ScenarioError(f"the scenario {path} is not YAML: {error}") from error
    if not isinstance(raw, dict):
        raise ScenarioError(f"the scenario {path} is not a mapping with rules")
    return parse(as_dict(raw), path)


def parse(raw: dict[str, Any], path: Path) -> Scenario:
    """Check a scenario and make its rules.

    Raises:
        ScenarioError: With the rule and the step that can't be played.
    """
    try:
        rules = tuple(_rule(rule, n) for n, rule in enumerate(as_list(raw.get("rules")), 1))
    except (ScenarioError, TypeError, AttributeError, re.error) as error:
        raise ScenarioError(f"the scenario {path} can't be played: {error}") from error
    return Scenario(
        name=str(raw.get("name") or path.name),
        rules=rules,
        start=as_dict(raw.get("start")),
        can=as_dict(raw.get("can")),
    )


def _rule(raw: dict[str, Any], number: int) -> Rule:
    name = str(raw.get("name") or f"rule {number}")
    when = as_dict(raw.get("when"))
    if unknown := set(when) - CONDITIONS:
        raise ScenarioError(f"{name}: unknown conditions {sorted(unknown)}")
    for pattern in ("title", "text"):
        re.compile(str(when.get(pattern) or ""))
    turns = [as_list(turn) for turn in as_list(raw.get("turns", [raw.get("steps")]))]
    for turn in turns:
        for place, step in enumerate(turn, 1):
            _check(step, f"{name}, step {place}")
    return Rule(name, when, tuple(turns) or ([],))


def _check(step: Any, place: str) -> None:
    if not isinstance(step, dict):
        raise ScenarioError(f"{place}: {step!r} is not an act with its options")
    names = {str(name) for name in as_dict(step)}
    if len(names & ACTS) != 1:
        raise ScenarioError(f"{place}: {sorted(names)} has not one act of {sorted(ACTS)}")
    if unknown := names - ACTS - OPTIONS:
        raise ScenarioError(f"{place}: unknown options {sorted(unknown)}")


def _fits(when: Mapping[str, Any], facts: Mapping[str, Any], texts: Mapping[str, str]) -> bool:
    for name, wanted in when.items():
        if name in texts:
            if not re.search(str(wanted), texts[name]):
                return False
        elif facts[name] not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True
