"""The sessions that are open: what they are set to, and the one turn that each may run."""

import asyncio
import gc
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from treadle_agent import offers
from treadle_agent.providers import Model, problem_of
from treadle_agent.rpc import INVALID_PARAMS, INVALID_REQUEST, Params, Peer, RpcError
from treadle_agent.store import Record, Store


class Libraries:
    """The modules that need the libraries, loaded once, in a thread while the client goes on."""

    def __init__(self) -> None:
        self._loading: asyncio.Task[Any] | None = None

    def load(self) -> None:
        """Begin to load them."""
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(_loaded))

    async def conversation(self) -> Callable[..., Any]:
        """Return the class of conversations, once it is there."""
        self.load()
        assert self._loading is not None  # noqa: S101  (load has set it)
        return (await asyncio.shield(self._loading)).Conversation


def _loaded() -> Any:
    """Import the libraries; looking for garbage among them meanwhile takes a quarter of the time."""
    gc.disable()
    try:
        return importlib.import_module("treadle_agent.conversation")
    finally:
        gc.freeze()
        gc.enable()


class Session:
    """One open session."""

    def __init__(
        self,
        record: Record,
        store: Store,
        peer: Peer,
        models: list[Model],
        conversation: asyncio.Task[Any],
    ) -> None:
        self.record = record
        self._store = store
        self._peer = peer
        self._models = models
        self._conversation = conversation
        self._turn: asyncio.Task[Params] | None = None
        self._is_cancelled = False

    def offers(self) -> Params:
        """Return the session's modes and options."""
        return offers.opened(self.record, self._models)

    async def announce(self) -> None:
        """Tell which commands there are."""
        await self._update("available_commands_update", availableCommands=list(offers.COMMANDS))

    async def replay(self) -> None:
        """Tell the conversation so far."""
        await (await asyncio.shield(self._conversation)).replay()

    async def prompt(self, blocks: Sequence[Any]) -> Params:
        """Run one turn; a cancelled one ends well.

        Raises:
            RpcError: A turn runs already, or this one failed.
        """
        if self._turn is not None:
            raise RpcError(INVALID_REQUEST, "a turn of this session runs already: cancel it first")
        self._is_cancelled = False
        self._turn = asyncio.create_task(self._run(blocks))
        try:
            return await self._turn
        except asyncio.CancelledError:
            self._turn.cancel()
            await asyncio.wait({self._turn})
            if self._is_cancelled or self._turn.cancelled():
                return self._cancelled()
            raise
        finally:
            self._turn = None

    def cancel(self) -> None:
        """End the running turn, if there is one."""
        self._is_cancelled = True
        if self._turn is not None:
            self._turn.cancel()

    async def set_mode(self, mode: str) -> None:
        """Change the mode, from the next turn on.

        Raises:
            RpcError: There is no such mode.
        """
        self._choose("mode", mode, [str(known["id"]) for known in offers.MODES])
        await self._update("current_mode_update", currentModeId=mode)

    async def set_option(self, option: str, value: object) -> list[Params]:
        """Change one option, from the next turn on; returns all of them.

        Raises:
            RpcError: There is no such option or value.
        """
        if option == "mode":
            await self.set_mode(str(value))
        elif option == "model":
            if problem := problem_of(str(value)):
                raise RpcError(INVALID_PARAMS, problem)
            self._choose("model", str(value), [str(value)])
        elif option == "thought_level":
            self._choose("effort", str(value), list(offers.EFFORTS))
        else:
            raise RpcError(INVALID_PARAMS, f"there is no option {option!r}")
        return offers.options(self.record, self._models)

    async def close(self) -> None:
        """End the turn and all that the session left running."""
        self.cancel()
        if self._turn is not None:
            await asyncio.wait({self._turn})
        if self._conversation.done() and not self._conversation.cancelled():
            await self._conversation.result().close()
        self._conversation.cancel()

    async def _run(self, blocks: Sequence[Any]) -> Params:
        conversation = await asyncio.shield(self._conversation)
        return await conversation.prompt(blocks)

    def _cancelled(self) -> Params:
        """Return the answer to a prompt that was cancelled, perhaps before the libraries were there."""
        is_there = self._conversation.done() and not self._conversation.cancelled()
        if is_there and self._conversation.exception() is None:
            return self._conversation.result().ended("cancelled")
        return {"stopReason": "cancelled"}

    def _choose(self, name: str, value: str, known: list[str]) -> None:
        if value not in known:
            raise RpcError(INVALID_PARAMS, f"{value!r} is none of {', '.join(known)}")
        setattr(self.record, name, value)
        self._store.save(self.record)

    async def _update(self, kind: str, /, **fields: Any) -> None:
        update = {"sessionUpdate": kind, **fields}
        params = {"sessionId": self.record.session_id, "update": update}
        await self._peer.notify("session/update", params)


def checked_folder(params: Params) -> str:
    """Return the folder of a session.

    Raises:
        RpcError: It is no absolute path of a folder.
    """
    cwd = Path(str(params.get("cwd", "")))
    if not cwd.is_absolute() or not cwd.is_dir():
        raise RpcError(INVALID_PARAMS, f"cwd must be the absolute path of a folder: {str(cwd)!r}")
    return str(cwd)
