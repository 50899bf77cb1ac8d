import asyncio

from domain.conversations.commands import Close, OpenSession, SendMessage, StopTurn
from tests.played_agents import ended


class Room:
    """Agents that stay in a turn until they are let out; it knows how many were inside at once."""

    def __init__(self, house):
        self.inside = 0
        self.most = 0
        self.entered = asyncio.Queue()
        self.exits = asyncio.Queue()
        house.runner.play = self.play

    async def play(self, call):
        self.inside += 1
        self.most = max(self.most, self.inside)
        await self.entered.put(call.turn.session_id)
        try:
            await self.exits.get()
        finally:
            self.inside -= 1
        return ended()


async def open_chats(house, *, has_own_worktree):
    """Open a thread that chats, and another chat in it once the first is in the directory."""
    thread = (await house.open("talk", is_planned=False)).id
    await house.seen(thread, "directory_granted")
    await house.send(thread, OpenSession(command_id="s", has_own_worktree=has_own_worktree))
    sessions = [f"{thread}/session-{n}" for n in (1, 2)]
    await house.send(thread, SendMessage(command_id="m", text="x", session_id=sessions[1]))
    return thread, sessions


async def test_chats_in_one_directory_take_turns_in_the_order_they_asked(house):
    room = Room(house)
    thread, sessions = await open_chats(house, has_own_worktree=False)
    await house.seen(thread, "directory_asked", number=2)
    for session in sessions:
        assert await room.entered.get() == session
        await room.exits.put(None)
        await house.seen(session, "turn_ended")
    await house.seen(thread, "directory_freed", number=2)

    granted = [e.body for e in house.journal.events if e.body.kind == "directory_granted"]
    assert [(g.session_id, g.number) for g in granted] == [(sessions[0], 1), (sessions[1], 2)]
    assert room.most == 1
    assert len({call.turn.workspace.workspace_id for call in house.runner.calls}) == 1


async def test_a_chat_with_a_worktree_of_its_own_waits_for_nobody(house):
    room = Room(house)
    _, sessions = await open_chats(house, has_own_worktree=True)
    assert {await room.entered.get(), await room.entered.get()} == set(sessions)
    assert len({call.turn.workspace.workspace_id for call in house.runner.calls}) == 2
    for _ in sessions:
        await room.exits.put(None)


async def test_a_turn_that_is_stopped_while_it_waits_gives_its_place_up(house):
    room = Room(house)
    thread, (first, second) = await open_chats(house, has_own_worktree=False)
    await house.seen(thread, "directory_asked", number=2)
    await room.entered.get()

    await house.send(second, StopTurn(command_id="stop"))
    stopped = (await house.seen(second, "turn_ended")).body.result
    await room.exits.put(None)
    await house.seen(first, "turn_ended")
    await house.send(thread, SendMessage(command_id="m2", text="again", session_id=second))

    assert await room.entered.get() == second
    assert stopped.stop_reason == "cancelled"
    await room.exits.put(None)


async def test_a_turn_that_is_stopped_just_as_it_asks_gives_its_place_up(house):
    room = Room(house)
    _, (_, second) = await open_chats(house, has_own_worktree=False)
    await house.seen(second, "turn_started")

    await house.send(second, StopTurn(command_id="stop"))

    assert (await house.seen(second, "turn_ended")).body.result.stop_reason == "cancelled"
    await room.exits.put(None)


async def test_a_session_that_closes_in_its_turn_leaves_the_directory_to_the_next(house):
    room = Room(house)
    thread, (first, second) = await open_chats(house, has_own_worktree=False)
    await house.seen(thread, "directory_asked", number=2)
    await room.entered.get()

    await house.send(first, Close(command_id="close"))

    assert await room.entered.get() == second
    assert house.workspaces.released == []
    await room.exits.put(None)
