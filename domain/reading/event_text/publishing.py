"""Texts of what becomes of a thread's branch: pushed, published, merged."""

from domain.core.event_text import EventText, error, success, warning
from domain.core.text import counted
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes, silence
from domain.threads.landing.events import BranchMerged, MergeRequested
from domain.threads.publishing import events as publishing_events
from domain.threads.publishing import stack_events
from domain.threads.publishing.publication import PushedBranch


def _places(pushed: PushedBranch) -> str:
    others = (f"; of {one.name} to {one.remote} ({one.address})" for one in pushed.beside)
    return f"{pushed.remote} ({pushed.address}){''.join(others)}"


describe(publishing_events.PublishRequested, lambda event: f"Publishing the branch{by(event.by)}")


@describes(publishing_events.BranchPublished)
def _describe_published(event: publishing_events.BranchPublished) -> EventText:
    pushed = event.pushed
    words = f"Branch {pushed.branch} pushed to {_places(pushed)}"
    if pushed.note_failure:
        return warning(f"{words}; its receipt is not there as a note", pushed.note_failure)
    return success(words)


describe(
    publishing_events.PullRequestOpened,
    lambda event: success(f"Pull request #{event.pull_request.number}: {event.pull_request.url}"),
)
describe(
    publishing_events.PullRequestLeft,
    lambda event: warning(f"No pull request opened: {event.reason}", event.compare_url),
)
describe(
    publishing_events.PublishFailed,
    lambda event: error(f"Publishing failed: {event.reason}", event.compare_url),
)
describe(
    publishing_events.PullRequestWatchStarted,
    lambda event: f"Pull request #{event.number} is watched at {event.commit[:12]}",
)


describe(
    stack_events.StackPlanned,
    lambda event: (
        f"Publishing {counted(len(event.layers), 'task')}, each as a pull request on the one before"
    ),
)
describe(
    stack_events.LayerReplayed,
    lambda event: f"{event.layer.branch} is {event.layer.commit[:12]} on {event.layer.onto}",
)
describe(
    stack_events.LayerPublished,
    lambda event: success(
        f"Pull request #{event.number} of {event.task_id}, into {event.against}: {event.url}"
    ),
)
describe(
    stack_events.LayerStopped,
    lambda event: error(f"The pull request of {event.task_id} stays where it is: {event.reason}"),
)
silence(stack_events.LayerNoted)


@describes(stack_events.LayerRemoved)
def _describe_removal(event: stack_events.LayerRemoved) -> EventText:
    if event.failure:
        return warning(f"{event.branch} was not deleted on the remote: {event.failure}")
    return success(f"{event.branch} was deleted on the remote")


describe(
    publishing_events.ReworkRequested,
    lambda event: f"Rework {event.number} asked{by(event.by)}: {event.subject}",
)
describe(
    publishing_events.ReworkPlanned,
    lambda event: f"Rework {event.number} is plan {event.revision}",
)
silence(publishing_events.ReworkTold)


@describes(publishing_events.ReworkEnded)
def _describe_rework(event: publishing_events.ReworkEnded) -> EventText:
    if event.is_done:
        return success(f"Rework {event.number} is on the branch")
    return error(f"Rework {event.number} failed: {event.reason}")


@describes(publishing_events.PullRequestFinished)
def _describe_finish(event: publishing_events.PullRequestFinished) -> EventText:
    if not event.is_merged:
        return warning(f"Pull request #{event.number} was closed without being merged")
    as_commit = f" as {event.merge_commit[:12]}" if event.merge_commit else ""
    return success(f"Pull request #{event.number} was merged{as_commit}")


describe(MergeRequested, lambda event: f"Merging the branch into {event.target}{by(event.by)}")


@describes(BranchMerged)
def _describe_merge(event: BranchMerged) -> EventText:
    if event.failure:
        return error(f"Branch {event.branch} not merged: {event.failure}")
    commit = event.merge_commit[:12]
    return success(f"Branch {event.branch} merged into {event.target}: {commit}")
