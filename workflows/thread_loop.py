"""What the effects of a thread work on: its loop, its input, and what was started before."""

import asyncio

from temporalio import workflow

from domain.core.command import Answer, Command
from domain.core.wire import Wire
from domain.threads import rules
from domain.threads.inputs import ThreadInput
from domain.threads.plan_files.commands import ChangePlanFile
from domain.threads.state import ThreadState
from workflows.loop import Loop
from workflows.outbox import Outbox
from workflows.patches import LOST_AMENDMENTS
from workflows.plan_files import changed


class ThreadLoop(Loop[ThreadState]):
    """The loop of a thread; `started` names the sessions and the runs that have been started.

    `is_going` is set when the thread's events are about to be removed, `ending` says how it ended.
    Who holds `plan_files` is the only one that changes them.
    """

    def __init__(self, thread: ThreadInput) -> None:
        stream = thread.thread_id
        super().__init__(
            Outbox(stream, stream, thread.events_so_far, thread.effects_so_far), thread.answered
        )
        self.input = thread
        self._state = thread.carried or ThreadState(thread_id=thread.thread_id)
        self.started = set(thread.started)
        self.plan_files = asyncio.Lock()
        self.is_going = False
        self.ending = ""

    def submit(self, command: Wire) -> Answer:
        """See Loop; amendments that can't happen any more after it are closed with the reason."""
        answer = super().submit(command)
        closed = rules.lost(self._state)
        if closed and workflow.patched(LOST_AMENDMENTS):
            self.record(closed)
        return answer

    async def take(self, command: Command) -> Answer:
        """Take a command; a change of a plan file is made, after those before it, and then answered."""
        if not isinstance(command, ChangePlanFile):
            return await super().take(command)
        async with self.plan_files:
            earlier = self._answered.answer_to(command)
            if earlier is not None:
                return earlier
            answer = await changed(self, command)
            self._answered = self._answered.after(command, answer)
            return answer

    def _start_flush(self) -> None:
        if not self.is_going:  # after a thread's events were removed, none may be journaled
            super()._start_flush()

    def is_signalled(self, door: type[Command]) -> bool:
        """Tell whether a signal of this kind waits for the loop."""
        return any(waiting is door for waiting, _ in self._signals)
