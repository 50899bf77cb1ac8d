"""The watched pull request of a thread: how it stands, and what people say to it."""

from fastapi import APIRouter

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import KnownThread, Thread, ThreadsDep
from api.core.permissions import APPROVES, OF_THREAD
from api.threads.bodies import DismissItemBody, MergePullRequestBody, ReworkItemBody
from domain.core.errors import NotFoundError
from domain.core.ids import publication_id
from domain.publications.commands import (
    CancelPullRequestMerge,
    DismissPullRequestItem,
    LookAtPullRequest,
    MergePullRequest,
    ReworkPullRequestItem,
    UnwatchPullRequest,
    WatchPullRequest,
)
from domain.publications.views import WatchedPullRequest

router = APIRouter(
    tags=["publishing"], prefix="/threads/{thread}/pull-request", dependencies=[OF_THREAD]
)


@router.get("")
async def pull_request(thread: KnownThread, folds: ThreadsDep) -> WatchedPullRequest:
    """Get the pull request of a thread as the newest look saw it, with the items that wait for a person."""
    view = (await folds.fold(thread)).view()
    if view is None or view.pull_request is None:
        raise NotFoundError(
            f"no pull request of {thread!r} is watched; `treadle publish` opens one"
        )
    return view.pull_request


async def watch_of(thread: Thread, folds: ThreadsDep) -> str:
    """Return the workflow that watches a thread's pull request.

    Raises:
        NotFoundError: There is no such thread, or none is watched.
    """
    number = (await folds.fold(thread)).thread.publication.watched
    if not number:
        raise NotFoundError(
            f"no pull request of {thread!r} is watched; `treadle publish` opens one"
        )
    return publication_id(thread, number)


add_commands(
    router,
    watch_of,
    CommandRoute("/look", LookAtPullRequest, "Look at the pull request now."),
    CommandRoute("/watch", WatchPullRequest, "Watch the pull request again."),
    CommandRoute(
        "/unwatch", UnwatchPullRequest, "Stop watching the pull request; it stays as it is."
    ),
    CommandRoute(
        "/dismiss",
        DismissPullRequestItem,
        "Dismiss an item of the pull request; it does not come again.",
        DismissItemBody,
    ),
    CommandRoute(
        "/rework",
        ReworkPullRequestItem,
        "Have the thread change its work because of a failed check, a comment or a review.",
        ReworkItemBody,
        202,
        (APPROVES,),
    ),
    CommandRoute(
        "/merge",
        MergePullRequest,
        "Have the forge merge the commit that was shown.",
        MergePullRequestBody,
        202,
        (APPROVES,),
    ),
    CommandRoute("/cancel-merge", CancelPullRequestMerge, "Have the forge not merge it by itself."),
)
