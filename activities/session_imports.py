"""What was said in a session that a thread goes on with: read from its agent, and kept in the journal."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from activities.heartbeats import beating
from domain.agents.agents import Prompt, SessionRole, TurnInput
from domain.agents.past_sessions import ImportedSession, PastSessions, end_of, text_of
from domain.agents.profiles import AgentProfile
from domain.core.errors import AgentError, InvalidError, WrongStateError
from domain.core.ids import StreamId, TurnId, session_stream, shared_workspace_id
from domain.core.ports import Fences, Journal
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.threads.calls import OpenThreadCall

READ_SECONDS = 120.0
MAX_NOTE = 500

_DELETED = "the thread of this session was deleted, so it cannot be continued here for a week: go on with it in its agent"


@dataclass(frozen=True)
class SessionImports:
    """Reads sessions of agents on this host."""

    past: PastSessions
    journal: Journal
    fences: Fences

    async def read(
        self, call: OpenThreadCall, profile: AgentProfile, repository: str
    ) -> ImportedSession | None:
        """Return the session with what was said in it.

        Raises:
            InvalidError: Its agent does not start, or does not offer a list of sessions.
            WrongStateError: Its thread was deleted, and what that one left may still end.
            NotFoundError: It lists no such session of the repository.
        """
        if call.imports is None:
            return None
        wanted, turn = call.imports.agent_session, _turn(call, repository)
        own = shared_workspace_id(call.thread_id)
        if await asyncio.to_thread(self.fences.is_released, own):
            raise WrongStateError(_DELETED)
        try:
            async with beating():
                found = await self.past.recalled(profile, turn, repository, wanted)
        except AgentError as error:
            raise InvalidError(f"{call.agent}: {error.message}") from error
        text = text_of(found.talk)
        return ImportedSession(
            agent_session=wanted,
            cwd=found.session.cwd or repository,
            title=found.session.title,
            history_ref=await self.journal.put_text(text) if text else "",
            messages=len(found.talk),
            said=end_of(text),
            note=found.note[:MAX_NOTE],
        )


def _turn(call: OpenThreadCall, repository: str) -> TurnInput:
    """Return the turn in whose sandbox the agent is asked: one that only reads."""
    session = session_stream(call.thread_id, 1)
    return TurnInput(
        turn_id=TurnId(f"{session}:import"),
        session_id=session,
        owner=StreamId(call.thread_id),
        thread_id=call.thread_id,
        role=SessionRole.REVIEWER,
        agent=call.agent,
        prompt=Prompt(),
        workspace=WorkspaceSpec(
            workspace_id=session.replace("/", "-"),
            kind=WorkspaceKind.PLANNING,
            repository=repository,
            thread_id=call.thread_id,
            base="HEAD",
        ),
        idle_timeout=timedelta(seconds=READ_SECONDS),
    )
