"""Flows written by hand, and a run of one whose agents, commands and people answer at once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from domain.conversations.reports import EndSessionTurn
from domain.core.directories.commands import FreeDirectory
from domain.core.event import EventBody
from domain.core.wire import Wire
from domain.flows.commands import EndCommand, EndWait, OpenFlow
from domain.flows.definition import Condition, FlowDefinition, FlowStep, Slot, StepKind
from domain.flows.effects import GrantDirectory, RunCommand, RunTurn, WaitUntil
from domain.flows.events import ChosenAgent, FlowStepEnded, FlowStepStarted
from domain.flows.person_commands import AnswerFlow
from domain.flows.rules import decide, effects, evolve
from domain.flows.state import FlowState
from domain.verification.steps import StepResult

NOW = datetime(2026, 11, 22, tzinfo=UTC)
WRITER = Slot(agent_type="coder", identifier="main")
JUDGE = Slot(agent_type="judge", identifier="main")


class FlowText:
    """Builds a definition; a loop and a branch close themselves."""

    def __init__(self) -> None:
        self.steps: list[FlowStep] = []
        self.total = 0

    def add(self, kind: StepKind, **more: object) -> "FlowText":
        self.steps.append(FlowStep(kind=kind, index=self.total, **more))
        self.total += 1
        return self

    def llm(self, *messages: str, slot: Slot = WRITER, **more: object) -> "FlowText":
        return self.add(StepKind.LLM, slot=slot, messages=messages or ("go",), **more)

    def judge(self, kind: StepKind = StepKind.BREAK, *, on: bool = True) -> "FlowText":
        return self.add(kind, on=on, condition=Condition(slot=JUDGE, question="done?"))

    def loop(self, inner: Callable[["FlowText"], object], limit: int | None = None) -> "FlowText":
        start = len(self.steps)
        self.add(StepKind.START_LOOP, max_iterations=limit)
        inner(self)
        self._end(start, StepKind.END_LOOP)
        return self

    def branch(
        self, then: Callable[["FlowText"], object], other: Callable[["FlowText"], object]
    ) -> "FlowText":
        start = len(self.steps)
        self.judge(StepKind.IF)
        then(self)
        between = self._end(start, StepKind.ELSE)
        other(self)
        self._end(between, StepKind.END_IF)
        return self

    def _end(self, start: int, kind: StepKind) -> int:
        end = len(self.steps)
        index = self.steps[start].index
        self.steps.append(FlowStep(kind=kind, index=index, position_of_end=start))
        self.steps[start] = self.steps[start].model_copy(update={"position_of_end": end})
        return end

    def flow(self, name: str = "paper") -> FlowDefinition:
        return FlowDefinition(name=name, steps=tuple(self.steps), total=self.total)


class FlowRun:
    """A run of the rules alone."""

    def __init__(self, definition: FlowDefinition) -> None:
        self.state = FlowState()
        self.now = NOW
        self.events: list[EventBody] = []
        agents = {name: ChosenAgent(agent="fake") for name in ("coder", "judge")}
        self.do(
            OpenFlow(
                run_id="flow-paper-1",
                title="Flow: paper",
                definition=definition,
                agents=agents,
                repository="/repo",
                folder="",
                base="0" * 40,
                branch="treadle/flow-paper-1",
                host="here",
            )
        )

    def do(self, command: Wire) -> None:
        for event in decide(self.state, command, self.now).events:
            self.events.append(event)
            self.state = evolve(self.state, event)

    def started(self) -> list[FlowStepStarted]:
        return [e for e in self.events if isinstance(e, FlowStepStarted)]

    def ended(self) -> list[FlowStepEnded]:
        return [e for e in self.events if isinstance(e, FlowStepEnded)]

    def indexes(self) -> list[int]:
        return [e.place.step_index for e in self.started()]

    def say(self, text: str = "", **more: object) -> None:
        """End the turn that is under way."""
        conversation = self.state.conversation
        assert conversation is not None
        session, key = conversation.session_id, self.state.prompt_key
        self.do(EndSessionTurn(session_id=session, turn=1, prompt_key=key, text=text, **more))

    def answer(self, word: str) -> None:
        self.say(f'{{"answer": "{word}"}}')

    def run_command(
        self, output: str = "", *, passed: bool = True, exit_code: int | None = None
    ) -> None:
        result = StepResult(step_id="s", passed=passed, output=output, exit_code=exit_code)
        visit, turn_id = self.state.visits, self.state.holding
        self.do(EndCommand(visit=visit, result=result))
        self.do(FreeDirectory(turn_id=turn_id))

    def go(self, word: str) -> bool:
        """Have what is under way end: judges answer with a word. Tells whether anything was."""
        for effect in effects(self.state):
            match effect:
                case RunTurn() if self.state.doing and self.state.doing.condition:
                    self.answer(word)
                case RunTurn():
                    self.say("did it")
                case RunCommand():
                    self.run_command(passed=word == "yes", exit_code=0 if word == "yes" else 1)
                case WaitUntil(at=at):
                    self.now = max(self.now, at) + timedelta(milliseconds=1)
                    self.do(EndWait(visit=self.state.visits))
                case GrantDirectory():
                    continue
                case _:
                    continue
            return True
        if (asked := self.state.request) is not None:
            option = asked.options[0] if asked.options else ""
            hashed = asked.content_hash
            self.do(
                AnswerFlow(
                    request_id=asked.request_id, content_hash=hashed, option=option, text="well"
                )
            )
            return True
        return False
