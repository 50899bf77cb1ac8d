"""What doors show of a run of a flow: folded from the journal by the same `evolve` as its workflow's."""

from datetime import datetime

from domain.conversations.place import FlowPlace
from domain.conversations.questions.events import QuestionAsked
from domain.conversations.questions.question import Rule
from domain.conversations.questions.views import OpenQuestion, open_in
from domain.conversations.sessions import rules as sessions
from domain.conversations.sessions.facts import SessionFacts
from domain.conversations.sessions.state import SessionState
from domain.core.event import Event, JournaledEvent
from domain.core.ids import StreamId, is_terminal, thread_of
from domain.core.notices import CommandRejected, ResourceWarned
from domain.core.wire import Wire
from domain.flows.conversations import FlowConversationView, shown
from domain.flows.definition import FlowStep, StepKind
from domain.flows.events import (
    ChildEnd,
    ChosenAgent,
    FlowChildEnded,
    FlowChildRenumbered,
    FlowChildStarted,
    FlowStepEnded,
    FlowStepStarted,
)
from domain.flows.program import around, slot_of
from domain.flows.requests import HumanRequest
from domain.flows.rules import evolve
from domain.flows.state import FlowState, StepOutput
from domain.flows.wordings import waiting_for
from domain.reading.inbox.times import AskingTimes

_SHOWN_TEXT = 200
_KEPT_WARNINGS = 50
_KEPT_CHILDREN = 100
_NEW_SESSION, _NO_FACTS = SessionState(), SessionFacts()


class FlowStepView(Wire):
    """A step as its file has it, and how it went: `runs` is how often it began."""

    index: int
    type: StepKind
    label: str = ""
    depth: int = 0
    agent_type: str = ""
    identifier: str = ""
    text: str = ""
    runs: int = 0
    outcome: str = ""
    answer: str = ""


class FlowChildView(Wire):
    """A run of another flow that a step began; `end` is how it stood when it was heard of last."""

    run_id: StreamId
    flow_name: str
    step_index: int
    end: ChildEnd | None = None
    reason: str = ""


class OpenFlowRequest(Wire):
    """What a step asks a person; `signal_lines` are the commands that answer it, by option."""

    request: HumanRequest
    content_hash: str
    signal_lines: dict[str, str] = {}


class FlowRunView(Wire):
    """A run with all that a person looks at first; `position` is the journal's at that moment.

    `run_id` is its conversation's id as well. `signal_lines` are of what else can be said now,
    `children` the newest runs that its steps began, `parent` the run that began it.
    """

    run_id: StreamId
    flow_name: str
    title: str
    status: str
    reason: str = ""
    waiting_for: str = ""
    execution: int = 1
    place: FlowPlace | None = None
    total_steps: int = 0
    repository: str = ""
    folder: str = ""
    base: str = ""
    branch: str = ""
    flow_path: str = ""
    flow_hash: str = ""
    agents: dict[str, ChosenAgent] = {}
    steps: tuple[FlowStepView, ...] = ()
    conversations: tuple[FlowConversationView, ...] = ()
    children: tuple[FlowChildView, ...] = ()
    parent: StreamId | None = None
    outputs: dict[str, StepOutput] = {}
    request: OpenFlowRequest | None = None
    questions: tuple[OpenQuestion, ...] = ()
    rules: tuple[Rule, ...] = ()
    warnings: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    is_archived: bool = False
    opened_at: datetime | None = None
    changed_at: datetime | None = None
    position: int = 0
    signal_lines: dict[str, str] = {}


class FlowRunFold:
    """One run, rebuilt from the events of its streams in journal order."""

    def __init__(self, run_id: str) -> None:
        self.state = FlowState(run_id=StreamId(run_id))
        self.position = 0
        self._sessions: dict[str, SessionState] = {}
        self._facts: dict[str, SessionFacts] = {}
        self._asked_at: dict[str, datetime] = {}
        self.asked = AskingTimes()
        self._runs: dict[int, int] = {}
        self._ends: dict[int, FlowStepEnded] = {}
        self._children: dict[str, FlowChildView] = {}
        self._warnings: list[str] = []
        self._times: tuple[datetime, datetime] | None = None

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event; one that was folded before is passed over."""
        event, stream = journaled.event, journaled.event.stream
        if journaled.position <= self.position or thread_of(stream) != self.state.run_id:
            return
        self.position = journaled.position
        self._times = (self._times[0] if self._times else event.at, event.at)
        if is_terminal(stream):
            return
        self.asked.note(event)
        if stream == self.state.run_id:
            self._add_own(event)
            return
        if isinstance(event.body, QuestionAsked):
            self._asked_at[event.body.question.question_id] = event.at
        self._facts[stream] = self._facts.get(stream, _NO_FACTS).after(event.body)
        before = self._sessions.get(stream, _NEW_SESSION)
        self._sessions[stream] = sessions.evolve(before, event.body)

    def _add_own(self, event: Event) -> None:
        self.state = evolve(self.state, event.body)
        match event.body:
            case FlowStepStarted(position=position, place=place):
                if position == self._begins(place.step_index):
                    self._runs[place.step_index] = self._runs.get(place.step_index, 0) + 1
            case FlowStepEnded(place=place) as ended:
                self._ends[place.step_index] = ended
            case FlowChildStarted() | FlowChildEnded() as child:
                self._note_child(child)
            case FlowChildRenumbered(old=old, run_id=run_id) if old in self._children:
                moved = self._children.pop(old).model_copy(update={"run_id": run_id})
                self._children[run_id] = moved
            case CommandRejected(command=command, reason=reason):
                self._warn(f"the signal {command} was refused: {reason}")
            case ResourceWarned(message=message):
                self._warn(message)
            case _:
                pass

    def _begins(self, index: int) -> int | None:
        """Return where a step of a file begins, which may be several of the run."""
        steps = enumerate(self.state.definition.steps)
        return next((at for at, step in steps if step.index == index), None)

    def _note_child(self, child: FlowChildStarted | FlowChildEnded) -> None:
        ended = child if isinstance(child, FlowChildEnded) else None
        self._children[child.run_id] = FlowChildView(
            run_id=child.run_id,
            flow_name=child.flow_name,
            step_index=child.place.step_index,
            end=ended.end if ended else None,
            reason=ended.reason if ended else "",
        )
        for run_id in list(self._children)[:-_KEPT_CHILDREN]:
            del self._children[run_id]

    def _warn(self, words: str) -> None:
        self._warnings = [*self._warnings, words][-_KEPT_WARNINGS:]

    def view(self) -> FlowRunView | None:
        """Return the run, None before it began."""
        state, times = self.state, self._times
        if not state.branch or times is None:
            return None
        asked = self._questions()
        return FlowRunView(
            run_id=state.run_id,
            flow_name=state.definition.name,
            status="waiting" if asked and state.status.is_at_work else state.shown_status,
            waiting_for=waiting_for(state) or (asked[0].question.phrase if asked else ""),
            total_steps=state.definition.total,
            flow_path=state.definition.path,
            flow_hash=state.definition.content_hash,
            steps=tuple(self._steps()),
            conversations=tuple(self._conversations()),
            children=tuple(self._children.values()),
            parent=state.parent.run_id if state.parent else None,
            request=_asked(state),
            questions=asked,
            rules=self._rules(),
            warnings=tuple(self._warnings),
            files=self._files(),
            opened_at=times[0],
            changed_at=times[1],
            position=self.position,
            **{name: getattr(state, name) for name in _SAME},
        )

    def _steps(self) -> list[FlowStepView]:
        definition, seen = self.state.definition, set[int]()
        found: list[FlowStepView] = []
        for position, step in enumerate(definition.steps):
            if step.index in seen:
                continue  # an end that the file does not write, or more of the same step
            seen.add(step.index)
            slot, ended = slot_of(step), self._ends.get(step.index)
            found.append(
                FlowStepView(
                    index=step.index,
                    type=step.kind,
                    label=step.label,
                    depth=len(around(definition.steps, position)),
                    agent_type=slot.agent_type if slot else "",
                    identifier=slot.identifier if slot else "",
                    text=_text_of(step)[:_SHOWN_TEXT],
                    runs=self._runs.get(step.index, 0),
                    outcome=ended.outcome if ended else "",
                    answer=ended.answer if ended else "",
                )
            )
        return found

    def _conversations(self) -> list[FlowConversationView]:
        known = self.state.conversations
        return [shown(each, self._facts.get(each.session_id, _NO_FACTS)) for each in known]

    def _questions(self) -> tuple[OpenQuestion, ...]:
        found: list[OpenQuestion] = []
        for name, session in self._sessions.items():
            found += open_in(
                session.questions, name, {name: session.conversation.agent}, self._asked_at
            )
        return tuple(found)

    def _rules(self) -> tuple[Rule, ...]:
        live = [s.questions.rules for s in self._sessions.values() if not s.is_closed]
        kept = (self.state.remembered.rules, *live)
        return tuple(rule for rules in kept for rule in rules.values())

    def _files(self) -> tuple[str, ...]:
        names = (name for session in self._sessions.values() for name in session.files)
        return tuple(dict.fromkeys(names))


_SAME = (
    *("title", "reason", "execution", "place", "repository", "folder", "base", "branch"),
    *("agents", "outputs", "is_archived"),
)
"""What a view has under the name that the state has it under."""


def _asked(state: FlowState) -> OpenFlowRequest | None:
    request = state.request
    return OpenFlowRequest(request=request, content_hash=request.content_hash) if request else None


def _text_of(step: FlowStep) -> str:
    """Return what tells a step from others of its kind."""
    asked = step.condition
    if asked is not None:
        return asked.question or asked.command or f"output {asked.output_key}"
    flows = ", ".join(step.flow_names)
    return step.summary or step.command or step.question or flows or " / ".join(step.messages)
