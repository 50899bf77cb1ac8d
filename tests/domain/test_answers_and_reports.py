"""An answer and a report in the same moment: one counts, the agent is told which, no turn is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import PromptName, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn
from domain.conversations.questions.commands import AskDecision, OfferedOption
from domain.conversations.questions.question import QuestionKind
from domain.core.command import Answer
from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import PlanApproval
from domain.tasks import rules
from domain.tasks.agent_commands import ProposeTaskPlan, ReportBlocked, ReportDone
from domain.tasks.commands import OpenTask
from domain.tasks.state import Phase, TaskState
from tests.domain.core.tank import NOW
from tests.domain.test_session_questions import deciding

SESSION = SessionId("thread-x/task-1/session-1")
VERIFIED = "Verification runs when this turn ends"
OPEN = "a decision that you asked for is still open"
READ = "The person decided: B"
VOID = "that no longer counts"
PLAN = {"steps": ["Do it."]}


class Task:
    """A task's agent in its turns; `told` is what it has read, tools' answers and prompts."""

    def __init__(self, plan_approval: PlanApproval | None = None) -> None:
        self.state = TaskState()
        self.told: list[str] = []
        opening = OpenTask(
            task=PlannedTask(id=TaskId("task-1"), title="do it"),
            run=1,
            session_id=SESSION,
            agent="a",
            branch=None,
            max_retries=3,
            is_gate_automatic=True,
            plan_approval=plan_approval,
        )
        self.send(opening)
        self.begin()

    def send(self, command: Wire) -> Answer:
        decided = rules.decide(self.state, command, NOW)
        self.state = rules.fold(self.state, decided.events)
        return decided.answer

    def begin(self) -> None:
        self.told += [message.text for message in self.state.messages]
        self.send(BeginTurn())

    def end(self) -> None:
        self.send(EndTurn(result=TurnResult(turn_id=self.state.running_turn or "")))  # pyright: ignore[reportArgumentType]

    def _says(self, kind: type[Wire], **more: object) -> Answer:
        turn = {"session_id": self.state.running_session, "turn_id": self.state.running_turn}
        answer = self.send(kind.model_validate({**turn, **more}))
        self.told.append(answer.message)
        return answer

    def ask(self, which: str = "Which way?") -> Answer:
        options = tuple(OfferedOption(label=label) for label in "AB")
        return self._says(AskDecision, question=which, options=options, withdraws_report=True)

    def fetch(self) -> Answer:
        return self.ask()

    def report(self) -> Answer:
        return self._says(ReportDone, summary="did it", reads_answers=True)

    def block(self) -> Answer:
        return self._says(ReportBlocked, reason="no access", reads_answers=True)

    def propose(self) -> Answer:
        return self._says(ProposeTaskPlan, plan=PLAN, reads_answers=True)

    def answer(self) -> None:
        for question in list(self.state.questions.open.values()):
            self.send(deciding(question, "B"))

    @property
    def outcome(self) -> str:
        if self.state.attempts:
            return "verified"
        return "waits" if self.state.phase is Phase.WAITING else self.state.next_prompt


@pytest.mark.parametrize(
    ("acts", "words", "outcome"),
    [
        ("report", VERIFIED, "verified"),
        ("ask report", OPEN, "waits"),
        ("ask report answer", OPEN, PromptName.MESSAGE),
        ("ask answer report", READ, PromptName.REPORT_MISSING),
        ("ask answer report report", VERIFIED, "verified"),
        ("ask answer fetch report", VERIFIED, "verified"),
        ("ask report answer report", READ, PromptName.REPORT_MISSING),
        ("ask report answer report report", VERIFIED, "verified"),
        ("ask report answer fetch report", VERIFIED, "verified"),
        ("report ask", VOID, "waits"),
        ("report ask answer", VOID, PromptName.MESSAGE),
        ("report ask answer fetch", READ, PromptName.REPORT_MISSING),
        ("report ask answer report", READ, PromptName.REPORT_MISSING),
        ("report ask answer report report", VERIFIED, "verified"),
    ],
)
def test_the_agent_is_told_whether_its_report_counts_and_so_it_is(
    acts: str, words: str, outcome: str
):
    task = Task()
    for act in acts.split():
        getattr(task, act)()
    task.end()

    assert words in task.told[-1]
    assert task.outcome == outcome
    assert task.state.is_blocked is False


@pytest.mark.parametrize("act", ["report", "block"])
def test_what_is_not_taken_says_the_answer_and_what_to_do(act: str):
    task = Task()
    task.ask()
    task.answer()
    refused = getattr(task, act)()

    assert refused.is_refused
    assert "You asked: Which way?\n\nThe person decided: B" in refused.message
    assert refused.message.endswith(
        f"then call report_{'done' if act == 'report' else 'blocked'} again."
    )
    assert not getattr(task, act)().is_refused


def test_an_agent_that_is_blocked_beside_its_open_question_has_a_person_asked():
    task = Task()
    task.ask()

    assert not task.block().is_refused
    task.end()
    assert (task.state.phase, task.state.reason) == (Phase.WAITING, "no access")


@pytest.mark.parametrize(
    ("acts", "words", "phase"),
    [
        ("propose", "looked at then", Phase.AT_PLAN),
        ("ask propose", OPEN, Phase.WAITING),
        ("ask answer propose", READ, Phase.PLANNING),
        ("ask answer propose propose", "looked at then", Phase.AT_PLAN),
        ("propose ask", VOID, Phase.WAITING),
        ("propose ask answer fetch", READ, Phase.PLANNING),
        ("propose ask answer fetch propose", "looked at then", Phase.AT_PLAN),
    ],
)
def test_a_planner_of_a_task_is_told_whether_its_plan_counts(acts: str, words: str, phase: Phase):
    task = Task(PlanApproval.USER)
    for act in acts.split():
        getattr(task, act)()
    task.end()

    assert words in task.told[-1]
    assert task.state.phase is phase


ACTS = st.lists(st.sampled_from(["ask", "second", "answer", "report", "fetch"]), max_size=8)


@given(st.lists(ACTS, min_size=1, max_size=4))
def test_no_turn_and_no_answer_is_lost_on_an_agent_that_does_as_it_is_reported(
    turns: list[list[str]],
):
    task, late = Task(), 0
    for acts in [*turns, []]:
        for act in acts:
            task.ask("And which colour?") if act == "second" else getattr(task, act)()
        done = task.report()
        if done.is_refused and OPEN not in done.message:
            done = task.report()
        if len(acts) % 2:
            task.answer()  # in the last moment of the turn
        is_open = bool(task.state.questions.open)
        task.end()
        assert (task.outcome == "verified") is not done.is_refused
        if not done.is_refused:
            break
        late += 1
        assert (task.outcome == "waits") is is_open
        task.answer()
        task.begin()

    state, told = task.state, "\n".join(task.told)
    assert (state.nudges, len(state.attempts), state.turns) == (0, 1, late + 1)
    assert not state.questions.open_of(SESSION, QuestionKind.DECISION)
    asked = [given.title for given in state.questions.given.values()]
    assert all(f"You asked: {title}\n\nThe person decided: B" in told for title in asked)
