"""How a thread carries out the steps of publishing."""

from temporalio.exceptions import ActivityError

from activities.publishing import Publishing
from domain.core.ids import host_queue
from domain.threads.publishing.calls import PullRequestCall, PushBeside, PushCall
from domain.threads.publishing.effects import EndPullRequest, EndPush, OpenPullRequest, PushBranch
from workflows import options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _push(effect: PushBranch, thread: ThreadLoop) -> None:
    opened, publication = thread.state.opened, thread.state.publication
    if opened is None:
        return
    call = PushCall(
        repository=opened.facts.root,
        branch=opened.branch,
        remote=publication.remote,
        address=publication.address,
        known=opened.facts.remotes,
        commit=publication.commit,
        beside=tuple(
            PushBeside(**dict(other), known=one.remotes)
            for one, other in zip(opened.beside, opened.others, strict=True)
        ),
    )
    where = options.on(host_queue(opened.host), options.PUBLISH)
    try:
        done = await thread.run_activity(Publishing.push_branch, call, where)
    except ActivityError as error:
        thread.submit(EndPush(number=effect.number, failure=words_of(error)))
        return
    thread.submit(EndPush(number=effect.number, pushed=done.pushed))


@carries
async def _open(effect: OpenPullRequest, thread: ThreadLoop) -> None:
    opened, call = thread.state.opened, PullRequestCall(draft=effect.draft)
    where = options.on(host_queue(opened.host if opened else ""), options.PUBLISH)
    try:
        done = await thread.run_activity(Publishing.open_pull_request, call, where)
    except ActivityError as error:
        thread.submit(EndPullRequest(number=effect.number, failure=words_of(error)))
        return
    thread.submit(
        EndPullRequest(number=effect.number, pull_request=done.pull_request, obstacle=done.obstacle)
    )
