"""A thread whose plan runs, driven by its rules alone: no tasks' own workflows, no other sessions."""

from datetime import datetime
from typing import Any

from domain.conversations.commands import OpenSession
from domain.core.approval_commands import Approve
from domain.core.command import Answer, Verdict
from domain.core.errors import TreadleError
from domain.core.event import EventBody
from domain.core.ids import CommandId, SessionId, TaskId, ThreadId
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult, RepositoryFacts
from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import PlanTemplate
from domain.tasks.agent_commands import ProposeAmendment, ProposePlan
from domain.tasks.events import TaskEnd
from domain.threads import rules
from domain.threads.calls import OpenedThread
from domain.threads.commands import EndTask, OpenThread, SettleTask
from domain.threads.planning.commands import Amend
from domain.threads.state import ThreadState
from tests.domain.world import NOW

THREAD = ThreadId("thread-test-1")
CHAT = SessionId(f"{THREAD}/session-2")
TEMPLATE = PlanTemplate(name="plain")
FACTS = RepositoryFacts(root="/repo", head="0" * 40)


def task(name: str, *needs: str, **more: Any) -> dict[str, Any]:
    """Return a task as a planner writes it."""
    return {"id": name, "title": name.upper(), "depends_on": list(needs), **more}


def add(name: str, *needs: str, **more: Any) -> dict[str, Any]:
    """Return the change that adds a task."""
    return {"change": "add", "task": task(name, *needs, **more)}


def modify(name: str, **fields: Any) -> dict[str, Any]:
    """Return the change of some fields of a task."""
    return {"change": "modify", "task_id": name, "task": fields}


def remove(name: str, **more: Any) -> dict[str, Any]:
    """Return the change that removes a task."""
    return {"change": "remove", "task_id": name, **more}


def abort(name: str) -> dict[str, Any]:
    """Return the change that aborts a task."""
    return {"change": "abort", "task_id": name}


def reorder(*names: str) -> dict[str, Any]:
    """Return the change that puts tasks first."""
    return {"change": "reorder", "order": list(names)}


class RunningPlan:
    """The state, and every event so far; a second session is a chat."""

    def __init__(
        self,
        *tasks: dict[str, Any],
        template: PlanTemplate = TEMPLATE,
        slots: int = 4,
        patches: tuple[str, ...] = (),
        settings: PlannerSettings | None = None,
        promotes: tuple[str, ...] = (),
        facts: RepositoryFacts = FACTS,
        **plan: Any,
    ) -> None:
        self.state = ThreadState(thread_id=THREAD)
        self.now: datetime = NOW
        self.events: list[EventBody] = []
        self._count = 0
        opened = OpenedThread(facts=facts, template=template, branch="treadle/x", host="here")
        planner = (settings or PlannerSettings()).model_copy(update={"max_parallel_steps": slots})
        opening = OpenThread(
            thread_id=THREAD,
            goal="goal",
            agent="fake",
            opened=opened,
            planner=planner,
            patches=patches,
            promotes=promotes,
        )
        self.send(opening)
        self.send(OpenSession(command_id=CommandId("chat")))
        self.plan(*tasks, **plan)

    def plan(self, *tasks: dict[str, Any], **plan: Any) -> None:
        """Have a plan proposed and approved."""
        planner = next(s for s, session in self.state.sessions.items() if not session.is_archived)
        proposal = {"summary": "do it", "tasks": list(tasks), **plan}
        self.send(ProposePlan(session_id=planner, plan=proposal))
        self.decide(next(reversed(self.state.requests)))

    def send(self, command: Wire) -> Answer:
        """Send a command; raises what refuses it, and then nothing has changed."""
        before = self.state
        decided = rules.decide(self.state, command, self.now)
        assert self.state == before
        for event in decided.events:
            self.state = rules.evolve(self.state, event)
        self.events += decided.events
        return decided.answer

    def refuses(self, command: Wire) -> TreadleError:
        """Send a command that must be refused, and return the error."""
        try:
            self.send(command)
        except TreadleError as error:
            return error
        raise AssertionError(f"{command!r} was taken")

    # --- what people and agents do

    def amendment(self, *changes: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Return an amendment of the present version."""
        return {
            "why": "it is better so",
            "base_version": self.state.amending.version,
            "changes": list(changes),
            **more,
        }

    def propose(self, *changes: dict[str, Any], **more: Any) -> str:
        """Have the chat's agent propose an amendment; returns the id of its request."""
        amendment = self.amendment(*changes, **more)
        sent = ProposeAmendment(session_id=CHAT, amendment=amendment)
        return self.send(sent).data["request_id"]

    def amend(self, *changes: dict[str, Any], **more: Any) -> str:
        """Propose an amendment as a person; returns the id of its request."""
        self._count += 1
        command_id = CommandId(f"amend-{self._count}")
        amendment = self.amendment(*changes, **more)
        sent = Amend(command_id=command_id, amendment=amendment, by="ada")
        return self.send(sent).data["request_id"]

    def verdict(self, request: str, kind: type[Verdict] = Approve, feedback: str = "") -> Verdict:
        """Return a decision on what is shown."""
        content = self.state.requests[request].content_hash
        return kind(request_id=request, content_hash=content, by="ada", feedback=feedback)

    def decide(self, request: str, kind: type[Verdict] = Approve, feedback: str = "") -> Answer:
        """Decide on a request as it is shown."""
        return self.send(self.verdict(request, kind, feedback))

    def change(self, *changes: dict[str, Any]) -> None:
        """Amend the plan, approved at once."""
        self.decide(self.amend(*changes))

    # --- what happens to runs

    def end(self, name: str, end: TaskEnd = TaskEnd.ACCEPTED) -> None:
        """Have the run of a task report its end."""
        task_id = TaskId(name)
        run = self.state.tasks[task_id].run
        self.send(
            EndTask(task_id=task_id, run=run, end=end, reason="it went wrong", commit="c" * 40)
        )

    def settle(self, name: str) -> None:
        """Have the run of a task merged or released."""
        task_id = TaskId(name)
        entry = self.state.tasks[task_id]
        merge = MergeResult(commit="d" * 40 if entry.end is TaskEnd.ACCEPTED else None)
        self.send(SettleTask(task_id=task_id, run=entry.run, merge=merge))

    def complete(self, *names: str) -> None:
        """Have tasks completed."""
        for name in names:
            self.end(name)
            self.settle(name)

    def fail(self, name: str) -> None:
        """Have a task fail."""
        self.end(name, TaskEnd.FAILED)
        self.settle(name)

    @property
    def statuses(self) -> dict[str, str]:
        """Tasks and where they stand, in the plan's order."""
        return {name: entry.status.value for name, entry in self.state.tasks.items()}

    def kinds(self) -> list[str]:
        """The kinds of all events so far."""
        return [event.kind for event in self.events]
