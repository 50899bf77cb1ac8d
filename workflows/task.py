"""TaskWorkflow: one run of a task, from its first turn to its gate."""

import asyncio

from temporalio import workflow

from domain.agents.protected import planted_words
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.event import Headline
from domain.core.ids import WORK, SessionId, StreamId, host_queue
from domain.core.listing import waiting_lines
from domain.core.moves import HostMove
from domain.core.progress import MAX_FILES, presumed
from domain.core.task_names import typed_task
from domain.core.wire import Wire
from domain.tasks.commands import DecideCandidate
from domain.tasks.details import answers_of
from domain.tasks.events import TaskEnd
from domain.tasks.inputs import TaskInput, TaskResult
from domain.tasks.rules import TASK_RULES
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.verification.judges.names import judges_words
from workflows.attributes import Shown
from workflows.conversations import OF_CONVERSATIONS
from workflows.doors import doors, receives
from workflows.outbox import MAX_TITLE
from workflows.starts import check_start
from workflows.task_effects import TaskEffects


@workflow.defn(name="Task")
@doors(*TASK_RULES.commands)
@receives(queue_prompt=QueuePrompt, decide_candidate=DecideCandidate, **OF_CONVERSATIONS)
class TaskWorkflow(TaskEffects):
    """Turn, verification, gate; the thread merges what is accepted."""

    rules = TASK_RULES
    cancels = Abort

    @workflow.init
    def __init__(self, task: TaskInput) -> None:
        prefix = f"{task.workflow_id}.{task.run}"
        super().__init__(task, task.workflow_id, prefix)
        self._input = task
        self._state = task.carried or TaskState()
        self._queue = host_queue(task.host)
        self._generation = task.generation
        self._shown = Shown("running")
        is_plain = task.carried is None and task.plan_approval is None
        self._reported = presumed(task.task.id, task.run) if is_plain else None
        self._closed: set[SessionId] = set()
        self._late: list[QueuePrompt] = []
        self._leasing = asyncio.Lock()

    @workflow.run
    async def run(self, task: TaskInput) -> TaskResult:
        """Run until the work is accepted, failed or aborted; returns what nobody journaled yet."""
        is_carried = task.carried is not None
        check_start(task.workflow_id, task.thread_id, is_carried=is_carried, is_child=True)
        if not is_carried:
            self.submit(task.opening())
            for message in task.said:
                self.submit(message)
        if await self.live():
            self.carry_over()
        await self.through(self._release())
        return self._result()

    def _result(self) -> TaskResult:
        state = self._state
        return TaskResult(
            task_id=self._input.task.id,
            run=state.run,
            end=state.end or TaskEnd.FAILED,
            reason=state.reason,
            commit=state.snapshot.commit if state.snapshot else None,
            attempts=len(state.attempts),
            approved_by=state.approvers,
            duration_ms=state.work_ms,
            output=state.output,
            stats=state.stats,
            artifacts=state.snapshot.files[:MAX_FILES] if state.snapshot else (),
            learnings=state.learned,
            session_turns=state.session_turns,
            unread=self._unread(),
            events=self._outbox.waiting,
            headlines=self._outbox.headlines,
        )

    def _unread(self) -> tuple[QueuePrompt, ...]:
        """Return what people said to the thread's session that no turn has taken.

        It is said to the work also where that has a session of its own: the thread's is gone then.
        """
        if self._input.task.id != WORK:
            return ()
        left = (QueuePrompt(key=m.message_id, prompt=m.prompt) for m in self._state.messages)
        return (*(each for each in left if each.prompt.by), *self._late)

    def receive(self, message: Wire) -> None:
        """Take a message to the thread's session; what comes after the end is given back."""
        if isinstance(message, HostMove):
            self.move(message)
        elif isinstance(message, QueuePrompt) and self.is_over:
            self._late.append(message)
        else:
            super().receive(message)

    async def _release(self) -> None:
        """End all sessions but the worker's, which the thread settles with the work."""
        await self.drain()
        for conversation in self._state.conversations.values():
            name = conversation.session_id
            if name != self._state.session_id and conversation.turns and name not in self._closed:
                await self._close(conversation)

    # --- the loop's questions

    def carried_state(self) -> TaskState:
        """Return what the next run must know."""
        return self._state.without_old_texts()

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self._state.phase is Phase.ENDED

    def show(self) -> None:
        """Put the headline and the attributes right."""
        state, task = self._state, self._input
        status = state.end or state.phase
        self._outbox.show(
            Headline(
                stream=StreamId(task.workflow_id),
                kind="task",
                title=task.task.title[:MAX_TITLE],
                project=task.repository,
                status=status,
                waiting_for=state.listed_wait[:MAX_TITLE],
            )
        )
        status = state.end or ("waiting" if state.waiting_for or state.held_by else "running")
        self._shown.show(status, state.waiting_for)

    def details(self) -> str:
        """Return where the run stands."""
        state = self._state
        lines = [f"**{self._input.task.title}**: {state.phase}, turn {state.turns}"]
        if state.attempts:
            lines.append(f"verification attempt {len(state.attempts)}")
        if state.snapshot is not None and state.snapshot.planted:
            lines.append(f"**{planted_words(state.snapshot.planted)}**")
        if state.snapshot is not None and state.snapshot.judges:
            lines.append(f"**{judges_words(state.snapshot.judges)}**")
        lines += [f"**{doubt}**" for doubt in state.doubts]
        if state.held_by:
            lines.append(f"waits for {state.held_by}")
        if state.waiting_for:
            where = f"{self._input.thread_id}{typed_task(self._input.task.id)}"
            lines.append(
                "\n".join(waiting_lines(state.waiting_for, where, answers_of(state, where)))
            )
        return "\n\n".join(lines)
