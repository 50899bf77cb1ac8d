"""A task that several agents do at once: who they are, when it is enough, and who judges."""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple, cast

from pydantic import model_validator

from domain.core.ids import TaskId, is_name
from domain.core.wire import Wire

MIN_CANDIDATES = 2
MAX_CANDIDATES = 5
"""Candidates that a plan may ask for."""

MAX_IN_ALL = 9
"""Candidates that a task may have, with those that people add."""

MAX_NAME = 200
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class BestOfEnd(StrEnum):
    """When a choice is asked for: once all candidates have ended, or the first has passed."""

    ALL = "all"
    FIRST_PASSED = "first_passed"


class AgentChoice(NamedTuple):
    """An agent, and the model that it is to have; None is the agent's usual one."""

    agent: str
    model: str | None = None

    @property
    def text(self) -> str:
        """How it is typed: `AGENT` or `AGENT:MODEL`."""
        return f"{self.agent}:{self.model}" if self.model else self.agent


def agent_choice(text: str) -> AgentChoice:
    """Read `AGENT[:MODEL]`; a model may have colons of its own.

    >>> agent_choice("treadle:qwen3:8b")
    AgentChoice(agent='treadle', model='qwen3:8b')
    """
    agent, _, model = text.strip().partition(":")
    return AgentChoice(agent.strip(), model.strip() or None)


class BestOf(Wire):
    """The agents that do a task at once, each as `AGENT[:MODEL]`, and what is done with their work.

    The `judge` is an agent that gives its opinion of the work; it decides nothing. Without agents a task is done by
    one, whatever its template says.
    """

    agents: tuple[str, ...] = ()
    ends: BestOfEnd = BestOfEnd.ALL
    judge: str = ""

    @model_validator(mode="before")
    @classmethod
    def _read_list(cls, raw: Any) -> Any:
        """Read a list of agents, or their names with commas between, as the whole.

        What strict readers would take of JSON they take of nothing that was made here: so it has the types of the fields.
        """
        if isinstance(raw, str):
            raw = [name for name in raw.split(",") if name.strip()]
        if isinstance(raw, list | tuple):
            return {"agents": tuple(cast("list[Any]", raw))}
        if not isinstance(raw, dict):
            return raw
        fields = dict(cast("dict[str, Any]", raw))
        if isinstance(fields.get("agents"), list):
            fields["agents"] = tuple(fields["agents"])
        if fields.get("ends") in set(BestOfEnd):
            fields["ends"] = BestOfEnd(fields["ends"])
        return fields

    @property
    def choices(self) -> tuple[AgentChoice, ...]:
        """The agents with their models, in order."""
        return tuple(map(agent_choice, self.agents))

    @property
    def words(self) -> str:
        """What is approved with it: who does the work, when it is enough, who gives an opinion; empty for one agent."""
        if not self.agents:
            return ""
        end = ", until one passes" if self.ends is BestOfEnd.FIRST_PASSED else ""
        judge = f", with an opinion of {self.judge}" if self.judge else ""
        return f"best of {', '.join(self.agents)}{end}{judge}"

    @property
    def everyone(self) -> tuple[AgentChoice, ...]:
        """The agents, and the judge where there is one."""
        return (*self.choices, *((agent_choice(self.judge),) if self.judge else ()))


def find_faults(best_of: BestOf) -> Iterator[str]:
    """Yield what is wrong with a best-of, whatever agents there are."""
    count = len(best_of.agents)
    if count and not MIN_CANDIDATES <= count <= MAX_CANDIDATES:
        yield f"best-of needs {MIN_CANDIDATES} to {MAX_CANDIDATES} agents, not {count}"
    for choice in best_of.everyone:
        if not choice.agent or len(choice.text) > MAX_NAME or not choice.text.isprintable():
            yield f"{choice.text[:MAX_NAME]!r} names no agent: write AGENT or AGENT:MODEL"
    for choice, times in Counter(best_of.choices).items():
        if times > 1:
            yield f"{choice.text[:MAX_NAME]!r} is listed {times} times: give each a different model"


def candidate_id(task_id: TaskId, place: int) -> TaskId:
    """Return the id of a task's candidate by its place, from 0; no task of a plan has a point in its id.

    >>> candidate_id(TaskId("app"), 1)
    'app.b'
    """
    return TaskId(f"{task_id}.{_LETTERS[place]}")


def letter_of(candidate: str) -> str:
    """Return the letter that people call a candidate by.

    >>> letter_of("app.b")
    'B'
    """
    return candidate.rpartition(".")[2].upper()


def is_candidate(task_id: str) -> bool:
    """Tell whether an id is that of a candidate."""
    name, point, letter = task_id.rpartition(".")
    return bool(point and name) and len(letter) == 1 and letter in _LETTERS


def is_run(text: str) -> bool:
    """Tell whether text can name what runs in a thread: a task, or a candidate of one."""
    return is_name(text.rpartition(".")[0] if is_candidate(text) else text)


def share_of(limit: int | None, parts: int) -> int | None:
    """Return what each of several has of a limit that holds for all of them together."""
    return None if limit is None else max(limit // parts, 1)
