"""What an agent is told whose process died or whose session is lost: never the same prompt twice."""

import base64
import re
from dataclasses import replace

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.turns import Agents, Turns
from domain.agents.agents import AgentAnswer, AgentCall, Prompt, PromptName, TurnResult
from domain.conversations.calls import TurnCall
from domain.conversations.events import AgentNotice, AgentSessionOpened, AgentUpdate, PromptSent
from domain.core.attachments import Attachment
from domain.core.errors import AgentDiedError, ContextFullError, RefusedByProviderError
from domain.core.ids import EventId
from tests import fakes, played_agents
from tests.activities.test_superseded import TakenOver
from tests.activities.test_turns import TURN

PRIMED = TURN.model_copy(update={"primer": Prompt(name=PromptName.COMPACTED)})


class Mortal(played_agents.PlayedRunner):
    """An agent that dies so often, and where it cannot open a session before that."""

    def __init__(self, deaths: int, *, opens: bool = True) -> None:
        super().__init__()
        self.deaths = deaths
        self.opens = opens

    async def run_turn(self, call: AgentCall, record, beat) -> AgentAnswer:
        self.calls.append(call)
        turn_id = call.turn.turn_id
        if self.opens:
            opened = AgentSessionOpened(turn_id=turn_id, agent_session=f"agent-{len(self.calls)}")
            await record(opened)
            await record(PromptSent(turn_id=turn_id, text=call.prompt))
        if len(self.calls) <= self.deaths:
            raise AgentDiedError(f"it was killed, {len(self.calls)}")
        return played_agents.done()


class Forgetful(played_agents.PlayedRunner):
    """An agent whose sessions are full: the earlier one only, or every one."""

    def __init__(self, *, always: bool = False) -> None:
        super().__init__()
        self.always = always

    async def run_turn(self, call: AgentCall, record, beat) -> AgentAnswer:
        self.calls.append(call)
        turn_id, session = call.turn.turn_id, call.agent_session
        name = session or f"agent-{len(self.calls)}"
        await record(
            AgentSessionOpened(turn_id=turn_id, agent_session=name, is_resumed=bool(session))
        )
        await record(PromptSent(turn_id=turn_id, text=call.prompt))
        if session or self.always:
            raise ContextFullError("the prompt is too long")
        return played_agents.done()


class AttemptLab:
    def __init__(self, runner: played_agents.PlayedRunner, fences=None, offers=None) -> None:
        self.journal = fakes.MemoryJournal()
        self.runner = runner
        self.turns = Turns(
            self.journal,
            fakes.PaperWorkspaces(),
            Agents(runner, fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1, offers=offers),
            fakes.PlainTemplates(),
            fences or fakes.OpenFences(),
        )

    async def run(self, turn=TURN, attempt: int = 1) -> TurnResult:
        environment = ActivityEnvironment()
        environment.info = replace(environment.default_info(), attempt=attempt)
        return await environment.run(self.turns.run_agent_turn, TurnCall(turn=turn))

    def said(self) -> list[str]:
        return [e.body.text for e in self.journal.events if isinstance(e.body, PromptSent)]


async def test_an_agent_that_was_killed_goes_on_in_its_session_within_the_turn():
    lab = AttemptLab(Mortal(deaths=2))

    result = await lab.run()

    assert result.failure is None
    assert [call.agent_session for call in lab.runner.calls] == [None, "agent-1", "agent-2"]
    assert [said.split(":")[0] for said in lab.said()] == ["message", "interrupted", "interrupted"]
    notices = [e.body.message for e in lab.journal.events if isinstance(e.body, AgentNotice)]
    first, second = notices
    assert first == "it was killed, 1\nStarting it again (attempt 2 of 3)."
    assert second.endswith("(attempt 3 of 3).")


async def test_one_that_dies_again_and_again_fails():
    lab = AttemptLab(Mortal(deaths=9))

    result = await lab.run()

    assert result.failure == "it was killed, 3"
    assert result.agent_session == "agent-3"
    assert len(lab.runner.calls) == 3


async def test_one_that_dies_while_it_reopens_its_session_gets_a_new_one():
    lab = AttemptLab(Mortal(deaths=2, opens=False))

    await lab.run(TURN.model_copy(update={"agent_session": "old"}))

    assert [call.agent_session for call in lab.runner.calls] == ["old", "old", None]


class Busy(played_agents.PlayedRunner):
    """An agent that is refused in mid task so often, in a session of its own or in ever new ones."""

    def __init__(self, refusals: int, *, forgets: bool = False) -> None:
        super().__init__()
        self.refusals = refusals
        self.forgets = forgets

    async def run_turn(self, call: AgentCall, record, beat) -> AgentAnswer:
        self.calls.append(call)
        turn_id = call.turn.turn_id
        known = None if self.forgets else call.agent_session
        name = known or f"agent-{len(self.calls)}"
        opened = AgentSessionOpened(turn_id=turn_id, agent_session=name, is_resumed=bool(known))
        await record(opened)
        text = call.prompt if known else call.fresh_prompt
        await record(PromptSent(turn_id=turn_id, text=text))
        await record(
            AgentUpdate(turn_id=turn_id, update={"sessionUpdate": "tool_call", "toolCallId": "1"})
        )
        if len(self.calls) <= self.refusals:
            raise RefusedByProviderError("429")
        return played_agents.done()


def told(lab):
    """What the prompts were, with whether they held the request."""
    return [(said.split(":")[0], "message:" in said) for said in lab.said()]


async def waited(lab, times, turn=TURN):
    """Run a turn with so many waits for its provider."""
    for number in range(times + 1):
        turn = turn.model_copy(update={"refusals": number, "is_urgent": True})
        result = await lab.run(turn)
        turn = turn.model_copy(update={"agent_session": result.agent_session})
    return result


async def test_a_session_that_began_with_its_prompt_does_not_get_it_again_after_a_wait():
    lab = AttemptLab(Busy(refusals=2))

    assert (await waited(lab, 2)).retry_at is None

    assert told(lab) == [("message", True), ("interrupted", False), ("interrupted", False)]
    work = [e for e in lab.journal.events if isinstance(e.body, AgentUpdate)]
    assert len(work) == 3, "no update is lost"


async def test_a_session_in_the_place_of_one_that_began_gets_the_whole_prompt_after_a_wait():
    lab = AttemptLab(Busy(refusals=2, forgets=True))

    await waited(lab, 2)

    assert told(lab) == [("message", True), ("interrupted", True), ("interrupted", True)]


async def test_after_a_wait_the_answers_since_are_reported():
    lab = AttemptLab(Busy(refusals=1))
    await lab.run()

    answered = {"refusals": 1, "is_urgent": True, "answered": "you may deploy"}
    answered["agent_session"] = "agent-1"
    await lab.run(TURN.model_copy(update=answered))

    assert "you may deploy" in lab.said()[-1]
    assert "message:" not in lab.said()[-1]


async def test_who_took_the_workspace_over_is_not_disturbed_by_another_try():
    lab = AttemptLab(Mortal(deaths=9), TakenOver())

    with pytest.raises(ApplicationError) as caught:
        await lab.run()

    assert caught.value.type == "superseded"
    assert len(lab.runner.calls) == 1


async def test_a_retry_goes_on_in_the_session_of_the_last_try():
    lab = AttemptLab(Mortal(deaths=1))
    await lab.run()
    ended = EventId(f"{TURN.turn_id}:ended")
    lab.journal.events = [e for e in lab.journal.events if e.id != ended]

    await lab.run(attempt=2)

    assert lab.runner.calls[-1].agent_session == "agent-2"
    assert lab.runner.calls[-1].prompt.startswith("interrupted:")


@pytest.mark.parametrize(("session", "said"), [("old", "message:"), (None, "compacted:")])
async def test_what_is_said_depends_on_whether_the_agent_knows_the_earlier_turns(session, said):
    lab = AttemptLab(played_agents.PlayedRunner())

    await lab.run(PRIMED.model_copy(update={"agent_session": session}))

    [call] = lab.runner.calls
    assert call.prompt.startswith(said)
    assert call.fresh_prompt.startswith("compacted:")


async def test_a_new_session_in_the_place_of_a_lost_one_is_told_all_and_of_the_interruption():
    lab = AttemptLab(Mortal(deaths=1))

    await lab.run(PRIMED.model_copy(update={"agent_session": "old"}))

    again = lab.runner.calls[1]
    kinds = [re.findall(r"(\w+): {", said) for said in (again.prompt, again.fresh_prompt)]
    assert kinds == [["interrupted", "message"], ["interrupted", "compacted", "message"]]


async def test_one_whose_context_is_full_goes_on_in_a_fresh_session():
    lab = AttemptLab(Forgetful())

    result = await lab.run(PRIMED.model_copy(update={"agent_session": "old"}))

    assert result.failure is None
    assert [call.agent_session for call in lab.runner.calls] == ["old", None]


async def test_what_is_too_long_for_a_fresh_session_fails():
    lab = AttemptLab(Forgetful(always=True))

    result = await lab.run()

    assert result.failure == "the prompt is too long"
    assert len(lab.runner.calls) == 1


async def test_files_of_a_prompt_are_handed_over_and_a_missing_one_is_reported():
    lab = AttemptLab(played_agents.PlayedRunner())
    kept = await lab.journal.put_text(base64.b64encode(b"content").decode())
    files = [Attachment(name=name, content_ref=r) for name, r in (("a", kept), ("b", "0" * 64))]

    await lab.run(TURN.model_copy(update={"prompt": Prompt(attachments=tuple(files))}))

    [call] = lab.runner.calls
    assert [(file.name, file.content) for file in call.files] == [("a", b"content")]
    [notice] = [e.body.message for e in lab.journal.events if isinstance(e.body, AgentNotice)]
    assert notice == "the attached file 'b' is not there"
