"""The adapters under test, each before its double."""

from adapters.forge.forges import Forges
from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import (
    Look,
    MergeRequest,
    PullRequestDraft,
    PullRequestId,
    PullRequestView,
)
from domain.forges.settings import ForgeOptions
from tests.forge.double import TOKEN, Double

VARIABLE = "FORGE_TOKEN"
KINDS = tuple(ForgeKind)


def options_of(double: Double) -> ForgeOptions:
    """Return what a person would say of a double."""
    return ForgeOptions(host=double.host, kind=double.kind, api_url=double.url, token_env=VARIABLE)


def forges_of(double: Double, token: str = TOKEN) -> Forges:
    """Return the router, which knows this double alone."""
    return Forges([options_of(double)], {VARIABLE: token}, lambda _: None)


def draft_of(double: Double, head: str = "treadle/greet") -> PullRequestDraft:
    """Return a pull request that can be opened: its head is pushed."""
    if head not in double.projects[double.path].branches:
        double.push_as(double.path, head, login="treadle-bot")
    return PullRequestDraft(
        project=double.project_id, head=head, base="main", title="Greet", body="It greets."
    )


class Opened:
    """A pull request that was opened through the adapter, and the adapter."""

    def __init__(self, double: Double, forges: Forges, number: int) -> None:
        self.double = double
        self.forges = forges
        self.of = PullRequestId(project=double.project_id, number=number)
        self.pull = double.pulls[double.path, number]

    async def view(self) -> PullRequestView:
        """Return what a first look shows."""
        view = (await self.look({})).view
        assert view is not None
        return view

    async def look(self, tags: dict[str, str]) -> Look:
        """Look at it."""
        return await self.forges.look(self.of, tags)

    def merge_request(self, **given: object) -> MergeRequest:
        """Return a request to merge what is there."""
        return MergeRequest.model_validate({"of": self.of, "commit": self.pull.commit, **given})


async def opened(double: Double) -> Opened:
    """Open a pull request."""
    forges = forges_of(double)
    return Opened(double, forges, (await forges.open_pull_request(draft_of(double))).number)
