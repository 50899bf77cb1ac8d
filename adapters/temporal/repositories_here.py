"""The worker's interceptor that gives activities the folders of repositories named by URLs.

A history has the URL and the commit, an activity the path of the checkout on the host that runs it, so the
same thread can go on on any host.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel
from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from adapters.git.remote.found import Found
from adapters.git.remote.mirrors import Mirrors
from domain.core.errors import TreadleError
from domain.core.remote_repositories import RemoteRepository, is_remote, read_remote
from domain.core.workspaces import RepositoryFacts

_NAMES = frozenset({"repository", "root", "also"})
"""The fields that name repositories, in all that activities take and give."""

_OPENS, _REMOVES = frozenset({"open_thread", "open_flow"}), "remove_thread"
_BEAT_SECONDS = 2.0


class RepositoriesHere(Interceptor):
    """Resolves repositories on this host before an activity, and names them by URL again after it."""

    def __init__(self, mirrors: Mirrors, schemes: Sequence[str]) -> None:
        """Make it for a host; `schemes` are those of URLs that may be used here."""
        self._mirrors = mirrors
        self._schemes = schemes

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the mirrors before an activity."""
        return _Here(next, self)

    async def places(self, names: set[str], activity_type: str) -> dict[str, tuple[Found, Path]]:
        """Return the checkouts of repositories by their names, made where there are none.

        Raises:
            TreadleError: One cannot be had.
        """
        return {name: await self._place(name, activity_type) for name in sorted(names)}

    async def _place(self, name: str, activity_type: str) -> tuple[Found, Path]:
        remote = read_remote(name, self._schemes)
        if activity_type == _REMOVES:
            return Found(remote), self._mirrors.place_of(remote)
        is_known = remote.is_pinned and activity_type not in _OPENS
        found = Found(remote) if is_known else await self._mirrors.resolve(remote)
        return found, await self._mirrors.checkout(found)

    async def release(self, remotes: list[RemoteRepository]) -> None:
        """Remove the checkouts that a removed thread was the last one to use."""
        for remote in remotes:
            await self._mirrors.release(remote)


class _Here(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, here: RepositoriesHere) -> None:
        super().__init__(inner)
        self._here = here

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        names = {name for call in input.args for name in remotes_in(call)}
        if not names:
            return await super().execute_activity(input)
        kind = activity.info().activity_type
        async with beating():
            try:
                places = await self._here.places(names, kind)
            except TreadleError as error:
                raise ApplicationError(
                    error.message, type=error.type, non_retryable=not error.is_retryable
                ) from error
        to_path = {name: str(path) for name, (_, path) in places.items()}
        input.args = [renamed(call, to_path) for call in input.args]
        result = await super().execute_activity(input)
        if kind == _REMOVES:
            await self._here.release([found.remote for found, _ in places.values()])
        return _by_url(result, places)


def _by_url(result: Any, places: Mapping[str, tuple[Found, Path]]) -> Any:
    """Return a result with URLs in place of this host's paths, and the branches that were asked for."""
    to_url = {str(path): str(found.remote) for found, path in places.values()}
    branches = {str(path): found.branch for found, path in places.values()}

    def with_branch(facts: BaseModel) -> dict[str, Any]:
        is_found = isinstance(facts, RepositoryFacts) and branches.get(facts.root)
        return {"head_branch": is_found} if is_found else {}

    return renamed(result, to_url, with_branch)


def remotes_in(value: Any) -> set[str]:
    """Return the URLs that a call names as repositories."""
    return {name for name in repositories_in(value) if is_remote(name)}


def repositories_in(value: Any) -> set[str]:
    """Return the repositories that a call names, by URL or by path."""
    found: set[str] = set()

    def note(name: str) -> str:
        found.add(name)
        return name

    _walk(value, note, lambda _: {})
    return found


def renamed(
    value: Any,
    names: Mapping[str, str],
    more: Callable[[BaseModel], dict[str, Any]] = lambda _: {},
) -> Any:
    """Return a model with its repositories renamed; `more` gives what else changes in a part of it."""
    return _walk(value, lambda name: names.get(name, name), more)


def _walk(
    value: Any, rename: Callable[[str], str], more: Callable[[BaseModel], dict[str, Any]]
) -> Any:
    if isinstance(value, tuple | list):
        every = cast("tuple[Any, ...] | list[Any]", value)
        parts = [_walk(part, rename, more) for part in every]
        is_same = all(new is old for new, old in zip(parts, every, strict=True))
        return every if is_same else type(every)(parts)
    if not isinstance(value, BaseModel):
        return value
    update = more(value)
    for name in type(value).model_fields:
        old = getattr(value, name)
        new = _named(old, rename) if name in _NAMES else _walk(old, rename, more)
        if new is not old:
            update[name] = new
    return value.model_copy(update=update) if update else value


def _named(value: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        new = rename(value)
        return value if new == value else new
    if isinstance(value, tuple):
        every = cast("tuple[Any, ...]", value)
        parts = tuple(_named(part, rename) for part in every)
        return every if parts == every else parts
    return value


@asynccontextmanager
async def beating() -> AsyncGenerator[None]:
    """Beat for the activity that this runs in, for as long as the block lasts."""

    async def beat() -> None:
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            activity.heartbeat()

    beats = asyncio.create_task(beat())
    try:
        yield
    finally:
        beats.cancel()
