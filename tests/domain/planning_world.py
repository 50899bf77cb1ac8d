"""A thread that is planned, without a workflow: its state and everything that happened to it."""

from typing import Any

from domain.conversations.reports import EndSessionTurn
from domain.core.command import Answer
from domain.core.event import EventBody
from domain.core.ids import ThreadId
from domain.core.workspaces import RepositoryFacts
from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import PlanTemplate
from domain.tasks.agent_commands import ProposePlan
from domain.threads import rules
from domain.threads.calls import OpenedThread
from domain.threads.commands import MarkDelivered, OpenThread
from domain.threads.state import ThreadState
from tests.domain.world import NOW

THREAD = ThreadId("thread-a")
FIRST, SECOND = (f"{THREAD}/session-{n}" for n in (1, 2))
OPENED = OpenedThread(
    facts=RepositoryFacts(root="/r", head="c0"),
    template=PlanTemplate(name="plain"),
    branch="treadle/a",
    host="h",
)


class World:
    """A thread's state and everything that happened to it."""

    def __init__(
        self, *, is_planned: bool = True, patches: tuple[str, ...] = (), **settings: Any
    ) -> None:
        self.state = ThreadState(thread_id=THREAD)
        self.log: list[EventBody] = []
        self.send(
            OpenThread(
                thread_id=THREAD,
                goal="Shop",
                agent="one",
                opened=OPENED,
                is_planned=is_planned,
                patches=patches,
                planner=PlannerSettings(**settings),
            )
        )

    def send(self, command: Any) -> Answer:
        decided = rules.decide(self.state, command, NOW)
        self.state = rules.fold(self.state, decided.events)
        self.log += decided.events
        return decided.answer

    def propose(self, session: str = FIRST, plan: Any = None, **fields: Any) -> int:
        raw = {"summary": "do it", **fields} if plan is None else plan
        self.send(ProposePlan(session_id=session, plan=raw))
        return self.state.plans[-1].revision

    def ended(self, session: str = FIRST, turn: int = 1, **fields: Any) -> None:
        """End a turn of a session that has read everything it was told."""
        for prompt in self.state.prompts:
            if prompt.session_id == session:
                self.send(MarkDelivered(key=prompt.key))
        self.send(EndSessionTurn(session_id=session, turn=turn, **fields))

    def decide(self, kind: type[Any], request: str, **fields: Any) -> Answer:
        shown = self.state.requests[request].content_hash
        return self.send(kind(request_id=request, content_hash=shown, by="ada", **fields))

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.log]

    def last_prompt(self, session: str) -> Any:
        return [p.prompt for p in self.state.prompts if p.session_id == session][-1]
