"""The tool that waits: for a person to be needed, for a task to end, for the end."""

import time
from collections.abc import Callable
from contextlib import closing, nullcontext

import anyio
from anyio import to_thread

from cli.core.client import path_of
from cli.core.errors import RefusedError, UnreachableError
from cli.core.streams import PASSING, EventWatcher
from cli.core.threads import pick
from cli.mcp import answers, arguments
from cli.mcp.readings import is_over, is_working, needs_of, state_of, view_of
from cli.mcp.tool import Call
from domain.reading.views import ThreadView
from domain.tasks.status import TaskStatus

ENDED = frozenset({TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED})
"""Where the newest run of a task has ended."""

QUIET_SECONDS = 0.3
"""How long it lets events gather: an agent streams many in a second."""

BEAT_SECONDS = 5.0
"""How often a client is told that it still waits: some give up on calls that say nothing."""

AWAY_SECONDS = 1.0


async def wait_for_thread(call: Call, given: arguments.Wait) -> answers.Waited:
    """Wait; who cancels the call ends the wait, and nothing else."""
    with call.waits.place() as follows:
        return await _waited(call, given, follows=follows)


async def _waited(call: Call, given: arguments.Wait, *, follows: bool) -> answers.Waited:
    client, begun = call.client, time.monotonic()
    thread = await to_thread.run_sync(pick, client, given.thread, abandon_on_cancel=True)
    view = await _view(call, thread)
    before = await _ended_before(call, view, given.after)
    with _watcher(call, view) if follows else nullcontext() as news:
        while True:
            ended = sorted(_ended(view) - before)
            passed = time.monotonic() - begun
            reason = await to_thread.run_sync(
                _reason, call, view, ended, given.until, abandon_on_cancel=True
            )
            if reason is not None or passed >= given.timeout_seconds:
                return answers.Waited(
                    reason=reason or "timeout", ended_tasks=ended, state=state_of(call, view)
                )
            await call.progress(passed, given.timeout_seconds, _standing(view))
            await _news(news, min(BEAT_SECONDS, given.timeout_seconds - passed))
            view = await _viewed_again(call, thread, begun + given.timeout_seconds)


async def _view(call: Call, thread: str) -> ThreadView:
    return await to_thread.run_sync(view_of, call.client, thread, abandon_on_cancel=True)


async def _viewed_again(call: Call, thread: str, until: float) -> ThreadView:
    """Look once more; an engine that is away may be back before the wait is over.

    Raises:
        CommandError: It is away still.
    """
    while True:
        try:
            return await _view(call, thread)
        except (UnreachableError, RefusedError) as error:
            is_away = isinstance(error, UnreachableError) or error.status in PASSING
            if not is_away or time.monotonic() >= until:
                raise
            await anyio.sleep(AWAY_SECONDS)


def _watcher(call: Call, view: ThreadView) -> closing[EventWatcher]:
    return closing(EventWatcher(call.client, view.thread_id, view.position))


async def _news(news: EventWatcher | None, seconds: float) -> None:
    """Wait for an event, and until there is a pause in them; or for so long, where none are followed."""
    if news is None:
        await anyio.sleep(max(seconds, 0.0))
    elif await to_thread.run_sync(news.wait, max(seconds, 0.0), abandon_on_cancel=True):
        await anyio.sleep(QUIET_SECONDS)


async def _ended_before(call: Call, view: ThreadView, after: int | None) -> set[str]:
    if after is None:
        return _ended(view)

    def read() -> ThreadView:
        row = call.client.get(path_of("threads", view.thread_id), at=after)
        return ThreadView.model_validate(row)

    return _ended(await to_thread.run_sync(read, abandon_on_cancel=True))


def _ended(view: ThreadView) -> set[str]:
    return {str(task.task_id) for task in view.works if task.status in ENDED}


def _reason(
    call: Call, view: ThreadView, ended: list[str], until: list[arguments.Reason]
) -> arguments.Reason | None:
    """Return the first reason to stop waiting that holds."""
    holds: dict[arguments.Reason, Callable[[], bool]] = {
        "needs_person": lambda: bool(needs_of(view)),
        "over": lambda: is_over(view),
        "task_ended": lambda: bool(ended),
        "idle": lambda: not is_working(view) and not _has_mail(call, view),
    }
    return next((reason for reason in holds if reason in until and holds[reason]()), None)


def _has_mail(call: Call, view: ThreadView) -> bool:
    """Tell whether a message waits that no agent has got yet."""
    return bool(call.client.get(path_of("threads", view.thread_id, "messages")))


def _standing(view: ThreadView) -> str:
    progress = view.progress
    done = f", {progress.done} of {progress.total} tasks done" if progress.total else ""
    return f"{view.shown_status or view.status}{done}"
