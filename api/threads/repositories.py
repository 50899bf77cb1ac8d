"""Repositories: their paths, and changed git metadata, which must be trusted before git is run."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.core.host_files import HostFilesDep
from api.core.permissions import OF_REPOSITORY
from api.threads import folders
from api.threads.bodies import TrustBody
from domain.core.trust import MetadataChanges
from domain.hosts.file_calls import FileSubject

trusted = APIRouter(tags=["repositories"], prefix="/repositories", dependencies=[OF_REPOSITORY])

Repository = Annotated[
    str, Query(min_length=1, max_length=4096, description="The repository's top folder")
]


@trusted.get("/trust")
async def changes(repository: Repository, files: HostFilesDep) -> MetadataChanges:
    """List changes of a repository's git metadata that are not trusted."""
    return await files.ask(MetadataChanges, FileSubject.METADATA, repository=repository)


@trusted.post("/trust")
async def trust(body: TrustBody, files: HostFilesDep) -> MetadataChanges:
    """Trust changed git metadata of a repository; refused if it has changed again."""
    return await files.ask(MetadataChanges, FileSubject.TRUST_METADATA, **body.model_dump())


router = APIRouter()
router.include_router(trusted)
router.include_router(folders.router)
