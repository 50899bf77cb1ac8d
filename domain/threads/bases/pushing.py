"""What is pushed once a base was looked at: what the forge wants and nothing else, or what somebody publishes."""

from collections.abc import Iterator

from domain.core.event import EventBody
from domain.threads.bases.events import BaseChecked
from domain.threads.publishing.events import PublishFailed, PublishRequested
from domain.threads.publishing.publication import Publication
from domain.threads.state import ThreadState

_SHORT = 12


def after_taking_in(checked: BaseChecked, state: ThreadState) -> Iterator[PublishRequested]:
    """Yield that a base which the forge wanted is pushed, where nothing else would be with it.

    A person who confirmed the commit that was published is asked again.
    """
    publication = state.publication
    if publication.is_under_way or publication.is_confirmed:
        return
    if checked.commit and checked.look.tip == publication.pushed_commit:
        yield _by_policy(checked.commit, publication)


def before_push(checked: BaseChecked, state: ThreadState) -> Iterator[EventBody]:
    """Yield that nothing is pushed now and why, or that a base which moved once more is pushed as well."""
    publication = state.publication
    is_pushed_unasked = publication.is_by_policy and checked.look.tip == publication.commit
    if is_pushed_unasked and checked.commit:
        yield _by_policy(checked.commit, publication)
    elif reason := _against_push(checked, state):
        yield PublishFailed(step="push", reason=reason)


def _by_policy(commit: str, publication: Publication) -> PublishRequested:
    return PublishRequested(
        number=publication.number + 1,
        remote=publication.remote,
        address=publication.address,
        wants_pull_request=publication.wants_pull_request,
        by="the policy for the base",
        commit=commit,
        is_by_policy=True,
    )


def _against_push(checked: BaseChecked, state: ThreadState) -> str:
    """Return why nothing is pushed now; empty where the push goes on."""
    look, branch = checked.look, state.opened.branch if state.opened else ""
    again = f"`treadle update-branch {state.thread_id}` tries it again"
    if checked.conflicts:
        return (
            f"{look.base} has moved and conflicts with {branch} in {', '.join(checked.conflicts[:3])}: "
            "resolve that, then publish again"
        )
    if checked.failure:
        return (
            f"{look.base or 'the base'} was not taken in: {checked.failure}. {again}, then publish"
        )
    if checked.commit and state.publication.commit:
        return (
            f"{look.base} has moved by {look.behind} commits since it was shown, and is taken in: {branch} is "
            f"at {checked.commit[:_SHORT]} now. Look at its changes again, then publish"
        )
    return ""
