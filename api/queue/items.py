"""What a request puts into the queue, as threads and runs of flows that can be started later."""

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
from domain.flows.inputs import FlowInput
from domain.threads.inputs import ThreadInput


class ItemPreparation:
    """Makes of the items of a request what is started with them later."""

    def __init__(
        self, threads: ThreadPreparationDep, flows: FlowStartsDep, branches: BaseBranchesDep
    ) -> None:
        self._threads = threads
        self._flows = flows
        self._branches = branches

    async def items(self, body: QueueBody) -> list[QueueItem]:
        """Return the items; the names that they have in the request become their ids.

        Raises:
            TreadleError: One cannot be used; nothing waits then.
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
                base = ids.get(item.base, item.base)
                branch = await self._branches.of(base, known.get(base), each.repository)
                based, after = each.model_copy(update={"base": branch}), [*after, base]
            items.append(QueueItem(based, item.priority, tuple(dict.fromkeys(after))))
        return items

    async def _begun(self, item: Waiting, command_id: str, number: int) -> ThreadInput | FlowInput:
        if isinstance(item, WaitingFlow):
            if item.conversation_id is not None:
                raise InvalidError("only a new run waits in the queue: resume that one")
            return await self._flows.prepare(item.flow, item)
        if not item.is_planned:
            raise InvalidError("only planned work waits in the queue: a chat has no end, open it")
        if not (top_of(item.repository) / ".git").exists():
            raise RepositoryError(
                f"{item.repository[:80]!r} is in no git repository: `git init` it and commit, or name "
                "another"
            )
        seeded = item.model_copy(update={"command_id": command_id or item.command_id})
        return self._threads.prepare(seeded, number)


ItemPreparationDep = Annotated[ItemPreparation, Depends()]


def _ids_of(items: Sequence[Waiting], begun: Sequence[ThreadInput | FlowInput]) -> dict[str, str]:
    """Return the ids by the names that a request gives.

    Raises:
        InvalidError: Two items have one name.
    """
    ids: dict[str, str] = {}
    for item, each in zip(items, begun, strict=True):
        if item.name is None:
            continue
        if item.name in ids:
            raise InvalidError(f"two items have the name {item.name!r}: give each its own")
        ids[item.name] = id_of(each)
    return ids
