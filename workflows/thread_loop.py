"""What the effects of a thread work on: its loop, its input, and what was started before."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from domain.conversations.sessions.rules import StopRunning
from domain.core.command import Answer, Command
from domain.core.errors import TreadleError
from domain.core.ids import host_queue
from domain.core.moves import HostMove
from domain.tasks.running_commands import Cancel
from domain.threads.effects import ThreadEffect
from domain.threads.inputs import ThreadInput
from domain.threads.patches import PATIENCE_OUTLASTS_CARRIERS
from domain.threads.plan_files.commands import ChangePlanFile
from domain.threads.rules import THREAD_RULES
from domain.threads.state import ThreadState
from workflows.cancelling import BY
from workflows.loop import Start
from workflows.opening import OpeningLoop
from workflows.plan_files import change_plan_file
from workflows.signalling import reaches


class ThreadLoop(OpeningLoop[ThreadState, ThreadEffect]):
    """The loop of a thread; who holds `plan_files` is the only one that changes them."""

    rules = THREAD_RULES
    cancels = Cancel
    given_up = "cancelled{by} before it was open"

    def __init__(self, thread: ThreadInput) -> None:
        super().__init__(thread, thread.thread_id, thread.started)
        self.input = thread
        self.begun = set(thread.started)
        state = thread.carried or ThreadState(thread_id=thread.thread_id)
        self._state = state.model_copy(update={"recorded": thread.events_so_far})
        self.plan_files = asyncio.Lock()
        self.starting: set[str] = set()
        self._is_stopping = False

    @property
    def generation(self) -> int:
        """How often the thread has moved to another host."""
        return self.state.moving.generation

    def move(self, move: HostMove) -> None:
        """Go on at another host, with what is under way on this one; an older move changes nothing."""
        if move.generation <= self.generation:
            return
        self.submit(move)
        self._hosting.move(host_queue(move.host))

    @contextmanager
    def begins(self, workflow_id: str) -> Generator[None]:
        """Keep in mind that a workflow is being started, which no signal reaches yet."""
        self.starting.add(workflow_id)
        try:
            yield
        finally:
            self.starting.discard(workflow_id)

    @property
    def keeps_patience(self) -> bool:
        """Whether one timer bounds all waits for a carrier."""
        return self._state.has_patch(PATIENCE_OUTLASTS_CARRIERS)

    @property
    def is_open(self) -> bool:
        """Whether its repository was looked at."""
        return self._state.opened is not None

    def cancel(self) -> None:
        """Cancel what is planned or runs, and stop the turns of chats."""
        self._is_stopping = True
        try:
            self.decide(Cancel(by=BY))
        except TreadleError:
            if not self.is_opening:
                return  # a chat has nothing to cancel but its turns
        super().cancel()

    def effects(self) -> dict[str, Start]:
        """Return what must be under way, as the rules require, and the stop of all turns."""
        stop: dict[str, Start] = {"stop-turns": self._stop_turns} if self._is_stopping else {}
        return super().effects() | stop

    async def _stop_turns(self) -> None:
        self._is_stopping = False
        for session_id in sorted(self.started & self.state.sessions.keys()):
            await reaches(session_id, "stop_running", StopRunning(by=BY))

    async def take(self, command: Command) -> Answer:
        """Take a command; a change of a plan file is made, after those before it, and then answered."""
        if not isinstance(command, ChangePlanFile):
            return await super().take(command)
        await self.opened()
        async with self.plan_files:
            earlier = self._answered.answer_to(command)
            if earlier is not None:
                return earlier
            answer = await change_plan_file(self, command)
            self._answered = self._answered.after(command, answer)
            return answer
