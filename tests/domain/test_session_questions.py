"""Questions of a session's agent: asked, met again, answered once, remembered, withdrawn."""

import pytest

from domain.agents.agents import Prompt, SessionRole, TurnResult
from domain.conversations.commands import BeginTurn, Close, EndTurn, SendMessage, StopTurn
from domain.conversations.questions.commands import (
    AnswerPermission,
    AskDecision,
    AskPermission,
    ForgetRule,
    OfferedOption,
)
from domain.conversations.questions.question import (
    Asked,
    Question,
    QuestionKind,
    QuestionOption,
    Remember,
)
from domain.conversations.questions.rules import MAX_OPEN
from domain.conversations.sessions import rules
from domain.conversations.sessions.rules import OpenConversation, QueuePrompt
from domain.conversations.sessions.state import SessionState
from domain.core.approval_commands import Decide
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
    TooManyQuestionsError,
    WrongStateError,
)
from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire
from tests.domain.core.tank import NOW

SESSION = SessionId("thread-x/session-1")
TURN = TurnId("thread-x/session-1/turn-1")
OPTIONS = (
    QuestionOption(option_id="always", label="Always", kind="allow_always"),
    QuestionOption(option_id="once", label="Once", kind="allow_once"),
    QuestionOption(option_id="no", label="No", kind="reject_once"),
)


class Session:
    """A session at work; each thing that is told is decided and folded."""

    def __init__(self) -> None:
        self.state = SessionState()
        self.kinds: list[str] = []
        self.tell(OpenConversation(session_id=SESSION, role=SessionRole.CHAT, agent="a"))
        self.tell(QueuePrompt(key="first", prompt=Prompt()))
        self.tell(BeginTurn())
        self.kinds.clear()

    def tell(self, command: Wire) -> dict[str, object]:
        decided = rules.decide(self.state, command, NOW)
        self.state = rules.fold(self.state, decided.events)
        self.kinds += [event.kind for event in decided.events]
        return {**decided.answer.data, "message": decided.answer.message}

    def ask(self, title: str = "npm publish", asker: str = "p1/1", **more: object) -> str:
        return str(self.tell(asking(title, asker, **more))["status"])

    def answer(self, option: str = "once", **more: object) -> dict[str, object]:
        question = self.only
        return self.tell(answering(question, option, **more))

    @property
    def only(self) -> Question:
        return next(iter(self.state.questions.open.values()))


def asking(title: str, asker: str, **more: object) -> AskPermission:
    asked = Asked(
        kind=QuestionKind.PERMISSION,
        title=title,
        options=OPTIONS,
        scope=f"execute: {title}",
        **more,  # pyright: ignore[reportArgumentType]
    )
    return AskPermission(session_id=SESSION, turn_id=TURN, asked=asked, asker=asker)


def answering(question: Question, option: str, **more: object) -> AnswerPermission:
    return AnswerPermission(
        question_id=question.question_id,
        option_id=option,
        content_hash=question.content_hash,
        by="ann",
        **more,  # pyright: ignore[reportArgumentType]
    )


def which(question: str = "Which database?", labels: str = "A B") -> AskDecision:
    options = tuple(OfferedOption(label=label) for label in labels.split())
    return AskDecision(session_id=SESSION, turn_id=TURN, question=question, options=options)


def deciding(question: Question, *labels: str) -> Decide:
    shown = question.content_hash
    return Decide(decision_id=question.question_id, content_hash=shown, selections=labels)


def ended(**more: object) -> EndTurn:
    return EndTurn(result=TurnResult(turn_id=TURN, **more))  # pyright: ignore[reportArgumentType]


@pytest.fixture
def session() -> Session:
    return Session()


def test_a_request_waits_until_a_person_chooses_one_of_the_agents_options(session: Session):
    assert session.ask() == "waiting"
    session.answer("always")
    told = session.tell(asking("npm publish", "p1/1"))

    assert (told["status"], told["chosen"]) == ("answered", 0)
    assert session.kinds == ["question_asked", "question_answered", "answer_taken"]


def test_an_agent_that_was_restarted_meets_its_question(session: Session):
    session.ask(asker="p1/1")
    session.ask(asker="p2/1")

    assert session.kinds == ["question_asked", "question_asked_again"]
    session.answer()
    assert session.ask(asker="p2/1") == "answered"


def test_an_answer_that_came_while_the_agent_was_away_is_its_next_ones(session: Session):
    session.ask(asker="p1/1")
    session.answer()

    assert session.ask(asker="p2/7") == "answered"
    assert session.kinds.count("question_asked") == 1


def test_an_answer_serves_one_request_however_often_that_asks(session: Session):
    session.ask(asker="p1/1")
    session.answer()

    assert [session.ask(asker="p1/1") for _ in range(3)] == ["answered"] * 3
    assert session.ask(asker="p1/2") == "waiting"


def test_two_same_requests_of_one_process_are_two_questions(session: Session):
    session.ask(asker="p1/1")
    session.ask(asker="p1/2")
    session.answer()

    assert session.ask(asker="p1/3") == "waiting"
    assert session.ask(asker="p1/2") == "waiting"
    assert session.ask(asker="p1/1") == "answered"


def test_an_answer_serves_no_other_question(session: Session):
    session.ask("npm publish", detail="1.0")
    first = session.only
    session.answer()

    assert session.ask("npm publish", "p2/1", detail="2.0") == "waiting"
    with pytest.raises(NotShownError):
        session.tell(
            answering(session.only, "once").model_copy(update={"content_hash": first.content_hash})
        )


def test_a_repeated_answer_is_answered_alike_and_another_one_refused(session: Session):
    session.ask()
    question = session.only
    first = session.answer("no")
    assert session.tell(answering(question, "no")) == first
    with pytest.raises(AlreadyDecidedError):
        session.tell(answering(question, "once"))
    assert session.kinds.count("question_answered") == 1


def test_what_is_none_of_the_options_is_refused_with_those(session: Session):
    session.ask()
    with pytest.raises(InvalidError, match=r"once \(Once\)"):
        session.answer("yes")
    with pytest.raises(NotFoundError, match="session-1/question-1"):
        session.tell(answering(session.only.model_copy(update={"question_id": "x"}), "once"))


def test_a_remembered_answer_asks_nobody_again_until_it_is_forgotten(session: Session):
    session.ask()
    session.answer("once", remember=Remember.SESSION)
    assert session.ask(asker="p1/1") == "answered"
    assert session.ask(asker="p1/2") == "ruled"
    assert session.ask("rm -rf", asker="p1/3") == "waiting"

    session.tell(ForgetRule(rule_id="session-1/rule-1"))
    assert session.ask(asker="p1/4") == "waiting"


def test_a_remembered_answer_settles_what_waits_for_the_same(session: Session):
    session.ask(asker="p1/1")
    session.ask(asker="p1/2")
    session.answer("no", remember=Remember.SESSION)

    assert session.ask(asker="p1/2") == "ruled"
    assert session.state.questions.open == {}


def test_what_counts_in_the_thread_is_for_the_thread_to_remember(session: Session):
    session.ask()
    session.answer(remember=Remember.THREAD)

    assert [rule.scope for rule in session.state.questions.shared] == ["execute: npm publish"]
    assert session.state.questions.rules == {}


def test_a_hostile_agent_asks_a_bounded_number_of_questions(session: Session):
    for n in range(MAX_OPEN):
        session.ask(f"question {n}", f"p1/{n}")
    with pytest.raises(TooManyQuestionsError):
        session.ask("one more", "p1/100")
    with pytest.raises(InvalidError):
        session.tell(asking("x", "p1/101").model_copy(update={"asked": no_options()}))


def no_options() -> Asked:
    return Asked(kind=QuestionKind.PERMISSION, title="x", options=())


def test_a_turns_end_withdraws_its_permissions_and_leaves_its_decisions(session: Session):
    session.ask()
    session.tell(which())
    session.tell(ended())

    assert session.kinds[-2:] == ["turn_ended", "question_withdrawn"]
    assert session.only.kind is QuestionKind.DECISION


@pytest.mark.parametrize("ending", [StopTurn(), Close(), ended(failure="it died")])
def test_a_stop_a_close_and_a_death_withdraw_everything(session: Session, ending: Wire):
    session.ask()
    session.tell(which())
    session.tell(ending)

    assert session.state.questions.open == {}
    with pytest.raises(WrongStateError):
        session.ask("another", "p1/9")


def test_a_decision_is_reported_by_the_same_call_while_the_turn_runs(session: Session):
    first = session.tell(which())
    session.tell(deciding(session.only, "B"))
    again = session.tell(which())

    assert "has not answered" in str(first["message"])
    assert str(again["message"]).endswith("The person decided: B")
    session.tell(ended())
    assert session.state.conversation.messages == ()


def test_a_decision_that_was_not_fetched_is_the_next_message(session: Session):
    session.tell(which())
    session.tell(deciding(session.only, "A"))
    session.tell(ended())

    assert [m.text[-1] for m in session.state.conversation.messages] == ["A"]


def test_a_decision_made_after_the_turn_is_the_next_message(session: Session):
    session.tell(which())
    session.tell(ended())
    session.tell(deciding(session.only, "A"))

    assert session.state.conversation.messages[0].text.startswith("You asked: Which database?")


def test_a_message_in_words_of_their_own_answers_a_decision(session: Session):
    session.tell(which())
    session.tell(ended())
    session.tell(SendMessage(text="neither: use C"))

    assert session.kinds[-2:] == ["question_withdrawn", "message_queued"]


@pytest.mark.parametrize(
    "bad", [which(" "), which(labels="A"), which(labels="A A"), which("x" * 9999)]
)
def test_a_decision_that_a_person_could_not_make_is_refused_in_words(
    session: Session, bad: AskDecision
):
    with pytest.raises(InvalidError, match=r"question:|options:"):
        session.tell(bad)
