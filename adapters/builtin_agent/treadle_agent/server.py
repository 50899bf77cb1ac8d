"""The agent's side of ACP: its methods, and the process."""

import asyncio
import logging
import os
import sys
from typing import Any

from treadle_agent import offers
from treadle_agent.providers import NO_KEY, Model, offered
from treadle_agent.rpc import INVALID_PARAMS, Params, Peer, RpcError
from treadle_agent.sessions import Libraries, Session, checked_folder
from treadle_agent.shell import adopt_orphans
from treadle_agent.store import LISTED, Record, Store, agent_home, new_session_id
from treadle_agent.tolerant import as_list

AUTH_REQUIRED = -32000


class Server:
    """Serves one client."""

    def __init__(self, peer: Peer, store: Store) -> None:
        self._peer = peer
        self._store = store
        self._libraries = Libraries()
        self._sessions: dict[str, Session] = {}
        peer.request_handlers = {
            "initialize": self._initialize,
            "authenticate": self._authenticate,
            "session/new": self._new,
            "session/load": self._load,
            "session/resume": self._resume,
            "session/list": self._list,
            "session/close": self._close,
            "session/prompt": self._prompt,
            "session/set_mode": self._set_mode,
            "session/set_config_option": self._set_option,
        }
        peer.notification_handlers = {"session/cancel": self._cancel}

    async def run(self) -> None:
        """Serve until the client closes; then end everything."""
        try:
            await self._peer.run()
        finally:
            for session in self._sessions.values():
                await session.close()

    async def _initialize(self, params: Params) -> Params:
        del params  # this agent speaks version 1, whatever the client offers
        self._libraries.load()
        return offers.about()

    async def _authenticate(self, params: Params) -> Params:
        del params
        if not await asyncio.to_thread(offered):
            raise RpcError(AUTH_REQUIRED, NO_KEY)
        return {}

    async def _new(self, params: Params) -> Params:
        cwd = checked_folder(params)
        models = await self._models()
        record = Record(new_session_id(), cwd, offers.BUILD, models[0].model_id)
        self._store.save(record)
        session = self._open(record, params, models)
        return {"sessionId": record.session_id, **session.offers()}

    async def _load(self, params: Params) -> Params:
        session = await self._reopen(params)
        await session.replay()
        return session.offers()

    async def _resume(self, params: Params) -> Params:
        return (await self._reopen(params)).offers()

    async def _list(self, params: Params) -> Params:
        cwd, cursor = params.get("cwd"), str(params.get("cursor") or "0")
        if not cursor.isdecimal():
            raise RpcError(INVALID_PARAMS, f"{cursor!r} is no cursor of this agent")
        found = self._store.page(str(cwd) if cwd else None, int(cursor))
        sessions = [
            {
                "sessionId": record.session_id,
                "cwd": record.cwd,
                "title": record.title,
                "updatedAt": record.updated_at,
            }
            for record in found
        ]
        if len(found) < LISTED:
            return {"sessions": sessions}
        return {"sessions": sessions, "nextCursor": str(int(cursor) + LISTED)}

    async def _close(self, params: Params) -> Params:
        session = self._session(params)
        del self._sessions[session.record.session_id]
        await session.close()
        return {}

    async def _prompt(self, params: Params) -> Params:
        return await self._session(params).prompt(as_list(params.get("prompt")))

    async def _set_mode(self, params: Params) -> Params:
        await self._session(params).set_mode(str(params.get("modeId")))
        return {}

    async def _set_option(self, params: Params) -> Params:
        option = str(params.get("configId"))
        options = await self._session(params).set_option(option, params.get("value"))
        return {"configOptions": options}

    def _cancel(self, params: Params) -> None:
        if (session := self._sessions.get(str(params.get("sessionId")))) is not None:
            session.cancel()

    async def _models(self) -> list[Model]:
        models = await asyncio.to_thread(offered)
        if not models:
            raise RpcError(AUTH_REQUIRED, NO_KEY)
        return models

    async def _reopen(self, params: Params) -> Session:
        """Open a session that is kept, in the folder that the client names now."""
        cwd, session_id = checked_folder(params), str(params.get("sessionId"))
        record = self._store.find(session_id)
        if record is None:
            raise RpcError(INVALID_PARAMS, f"there is no session {session_id!r}")
        if (earlier := self._sessions.pop(session_id, None)) is not None:
            await earlier.close()
        record.cwd = cwd
        return self._open(record, params, await self._models())

    def _open(self, record: Record, params: Params, models: list[Model]) -> Session:
        servers = as_list(params.get("mcpServers"))
        making = asyncio.create_task(self._conversation(record, servers), name="conversation")
        session = Session(record, self._store, self._peer, models, making)
        self._sessions[record.session_id] = session
        announcing = asyncio.get_running_loop().create_task(session.announce())
        announcing.add_done_callback(lambda task: task.exception())
        return session

    async def _conversation(self, record: Record, servers: list[Any]) -> Any:
        make = await self._libraries.conversation()
        logs = agent_home() / "output" / record.session_id
        return make(record, self._store, self._peer, servers, logs)

    def _session(self, params: Params) -> Session:
        session_id = str(params.get("sessionId"))
        if (session := self._sessions.get(session_id)) is None:
            raise RpcError(
                INVALID_PARAMS, f"there is no open session {session_id!r}: load it first"
            )
        return session


def main() -> None:
    """Serve one client on standard input and output."""
    if sys.argv[1:]:
        sys.exit("The agent takes no arguments: it speaks the Agent Client Protocol on its input.")
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    adopt_orphans()
    asyncio.run(_main())


async def _main() -> None:
    await Server(Peer(), Store(agent_home())).run()
    os._exit(0)  # all is closed and kept; taking a million objects apart takes seconds
