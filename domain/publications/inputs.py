"""What the workflow of a watched pull request takes."""

from domain.core.ids import ThreadId, publication_id
from domain.core.inputs import WorkflowInput
from domain.core.listing import Listing
from domain.forges.hints import watch_of
from domain.forges.policy import PullRequestPolicy
from domain.forges.pull_requests import PullRequestId
from domain.publications.pace import Pace
from domain.publications.reworks import ReworkCount
from domain.publications.state import PublicationState


class PublicationInput(WorkflowInput):
    """A pull request of a thread; `carried`, `pace` and `tags` are of a run that continued as new."""

    thread_id: ThreadId
    host: str
    of: PullRequestId
    url: str = ""
    commit: str = ""
    policy: PullRequestPolicy = PullRequestPolicy()
    project: str = ""
    person: str = ""
    by: str = ""
    repository: str = ""
    reworks: ReworkCount = ReworkCount()
    carried: PublicationState | None = None
    pace: Pace = Pace()
    tags: dict[str, str] = {}

    @property
    def workflow_id(self) -> str:
        """Its workflow and its stream."""
        return publication_id(self.thread_id, self.of.number)

    @property
    def listing(self) -> Listing:
        """What lists show of it."""
        return Listing(
            kind="publication",
            status="open",
            title=f"pull request #{self.of.number}",
            project=self.project,
            person=self.person,
            watches=watch_of(self.of.project),
            look=f"treadle publish status {self.thread_id}",
        )
