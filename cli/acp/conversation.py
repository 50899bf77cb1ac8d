"""One session of the editor: a thread, from its first message on or opened again."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from acp import helpers, schema

from cli.acp import own_commands
from cli.acp.choices import AGENT, CHAT, MODE, MODEL, PLAN, Choices, Offered, chosen, options
from cli.acp.engine import Post
from cli.acp.following import Desk, Following
from cli.acp.opening import Opening
from cli.acp.prompts import Block, Said, read_prompt
from cli.acp.saying import Saying
from cli.acp.slash import decides, own_command
from cli.acp.turns import ANY_TURN, Turn
from cli.core.client import path_of
from cli.core.errors import CommandError, RefusedError
from domain.core.command import MAX_GOAL, MAX_TEXT
from domain.core.ids import ThreadId
from domain.plans.slash_commands import goal_to_plan
from domain.reading.views import ThreadView

NOT_HERE = (
    "approving is off in this editor, because an agent could be on the other end: decide on the page or the "
    "command line, or start `treadle acp --approve` in the editor's settings"
)

OPENED_BEFORE = (
    "Your message before this one has opened the thread after all; this one is said there, too."
)


class Conversation:
    """A session; its thread opens with the first message."""

    def __init__(self, desk: Desk, session_id: str, cwd: Path, offered: Offered) -> None:
        self.choices = desk.first
        self.notices: list[str] = []
        """Said before the first answer."""
        self._offered = offered
        self._cwd = cwd
        self._desk = desk
        self._thread = Following(desk, session_id, cwd)
        self._in_order = asyncio.Lock()
        self._opened_it = False
        self._opening = Opening(desk.engine, session_id, str(cwd))
        self._saying = Saying(desk.engine, self._thread, self._chat_again)

    async def prompt(self, blocks: Sequence[Block]) -> str:
        """Say something, and return why the turn ended: once nothing moves any more without a person."""
        turn = self._thread.begin_turn()
        try:
            async with self._in_order:
                if not turn.is_cancelled:
                    await self._say(blocks, turn)
            turn.is_said = True
            self._thread.look_again()
            return await turn.ended
        finally:
            self._thread.drop(turn)

    async def cancel(self) -> None:
        """End the turn in the editor, and stop what the thread's own agent does; tasks of a plan go on."""
        await self._thread.cancel_turn()
        async with self._in_order:
            self._saying.forget()
            if self._thread.thread_id:
                await self._stop()
            elif self._opening.unanswered is not None:
                self._opening.unanswered.is_taken_back = True

    async def set(self, name: str, value: str) -> None:
        """Choose an option.

        Raises:
            CommandError: There is no such option or value, or it was settled when the thread opened.
        """
        wanted = chosen(self.choices, self._offered, name, value)
        if self._thread.thread_id and name in {AGENT, MODEL}:
            await self._switch(wanted)
        elif self._thread.thread_id and name != MODE:
            raise CommandError(f"the {name} can't change once a thread is open: start a new one")
        self.choices = wanted

    def options(self) -> list[Any]:
        """Return the options as they stand."""
        return options(self.choices, self._offered, is_open=bool(self._thread.thread_id))

    async def open(self, thread_id: ThreadId, *, is_told: bool) -> None:
        """Go on with a thread; with `is_told` the editor is told its transcript."""
        self.choices = chosen(self.choices, self._offered, MODE, CHAT)
        await self._thread.open(thread_id, is_told=is_told)

    async def greet(self) -> None:
        """Tell which commands there are."""
        await self._thread.greet()

    async def close(self) -> None:
        """Stop following; the thread goes on."""
        await self._thread.close()

    async def _say(self, blocks: Sequence[Block], turn: Turn) -> None:
        is_goal = not self._thread.thread_id or self.choices.mode == PLAN
        said = read_prompt(blocks, self._cwd, MAX_GOAL if is_goal else MAX_TEXT)
        for notice in self.notices:
            await self._thread.tell(own_commands.line(notice))
        self.notices.clear()
        own = own_command(said.text)
        if own is not None:
            await self._carry_out(*own)
            return
        if decides(said.text) and not self._desk.approves:
            raise CommandError(NOT_HERE)
        asking = self._thread.asking
        asking.again()
        if asking.rejection is not None:
            await self._reject(asking.rejection, said, turn)
        elif self._thread.thread_id or not await self._is_said_before(said, turn):
            await self._pass_on(said, turn)

    async def _pass_on(self, said: Said, turn: Turn) -> None:
        if not self._thread.thread_id:
            await self._open_thread(said, turn)
        else:
            await self._saying.say(said, turn, is_goal=self.choices.mode == PLAN)

    async def _open_thread(self, said: Said, turn: Turn) -> None:
        goal = goal_to_plan(said.text) or said.text
        body: dict[str, Any] = {
            "repository": str(self._cwd),
            "goal": goal,
            "agent": self.choices.agent or None,
            "model": self.choices.model or None,
            "template": self.choices.template or None,
            "is_planned": self.choices.mode == PLAN or goal != said.text,
            "host": self._desk.host,
            "attachments": await self._upload(said),
        }
        self._thread.teller.mine.add(goal)
        mode = self.choices.mode
        opened = await self._opening.open(said, body)
        if opened.is_said:
            turn.awaits.add(ANY_TURN)
        await self._begin(opened.thread_id, CHAT if opened.is_said else mode)
        if not opened.is_said:
            await self._pass_on(said, turn)

    async def _is_said_before(self, said: Said, turn: Turn) -> bool:
        """Open the thread by a first message whose answer was lost; tells whether these words are that message."""
        first = self._opening.unanswered
        if first is None or not (thread_id := await self._opening.open_after_all(first)):
            return False
        is_to_plan = self.choices.mode == PLAN and not first.body["is_planned"]
        is_same = said == first.said and not is_to_plan
        is_stopped = first.is_taken_back and not is_same
        if not is_stopped:
            turn.awaits.add(ANY_TURN)
        await self._begin(thread_id, PLAN if is_to_plan else CHAT)
        if is_stopped:
            await self._stop()
        elif not is_same:
            await self._thread.tell(own_commands.line(OPENED_BEFORE))
        return is_same

    async def _begin(self, thread_id: ThreadId, mode: str) -> None:
        """Follow the thread that was opened; what is said next is taken in this mode."""
        self._opened_it = True
        self._thread.begin(thread_id)
        await self._chat_again()
        self.choices = chosen(self.choices, self._offered, MODE, mode)

    async def _reject(self, rejection: Post, said: Said, turn: Turn) -> None:
        """Reject with these words; where nothing answers, the next message is sent with the rejection again."""
        self._thread.expect_event()
        try:
            await self._command(Post(rejection.path, {**rejection.body, "feedback": said.text}))
        except RefusedError:  # decided elsewhere, or changed
            self._thread.asking.end_rejection(is_sent=False)
            raise
        self._thread.asking.end_rejection(is_sent=True)
        if said.files:
            await self._saying.send_files(said, turn)

    async def _carry_out(self, name: str, words: Sequence[str]) -> None:
        if not self._thread.thread_id:
            raise CommandError(f"/{name} needs a thread, which opens with your first message")
        view = await self._desk.engine.view(self._thread.thread_id)
        match name:
            case "status":
                await self._thread.tell(own_commands.show_status(view))
            case "inbox":
                self._thread.asking.again()
            case "open":
                await self._thread.tell(own_commands.show_place(view, self._desk.page))
            case "diff":
                await self._show_diff(view, words)
            case "merge":
                await self._ask_to_merge(view)
            case _:
                if name in {"retry", "resume"}:
                    self._thread.expect_event()
                answer = await self._command(own_commands.order(name, words, view))
                await self._thread.tell(own_commands.line(answer["message"]))

    async def _show_diff(self, view: ThreadView, words: Sequence[str]) -> None:
        shown = await own_commands.show_diff(self._desk.engine, view, words, self._cwd)
        await self._thread.tell(shown)

    async def _ask_to_merge(self, view: ThreadView) -> None:
        ask = await own_commands.merge_of(self._desk.engine, view)
        if not self._desk.approves:
            raise CommandError(f"{NOT_HERE}: {ask.by_command}")
        self._thread.asking.again()
        self._thread.merge = {ask.key: ask}

    async def _upload(self, said: Said) -> list[dict[str, Any]]:
        return [await self._desk.engine.post("/v1/attachments", file.body) for file in said.files]

    async def _command(self, post: Post) -> dict[str, Any]:
        return await self._desk.engine.command(self._thread.thread_id, post)

    async def _switch(self, wanted: Choices) -> None:
        view = await self._desk.engine.view(self._thread.thread_id)
        live = [s for s in view.sessions if not s.is_archived]
        if not live:
            raise CommandError("no session of this thread is open: start a new one")
        number = live[-1].session_id.rpartition("-")[2]
        body = {"agent": wanted.agent or view.agent, "model": wanted.model or None}
        await self._command(Post(("sessions", number, "switch-agent"), body))

    async def _stop(self) -> None:
        """Stop the turns of the thread's own sessions, and withdraw what no agent has got yet."""
        thread_id, engine = self._thread.thread_id, self._desk.engine
        for message in await engine.get(path_of("threads", thread_id, "messages")):
            if self._is_mine(message["message_id"]) and not message.get("task_id"):
                body = {"message_id": message["message_id"]}
                await self._tried(message["session_id"], "withdraw", body)
        for session in (await engine.view(thread_id)).sessions:
            if session.is_working:
                await self._tried(session.session_id, "stop", {})

    def _is_mine(self, message_id: str) -> bool:
        is_goal = self._opened_it and message_id.endswith("/goal")
        return is_goal or self._thread.teller.is_mine(message_id)

    async def _tried(self, session_id: str, what: str, body: dict[str, Any]) -> None:
        """Send a command to a session, which may have come too late."""
        with contextlib.suppress(CommandError):
            await self._command(Post(("sessions", session_id.rpartition("-")[2], what), body))

    async def _chat_again(self) -> None:
        """Take the next message as one: what was to be planned is."""
        self.choices = chosen(self.choices, self._offered, MODE, CHAT)
        told = schema.ConfigOptionUpdate(
            session_update="config_option_update", config_options=self.options()
        )
        await self._thread.tell(helpers.update_current_mode(CHAT), told)
