"""Requests for permission that policy does not answer: shown to the person, waited for, answered."""

import asyncio
from contextlib import suppress

import pytest

from adapters.acp.questions import QuestionChannel
from domain.agents.agents import Prompt, SessionRole, StopReason
from domain.conversations.commands import BeginTurn
from domain.conversations.questions.commands import AnswerPermission, AwaitAnswer, FindRule
from domain.conversations.questions.question import Question
from domain.conversations.sessions import rules
from domain.conversations.sessions.rules import OpenConversation, QueuePrompt
from domain.conversations.sessions.state import SessionState
from domain.core.command import Answer
from domain.core.errors import UnavailableError
from tests.adapters.agent_lab import Recorder, open_lab
from tests.domain.core.tank import NOW
from tests.fakes import MemoryJournal

SECONDS = 60


class Keeper:
    """A door to a session that keeps its questions by the real rules, without a workflow."""

    def __init__(self):
        self.state = SessionState()
        self.kinds = []
        self.rule = None
        self.is_away = False
        self.patience, self.looks = 0.05, 0
        self._changed = asyncio.Condition()

    async def begin(self, session_id, turn_id):
        opened = OpenConversation(session_id=session_id, role=SessionRole.CHAT, agent="scripted")
        for command in (opened, QueuePrompt(key="first", prompt=Prompt()), BeginTurn()):
            await self.tell(command)
        turn = self.state.turn.model_copy(update={"turn_id": turn_id})
        self.state = self.state.model_copy(update={"turn": turn})

    async def tell(self, command):
        decided = rules.decide(self.state, command, NOW)
        async with self._changed:
            self.state = rules.fold(self.state, decided.events)
            self.kinds += [event.kind for event in decided.events]
            self._changed.notify_all()
        return decided.answer

    async def send(self, _workflow_id, command):
        if self.is_away:
            raise UnavailableError("Temporal does not answer")
        if isinstance(command, FindRule):
            return self.rule or Answer(message="nothing")
        if isinstance(command, AwaitAnswer):
            with suppress(TimeoutError):
                async with asyncio.timeout(self.patience), self._changed:
                    self.looks += 1
                    self._changed.notify_all()
                    await self._changed.wait_for(lambda: self._version() != command.seen)
        return await self.tell(command)

    def _version(self):
        return self.state.questions.version

    async def asked(self, number=1) -> list[Question]:
        """Wait until so many questions are open."""
        async with self._changed, asyncio.timeout(SECONDS):
            await self._changed.wait_for(lambda: len(self.state.questions.open) >= number)
        return list(self.state.questions.open.values())

    async def looked(self, times):
        """Wait until answers were looked for so often."""
        async with self._changed, asyncio.timeout(SECONDS):
            await self._changed.wait_for(lambda: self.looks >= times)

    async def answer(self, question, option="once", **more):
        answer = AnswerPermission(
            question_id=question.question_id,
            option_id=option,
            content_hash=question.content_hash,
            **more,
        )
        return await self.tell(answer)


@pytest.fixture
async def keeper():
    return Keeper()


@pytest.fixture
async def lab(tmp_path, keeper):
    async with open_lab(tmp_path) as lab:
        lab.desk = QuestionChannel(keeper, MemoryJournal())
        lab.runner = lab.new_runner()
        yield lab


async def start(lab, keeper, *steps, role=SessionRole.TASK):
    lab.scenario(*steps, {"say": "${answer} ${option}"})
    call, record = lab.call(role=role), Recorder()
    await keeper.begin(lab.session_id, call.turn.turn_id)
    turn = asyncio.create_task(lab.runner.run_turn(call, record, lambda: None))
    return turn, record


ASK = {"ask": "Deploy", "kind": "other", "with": {"where": "production"}}


async def test_a_person_chooses_one_of_the_agents_own_options(lab, keeper):
    turn, record = await start(lab, keeper, ASK)
    (question,) = await keeper.asked()
    shown = [(o.option_id, o.label, o.kind) for o in question.options]
    await keeper.answer(question, "always")

    assert (await turn).text == "always always"
    assert shown[0] == ("always", "Always", "allow_always")
    assert (question.title, '"production"' in question.detail) == ("Deploy", True)
    assert record.notices() == ["permission for 'Deploy': 'Always' by a person"]


async def test_a_terminal_of_ours_is_never_put_to_the_person(lab, keeper):
    """Its argument is called `command`, as that of an agent's own shell."""
    ours = {"ask": "mcp__treadle__terminal_create", "kind": "other", "with": {"command": "top"}}
    turn, record = await start(lab, keeper, ours)

    assert (await turn).text == "allowed once"
    assert keeper.state.questions.open == {}
    assert record.notices() == ["permission for 'mcp__treadle__terminal_create': allowed once"]


async def test_two_questions_wait_at_once_and_are_answered_each_for_itself(lab, keeper):
    turn, _ = await start(lab, keeper, {"ask": ["Deploy a", "Deploy b"], "kind": "other"})
    by_title = {q.title: q for q in await keeper.asked(2)}
    await keeper.looked(5)  # nobody answers for a while
    await keeper.answer(by_title["Deploy b"], "no")
    await keeper.answer(by_title["Deploy a"], "once")

    assert (await turn).text == "allowed,refused once,no"


async def test_a_hundred_questions_are_bounded_and_refused_in_words(lab, keeper):
    titles = [f"Deploy {n}" for n in range(40)]
    turn, record = await start(lab, keeper, {"ask": titles, "kind": "other"})
    questions = await keeper.asked(6)

    def refused():
        return [n for n in record.notices() if "wait for the person already" in n]

    await record.until(lambda _event: len(refused()) == 34)
    for question in questions:
        await keeper.answer(question, "no")
    ended = await asyncio.wait_for(turn, SECONDS)
    assert (ended.stop_reason, len(refused())) == (StopReason.END_TURN, 34)
    assert not keeper.state.questions.open


@pytest.mark.parametrize(
    ("options", "shown", "said"),
    [
        ([{"optionId": "a", "name": "A", "kind": "allow_once"}] * 2, 2, "allowed a"),
        (
            [{"optionId": f"o{n}", "name": "x" * 900, "kind": "new"} for n in range(30)],
            20,
            "refused o0",
        ),
        ([{"optionId": "x\n" * 900, "name": "", "kind": "allow_once"}], 2, "allowed x\nx"),
    ],
)
async def test_odd_options_are_shown_as_far_as_they_are_bearable(lab, keeper, options, shown, said):
    turn, _ = await start(lab, keeper, {**ASK, "options": options})
    (question,) = await keeper.asked()
    await keeper.answer(question, question.options[0].option_id)

    assert len(question.options) == shown
    assert question.options[-1].option_id == "treadle-deny"
    assert (await turn).text.startswith(said)


@pytest.mark.parametrize("kinds", [(), ("reject_once", "allow_once"), ("allow_once", "new")])
async def test_without_options_nothing_is_asked_and_nothing_chosen(lab, keeper, kinds):
    options = [{"optionId": "o", "name": kind, "kind": kind} for kind in kinds]
    turn, record = await start(lab, keeper, {**ASK, "options": options})

    assert (await turn).text == "refused none"
    assert keeper.kinds.count("question_asked") == 0
    assert record.notices() == ["permission for 'Deploy': it offers no option to choose"]


async def test_a_large_input_is_shown_in_part_and_kept_whole(lab, keeper):
    turn, _ = await start(
        lab, keeper, {**ASK, "ask": "D" * 90_000, "with": {"text": "x\x1b" * 90_000}}
    )
    (question,) = await keeper.asked()
    await keeper.answer(question)
    await turn

    assert len(question.model_dump_json()) < 16_000
    assert "\x1b" not in question.detail
    whole = await lab.desk.journal.text(question.detail_ref)
    assert len(whole) > 180_000


async def test_what_cannot_be_written_is_asked_all_the_same_and_never_remembered(lab, keeper):
    turn, _ = await start(lab, keeper, {**ASK, "ask": "Deploy \x1b[2J"})
    (question,) = await keeper.asked()
    await keeper.answer(question)

    assert question.title == "Deploy \ufffd[2J"
    assert question.scope == ""
    assert (await turn).text == "allowed once"


async def test_what_the_thread_remembers_asks_nobody(lab, keeper):
    said = {"status": "ruled", "is_allowed": True, "words": "allowed by rule-1 of ann"}
    keeper.rule = Answer(message="", data=said)
    turn, record = await start(lab, keeper, ASK)

    assert (await turn).text == "allowed once"
    assert record.notices() == ["permission for 'Deploy': allowed by rule-1 of ann"]


async def test_an_agent_that_is_started_again_gets_the_answer_that_came_meanwhile(lab, keeper):
    turn, _ = await start(lab, keeper, ASK)
    (question,) = await keeper.asked()
    turn.cancel()
    await asyncio.wait({turn})
    await keeper.answer(question)
    call = lab.call(
        prompt="# Treadle: interrupted\n", role=SessionRole.TASK, agent_session=lab.agent_session
    )
    call = call.model_copy(
        update={"turn": call.turn.model_copy(update={"turn_id": keeper.state.running_turn})}
    )
    answer = await lab.runner.run_turn(call, Recorder(), lambda: None)

    assert answer.text.endswith("allowed once")
    assert keeper.kinds.count("question_asked") == 1


async def test_a_question_outlives_temporals_absence(lab, keeper):
    turn, _ = await start(lab, keeper, ASK)
    (question,) = await keeper.asked()
    keeper.is_away = True
    await keeper.answer(question)
    await asyncio.sleep(0)
    keeper.is_away = False

    assert (await turn).text == "allowed once"


async def test_a_stopped_turn_answers_its_agent_that_nothing_was_chosen(lab, keeper):
    turn, _ = await start(lab, keeper, ASK)
    await keeper.asked()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn


async def test_a_reader_is_refused_without_asking_anybody(lab, keeper):
    turn, record = await start(
        lab, keeper, {"ask": "Write a", "kind": "edit"}, role=SessionRole.PLANNER
    )

    assert (await turn).text == "refused no"
    assert keeper.kinds.count("question_asked") == 0
    assert record.notices() == ["permission for 'Write a': refused"]
