"""Texts of a watched pull request."""

from domain.core.event_text import EventText, error, success, warning
from domain.publications import events
from domain.publications.items import Item, ItemOutcome
from domain.publications.views import checks_in_words
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes, silence

_SHORT = 12

describe(
    events.PullRequestWatched,
    lambda event: f"Watching pull request #{event.of.number}{by(event.by)}",
)
describe(
    events.PullRequestPushed, lambda event: f"Pushed {event.commit[:_SHORT]} to the pull request"
)
describe(
    events.PullRequestMergeAsked,
    lambda event: (
        f"Asked the forge to {event.method} {event.commit[:_SHORT]}"
        f" {'when it is ready' if event.timing == 'when_ready' else 'now'}{by(event.by)}"
    ),
)
describe(
    events.PullRequestMergeWithdrawn,
    lambda event: (
        "Told the forge not to merge by itself: its head has moved, or it is reworked"
        if event.is_by_policy
        else f"Told the forge not to merge by itself{by(event.by)}"
    ),
)
describe(
    events.PullRequestUnwatched, lambda event: f"Stopped watching the pull request{by(event.by)}"
)


describe(
    events.PullRequestPolicyChanged,
    lambda _: "What may happen to the pull request without asking has changed with the plan",
)


@describes(events.PullRequestSeen)
def _describe_seen(event: events.PullRequestSeen) -> EventText | str:
    view = event.view
    checks = checks_in_words(view.checks)
    words = f"Pull request #{view.number} is {view.state} at {view.head_commit[:_SHORT]}"
    words = f"{words}; checks: {checks}" if checks else words
    is_void = event.receipt is not None and event.receipt.is_void
    return warning(f"{words}; its receipt is void") if is_void else words


@describes(events.PullRequestItemOpened)
def _describe_item(event: events.PullRequestItemOpened) -> EventText:
    return warning(event.item.subject, _details(event.item))


def _details(item: Item) -> str:
    """Return what to do, and the text from outside as a quotation."""
    quoted = "\n".join(f"> {line}" for line in item.text.splitlines())
    return "\n\n".join(filter(None, (item.advice, quoted, item.url)))


@describes(events.PullRequestItemClosed)
def _describe_closed(event: events.PullRequestItemClosed) -> EventText | str:
    if event.outcome is ItemOutcome.DISMISSED:
        return f"Dismissed{by(event.by)}: {event.subject}"
    if event.outcome is ItemOutcome.REWORKED:
        return f"To be reworked: {event.subject}"
    return success(f"No longer open: {event.subject}")


describe(
    events.PullRequestReworkAsked,
    lambda event: f"Rework {event.number} asked{by(event.by)}: {event.item.subject}",
)
silence(events.PullRequestReworkSent)
describe(
    events.PullRequestReworkPushed,
    lambda event: success(f"Rework {event.number} pushed as {event.commit[:_SHORT]}"),
)


@describes(events.PullRequestReworkEnded)
def _describe_rework(event: events.PullRequestReworkEnded) -> EventText | str:
    if event.is_done:
        return f"Rework {event.number} is done"
    return error(f"Rework {event.number} failed: {event.reason}")


@describes(events.PullRequestCommentAnswered)
def _describe_answered(event: events.PullRequestCommentAnswered) -> EventText | str:
    if event.failure:
        return error(f"The comment was not answered: {event.failure}")
    return success("The comment was answered and its thread resolved")


@describes(events.PullRequestMergeAnswered)
def _describe_answer(event: events.PullRequestMergeAnswered) -> EventText | str:
    if event.failure:
        return error(f"The forge did not merge: {event.failure}")
    return (
        success("The forge merged it")
        if event.is_merged
        else "The forge merges it when it is ready"
    )


@describes(events.PullRequestMergeCancelled)
def _describe_cancelled(event: events.PullRequestMergeCancelled) -> EventText | str:
    if event.failure:
        return error(f"The forge may still merge by itself: {event.failure}")
    return "The forge does not merge it by itself any more"


@describes(events.PullRequestEnded)
def _describe_end(event: events.PullRequestEnded) -> EventText:
    if not event.is_merged:
        return warning("The pull request was closed without being merged")
    as_commit = f" as {event.merge_commit[:_SHORT]}" if event.merge_commit else ""
    return success(f"The pull request was merged{as_commit}")


@describes(events.PullRequestBaseAsked)
def _describe_base_asked(event: events.PullRequestBaseAsked) -> EventText | str:
    if not event.is_reached:
        return warning("The base was to be taken in, and the thread is not there any more")
    return (
        f"The forge wants the base in {event.commit[:_SHORT]}: the thread was asked to take it in"
    )


silence(events.PullRequestReported)


@describes(events.PullRequestBranchDeleted)
def _describe_deleted(event: events.PullRequestBranchDeleted) -> EventText | str:
    if event.failure:
        return warning(f"Branch {event.branch} was not deleted on the forge: {event.failure}")
    return f"Branch {event.branch} deleted on the forge"
