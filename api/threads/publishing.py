"""Publishing a thread's branch, and merging it into the branch that the thread started from."""

from fastapi import APIRouter

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import thread_id
from api.core.permissions import APPROVES
from api.threads.bodies import MergeBody, PublishBody
from domain.tasks.running_commands import Publish
from domain.threads.landing.commands import MergeBranch

router = APIRouter(tags=["publishing"], prefix="/threads/{thread}", dependencies=[APPROVES])

add_commands(
    router,
    thread_id,
    CommandRoute(
        "/publish",
        Publish,
        "Push a thread's branch and open a pull request.\n\n"
        "The thread's `publication` has the progress and the result.",
        PublishBody,
        202,
    ),
    CommandRoute(
        "/merge",
        MergeBranch,
        "Merge a thread's branch, as `changes` returned it, into the branch that it started from.\n\n"
        "The thread's `landing` has the progress and the result.",
        MergeBody,
        202,
    ),
)
