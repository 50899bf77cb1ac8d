"""A whole thread as Markdown, made from its events: stream by stream, a piece at a time.

Every event is told. What an agent, a repository or a person wrote stands in fences or is escaped, so
that it cannot pass for the export's own words (domain/exports/markdown.py).
"""

from collections.abc import Iterator
from functools import singledispatchmethod
from typing import Any, NamedTuple

from domain.agents import terminal_events
from domain.agents.protected import planted_words
from domain.conversations import events as session_events
from domain.core.event import Event, EventBody
from domain.core.event_text import MAX_SUMMARY, EventText, Tone
from domain.core.ids import WORK, is_terminal
from domain.core.markdown import code, fenced, inline
from domain.core.task_names import place_in_thread
from domain.plans.plan import Plan, PlannedTask
from domain.reading.event_text import text_of
from domain.reading.exports.transcript import Transcript
from domain.tasks import events as task_events
from domain.threads import events as thread_events
from domain.verification.judges.doubts import judged_words
from domain.verification.judges.names import judges_words
from domain.verification.steps import StepResult

TEXT_LIMIT = 20_000
"""Characters of a diff or an output that are put into the export."""

_NAMED_FILES = 20
_UNTOLD = frozenset({"key", "message_id", "plan_id", "duration_ms", "kind", "code"})


class JournalText(NamedTuple):
    """A long text of the journal, to be fenced here and cut at TEXT_LIMIT."""

    reference: str
    info: str = "text"


Piece = str | JournalText


class StreamExport:
    """Tells the events of one stream in order."""

    def __init__(self, stream: str) -> None:
        self._is_of_task = "/" in stream.partition("/session-")[0]
        self._stream = stream
        self._diff: str | None = None
        self._transcript = Transcript()

    def begin(self) -> Iterator[Piece]:
        """Return the heading; a thread's own has its goal in it, which comes with its first event."""
        below = self._stream.partition("/")[2]
        if below == WORK:
            yield "\n## The work\n\n"
        elif below:
            what = "Session" if "session-" in below else "Task"
            what = "Terminal" if is_terminal(self._stream) else what
            yield f"\n## {what} {code(place_in_thread(self._stream))}\n\n"

    def tell(self, event: Event) -> Iterator[Piece]:
        """Return what an event says."""
        at = f"{event.at:%Y-%m-%d %H:%M:%S}"
        if isinstance(event.body, session_events.AgentUpdate):
            yield from self._transcript.tell(event.body.update)
            return
        yield from self._transcript.end()
        for number, piece in enumerate(self._content(event.body)):
            yield f"- {at} {piece}" if number == 0 and isinstance(piece, str) else piece

    def end(self) -> Iterator[Piece]:
        """Return what is open at the stream's end."""
        yield from self._transcript.end()
        yield from self._last_diff()

    def _last_diff(self) -> Iterator[Piece]:
        if self._diff is not None:
            yield "\nThe change, against where it started:\n\n"
            yield JournalText(self._diff, "diff")
            self._diff = None

    @singledispatchmethod
    def _content(self, body: EventBody) -> Iterator[Piece]:
        """Return the text of an event, or its kind and fields where it has none."""
        text = text_of(body)
        if text is None:
            yield f"{_fields(body)}\n"
            return
        yield f"{_head(text)}\n"
        if text.details:
            yield "\n" + fenced(text.details)

    @_content.register
    def _export_opening(self, body: thread_events.ThreadOpened) -> Iterator[Piece]:
        facts = {
            "repository": body.facts.root,
            "repositories beside": ", ".join(one.repository for one in body.beside),
            "forked from": f"{body.forked_from.thread_id} at {body.forked_from.position}"
            if body.forked_from
            else "",
            "started from": body.begins_at or body.facts.head,
            "branch": body.branch,
            "agent": " ".join(filter(None, (body.agent, body.model))),
            "template": f"{body.template.name} {body.template.source}",
            "opened by": body.opened_by,
        }
        rows = "".join(f"  - {name}: {code(fact)}\n" for name, fact in facts.items() if fact)
        yield f"Thread opened\n{rows}\n"
        yield "The goal:\n\n" + fenced(body.goal) + "\n"

    @_content.register
    def _export_plan(self, body: thread_events.PlanProposed) -> Iterator[Piece]:
        yield f"**{_head_of(body)}**\n\n"
        yield from _plan(body.plan)
        yield "".join(f"  - warning: {inline(str(warning))}\n" for warning in body.warnings)

    @_content.register
    def _export_step(
        self, body: thread_events.MergeStepEnded | task_events.VerificationStepEnded
    ) -> Iterator[Piece]:
        yield f"{_head_of(body)}\n"
        yield from _step(body.result)

    @_content.register
    def _export_run(self, body: task_events.TaskOpened) -> Iterator[Piece]:
        yield from self._last_diff()
        yield f"**{_head_of(body)}**\n"

    @_content.register
    def _export_terminal_output(self, body: terminal_events.TerminalWrote) -> Iterator[Piece]:
        yield "Output\n\n" + fenced(body.text)

    @_content.register
    def _export_prompt(self, body: session_events.PromptSent) -> Iterator[Piece]:
        yield "Prompt\n\n" + fenced(body.text)

    @_content.register
    def _export_message(self, body: session_events.MessageQueued) -> Iterator[Piece]:
        text = body.prompt.fields.get("text", "")
        yield f"Message from {inline(body.by) or 'Treadle'} ({body.prompt.name})\n"
        yield "\n" + fenced(text) if text else ""

    @_content.register
    def _export_tool_call(self, body: session_events.ToolCalled) -> Iterator[Piece]:
        refused = ", **refused**" if body.is_refused else ""
        yield f"Tool {code(body.tool)} called{refused}\n"
        if body.arguments:
            yield "\n" + fenced(_listed(body.arguments), limit=TEXT_LIMIT)
        yield "\n" + fenced(body.answer, limit=TEXT_LIMIT) if body.answer else ""

    @_content.register
    def _export_turn(self, body: session_events.TurnEnded) -> Iterator[Piece]:
        result = body.result
        if self._stream != body.session_id or not self._is_of_task:
            self._take_diff(result.snapshot)  # a task's own stream has its sessions' diffs
        yield f"{_head_of(body)}{_files(result.snapshot)}\n"
        if result.failure:
            yield "\n" + fenced(result.failure)

    def _take_diff(self, snapshot: Any) -> None:
        if snapshot is not None and snapshot.diff_ref and snapshot.file_count:
            self._diff = snapshot.diff_ref


def _head(text: EventText) -> str:
    """Return the line of a text, escaped; a failure stands out."""
    line = inline(text.summary, MAX_SUMMARY)
    return f"**{line}**" if text.tone is Tone.ERROR else line


def _head_of(body: EventBody) -> str:
    text = text_of(body)
    return _head(text) if text else ""


def _fields(body: EventBody) -> str:
    """Return an event's kind and its fields."""
    fields = body.model_dump(mode="json", exclude_defaults=True, exclude=set(_UNTOLD))
    parts = [f"{name.replace('_', ' ')}: {_field(value)}" for name, value in fields.items()]
    return "; ".join([body.kind.replace("_", " "), *(t for t in parts if not t.endswith(": "))])


def _field(value: Any) -> str:
    if isinstance(value, dict):
        parts: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  (JSON)
        return ", ".join(
            f"{inline(name)} {_field(part)}"
            for name, part in parts.items()
            if part not in ("", None)
        )
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]  (JSON)
        return ", ".join(_field(item) for item in items)
    return inline(str(value))


def _listed(fields: dict[str, Any]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in fields.items())


def _files(snapshot: Any) -> str:
    if snapshot is None or not snapshot.file_count:
        return ""
    names = ", ".join(code(name, 200) for name in snapshot.files[:_NAMED_FILES])
    left = snapshot.file_count - min(_NAMED_FILES, len(snapshot.files))
    more = f" and {left} more" if left > 0 else ""
    return f", commit {code(snapshot.commit)}, +{snapshot.insertions} -{snapshot.deletions} in {names}{more}{_planted(snapshot)}"


def _planted(snapshot: Any) -> str:
    parts = (planted_words(snapshot.planted), judges_words(snapshot.judges))
    return "".join(f". {inline(words, 2000)}" for words in parts if words)


def _step(result: StepResult) -> Iterator[Piece]:
    yield "".join(f"- {inline(finding.as_line, 2000)}\n" for finding in result.findings)
    if words := judged_words(result):
        yield f"- {inline(words, 2000)}\n"
    for picture in result.pictures:
        size = f"{picture.mime_type}, {picture.size_bytes} bytes"
        yield f"- picture {code(picture.name)} ({size}): SHA-256 {code(picture.sha256)}\n"
    if result.output_ref:
        yield "\n"
        yield JournalText(result.output_ref)
    elif result.output:
        yield "\n" + fenced(result.output)


def _plan(plan: Plan) -> Iterator[Piece]:
    texts = {"Summary": plan.summary, "Approach": plan.approach, "Key risk": plan.key_risk}
    for name, text in texts.items():
        if text:
            yield f"{name}:\n\n{fenced(text)}\n"
    yield "".join(f"- consider: {inline(text, 2000)}\n" for text in plan.considerations)
    for task in plan.tasks:
        yield from _task(task)
    for decision in plan.decisions:
        labels = ", ".join(code(option.label) for option in decision.options)
        yield f"- decision {code(decision.id)}: {inline(decision.question)} ({labels})\n"
    yield "\n"


def _task(task: PlannedTask) -> Iterator[Piece]:
    after = f", after {', '.join(code(t) for t in task.depends_on)}" if task.depends_on else ""
    yield f"- task {code(task.id)}: {inline(task.title)} ({task.mode}){after}\n"
    yield "".join(
        f"  - verified by {step.type}: {code(step.subject)}\n" for step in task.verification
    )
    if task.best_of and task.best_of.agents:
        yield f"  - {inline(task.best_of.words)}\n"
    if task.description:
        yield "\n" + fenced(task.description) + "\n"
