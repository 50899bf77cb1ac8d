"""Archives in an S3-compatible store; what signs requests comes from the environment alone."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import IO, Self

import obstore
from obstore import exceptions as faults
from obstore.store import S3Store

from domain.retention.archives import (
    ArchiveError,
    ArchiveUnreachableError,
    Bucket,
    ListedArchive,
    is_archive_name,
)

CREDENTIALS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)
"""With any one of these, requests can be signed; obstore reads them, and where the store is, itself."""

PLAIN = "AWS_ALLOW_HTTP"
"""`true` lets requests go unencrypted, to a store on a closed network."""

_PATIENCE = timedelta(seconds=60)
_SAID = 200


class BucketStore:
    """Implements `ArchiveStore`."""

    def __init__(self, bucket: Bucket, store: S3Store) -> None:
        self._where = "/".join(filter(None, (f"s3://{bucket.name}", bucket.prefix)))
        self._store = store

    @classmethod
    def at(cls, bucket: Bucket, variables: Mapping[str, str]) -> Self:
        """Return the store of a bucket.

        Raises:
            ArchiveError: The environment has no credentials.
        """
        if not any(variables.get(name) for name in CREDENTIALS):
            raise ArchiveError(
                f"there are no credentials for s3://{bucket.name} in the environment: set "
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY where Treadle is started"
            )
        is_plain = variables.get(PLAIN, "").lower() in {"1", "true"}
        store = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            client_options={"allow_http": is_plain, "connect_timeout": "10s", "timeout": "5m"},
            retry_config={"max_retries": 3, "retry_timeout": _PATIENCE},
        )
        return cls(bucket, store)

    def place_of(self, name: str) -> str:
        """Return the address of a file."""
        return f"{self._where}/{name}"

    async def put(self, name: str, content: IO[bytes]) -> None:
        """Keep a file; see the port."""
        content.seek(0)
        async with self._translated():
            await obstore.put_async(self._store, name, content)

    async def get(self, name: str, into: IO[bytes]) -> bool:
        """Copy a file; see the port."""
        async with self._translated():
            try:
                found = await obstore.get_async(self._store, name)
            except FileNotFoundError:
                return False
            async for chunk in found.stream():
                into.write(chunk)
        return True

    async def listed(self) -> list[ListedArchive]:
        """Return the archives of the bucket below its prefix; see the port."""
        found: list[ListedArchive] = []
        async with self._translated():
            pages = obstore.list(self._store)  # pyright: ignore[reportUnknownMemberType]  (Arrow)
            async for page in pages:
                found += (
                    ListedArchive(
                        name=each["path"], size_bytes=each["size"], at=each["last_modified"]
                    )
                    for each in page
                    if is_archive_name(each["path"])
                )
        return sorted(found, key=lambda each: each.name)

    @asynccontextmanager
    async def _translated(self) -> AsyncGenerator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise ArchiveError(f"{self._where}: there is no such bucket") from error
        except (faults.PermissionDeniedError, faults.UnauthenticatedError) as error:
            raise ArchiveError(
                f"{self._where} refuses the credentials of the environment: they must allow to list "
                "the bucket, and to read and write below the prefix"
            ) from error
        except faults.BaseError as error:
            said = str(error).strip().partition("\n")[0][:_SAID]
            raise ArchiveUnreachableError(f"{self._where} does not answer: {said}") from error
