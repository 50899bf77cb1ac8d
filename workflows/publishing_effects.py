"""How a thread carries out the steps of publishing."""

from temporalio import workflow
from temporalio.exceptions import ActivityError, WorkflowAlreadyStartedError
from temporalio.workflow import ParentClosePolicy

from activities.publishing import Publishing
from domain.core.ids import host_queue, publication_id
from domain.core.listing import project_name
from domain.core.notices import ResourceWarned
from domain.forges.pull_requests import PullRequestId
from domain.publications.commands import NotePush, NoteRework
from domain.publications.inputs import PublicationInput
from domain.publications.reworks import ReworkCount
from domain.threads.publishing.calls import PullRequestCall, PushBeside, PushCall
from domain.threads.publishing.effects import (
    EndPullRequest,
    EndPush,
    EndReworkTelling,
    EndWatchStart,
    OpenPullRequest,
    PushBranch,
    StartWatch,
    TellRework,
)
from domain.threads.publishing.watching import policy_of, reworks_of
from domain.threads.sessions import opened_of
from workflows import options
from workflows.attributes import listed
from workflows.failures import words_of
from workflows.left_alone import leave_alone
from workflows.publication import PublicationWorkflow
from workflows.signalling import reaches
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


def push_of(thread: ThreadLoop, commit: str) -> PushCall:
    """Return a push of a thread's branch, up to a commit, to where it is published."""
    opened, publication = opened_of(thread.state), thread.state.publication
    return PushCall(
        repository=opened.facts.root,
        branch=opened.branch,
        remote=publication.remote,
        address=publication.address,
        known=opened.facts.remotes,
        commit=commit,
    )


async def note_push(
    of: PullRequestId,
    url: str,
    push: NotePush,
    thread: ThreadLoop,
    *,
    is_watched: bool,
    reworks: ReworkCount | None = None,
) -> None:
    """Tell the watch of a pull request what was pushed, or start it; one that ended is started again."""
    opened = opened_of(thread.state)
    given = PublicationInput(
        thread_id=thread.input.thread_id,
        host=opened.host,
        of=of,
        url=url,
        policy=policy_of(thread.state),
        reworks=reworks or ReworkCount(),
        commit=push.commit,
        project=project_name(opened.facts.root),
        repository=opened.facts.root,
        person=opened.opened_by,
    )
    if is_watched and await reaches(given.workflow_id, "note_push", push):
        return
    try:
        watch = await workflow.start_child_workflow(
            PublicationWorkflow.run,
            given,
            id=given.workflow_id,
            **listed(given.listing),
            parent_close_policy=ParentClosePolicy.ABANDON,
            task_timeout=options.WORKFLOW_TASK,
        )
        leave_alone(watch)
    except WorkflowAlreadyStartedError:
        words = f"another workflow has the id {given.workflow_id}: end it"
        thread.record((ResourceWarned(message=words),))


@carries
async def _push(effect: PushBranch, thread: ThreadLoop) -> None:
    opened = opened_of(thread.state)
    beside = tuple(
        PushBeside(**dict(other), known=one.remotes)
        for one, other in zip(opened.beside, opened.others, strict=True)
    )
    told = {"beside": beside, "thread": thread.state.thread_id}
    call = push_of(thread, thread.state.publication.commit).model_copy(update=told)
    where = options.on(host_queue(opened.host), options.PUBLISH)
    try:
        done = await thread.run_activity(Publishing.push_branch, call, where)
    except ActivityError as error:
        thread.submit(EndPush(number=effect.number, failure=words_of(error)))
        return
    thread.submit(EndPush(number=effect.number, pushed=done.pushed))


@carries
async def _open(effect: OpenPullRequest, thread: ThreadLoop) -> None:
    opened = thread.state.opened
    call = PullRequestCall(draft=effect.draft, thread=thread.state.thread_id)
    where = options.on(host_queue(opened.host if opened else ""), options.PUBLISH)
    try:
        done = await thread.run_activity(Publishing.open_pull_request, call, where)
    except ActivityError as error:
        thread.submit(EndPullRequest(number=effect.number, failure=words_of(error)))
        return
    thread.submit(
        EndPullRequest(number=effect.number, pull_request=done.pull_request, obstacle=done.obstacle)
    )


@carries
async def _watch(effect: StartWatch, thread: ThreadLoop) -> None:
    publication = thread.state.publication
    if publication.pushed is None or publication.pushed.project is None:
        return
    reworks = reworks_of(effect.number, thread.state)
    push = NotePush(
        commit=effect.commit,
        rework=effect.rework,
        usd=reworks.usd,
        policy=policy_of(thread.state),
    )
    of = PullRequestId(project=publication.pushed.project, number=effect.number)
    is_watched = publication.watched == effect.number
    await note_push(of, effect.url, push, thread, is_watched=is_watched, reworks=reworks)
    thread.submit(EndWatchStart(number=effect.number, commit=effect.commit, rework=effect.rework))


@carries
async def _tell_rework(effect: TellRework, thread: ThreadLoop) -> None:
    """Tell the watch how a rework ended; one that is gone has nobody to tell."""
    note = NoteRework(**effect.model_dump(exclude={"pull_request"}))
    watch = publication_id(thread.input.thread_id, effect.pull_request)
    await reaches(watch, "note_rework", note)
    told = EndReworkTelling(pull_request=effect.pull_request, number=effect.number)
    thread.submit(told)
