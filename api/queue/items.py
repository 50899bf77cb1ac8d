"""The items of a request as threads and flow runs that the queue starts later."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends

from adapters.files.template_scopes import top_of
from api.core.queue_client import QueueItem, id_of
from api.flows.starting import FlowStartsDep
from api.queue.base_branches import BaseBranchesDep
from api.queue.bodies import QueueBody, Waiting, WaitingFlow
from api.threads.opening import ThreadPreparationDep
from domain.core.errors import InvalidError, RepositoryError
from domain.core.remote_repositories import is_remote
from domain.flows.inputs import FlowInput
from domain.threads.inputs import ThreadInput

_ON_HOST_OF_BASE = (
    "a thread that starts from the branch of another one works on that one's host: leave out the host "
    "and the labels, or the base"
)


class ItemPreparation:
    """Turns the items of a request into inputs of threads and flow runs."""

    def __init__(
        self, threads: ThreadPreparationDep, flows: FlowStartsDep, branches: BaseBranchesDep
    ) -> None:
        self._threads = threads
        self._flows = flows
        self._branches = branches

    async def items(self, body: QueueBody) -> list[QueueItem]:
        """Return the items; names within the request become ids.

        Raises:
            TreadleError: One cannot be used; nothing was queued.
        """
        begun: list[ThreadInput | FlowInput] = []
        for number, item in enumerate(body.items):
            each = await self._begun(item, body.command_id, number)
            while isinstance(each, FlowInput) and id_of(each) in map(id_of, begun):
                each = each.numbered(each.number + 1)
            begun.append(each)
        ids = _ids_of(body.items, begun)
        known = {id_of(each): each for each in begun}
        items: list[QueueItem] = []
        for each, item in zip(begun, body.items, strict=True):
            after = [ids.get(name, name) for name in item.after]
            based = each
            if isinstance(each, ThreadInput) and not isinstance(item, WaitingFlow) and item.base:
                if not item.wish.is_empty:
                    raise InvalidError(_ON_HOST_OF_BASE)
                base = ids.get(item.base, item.base)
                branch = await self._branches.of(base, known.get(base), each.repository)
                place = {"base": branch, "on_host": await self._branches.host_of(base)}
                based, after = each.model_copy(update=place), [*after, base]
            items.append(QueueItem(based, item.priority, tuple(dict.fromkeys(after))))
        return items

    async def _begun(self, item: Waiting, command_id: str, number: int) -> ThreadInput | FlowInput:
        if isinstance(item, WaitingFlow):
            if item.conversation_id is not None:
                raise InvalidError("only new flow runs can be queued: resume this one instead")
            return await self._flows.prepare(item.flow, item)
        if not item.is_planned:
            raise InvalidError("a chat has no end and cannot be queued: open it instead")
        if not is_remote(item.repository) and not (top_of(item.repository) / ".git").exists():
            raise RepositoryError(
                f"{item.repository[:80]!r} is not in a git repository: run `git init` and commit, or "
                "choose another folder"
            )
        seeded = item.model_copy(update={"command_id": command_id or item.command_id})
        return await self._threads.prepare(seeded, number)


ItemPreparationDep = Annotated[ItemPreparation, Depends()]


def _ids_of(items: Sequence[Waiting], begun: Sequence[ThreadInput | FlowInput]) -> dict[str, str]:
    """Return the ids of items by their names.

    Raises:
        InvalidError: Two items have the same name.
    """
    ids: dict[str, str] = {}
    for item, each in zip(items, begun, strict=True):
        if item.name is None:
            continue
        if item.name in ids:
            raise InvalidError(f"two items are named {item.name!r}: give each its own name")
        ids[item.name] = id_of(each)
    return ids
