"""Questions against a dumb list: asks, answers, duplicates, restarts and stops in any order."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.agents.agents import Prompt, SessionRole, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn, StopTurn
from domain.conversations.questions.commands import AskPermission, ForgetRule
from domain.conversations.questions.question import Asked, QuestionKind, Remember
from domain.conversations.questions.rules import MAX_OPEN
from domain.conversations.sessions.rules import OpenConversation, QueuePrompt, decide, fold
from domain.conversations.sessions.state import SessionState
from domain.core.errors import (
    AlreadyDecidedError,
    NotFoundError,
    NotShownError,
    TooManyQuestionsError,
    WrongStateError,
)
from domain.core.ids import TurnId
from domain.core.wire import Wire
from tests.domain.core.tank import NOW
from tests.domain.test_session_questions import OPTIONS, SESSION, answering
from tests.hypothesis_profiles import effort

TITLES = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"])
LABELS = {"always": True, "once": True, "no": False}


@dataclass
class Entry:
    """One question of the dumb model."""

    question_id: str
    title: str
    asker: str
    chosen: str = ""
    taken_by: str = ""
    is_over: bool = False

    @property
    def is_open(self) -> bool:
        return not self.chosen and not self.is_over


class QuestionMachine(RuleBasedStateMachine):
    """`requests` are those of the living process that wait or were answered, by their names."""

    @initialize()
    def open(self) -> None:
        self.state = SessionState()
        self.entries: list[Entry] = []
        self.rules: dict[str, tuple[str, bool]] = {}
        self.process, self.number, self.turn = 1, 0, 0
        self.requests: dict[str, str] = {}
        self.is_stopping = False
        self._take(OpenConversation(session_id=SESSION, role=SessionRole.CHAT, agent="a"))
        self._begin()

    def _begin(self) -> None:
        self.turn += 1
        self._take(QueuePrompt(key=f"p{self.turn}", prompt=Prompt()))
        self._take(BeginTurn())
        self.process, self.requests, self.is_stopping = self.process + 1, {}, False

    def _take(self, command: Wire) -> dict[str, Any]:
        decided = decide(self.state, command, NOW)
        self.state = fold(self.state, decided.events)
        return decided.answer.data

    @property
    def turn_id(self) -> TurnId:
        return TurnId(f"{SESSION}/turn-{self.turn}")

    def _ask(self, name: str, title: str) -> AskPermission:
        asked = Asked(
            kind=QuestionKind.PERMISSION, title=title, options=OPTIONS, scope=f"other: {title}"
        )
        return AskPermission(
            session_id=SESSION, turn_id=self.turn_id, asked=asked, asker=f"p{self.process}/{name}"
        )

    # --- the agent

    @rule(title=TITLES)
    def request(self, title: str) -> None:
        self.number += 1
        self._requested(str(self.number), title)

    @precondition(lambda self: bool(self.requests))
    @rule(data=st.data())
    def look_again(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.requests)))
        self._requested(name, self.requests[name])

    def _requested(self, name: str, title: str) -> None:
        expected = self._expected(name, title)
        command = self._ask(name, title)
        if isinstance(expected, type):
            with pytest.raises(expected):
                decide(self.state, command, NOW)
            return
        told = self._take(command)
        self.requests[name] = title
        if told["status"] == "waiting":
            assert expected is None
        elif told["status"] == "ruled":
            assert expected == ("rule", told["is_allowed"])
        else:
            assert expected == ("answer", OPTIONS[told["chosen"]].option_id)

    def _expected(self, name: str, title: str) -> Any:
        """Say what a request must be told, and do to the list what it does."""
        asker = f"p{self.process}/{name}"
        if self.is_stopping:
            return WrongStateError
        live = [e for e in self.entries if not e.is_over]
        answered = [e for e in live if e.chosen]
        for entry in answered:
            is_left = entry.asker == asker or not entry.asker.startswith(f"p{self.process}/")
            is_free = not entry.taken_by and is_left and entry.title == title
            if entry.taken_by == asker or is_free:
                entry.taken_by = asker
                return ("answer", entry.chosen)
        own = next((e for e in live if e.is_open and e.asker == asker), None)
        if title in self.rules:
            if own is not None:
                own.is_over = True
            return ("rule", self.rules[title][1])
        if own is not None:
            return None
        for entry in live:
            is_old = not entry.asker.startswith(f"p{self.process}/")
            if entry.is_open and entry.title == title and is_old:
                entry.asker = asker
                return None
        if sum(entry.is_open for entry in live) >= MAX_OPEN:
            return TooManyQuestionsError
        number = len(self.entries) + 1
        self.entries.append(Entry(f"session-1/question-{number}", title, asker))
        return None

    @rule()
    def the_agent_is_restarted(self) -> None:
        self.process, self.requests = self.process + 1, {}

    @rule()
    def the_workflow_continues_as_new(self) -> None:
        self.state = SessionState.model_validate_json(self.state.model_dump_json())

    # --- the person

    @precondition(lambda self: any(e.is_open for e in self.entries))
    @rule(data=st.data(), option=st.sampled_from(sorted(LABELS)), keep=st.booleans())
    def answer(self, data: st.DataObject, option: str, keep: bool) -> None:
        entry = data.draw(st.sampled_from([e for e in self.entries if e.is_open]))
        question = self.state.questions.open[entry.question_id]
        remember = Remember.SESSION if keep else Remember.ONCE
        command = answering(question, option, remember=remember)
        with pytest.raises(NotShownError):
            decide(self.state, command.model_copy(update={"content_hash": "other"}), NOW)
        self._take(command)
        assert not decide(self.state, command, NOW).events
        other = "no" if option == "once" else "once"
        with pytest.raises(AlreadyDecidedError):
            decide(self.state, command.model_copy(update={"option_id": other}), NOW)
        entry.chosen = option
        if keep:
            name = entry.question_id.replace("question", "rule")
            self.rules[entry.title] = (name, LABELS[option])

    @precondition(lambda self: bool(self.rules))
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        title = data.draw(st.sampled_from(sorted(self.rules)))
        name, _ = self.rules.pop(title)
        self._take(ForgetRule(rule_id=name))
        with pytest.raises(NotFoundError):
            decide(self.state, ForgetRule(rule_id=name), NOW)

    @precondition(lambda self: not self.is_stopping)
    @rule()
    def stop(self) -> None:
        self._take(StopTurn())
        self.is_stopping = True
        for entry in self.entries:
            entry.is_over = entry.is_over or entry.is_open

    @rule()
    def the_turn_ends(self) -> None:
        self._take(EndTurn(result=TurnResult(turn_id=self.turn_id)))
        for entry in self.entries:
            entry.is_over = True
        assert self.state.questions.open == {}
        self._begin()

    # --- always

    @invariant()
    def the_same_questions_are_open(self) -> None:
        expected = {e.question_id for e in self.entries if e.is_open}
        assert set(self.state.questions.open) == expected
        assert len(expected) <= MAX_OPEN

    @invariant()
    def an_answer_given_once_went_to_one_request(self) -> None:
        takers = [e.taken_by for e in self.entries if e.taken_by]
        assert len(takers) == len(set(takers))

    @invariant()
    def the_state_stays_small(self) -> None:
        assert len(self.state.model_dump_json()) < 128_000


TestQuestions = QuestionMachine.TestCase
TestQuestions.settings = effort(60, steps=40)
