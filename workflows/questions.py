"""What a workflow that keeps questions does beside deciding: agents wait in it, its thread is told."""

from contextlib import suppress
from datetime import timedelta
from functools import partial

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from domain.conversations.questions.commands import AskDecision, AwaitAnswer
from domain.conversations.questions.question import Rule
from domain.conversations.questions.state import Questions
from domain.conversations.reports import NoteRules
from domain.core.command import Answer, Command
from domain.core.errors import TreadleError
from domain.core.ids import thread_of
from workflows.loop import Loop, S, Start

ANSWER_PATIENCE = timedelta(seconds=30)
DECISION_PATIENCE = timedelta(seconds=20)
"""Agents cut a tool's call off at 60 s."""


class QuestionLoop(Loop[S]):
    """A loop whose agents ask the person."""

    _rules_told: tuple[Rule, ...] = ()

    @property
    def questions(self) -> Questions:
        """The questions of its agents."""
        raise NotImplementedError

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; one that looks for an answer is answered a while later."""
        if isinstance(command, AwaitAnswer):
            self.decide(command)
            await self._news(command, ANSWER_PATIENCE)
            return self.decide(command).answer
        answer = await super().take(command)
        if not isinstance(command, AskDecision) or "version" not in answer.data:
            return answer
        waits = AwaitAnswer(**dict(command), seen=answer.data["version"])
        await self._news(waits, DECISION_PATIENCE)
        return await super().take(command)

    async def _news(self, waits: AwaitAnswer, patience: timedelta) -> None:
        """Wait until something was answered or withdrawn, or the turn is over."""
        with suppress(TimeoutError):
            await workflow.wait_condition(lambda: self._has_news(waits), timeout=patience)

    def _has_news(self, waits: AwaitAnswer) -> bool:
        try:
            self.decide(waits)
        except TreadleError:
            return True
        return self.questions.version != waits.seen

    def telling(self) -> dict[str, Start]:
        """Return what tells the thread of answers that count in all of it."""
        shared = self.questions.shared
        if shared == self._rules_told:
            return {}
        return {f"rules-{len(shared)}": partial(self._tell_rules, shared)}

    async def _tell_rules(self, shared: tuple[Rule, ...]) -> None:
        self._rules_told = shared
        thread = workflow.get_external_workflow_handle(thread_of(workflow.info().workflow_id))
        try:
            await thread.signal("note_rules", NoteRules(rules=shared))
        except ApplicationError:
            workflow.logger.info("the thread has ended")
