"""A thread whose branch has a base on a remote, as tests move it on."""

from domain.core.ids import CommandId, ThreadId
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult, RepositoryFacts
from domain.forges.projects import project_of
from domain.plans.templates.template import BasePolicy, GitConventions, PlanTemplate
from domain.tasks.running_commands import Publish
from domain.threads import patches, rules
from domain.threads.bases.calls import BaseAnswer
from domain.threads.bases.effects import EndBase, NoteBehind, TakeBase
from domain.threads.bases.looks import BaseLook
from domain.threads.calls import OpenedThread
from domain.threads.commands import OpenThread
from domain.threads.publishing.effects import EndPush
from domain.threads.publishing.events import PublishRequested
from domain.threads.publishing.publication import PushedBranch
from domain.threads.state import ThreadState
from tests.domain.world import NOW

PUSHED, TAKEN_IN = "c" * 40, "d" * 40
WANTED = NoteBehind(commit=PUSHED, base_commit="b" * 40)
USUAL = BasePolicy()
UNKNOWN = BaseLook()
ORIGIN = {"origin": "https://github.com/ann/web"}


class Life:
    """One thread whose branch was pushed, with all events so far."""

    def __init__(
        self, base: BasePolicy = USUAL, base_look: BaseLook = UNKNOWN, **facts: object
    ) -> None:
        found = OpenedThread(
            facts=RepositoryFacts(
                root="/work/web", head="a" * 40, head_branch="main", remotes=ORIGIN
            ),
            template=PlanTemplate(name="plain", git=GitConventions(base=base)),
            branch="treadle/x",
            host="here",
            begins_at="a" * 40,
            base=base_look,
            **facts,
        )
        self.events = []
        self.state = ThreadState(thread_id=ThreadId("thread-test-1"))
        self.take(
            OpenThread(
                thread_id=self.state.thread_id,
                goal="talk",
                agent="fake",
                opened=found,
                is_planned=False,
                patches=patches.ALL,
            )
        )

    def take(self, command: Wire) -> None:
        decided = rules.decide(self.state, command, NOW)
        self.state = rules.fold(self.state, decided.events)
        self.events += decided.events

    def publish(self, commit: str = "") -> None:
        command_id = CommandId(f"p{len(self.events)}")
        self.take(Publish(command_id=command_id, commit=commit, wants_pull_request=False))
        for due in self.dues:
            self.end(due)
        self.pushed()

    def pushed(self) -> None:
        project = project_of(ORIGIN["origin"])
        place = {"remote": "origin", "address": ORIGIN["origin"], "branch": "treadle/x"}
        pushed = PushedBranch(**place, commit=PUSHED, project=project)
        self.take(EndPush(number=self.state.publication.number, pushed=pushed))

    def end(self, due: str, tip: str = PUSHED, **merge: object) -> None:
        behind = 2 if merge else 0
        look = BaseLook(remote="origin", base="main", commit="b" * 40, tip=tip, behind=behind)
        self.take(EndBase(due=due, answer=BaseAnswer(look=look, merge=MergeResult(**merge))))

    @property
    def dues(self) -> list[str]:
        return [e.due for e in rules.effects(self.state) if isinstance(e, TakeBase)]

    @property
    def asked_to_publish(self) -> list[PublishRequested]:
        return [event for event in self.events if isinstance(event, PublishRequested)]
