"""What `treadle publish ACTION` does with a watched pull request."""

from collections.abc import Sequence

import typer

from cli.core.client import path_of
from cli.core.confirmation import is_watched
from cli.core.console import confirmed, emit, output
from cli.core.threads import connect_to
from cli.core.views import read_thread
from cli.threads.branch import SHORT, check_at
from cli.threads.merge_drawing import stack_lines
from cli.threads.pull_request_drawing import pull_request
from domain.forges.pull_requests import MergeMethod, MergeTiming
from domain.forges.stacks import Layer
from domain.publications.views import WatchedPullRequest

_OF_ITEM = frozenset({"dismiss", "rework"})
ACTIONS = frozenset({"status", "look", "watch", "unwatch", "merge", "cancel-merge", *_OF_ITEM})
_MOST = 2


def read_words(words: list[str]) -> tuple[str, str, str | None]:
    """Return the action, the item and the thread that words name; without an action it is empty.

    Raises:
        BadParameter: There are too many words, or an item is missing.
    """
    action = words[0] if words and words[0] in ACTIONS else ""
    rest = words[1:] if action else words
    if action in _OF_ITEM and not rest:
        raise typer.BadParameter(f"{action} which ITEM? `treadle publish status` lists them")
    item, rest = (rest[0], rest[1:]) if action in _OF_ITEM else ("", rest)
    if len(rest) >= _MOST:
        if action:
            raise typer.BadParameter(f"unexpected {rest[1]!r}: {action} takes one THREAD")
        known = ", ".join(sorted(ACTIONS))
        raise typer.BadParameter(f"{rest[0]!r} is no action; there are: {known}")
    return action, item, rest[0] if rest else None


def carry_out(
    action: str, item: str, thread: str | None, *, number: int = 0, as_json: bool
) -> None:
    """Show the pull request, or send one command about it."""
    client, name = connect_to(thread)
    if action == "status":
        found = WatchedPullRequest.model_validate(
            client.get(path_of("threads", name, "pull-request"), **_numbered(number))
        )
        stack = read_thread(client, name).publication.stack
        emit(found, lambda view: _print(view, name, stack), as_json=as_json)
        return
    body = {"item_id": item} if item else {}
    place = path_of("threads", name, "pull-request", action)
    emit(client.post(place, body, **_numbered(number)), as_json=as_json)


def _numbered(number: int) -> dict[str, str]:
    """Return the parameter that names a pull request of a stack, if one was named."""
    return {"number": str(number)} if number else {}


def merge_pull_request(
    thread: str | None,
    commit: str | None,
    method: MergeMethod | None,
    timing: MergeTiming,
    *,
    number: int = 0,
    as_json: bool,
) -> None:
    """Have the forge merge the commit that is shown here, or that was named."""
    client, name = connect_to(thread)
    place = path_of("threads", name, "pull-request")
    found = WatchedPullRequest.model_validate(client.get(place, **_numbered(number)))
    check_at(f"pull request #{found.number}", found.head_commit, commit)
    if commit is None and is_watched():
        _print(found, name)
        confirmed(f"Merge #{found.number} ({found.head_commit[:SHORT]})?", aborts=True)
    body = {"commit": found.head_commit, "method": method, "timing": timing}
    where = path_of("threads", name, "pull-request", "merge")
    answer = client.post(where, body, **_numbered(number))
    emit(answer, as_json=as_json)


def _print(found: WatchedPullRequest, thread: str, stack: Sequence[Layer] = ()) -> None:
    for line in stack_lines(stack):
        output.print(line, soft_wrap=True)
    for line in pull_request(found, thread):
        output.print(line, soft_wrap=True)
