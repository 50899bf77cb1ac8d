"""Asks agents for sessions of earlier, and for what was said in one: a process that gets no prompt."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from adapters.acp.handshake import OPEN_SECONDS
from adapters.acp.inspection import AgentAsker
from adapters.acp.launch import Launch
from adapters.acp.wire import RefusedError, Wire
from adapters.processes.spawner import Spawner
from adapters.tolerant import as_dict, as_list, as_text, at
from domain.agents.agents import TurnInput
from domain.agents.past_sessions import MAX_LISTED, PastSession, Recalled, Spoken
from domain.agents.profiles import AgentProfile
from domain.agents.updates import MESSAGE, kind_of
from domain.core.errors import AgentError, NotFoundError

USER_MESSAGE = "user_message_chunk"
MAX_PAGES = 20
MAX_TALK_BYTES = 64 << 20
"""What an agent may say while it loads a session: all of it, with its tools' outputs."""

T = TypeVar("T")


@dataclass(frozen=True)
class AgentPastSessions:
    """Implements `PastSessions`."""

    spawner: Spawner
    launch: Launch

    async def listed(
        self, profile: AgentProfile, turn: TurnInput, repository: str
    ) -> tuple[PastSession, ...]:
        """Return the sessions of a repository; see the port."""

        async def ask(wire: Wire, about: dict[str, Any]) -> tuple[PastSession, ...]:
            return await _listed(wire, about, repository)

        try:
            return await self._asked(profile, turn, Path(repository), ask)
        finally:
            home = self.launch.home(profile.name, turn.session_id)
            await asyncio.to_thread(shutil.rmtree, home, ignore_errors=True)

    async def recalled(
        self, profile: AgentProfile, turn: TurnInput, repository: str, session_id: str
    ) -> Recalled:
        """Return a session and what was said in it; see the port."""
        talk = _Talk()

        async def ask(wire: Wire, about: dict[str, Any]) -> Recalled:
            found = await _listed(wire, about, repository)
            session = next((each for each in found if each.session_id == session_id), None)
            if session is None:
                raise NotFoundError(
                    f"{profile.name} lists no session {session_id!r} in {repository}"
                )
            note = await _load(wire, about, session_id, session.cwd or repository)
            return Recalled(session=session, talk=() if note else talk.whole(), note=note)

        return await self._asked(profile, turn, Path(repository), ask, talk.hear)

    async def _asked(
        self,
        profile: AgentProfile,
        turn: TurnInput,
        folder: Path,
        ask: Callable[[Wire, dict[str, Any]], Awaitable[T]],
        hear: Callable[[dict[str, Any]], None] | None = None,
    ) -> T:
        async def answered(wire: Wire, about: dict[str, Any]) -> T:
            wire.allow(MAX_TALK_BYTES)
            try:
                return await ask(wire, about)
            except (RefusedError, TimeoutError) as error:
                raise AgentError(str(error) or "it gave no answer in time") from error

        await self.launch.prepare(profile, self.spawner, _untold)
        asker = AgentAsker(self.spawner, self.launch)
        return await asker.ask(profile, turn, folder, answered, hear=hear)


async def _listed(wire: Wire, about: dict[str, Any], repository: str) -> tuple[PastSession, ...]:
    """Return the sessions of a repository.

    Raises:
        AgentError: The agent does not offer a list.
    """
    if as_dict(at(about, "agentCapabilities.sessionCapabilities")).get("list") is None:
        raise AgentError("it can't list its sessions, so none can be continued")
    return await _pages(wire, repository)


async def _load(wire: Wire, about: dict[str, Any], session_id: str, cwd: str) -> str:
    """Have a session told; returns why it is not."""
    if not as_dict(about.get("agentCapabilities")).get("loadSession"):
        return "the agent does not return the earlier conversation"
    params: dict[str, Any] = {"sessionId": session_id, "cwd": cwd, "mcpServers": []}
    try:
        await wire.request("session/load", params, OPEN_SECONDS)
    except (RefusedError, TimeoutError) as error:
        return f"the agent did not return the earlier conversation: {error or 'no answer in time'}"
    return ""


async def _pages(wire: Wire, repository: str) -> tuple[PastSession, ...]:
    found: dict[str, PastSession] = {}
    places = {"": True, repository: True}
    params: dict[str, Any] = {"cwd": repository}
    for _ in range(MAX_PAGES):
        page = await wire.request("session/list", params, OPEN_SECONDS)
        told = [*filter(None, map(_session, as_list(page.get("sessions"))))]
        cwds = {each.cwd for each in told} - places.keys()
        places |= await asyncio.to_thread(_places, cwds, repository)
        for each in told:
            if places[each.cwd]:  # an agent may list those of all folders
                found.setdefault(each.session_id, each)
        cursor = as_text(page.get("nextCursor"))
        if not cursor or len(found) >= MAX_LISTED:
            break
        params = {**params, "cursor": cursor}
    return tuple(found.values())[:MAX_LISTED]


def _places(cwds: Collection[str], repository: str) -> dict[str, bool]:
    """Tell of folders, as an agent wrote them, whether each is that of a repository."""
    own = os.path.realpath(repository)
    return {cwd: _real(cwd) == own for cwd in cwds}


def _real(path: str) -> str:
    try:
        return os.path.realpath(path) if Path(path).is_absolute() else ""
    except (OSError, ValueError):  # like one with a null character
        return ""


def _session(row: Any) -> PastSession | None:
    told = as_dict(row)
    try:
        return PastSession(
            session_id=as_text(told.get("sessionId")),
            cwd=as_text(told.get("cwd")),
            title=as_text(told.get("title")),
            updated_at=as_text(told.get("updatedAt")),
        ).shortened()
    except ValidationError:
        return None


class _Talk:
    """What is said while a session is loaded, in the order in which it comes."""

    def __init__(self) -> None:
        self._said: list[tuple[bool, list[str]]] = []

    def hear(self, params: dict[str, Any]) -> None:
        """Add what an update says; what the same side says on is one message."""
        update = as_dict(params.get("update"))
        kind = kind_of(update)
        if kind not in {MESSAGE, USER_MESSAGE}:
            return
        content = as_dict(update.get("content"))
        text = as_text(content.get("text")) or f"[{as_text(content.get('type')) or 'content'}]"
        is_person = kind == USER_MESSAGE
        if not self._said or self._said[-1][0] is not is_person:
            self._said.append((is_person, []))
        self._said[-1][1].append(text)

    def whole(self) -> tuple[Spoken, ...]:
        """Return all messages."""
        return tuple(Spoken(is_person=who, text="".join(parts)) for who, parts in self._said)


async def _untold(_line: str) -> None:
    """Let a line that tells how far it is pass."""
