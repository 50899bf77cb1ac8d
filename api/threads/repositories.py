"""Changed git metadata of a repository, which must be trusted before git is run."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query

from adapters.files.trusted_metadata import TrustedMetadata
from api.core.dependencies import SettingsDep
from api.threads.bodies import TrustBody
from domain.core.trust import MetadataChanges

router = APIRouter(tags=["repositories"], prefix="/repositories")

Repository = Annotated[
    str, Query(min_length=1, max_length=4096, description="The repository's top folder")
]


@router.get("/trust")
async def changes(repository: Repository, settings: SettingsDep) -> MetadataChanges:
    """List changes of a repository's git metadata that are not trusted."""
    return TrustedMetadata(settings.data_dir).refused(Path(repository))


@router.post("/trust")
async def trust(body: TrustBody, settings: SettingsDep) -> MetadataChanges:
    """Trust changed git metadata of a repository; refused if it has changed again."""
    trusted, repository = TrustedMetadata(settings.data_dir), Path(body.repository)
    trusted.accept(repository, body.content_hash)
    return trusted.refused(repository)
