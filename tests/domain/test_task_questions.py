"""Questions of a task's agents: the task waits for a decision, and every end withdraws what is open."""

import pytest

from domain.agents.agents import SessionRole, TurnResult
from domain.conversations.commands import (
    BeginTurn,
    EndTurn,
    OpenSession,
    SendMessage,
    StopTurn,
    SwitchAgent,
)
from domain.conversations.effects import RunTurn
from domain.conversations.questions.commands import AskDecision, AskPermission, OfferedOption
from domain.conversations.questions.question import Asked, Question, QuestionKind
from domain.core.errors import WrongStateError
from domain.core.ids import SessionId, TaskId, TurnId
from domain.core.wire import Wire
from domain.plans.plan import PlannedTask
from domain.tasks import rules
from domain.tasks.agent_commands import ReportDone
from domain.tasks.commands import OpenTask
from domain.tasks.progress import progress_of
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from tests.domain.core.tank import NOW
from tests.domain.task_lab import todo
from tests.domain.test_session_questions import OPTIONS, answering, deciding

SESSION = SessionId("thread-x/task-1/session-1")


class Task:
    """A task at work; each thing that is told is decided and folded."""

    def __init__(self) -> None:
        self.state = TaskState()
        self.kinds: list[str] = []
        planned = PlannedTask(id=TaskId("task-1"), title="do it", description="all of it")
        opening = OpenTask(
            task=planned,
            run=1,
            session_id=SESSION,
            agent="a",
            branch=None,
            max_retries=3,
            is_gate_automatic=True,
        )
        self.tell(opening)
        self.tell(BeginTurn())
        self.kinds.clear()

    def tell(self, command: Wire) -> str:
        decided = rules.decide(self.state, command, NOW)
        self.state = rules.fold(self.state, decided.events)
        self.kinds += [event.kind for event in decided.events]
        return decided.answer.message

    @property
    def turn(self) -> TurnId:
        return self.state.running_turn or TurnId("")

    @property
    def only(self) -> Question:
        return next(iter(self.state.questions.open.values()))

    def ask(self, asker: str = "p1/1") -> str:
        asked = Asked(kind=QuestionKind.PERMISSION, title="publish", options=OPTIONS)
        ask = AskPermission(session_id=SESSION, turn_id=self.turn, asked=asked, asker=asker)
        return self.tell(ask)

    def decide(self) -> str:
        options = tuple(OfferedOption(label=label) for label in "AB")
        return self.tell(
            AskDecision(
                session_id=SESSION, turn_id=self.turn, question="Which way?", options=options
            )
        )

    def end(self, **more: object) -> str:
        result = TurnResult(turn_id=self.turn, **more)  # pyright: ignore[reportArgumentType]
        return self.tell(EndTurn(result=result))


@pytest.fixture
def task() -> Task:
    return Task()


def test_a_turn_that_leaves_a_decision_makes_the_task_wait_for_it(task: Task):
    task.decide()
    task.end()

    progress = progress_of(task.state)
    assert (task.state.phase, todo(task.state)) == (Phase.WAITING, None)
    assert progress is not None
    assert progress.asks == "decision: Which way?"


def test_a_report_of_an_older_history_beside_an_open_decision_is_told_what_it_is_worth(task: Task):
    task.decide()
    told = task.tell(ReportDone(session_id=SESSION, turn_id=task.turn, summary="did it"))
    task.end()

    assert "report again" in told
    assert task.state.phase is Phase.WAITING


def test_the_answer_is_the_agents_next_message(task: Task):
    task.decide()
    task.end()
    task.tell(deciding(task.only, "B"))

    assert task.state.phase is Phase.WORKING
    assert task.state.next_prompt == "message"
    assert task.state.messages[0].text.endswith("The person decided: B")


def test_a_report_of_an_older_history_beside_an_open_decision_waits_for_the_person(task: Task):
    task.decide()
    task.tell(ReportDone(session_id=SESSION, turn_id=task.turn, summary="done"))
    task.end()

    assert task.state.phase is Phase.WAITING
    assert task.state.attempts == ()


def test_an_answer_of_an_older_history_that_was_not_fetched_is_told_before_any_verification(
    task: Task,
):
    task.decide()
    task.tell(deciding(task.only, "A"))
    task.tell(ReportDone(session_id=SESSION, turn_id=task.turn, summary="done"))
    task.end()

    assert task.state.attempts == ()
    assert task.state.messages[0].text.endswith("A")


def test_a_fetched_answer_holds_nothing_up(task: Task):
    task.decide()
    task.tell(deciding(task.only, "A"))
    assert task.decide().endswith("The person decided: A")
    task.end()

    assert (task.state.messages, task.state.phase) == ((), Phase.WORKING)


def test_a_persons_own_words_answer_a_decision(task: Task):
    task.decide()
    task.end()
    task.tell(SendMessage(text="neither"))

    assert task.kinds[-2:] == ["question_withdrawn", "message_queued"]
    assert task.state.phase is Phase.WORKING


def test_words_to_another_session_leave_a_decision_open(task: Task):
    task.decide()
    task.end()
    task.tell(OpenSession(agent="b"))
    chat = list(task.state.conversations)[-1]
    task.tell(SendMessage(text="look around", session_id=chat))

    assert task.only.title == "Which way?"
    assert task.state.conversations[chat].role is SessionRole.CHAT


@pytest.mark.parametrize("ending", [Abort(), StopTurn()])
def test_a_stop_and_an_abort_withdraw_everything(task: Task, ending: Wire):
    task.ask()
    task.decide()
    task.tell(ending)

    assert task.state.questions.open == {}
    with pytest.raises(WrongStateError):
        task.ask("p1/2")


def test_an_agent_that_dies_takes_its_questions_with_it(task: Task):
    task.ask()
    task.decide()
    task.end(failure="killed")

    assert task.kinds[-3:] == ["task_ended", "question_withdrawn", "question_withdrawn"]


def test_a_turn_that_sleeps_holds_no_process_and_is_woken_by_an_answer(task: Task):
    task.ask()
    task.end(is_asleep=True)
    assert todo(task.state) is None
    task.tell(answering(task.only, "once"))

    again = todo(task.state)
    assert isinstance(again, RunTurn)
    assert again.refusals == 1
    assert task.ask("p2/1").startswith("'Once'")


def test_another_agent_wakes_a_sleeping_turn_and_asks_anew(task: Task):
    task.ask()
    task.end(is_asleep=True)
    task.tell(SwitchAgent(agent="b"))

    assert task.kinds[-2:] == ["agent_switched", "question_withdrawn"]
    assert isinstance(todo(task.state), RunTurn)
