"""A scenario of a pull request whose policy has a comment reworked, until it is merged; to be recorded."""

from temporalio.client import WorkflowHistory

from domain.forges.policy import Response
from domain.forges.pull_requests import PullRequestState
from tests.workflows.conftest import House
from tests.workflows.test_publication_reworks import NEXT, THREAD, look, watched


async def reworked_pull_request(house: House) -> dict[str, WorkflowHistory]:
    """A comment of a named author is reworked, pushed and answered; then the forge merges by hand."""
    policy = {"on_review_comment": Response.REWORK, "authors": ("ann",), "max_rework_usd": 5.0}
    thread, watch = await watched(house, **policy)
    house.forge.changes(threads=(THREAD,))
    await house.send(watch, look(1))
    await house.seen(watch, "pull_request_comment_answered")
    merged = {"state": PullRequestState.MERGED, "merge_commit": "f" * 40, "threads": ()}
    house.forge.changes(head_commit=NEXT, **merged)
    await house.send(watch, look(2))
    await house.seen(thread, "pull_request_finished")
    handles = {
        kind: house.client.get_workflow_handle(name)
        for kind, name in (("thread", thread), ("publication", watch))
    }
    return {kind: await handle.fetch_history() for kind, handle in handles.items()}
