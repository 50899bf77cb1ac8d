"""What is said in a thread that is open; where an answer was lost, the same words are the same command again.

The engine carries a command out once: words that did arrive are not said twice.
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from cli.acp import own_commands
from cli.acp.engine import Engine, Post
from cli.acp.following import Following
from cli.acp.opening import is_unheard
from cli.acp.prompts import Said
from cli.acp.turns import ANY_TURN, Turn
from cli.core.errors import RefusedError
from domain.plans.slash_commands import Verb, goal_to_plan

MESSAGE, PLAN = "messages", "plans"
ARRIVED = (
    "This message had arrived before and was not sent again. To say it once more, send it again."
)


@dataclass
class Piece:
    """A part of what is said, which is one command."""

    kind: str
    said: Said
    name: str = field(default_factory=lambda: secrets.token_hex(16))
    is_again: bool = False
    """Whether it was sent before."""


@dataclass(frozen=True)
class Unanswered:
    """What a person said last, and those of its pieces that had no answer, or were not sent yet."""

    said: Said
    pieces: tuple[Piece, ...]


class Saying:
    """Says what a person types, as a message or as a goal to plan."""

    def __init__(
        self, engine: Engine, thread: Following, planned: Callable[[], Awaitable[None]]
    ) -> None:
        self._engine = engine
        self._thread = thread
        self._planned = planned
        self._unanswered: Unanswered | None = None

    async def say(self, said: Said, turn: Turn, *, is_goal: bool) -> None:
        """Say something; a goal is planned, and its files are a message of their own.

        Raises:
            CommandError: It was refused, or nothing answers.
        """
        files = Said("These files belong to the goal.", said.files)
        pieces = [Piece(PLAN, said)] if is_goal else [Piece(MESSAGE, said)]
        pieces += [Piece(MESSAGE, files)] if is_goal and said.files else []
        await self._say(said, pieces, turn)

    async def send_files(self, said: Said, turn: Turn) -> None:
        """Send the files of a rejection after it; fails like `say`."""
        files = Said("These files belong to my feedback.", said.files)
        await self._say(said, [Piece(MESSAGE, files)], turn)

    def forget(self) -> None:
        """Take the same words as new ones: what had no answer was taken back."""
        self._unanswered = None

    async def _say(self, said: Said, pieces: list[Piece], turn: Turn) -> None:
        before = self._unanswered
        if before is not None and before.said == said and before.pieces[0].kind == pieces[0].kind:
            pieces = list(before.pieces)
        for number, piece in enumerate(pieces):
            self._unanswered = Unanswered(said, tuple(pieces[number:]))
            send = self._plan if piece.kind == PLAN else self._message
            try:
                await send(piece, turn)
            except RefusedError as error:
                if not number and not is_unheard(error):
                    self._unanswered = None
                raise
        self._unanswered = None

    async def _plan(self, piece: Piece, turn: Turn) -> None:
        goal = piece.said.text
        self._thread.teller.mine.add(goal)
        body = {"command_id": piece.name, "goal": goal}
        await self._command(PLAN, body, piece, turn, {ANY_TURN})
        await self._planned()

    async def _message(self, piece: Piece, turn: Turn) -> None:
        name, said = piece.name, piece.said
        self._thread.teller.mine.add(name)
        goal = goal_to_plan(said.text)
        self._thread.teller.mine.update({goal} if goal else ())
        uploads = [await self._engine.post("/v1/attachments", file.body) for file in said.files]
        body = {"command_id": name, "text": said.text, "attachments": uploads}
        awaits = {name, ANY_TURN} if goal else {name}
        has_begun = piece.is_again and name in self._thread.begun
        sent = await self._command(MESSAGE, body, piece, turn, awaits)
        if has_begun:
            await self._thread.tell(own_commands.line(ARRIVED))
        data = sent.get("data", {})
        if goal and not (data.get("verb") == Verb.GOAL and data.get("session_id")):
            turn.awaits.discard(ANY_TURN)
        if data.get("verb"):  # it was a command of plans, which no agent gets
            turn.awaits.discard(name)
            await self._thread.tell(own_commands.line(sent["message"]))

    async def _command(
        self, kind: str, body: dict[str, Any], piece: Piece, turn: Turn, awaits: set[str]
    ) -> dict[str, Any]:
        """Send a piece; the turn waits for what begins with it, unless that has begun after all."""
        if piece.is_again:
            self._thread.expect_event()
            awaits -= {ANY_TURN, *self._thread.begun}
        turn.awaits.update(awaits)
        piece.is_again = True
        return await self._engine.command(self._thread.thread_id, Post((kind,), body))
