"""What a watched pull request must have under way; workflows/publication.py carries it out."""

from typing import ClassVar

from domain.core.wire import Wire
from domain.forges.pull_requests import MergeRequest, PullRequestId


class PublicationEffect(Wire):
    """Base of all effects; see `Required` in workflows/effect_loop.py."""

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = True

    @property
    def key(self) -> str:
        """What tells it from all others."""
        raise NotImplementedError


class KeepLooking(PublicationEffect):
    """Look at it again and again."""

    is_resumable = True
    is_brief = False

    of: PullRequestId

    @property
    def key(self) -> str:
        """There is one."""
        return "look"


class MergeOnForge(PublicationEffect):
    """Have the forge merge one commit."""

    number: int
    request: MergeRequest

    @property
    def key(self) -> str:
        """Each asking is one."""
        return f"merge:{self.number}"


class CancelOnForge(PublicationEffect):
    """Have the forge not merge by itself."""

    number: int
    of: PullRequestId

    @property
    def key(self) -> str:
        """Each asking is one."""
        return f"cancel:{self.number}"


class DeleteOnForge(PublicationEffect):
    """Delete the branch that was merged, at the commit that was merged."""

    of: PullRequestId
    branch: str
    commit: str

    @property
    def key(self) -> str:
        """There is one."""
        return f"delete:{self.branch}"


class AskForRework(PublicationEffect):
    """Ask the thread for a rework."""

    number: int

    @property
    def key(self) -> str:
        """Each rework is asked for once."""
        return f"rework:{self.number}"


class AnswerComment(PublicationEffect):
    """Answer the comment that was reworked, and mark it as resolved."""

    number: int
    thread: str
    text: str

    @property
    def key(self) -> str:
        """Each rework is answered once."""
        return f"answer:{self.number}"


class ReportEnd(PublicationEffect):
    """Tell the thread how it ended."""

    @property
    def key(self) -> str:
        """There is one."""
        return "report"


class AskForBase(PublicationEffect):
    """Ask the thread to take the base in."""

    commit: str
    base_commit: str

    @property
    def key(self) -> str:
        """Each head and base is one."""
        return f"base:{self.commit}:{self.base_commit}"
