"""The `PlanFiles` port: plans as Markdown beneath a repository's checkout.

Only files that begin with the plan's own marker are ever replaced or removed, and no path leads out of
the repository or through a link.
"""

import asyncio
from pathlib import Path

from adapters.disk_room import describe_error
from adapters.files.safe_open import (
    PathProblem,
    PathRefusedError,
    safe_create,
    safe_read,
    safe_remove,
    safe_write,
)
from domain.core.errors import WorkspaceError
from domain.core.project_map import PlanFolders
from domain.threads.lifecycle.plan_document import PlanDocument

_LIMIT_BYTES = 4 << 20


class PlanDocumentFiles:
    """Plans in the folders that the project map names."""

    async def write(self, repository: str, folders: PlanFolders, document: PlanDocument) -> str:
        """Write a document into its folder and remove it from the other one; returns its path.

        Raises:
            WorkspaceError: A file is there that is not this plan's, or it cannot be written.
        """
        try:
            return await asyncio.to_thread(_write, Path(repository), folders, document)
        except OSError as error:
            raise WorkspaceError(
                f"{describe_error(error, Path(repository))}: {document.name}"
            ) from error


def _write(root: Path, folders: PlanFolders, document: PlanDocument) -> str:
    places = (folders.completed, folders.active)
    here, elsewhere = places if document.is_over else places[::-1]
    path, other = f"{here}/{document.name}", f"{elsewhere}/{document.name}"
    content = document.text.encode()
    if _is_own(root, path, document):
        safe_write(root, path, content, is_public=True)
    else:
        safe_create(root, path, content)
    if _is_own(root, other, document):
        safe_remove(root, other)
    return path


def _is_own(root: Path, path: str, document: PlanDocument) -> bool:
    """Tell whether a file is this plan's; False where there is none.

    Raises:
        WorkspaceError: There is one that is not.
    """
    try:
        content = safe_read(root, path, _LIMIT_BYTES)
    except PathRefusedError as error:
        if error.problem is PathProblem.MISSING:
            return False
        raise
    if content.split(b"\n", 1)[0] != document.marker.encode():
        raise WorkspaceError(
            f"{path} is there and is not this plan's file: it stays as it is; move it away to have "
            "the plan written there"
        )
    return True
