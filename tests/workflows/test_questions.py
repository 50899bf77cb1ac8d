"""Questions of agents on real workflows: asked, answered with a code, kept over restarts, remembered."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.acp.questions import Chosen, QuestionChannel, Questions
from adapters.acp.tool_calls import Request
from adapters.temporal import TemporalCommands
from adapters.tools.grants import Grant
from domain.agents.agents import AgentAnswer, AgentCall
from domain.agents.permissions import ToolUse
from domain.conversations.commands import OpenSession, SendMessage
from domain.conversations.questions.commands import (
    AnswerPermission,
    AskDecision,
    ForgetRule,
    OfferedOption,
)
from domain.conversations.questions.events import QuestionAsked
from domain.conversations.questions.question import Question, Remember
from domain.core.approval_commands import Decide
from domain.core.approvals import decision_code
from domain.core.errors import ForbiddenError, TreadleError
from domain.core.ids import SessionId
from queues import workers
from tests.fakes import FixedKey
from tests.played_agents import done, ended
from tests.workflows.conftest import House

ONE = {"tasks": [{"id": "task-1", "title": "one"}]}
CHAT = {"is_planned": False}
OPTIONS = [
    {"optionId": "once", "name": "Once", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
DEPLOY = Request(
    use=ToolUse(kind="other", title="Deploy"),
    call={"rawInput": {"where": "production"}},
    options=OPTIONS,
    answer=None,
)


class Asker:
    """Plays agents that ask for one permission in each turn."""

    def __init__(self, house: House, wait_seconds: float = 60.0) -> None:
        self.chosen: list[Chosen] = []
        self._desk = QuestionChannel(house.door, house.journal, wait_seconds=wait_seconds)

    async def __call__(self, call: AgentCall) -> AgentAnswer:
        turn = call.turn
        if turn.role == "planner":
            return ended()
        grant = Grant(turn.session_id, turn.owner, turn.thread_id, turn.role)
        grant.turn_id = turn.turn_id
        slept: list[TreadleError] = []
        chosen = await Questions(self._desk, grant, slept.append).ask(DEPLOY)
        for error in slept:
            raise error
        self.chosen.append(chosen)
        return done() if turn.role == "task" else ended()


async def question(house: House, stream: str, number: int = 1) -> Question:
    asked = await house.seen(stream, "question_asked", number=number)
    assert isinstance(asked.body, QuestionAsked)
    return asked.body.question


def answering(asked: Question, option: str = "once", **more: object) -> AnswerPermission:
    said = {"question_id": asked.question_id, "option_id": option, "by": "ann"}
    return AnswerPermission.model_validate({**said, "content_hash": asked.content_hash, **more})


async def start_task(house: House) -> str:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    return f"{thread.id}/task-1"


async def test_a_permission_waits_for_a_person_and_reaches_the_agent(house: House) -> None:
    house.runner.play = play = Asker(house)
    task = await start_chat(house)
    asked = await question(house, task)
    waits = house.journal.shown[task].waiting_for
    await house.send(task, answering(asked, "no"))
    await house.seen(task, "turn_ended")
    await house.seen(task, "question_answered")  # its turn may be told of before

    assert waits == "permission: Deploy"
    assert play.chosen == [Chosen("no", "permission for 'Deploy': 'No' by ann")]
    assert house.journal.shown[task].waiting_for == ""


async def start_chat(house: House) -> str:
    thread = await house.open(**CHAT)
    return f"{thread.id}/session-1"


async def test_an_answer_without_its_code_changes_nothing(house: House) -> None:
    house.runner.play = Asker(house)
    chat = await start_chat(house)
    asked = await question(house, chat)
    with pytest.raises(ForbiddenError):
        await house.door.send(chat, answering(asked, code="x").model_copy(update={"code": "wrong"}))
    await house.client.get_workflow_handle(chat).signal(
        "answer_permission", answering(asked).model_dump(mode="json")
    )
    await house.seen(chat, "command_rejected")

    assert "question_answered" not in house.journal.kinds(chat)


async def test_a_question_is_answered_while_no_worker_lives_and_the_agent_gets_it(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    """The answer comes as a signal, as a person gives it with Temporal's own command line."""
    house = House(server.client, tmp_path)
    house.runner.play = Asker(house)
    async with working(house):
        chat = await start_chat(house)
        asked = await question(house, chat)
    handle = house.client.get_workflow_handle(chat)
    await handle.signal("answer_permission", sealed(chat, answering(asked)))
    house.runner.play = play = Asker(house)
    async with working(house):
        await house.seen(chat, "turn_ended")
        await handle.terminate()
        await house.client.get_workflow_handle(chat.rpartition("/")[0]).terminate()

    assert [chosen.option_id for chosen in play.chosen] == ["once"]
    assert house.journal.kinds(chat).count("question_asked") == 1


@asynccontextmanager
async def working(house: House) -> AsyncGenerator[None]:
    shared, local = workers(house.client, house.ports(), "test", max_turns=8)
    async with shared, local:
        yield


def sealed(workflow_id: str, command: AnswerPermission) -> dict[str, object]:
    code = decision_code(b"test key", workflow_id, command.request, command.choice, command.content)
    return {**command.model_dump(mode="json", exclude_unset=True), "code": code}


async def test_a_turn_that_waits_long_gives_its_slot_up_and_is_woken(house: House) -> None:
    house.runner.play = Asker(house, wait_seconds=0.3)
    task = await start_task(house)
    asked = await question(house, task)
    await house.seen(task, "turn_slept")
    house.runner.play = play = Asker(house)
    await house.send(task, answering(asked))
    await house.seen(task, "gate_opened")

    assert [chosen.option_id for chosen in play.chosen] == ["once"]
    assert [call.turn.refusals for call in house.runner.calls if call.turn.role == "task"] == [0, 1]


class Decider:
    """Plays an agent that leaves a decision to the person and ends its turn."""

    def __init__(self, house: House) -> None:
        self.prompts: list[str] = []
        self.answers: list[str] = []
        self._house = house

    async def __call__(self, call: AgentCall) -> AgentAnswer:
        turn = call.turn
        if turn.role != "task":
            return ended()
        self.prompts.append(turn.prompt.fields.get("text", ""))
        if self.answers:
            return done()
        options = (OfferedOption(label="A"), OfferedOption(label="B"))
        ask = AskDecision(
            session_id=turn.session_id, turn_id=turn.turn_id, question="Which?", options=options
        )
        self.answers.append((await self._house.door.send(turn.owner, ask)).message)
        return done()


async def test_a_task_waits_for_a_decision_and_goes_on_with_it(house: House) -> None:
    house.runner.play = play = Decider(house)
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    asked = await question(house, task)
    await house.seen(task, "turn_ended")
    chosen = Decide(
        decision_id=asked.question_id, content_hash=asked.content_hash, selections=("B",)
    )
    await TemporalCommands(house.client, FixedKey()).send(task, chosen)
    await house.seen(task, "gate_opened")

    assert "has not answered yet" in play.answers[0]
    assert play.prompts[-1].endswith("The person decided: B")


async def test_what_counts_in_the_thread_answers_its_other_sessions_until_it_is_forgotten(
    house: House,
) -> None:
    house.runner.play = play = Asker(house)
    chat = await start_chat(house)
    thread = chat.rpartition("/")[0]
    await house.send(chat, answering(await question(house, chat), remember=Remember.THREAD))
    await house.seen(thread, "rule_remembered")
    await house.send(thread, OpenSession(by="ann"))
    await house.send(thread, SendMessage(text="go", session_id=SessionId(f"{thread}/session-2")))
    await house.seen(f"{thread}/session-2", "turn_ended")
    await house.send(thread, ForgetRule(rule_id="session-1/rule-1"))
    await house.send(thread, SendMessage(text="go", session_id=SessionId(f"{thread}/session-2")))
    again = await question(house, f"{thread}/session-2")

    assert [chosen.note for chosen in play.chosen][1].endswith("allowed by session-1/rule-1 of ann")
    assert again.title == "Deploy"
