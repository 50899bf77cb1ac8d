"""The watched pull request of a thread: how it stands, and what people say to it."""

from typing import Annotated

from fastapi import APIRouter, Query

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
from domain.reading.views import ThreadView

Number = Annotated[int, Query(ge=0, lt=2**31)]
"""Which pull request of a stack; 0 is the one that is merged next."""

router = APIRouter(
    tags=["pull requests"], prefix="/threads/{thread}/pull-request", dependencies=[OF_THREAD]
)


@router.get("")
async def pull_request(
    thread: KnownThread, folds: ThreadsDep, number: Number = 0
) -> WatchedPullRequest:
    """Get the pull request of a thread as the newest look saw it, with the items that wait for a person.

    Of a stack it is the one that is merged next, or the one with this `number`.
    """
    view = (await folds.fold(thread)).view()
    if view is not None and number:
        one = next((each for each in _all_of(view) if each.number == number), None)
        if one is None:
            raise NotFoundError(f"#{number} is no pull request of {thread!r} that is watched")
        return one
    if view is None or view.pull_request is None:
        raise NotFoundError(
            f"no pull request of {thread!r} is watched; `treadle publish` opens one"
        )
    return view.pull_request


async def watch_of(thread: Thread, folds: ThreadsDep, number: Number = 0) -> str:
    """Return the workflow that watches a thread's pull request, or the one of its stack with a number.

    Raises:
        NotFoundError: There is no such thread, or none is watched.
    """
    publication = (await folds.fold(thread)).thread.publication
    known = {publication.watched, *(e.number for e in publication.stack if e.noted)} - {0}
    if not known:
        raise NotFoundError(
            f"no pull request of {thread!r} is watched; `treadle publish` opens one"
        )
    if number and number not in known:
        listed = ", ".join(f"#{each}" for each in sorted(known))
        raise NotFoundError(f"#{number} is no pull request of {thread!r} that is watched: {listed}")
    return publication_id(thread, number or publication.watched)


def _all_of(view: ThreadView) -> tuple[WatchedPullRequest, ...]:
    return (*((view.pull_request,) if view.pull_request else ()), *view.stacked)


async def watch_with(
    thread: Thread, folds: ThreadsDep, body: DismissItemBody, number: Number = 0
) -> str:
    """Return the workflow that watches the pull request with an item, which may be any of a stack.

    Raises:
        NotFoundError: There is no such thread, or none is watched.
    """
    view = (await folds.fold(thread)).view()
    for found in _all_of(view) if view is not None else ():
        if any(item.item_id == body.item_id for item in found.items):
            return found.workflow_id
    return await watch_of(thread, folds, number)


add_commands(
    router,
    watch_with,
    CommandRoute(
        "/dismiss",
        DismissPullRequestItem,
        "Dismiss an item of the pull request; it does not come again.",
        DismissItemBody,
    ),
)

add_commands(
    router,
    watch_of,
    CommandRoute("/look", LookAtPullRequest, "Look at the pull request now."),
    CommandRoute("/watch", WatchPullRequest, "Watch the pull request again."),
    CommandRoute(
        "/unwatch", UnwatchPullRequest, "Stop watching the pull request; it stays as it is."
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
