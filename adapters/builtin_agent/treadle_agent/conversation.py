"""A session with its libraries: prompts, its own commands, and what was said before."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import UserContent

from treadle_agent.content import plain_text, title_of, user_content
from treadle_agent.failures import as_rpc_error
from treadle_agent.gate import Gate
from treadle_agent.ledger import Ledger
from treadle_agent.mcp_servers import McpServers
from treadle_agent.models import load_library, make_model
from treadle_agent.providers import problem_of
from treadle_agent.rpc import INVALID_PARAMS, Params, Peer, RpcError
from treadle_agent.shell import Shell
from treadle_agent.store import Record, Store
from treadle_agent.toolbox import Toolbox
from treadle_agent.turn import Turn, TurnContext
from treadle_agent.updates import COMPACTED, SessionUpdates

COMPACT = "/compact"


class Conversation:
    """What a session says and does. Made once the libraries are loaded; one turn at a time."""

    def __init__(
        self, record: Record, store: Store, peer: Peer, servers: Sequence[Any], logs: Path
    ) -> None:
        self._record = record
        self._store = store
        self._peer = peer
        self._servers = McpServers(servers)
        self._shell = Shell(Path(record.cwd), logs)
        self._updates = SessionUpdates(peer, record.session_id, Path(record.cwd))
        self._ledger = Ledger(record, store)
        asyncio.get_running_loop().run_in_executor(None, load_library, record.model)

    async def prompt(self, blocks: Sequence[Any]) -> Params:
        """Run a turn, or a command of the agent's own; returns the answer to `session/prompt`.

        Raises:
            RpcError: The prompt is broken, or the provider refused.
        """
        content, text = user_content(blocks), plain_text(blocks)
        if not content:
            raise RpcError(INVALID_PARAMS, "the prompt is empty")
        if problem := problem_of(self._record.model):
            raise RpcError(INVALID_PARAMS, problem)
        if text.split(maxsplit=1)[:1] == [COMPACT]:
            await self._compact(text.removeprefix(COMPACT).strip())
            return self.ended("end_turn")
        await self._entitle(text)
        reason = await self._turn(content)
        return self.ended(reason)

    def ended(self, reason: str) -> Params:
        """Return the answer to a prompt that ends for a reason, with the tokens that it took."""
        return {"stopReason": reason, "usage": self._ledger.take_usage()}

    async def replay(self) -> None:
        """Tell the client the conversation so far."""
        await self._updates.replay(self._ledger.messages)

    async def close(self) -> None:
        """End what the session left running."""
        await self._shell.end()
        await self._servers.close()

    async def _turn(self, content: Sequence[UserContent]) -> str:
        toolbox = Toolbox(self._record, self._updates, self._shell)
        turn = asyncio.current_task()
        assert turn is not None  # noqa: S101  (coroutines run in tasks)
        gate = Gate(self._peer, self._updates, self._record, self._remember, turn.cancel)
        self._ledger.begin(content)
        servers, notes = await self._servers.toolsets()
        model = await asyncio.to_thread(make_model, self._record.model)  # loads its library
        context = TurnContext(toolbox.agent(gate, servers, notes), model, toolbox.workspace())
        return await Turn(context, self._ledger, self._updates).run()

    def _remember(self) -> None:
        self._store.save(self._record)

    async def _compact(self, focus: str) -> None:
        if not self._ledger.messages:
            await self._updates.say("There is nothing to compact yet.")
            return
        model = await asyncio.to_thread(make_model, self._record.model)
        try:
            await self._ledger.compact(model, focus)
        except AgentRunError as error:
            raise as_rpc_error(error) from error
        await self._updates.say(COMPACTED)
        await self._ledger.report_fill(model, self._updates)

    async def _entitle(self, text: str) -> None:
        if self._record.title or not (title := title_of(text)):
            return
        self._record.title = title
        self._store.save(self._record)
        await self._updates.update("session_info_update", title=title)
