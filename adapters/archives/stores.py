"""Where archives are kept: each store takes whole files by their names, and gives them back."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Protocol

from adapters.archives.bucket_store import BucketStore
from adapters.archives.folder_store import FolderStore
from domain.retention.archives import ListedArchive, bucket_of


class ArchiveStore(Protocol):
    """A place for archives."""

    def place_of(self, name: str) -> str:
        """Return where a file of that name is, as people are told."""
        ...

    async def put(self, name: str, content: IO[bytes]) -> None:
        """Keep a file, in place of one of the same name; on return it outlives a loss of power.

        Raises:
            ArchiveError: The place refuses it.
            ArchiveUnreachableError: The place does not answer.
        """
        ...

    async def get(self, name: str, into: IO[bytes]) -> bool:
        """Copy a file; False where there is none.

        Raises:
            ArchiveError: The place refuses it.
            ArchiveUnreachableError: The place does not answer.
        """
        ...

    async def listed(self) -> list[ListedArchive]:
        """Return the archives that are kept, by name.

        Raises:
            ArchiveError: The place refuses it.
            ArchiveUnreachableError: The place does not answer.
        """
        ...


def store_at(location: str, data_dir: Path, variables: Mapping[str, str]) -> ArchiveStore:
    """Return the store of a location; credentials are taken of environment `variables` only.

    Raises:
        InvalidError: It is no place for archives.
        ArchiveError: There is no such folder, or there are no credentials.
    """
    bucket = bucket_of(location)
    if bucket is None:
        return FolderStore.at(Path(location), data_dir)
    return BucketStore.at(bucket, variables)
