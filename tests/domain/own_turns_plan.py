"""A running plan whose agent takes turns of its own."""

from datetime import timedelta
from typing import Any

from domain.conversations.reports import EndSessionTurn
from domain.core.ids import SessionId, TaskId
from domain.core.progress import TaskProgress
from domain.plans.settings import PlannerSettings
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningKind
from domain.threads import rules
from domain.threads.commands import EndTask, NoteProgress, WakeUp
from domain.threads.effects import WaitUntil
from domain.threads.patches import ALL
from domain.threads.running.events import OwnTurnTaken
from domain.threads.running.state import Cause
from tests.domain.running_plan import RunningPlan, task

WAIT = timedelta(seconds=30)
CHAIN = (task("a"), task("b", "a"), task("c", "b"))


class OwnTurnsPlan(RunningPlan):
    """A running plan whose agent takes turns of its own."""

    def __init__(self, *tasks: dict[str, Any], **planner: Any) -> None:
        patches = planner.pop("patches", ALL)
        super().__init__(*tasks, patches=patches, settings=PlannerSettings(**planner))

    @property
    def taken(self) -> list[OwnTurnTaken]:
        """The turns of its own so far."""
        return [event for event in self.events if isinstance(event, OwnTurnTaken)]

    @property
    def is_awaited(self) -> bool:
        """Whether a turn is to come."""
        found = (e for e in rules.effects(self.state) if isinstance(e, WaitUntil))
        return any(effect.what == "own-turn" for effect in found)

    def wait(self, time: timedelta = WAIT) -> None:
        """Let time pass."""
        self.now += time
        self.send(WakeUp())

    def end_turn(self, **more: Any) -> None:
        """Have the running turn of its own end."""
        key = self.state.own_turns.running
        session = SessionId(key.rpartition("/")[0])
        self.send(EndSessionTurn(session_id=session, turn=1, prompt_key=key, **more))

    def block(self, name: str, *, is_blocked: bool = True) -> None:
        """Have the agent of a task say that it can't go on, or go on."""
        run = self.state.tasks[TaskId(name)].run
        waits_for = "the key" if is_blocked else ""
        progress = TaskProgress(
            task_id=TaskId(name), run=run, is_blocked=is_blocked, waits_for=waits_for
        )
        self.send(NoteProgress(progress=progress))

    def learn(self, name: str, kind: LearningKind) -> None:
        """Complete a task that learned something."""
        learned = Learning(learning=kind, text=f"about {name}", task_id=TaskId(name))
        run = self.state.tasks[TaskId(name)].run
        self.send(
            EndTask(
                task_id=TaskId(name),
                run=run,
                end=TaskEnd.ACCEPTED,
                commit="c" * 40,
                learnings=(learned,),
            )
        )
        self.settle(name)

    def causes(self) -> list[list[Cause]]:
        """What each turn was about."""
        return [[cause.cause for cause in turn.causes] for turn in self.taken]
