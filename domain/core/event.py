"""Events: the base of their bodies, the envelope, and a stream's headline.

A stream is a thread, a task, a session, a flow run or the queue; its id is a workflow id. The same
events are the transcript that people read and the input of `evolve`. An event's id is derived by its
producer (workflow id and counter, or turn id, attempt and counter), so appending it twice is the same
as once.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field, GetJsonSchemaHandler, SerializationInfo, SerializerFunctionWrapHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

from domain.core.branch_status import BranchStatus
from domain.core.event_text import EventText
from domain.core.ids import EventId, StreamId
from domain.core.wire import Wire


class EventBody(Wire):
    """Base of what an event says; each subclass has its own `kind`."""

    KINDS: ClassVar[dict[str, type["EventBody"]]] = {}
    """Every body whose module was imported, by its kind."""

    kind: Any

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Register the body under its kind."""
        kind = cls.model_fields["kind"].default
        if isinstance(kind, str):
            known = EventBody.KINDS.setdefault(kind, cls)
            if known.__qualname__ != cls.__qualname__:
                raise TypeError(f"the kind {kind!r} is {known.__qualname__}'s already")


class QuotedBody(EventBody):
    """Base of what prompts quote from the journal, where a history need not hold it once for each.

    `quoted_as` is the event's id, known before it is journaled; empty where nothing quotes it.
    """

    quoted_as: EventId = Field(default=EventId(""), exclude_if=lambda event_id: not event_id)


def _read_body(value: EventBody | Mapping[str, Any]) -> EventBody:
    if isinstance(value, EventBody):
        return value
    kind = value.get("kind") if isinstance(value, Mapping) else None  # pyright: ignore[reportUnnecessaryIsInstance]
    body = EventBody.KINDS.get(kind) if isinstance(kind, str) else None
    if body is None:
        raise PydanticCustomError(
            "event_kind", "no event has the kind {kind}", {"kind": repr(kind)}
        )
    return body.model_validate(value)


def _write_body(
    body: EventBody, write: SerializerFunctionWrapHandler, info: SerializationInfo
) -> Any:
    """Keep the kind where defaults are left out: it tells what the others are."""
    written = write(body)
    return {"kind": body.kind, **written} if info.exclude_defaults else written


class _ByKind:
    """Reads a body as the class of its `kind`, and describes it as one of all of them."""

    @staticmethod
    def __get_pydantic_core_schema__(_source: Any, _handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            _read_body,
            serialization=core_schema.wrap_serializer_function_ser_schema(
                _write_body, info_arg=True, schema=core_schema.any_schema()
            ),
        )

    @staticmethod
    def __get_pydantic_json_schema__(_: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        bodies = {
            kind: body.__pydantic_core_schema__ for kind, body in sorted(EventBody.KINDS.items())
        }
        return handler(core_schema.tagged_union_schema(bodies, discriminator="kind"))


AnyBody = Annotated[EventBody, _ByKind]
"""A body of any kind; domain/reading/event_kinds.py knows them all."""


class Event(Wire):
    """One event of one stream."""

    id: EventId
    stream: StreamId
    at: datetime
    body: AnyBody


class JournaledEvent(Wire):
    """An event with its place in the journal; `position` is the cursor of every reader.

    The API sends the event's `text` along, which is made when it is read and never stored; an event
    that says nothing has none.
    """

    position: int
    event: Event
    text: EventText | None = None


class Headline(Wire):
    """A stream in one line for lists, written with its events; the newest wins.

    `title` is what a thread is called, `goal` what it was opened for; `done` of `total` are a
    thread's tasks, `insertions` and `deletions` the lines that they changed, `agent` whose conversation
    it began with, and `branch_status` what became of its branch. The journal itself sets
    `changed`, the position of the newest event it was written with, and `changed_at`, that event's
    time.
    """

    stream: StreamId
    kind: str
    title: str = ""
    project: str = ""
    status: str = ""
    waiting_for: str = ""
    goal: str = ""
    is_archived: bool = False
    done: int = 0
    total: int = 0
    insertions: int = 0
    deletions: int = 0
    agent: str = ""
    branch_status: BranchStatus = BranchStatus.OPEN
    changed: int = 0
    changed_at: datetime | None = None
