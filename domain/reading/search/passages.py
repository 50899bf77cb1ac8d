"""The passages that searches find: what of an event somebody said, or would read."""

from collections.abc import Iterator
from enum import StrEnum
from functools import singledispatch
from typing import NamedTuple

from domain.agents.updates import MESSAGE, THOUGHT, TOOL_CALL, kind_of
from domain.agents.updates import text_of as text_in
from domain.conversations import events as session_events
from domain.core.damage_events import EventDamaged
from domain.core.event import EventBody
from domain.plans.plan import Plan
from domain.reading.event_text import text_of
from domain.tasks import events as task_events
from domain.threads import events as thread_events

MAX_PASSAGE = 8_000
MAX_PLAN = 128_000
"""Of a plan: the titles of a thousand tasks, and the beginning of what is said of them."""

"""Characters of one passage; what follows of a longer message is the next."""


class Speaker(StrEnum):
    """Whose words a passage is."""

    PERSON = "person"
    AGENT = "agent"
    THOUGHT = "thought"
    TOOL = "tool"
    TREADLE = "treadle"


class Passage(NamedTuple):
    """A text that can be found.

    Neighbours in a stream with the same `joined` are pieces of one text; an empty one joins nothing.
    """

    speaker: Speaker
    text: str
    by: str = ""
    joined: str = ""


@singledispatch
def passage_of(body: EventBody) -> Passage | None:
    """Return what of an event can be found; by default what readers are shown of it."""
    text = text_of(body)
    if text is None:
        return None
    by = getattr(body, "by", "")
    words = "\n".join(filter(None, (text.summary, text.details)))
    return Passage(Speaker.TREADLE, words[:MAX_PASSAGE], by if isinstance(by, str) else "")


@passage_of.register
def _leave_out(
    _body: thread_events.ThreadOpened
    | session_events.TurnStarted
    | session_events.PromptSent
    | session_events.AgentSessionOpened
    | session_events.SandboxApplied
    | session_events.ToolCalled
    | task_events.VerificationStarted
    | task_events.PortLeased
    | task_events.PortReleased
    | EventDamaged,
) -> None:
    """Find nothing: the same is found where it was said, or nobody looks for it."""


@passage_of.register
def _read_update(body: session_events.AgentUpdate) -> Passage | None:
    kind = kind_of(body.update)
    if kind == TOOL_CALL:
        title = body.update.get("title")
        return Passage(Speaker.TOOL, title[:MAX_PASSAGE]) if isinstance(title, str) else None
    if kind not in {MESSAGE, THOUGHT}:
        return None
    speaker = Speaker.AGENT if kind == MESSAGE else Speaker.THOUGHT
    text = text_in(body.update.get("content"))
    return Passage(speaker, text[:MAX_PASSAGE], joined=f"{body.turn_id} {kind}") if text else None


@passage_of.register
def _read_message(body: session_events.MessageQueued) -> Passage | None:
    text = body.prompt.fields.get("text", "")
    return Passage(Speaker.PERSON, text[:MAX_PASSAGE], body.by) if body.by and text else None


@passage_of.register
def _read_plan(body: thread_events.PlanProposed) -> Passage:
    speaker = Speaker.PERSON if body.by else Speaker.AGENT
    text = "\n".join(filter(None, _words_of_plan(body.plan)))
    return Passage(speaker, text[:MAX_PLAN], body.by)


def _words_of_plan(plan: Plan) -> Iterator[str]:
    yield from (plan.goal, plan.summary, plan.approach, plan.key_risk, *plan.considerations)
    yield from (f"{task.id}: {task.title}" for task in plan.tasks)
    yield from (decision.question for decision in plan.decisions)
    yield from (task.description for task in plan.tasks)


@passage_of.register
def _read_step(body: task_events.VerificationStepEnded) -> Passage:
    text = text_of(body)
    words = "\n".join(filter(None, (text.summary if text else "", body.result.output)))
    return Passage(Speaker.TREADLE, words[:MAX_PASSAGE])
