"""A prompt is said whatever the thread does meanwhile, unless the person took it back."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from acp.exceptions import RequestError

from cli.acp.agent import TreadleAgent, handler_of
from cli.acp.asking import Asking
from cli.acp.asks import Ask, Option
from cli.acp.choices import Offered
from cli.acp.conversation import Conversation
from cli.acp.engine import Post
from cli.acp.following import Desk
from cli.core.errors import CommandError, RefusedError, UnreachableError
from tests.cli.acp.engine_stand_in import THREAD, a_moment, words


@pytest.fixture
async def talk(desk: Desk) -> AsyncGenerator[Conversation]:
    talk = Conversation(desk, "acp-1", Path("/code/app"), Offered())
    await talk.open(THREAD, is_told=False)
    yield talk
    await talk.close()


async def test_a_prompt_that_waits_for_a_cancel_is_said_though_the_thread_rests(talk, engine):
    engine.answers.clear()
    cancelling = asyncio.create_task(talk.cancel())
    await a_moment()
    saying = asyncio.create_task(talk.prompt(words("Do this instead")))
    await a_moment()
    talk._thread.look_again()  # as an event of the turn that was stopped does
    await a_moment()
    is_early = saying.done()
    engine.answers.set()
    await cancelling
    await a_moment()
    assert not is_early
    assert engine.said == ["Do this instead"]
    saying.cancel()


async def test_a_goal_that_is_typed_as_a_command_is_not_said_by_the_thread_again(talk, engine):
    saying = asyncio.create_task(talk.prompt(words("/plan Add a flag")))
    await a_moment()
    assert engine.said == ["/plan Add a flag"]
    assert "Add a flag" in talk._thread.teller.mine
    saying.cancel()


async def test_prompts_that_come_at_once_are_all_said_in_order(talk, engine):
    engine.answers.clear()
    saying = [asyncio.create_task(talk.prompt(words(f"number {n}"))) for n in range(3)]
    await a_moment()
    engine.answers.set()
    await a_moment()
    assert engine.said == ["number 0", "number 1", "number 2"]
    assert [each.result() for each in saying if each.done()] == ["end_turn", "end_turn"]
    saying[-1].cancel()


async def test_a_prompt_that_was_cancelled_before_it_was_sent_is_not(talk, engine):
    engine.answers.clear()
    first = asyncio.create_task(talk.prompt(words("one")))
    await a_moment()
    second = asyncio.create_task(talk.prompt(words("two")))
    await a_moment()
    cancelling = asyncio.create_task(talk.cancel())
    await a_moment()
    engine.answers.set()
    await cancelling
    assert (await first, await second) == ("end_turn", "cancelled")
    assert engine.said == ["one"]


async def test_the_first_message_is_withdrawn_where_no_agent_has_got_it(desk, engine):
    talk = Conversation(desk, "acp-2", Path("/code/app"), Offered())
    saying = asyncio.create_task(talk.prompt(words("Add a flag")))
    await a_moment()
    name = f"{THREAD}/session-1"
    engine.waiting = [{"message_id": f"{name}/goal", "session_id": name}]
    await talk.cancel()
    assert await saying == "cancelled"
    assert engine.posts == [Post(("sessions", "1", "withdraw"), {"message_id": f"{name}/goal"})]
    await talk.close()


async def test_a_thread_that_could_not_be_read_is_followed_again(desk, engine):
    talk = Conversation(desk, "acp-3", Path("/code/app"), Offered())
    saying = asyncio.create_task(talk.prompt(words("Add a flag")))
    await a_moment()
    talk._thread._tasks[0].cancel()
    await a_moment()
    before = engine.followed
    again = asyncio.create_task(talk.prompt(words("And a test")))
    await a_moment()
    assert engine.followed == before + 1
    saying.cancel()
    again.cancel()
    await talk.close()


async def test_a_rejection_waits_for_the_next_words_where_nothing_answers(talk, engine):
    asking: Asking = talk._thread.asking
    asking.rejection = rejection = Post(("approvals",), {"choice": "reject"})
    engine.refusal = CommandError("no engine is running")
    with pytest.raises(CommandError):
        await talk.prompt(words("Shorter, please"))
    is_kept = asking.rejection is rejection
    engine.refusal = RefusedError({"title": "decided", "status": 409})
    with pytest.raises(RefusedError):
        await talk.prompt(words("Shorter, please"))
    assert is_kept
    assert asking.rejection is None


async def test_what_the_next_words_reject_is_not_asked_once_more(engine):
    post = Post(("approvals",), {"choice": "reject"})
    option = Option("reject", "Reject", "reject_once", post, wants_words=True)
    ask = Ask(key="r@c", title="Approve it", by_command="treadle", options=(option,), text="It")
    editor: Any = AsyncMock()
    editor.ask.return_value = "reject"
    asking = Asking(engine, editor, "s", Mock())

    async def asked() -> int:
        asking.put(THREAD, [ask], Path("/code/app"))
        await a_moment()
        return editor.ask.await_count

    numbers = [await asked()]
    asking.again()
    numbers.append(await asked())
    asking.end_rejection(is_sent=True)
    asking.again()
    numbers.append(await asked())
    assert numbers == [1, 1, 1]


async def test_a_session_that_could_not_be_loaded_is_not_open(desk, engine, tmp_path: Path):
    engine.refusal = RefusedError({"title": "no such thread", "status": 404})
    agent = TreadleAgent(desk)
    with pytest.raises(RefusedError):
        await agent.load_session(str(tmp_path), THREAD, [])
    with pytest.raises(Exception, match="is not open here"):
        await agent.prompt(THREAD, words("Hello"))
    assert engine.said == []


async def test_a_session_that_is_loaded_twice_at_once_is_followed_once(desk, engine, tmp_path):
    agent = TreadleAgent(desk)
    engine.answers.clear()
    loads = [asyncio.create_task(agent.load_session(str(tmp_path), THREAD, [])) for _ in range(2)]
    await a_moment()
    engine.answers.set()
    await asyncio.gather(*loads)
    await a_moment()
    assert (engine.followed, engine.left) == (2, 1)
    await agent.close()
    await a_moment()
    assert engine.left == 2


async def test_a_session_that_is_closed_while_it_is_opened_is_not_followed(desk, engine):
    talk = Conversation(desk, "acp-4", Path("/code/app"), Offered())
    await talk.close()
    await talk.open(THREAD, is_told=True)
    await a_moment()
    assert engine.followed == 0


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CommandError("the prompt is empty"), -32602),
        (RefusedError({"title": "no such thread", "status": 404}), -32602),
        (RefusedError({"title": "the journal is away", "status": 503}), -32603),
        (UnreachableError("no engine is running"), -32603),
    ],
)
async def test_errors_say_whether_the_request_or_the_engine_is_at_fault(
    desk, engine, error: CommandError, code: int
):
    handle = handler_of(TreadleAgent(desk))
    engine.refusal = error
    with pytest.raises(RequestError) as raised:
        await handle("session/load", {"sessionId": THREAD, "cwd": "/", "mcpServers": []}, False)
    assert (raised.value.code, str(raised.value)) == (code, str(error))
