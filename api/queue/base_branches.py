"""The branches of threads that others start from, even before those threads have started."""

from typing import Annotated

from fastapi import Depends

from adapters.files.template_files import TemplateFiles
from adapters.files.template_scopes import top_of
from adapters.files.trusted_templates import TrustedTemplates
from api.core.dependencies import JournalDep, QueueProjectionsDep, SettingsDep
from api.core.queue_client import entry_of
from domain.core.errors import InvalidError, NotFoundError
from domain.core.ids import StreamId
from domain.core.remote_repositories import is_remote
from domain.flows.inputs import FlowInput
from domain.queue.entry import EntryKind
from domain.threads.events import ThreadOpened
from domain.threads.inputs import ThreadInput
from settings import config_dir, home_dir


class BaseBranches:
    """Finds the branch that a thread has, or will have."""

    def __init__(
        self, journal: JournalDep, queue_folds: QueueProjectionsDep, settings: SettingsDep
    ) -> None:
        self._journal = journal
        self._folds = queue_folds
        trusted = TrustedTemplates(settings.data_dir)
        self._templates = TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)

    async def of(self, name: str, begun: ThreadInput | FlowInput | None, repository: str) -> str:
        """Return the branch of a base; `begun` is its input if it is part of the same request.

        Raises:
            NotFoundError: There is no such thread.
            InvalidError: It is in another repository, or a flow run.
        """
        if is_remote(repository):
            raise InvalidError(
                "a thread on the URL of a repository cannot build on the branch of another thread: publish "
                "that branch, then name it after an @ in the URL"
            )
        opened = None if begun else await self._opened(name)
        if opened is not None:
            place, branch = opened.facts.root, opened.branch
        else:
            thread = begun or await self._waiting(name)
            if not isinstance(thread, ThreadInput):
                raise InvalidError(f"{name[:80]!r} is a flow run: choose a thread as the base")
            # the template may change until then: the start is refused in that case
            prefix = self._templates.template(thread.template, thread.repository).git.branch_prefix
            place, branch = thread.repository, f"{prefix}{thread.thread_id.removeprefix('thread-')}"
        if top_of(place) != top_of(repository):
            raise InvalidError(
                f"{name[:80]!r} is in {place[:200]!r}: choose a base in the same repository"
            )
        return branch

    async def host_of(self, name: str) -> str:
        """Return the id of the host that has the branch of a base, empty where it is not known yet."""
        opened = await self._opened(name)
        return opened.host if opened else ""

    async def _opened(self, name: str) -> ThreadOpened | None:
        first = await self._journal.read(StreamId(name), limit=1)
        body = first[0].event.body if first else None
        return body if isinstance(body, ThreadOpened) else None

    async def _waiting(self, name: str) -> ThreadInput | None:
        """Return the input of a queued thread, None for a flow run."""
        entry = await entry_of(self._folds, name)
        spec = await self._journal.text(entry.spec_ref) if entry else None
        if entry is None or spec is None:
            raise NotFoundError(f"no thread or queue entry {name[:80]!r} to start from")
        return ThreadInput.model_validate_json(spec) if entry.kind is EntryKind.THREAD else None


BaseBranchesDep = Annotated[BaseBranches, Depends()]
