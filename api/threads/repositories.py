"""Repositories: their paths, and changed git metadata, which must be trusted before git is run."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from api.core.host_files import HostFilesDep
from api.core.permissions import OF_MACHINE, OF_REPOSITORY
from api.threads.bodies import TrustBody
from api.threads.folders import FolderPage, Typed, folders_like
from domain.core.trust import MetadataChanges
from domain.hosts.file_calls import FileSubject

router = APIRouter(tags=["repositories"], prefix="/repositories", dependencies=[OF_REPOSITORY])

Repository = Annotated[
    str, Query(min_length=1, max_length=4096, description="The repository's top folder")
]


@router.get("/trust")
async def changes(repository: Repository, files: HostFilesDep) -> MetadataChanges:
    """List changes of a repository's git metadata that are not trusted."""
    return await files.ask(MetadataChanges, FileSubject.METADATA, repository=repository)


@router.post("/trust")
async def trust(body: TrustBody, files: HostFilesDep) -> MetadataChanges:
    """Trust changed git metadata of a repository; refused if it has changed again."""
    return await files.ask(MetadataChanges, FileSubject.TRUST_METADATA, **body.model_dump())


@router.get("/folders", dependencies=[OF_MACHINE])
async def folders(beginning: Typed) -> FolderPage:
    """List folders on this machine whose path starts with a prefix; none if it is not absolute."""
    return FolderPage(folders=await asyncio.to_thread(folders_like, beginning))
