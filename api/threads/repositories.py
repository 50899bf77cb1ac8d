"""What git is refused for in a repository, and a person's yes to it."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query

from adapters.files.trusted_metadata import TrustedMetadata
from api.core.dependencies import SettingsDep
from api.threads.bodies import TrustBody
from domain.core.trust import MetadataChanges

router = APIRouter(tags=["repositories"], prefix="/repositories")

Repository = Annotated[str, Query(min_length=1, max_length=4096, description="Its top folder")]


@router.get("/trust")
async def changes(repository: Repository, settings: SettingsDep) -> MetadataChanges:
    """Show what in the git metadata of a repository is not as it was trusted."""
    return TrustedMetadata(settings.data_dir).refused(Path(repository))


@router.post("/trust")
async def trust(body: TrustBody, settings: SettingsDep) -> MetadataChanges:
    """Trust what was shown; refused if it changed since."""
    trusted, repository = TrustedMetadata(settings.data_dir), Path(body.repository)
    trusted.accept(repository, body.content_hash)
    return trusted.refused(repository)
