"""Plan templates: list, show, create and trust them."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.dependencies import Repository
from api.core.host_files import HostFilesDep
from api.core.permissions import OF_REPOSITORY
from api.plans.bodies import NewTemplateBody, TemplateTrustBody
from domain.hosts.file_calls import FileSubject
from domain.plans.templates.views import FoundTemplate, TemplateView

router = APIRouter(tags=["templates"], prefix="/templates", dependencies=[OF_REPOSITORY])


class Templates(BaseModel):
    """All templates, in order of precedence."""

    templates: list[FoundTemplate]


@router.get("")
async def templates(files: HostFilesDep, repository: Repository = None) -> Templates:
    """List templates of the repository, of the user, and built-in ones, including broken ones."""
    found = await files.ask(list[FoundTemplate], FileSubject.TEMPLATES, repository=repository)
    return Templates(templates=found)


@router.post("", status_code=201)
async def create_template(body: NewTemplateBody, files: HostFilesDep) -> FoundTemplate:
    """Create a commented template; existing ones are never replaced."""
    given = {"name": body.name, "repository": body.repository}
    return await files.ask(FoundTemplate, FileSubject.CREATE_TEMPLATE, **given)


@router.post("/trust")
async def trust_template(body: TemplateTrustBody, files: HostFilesDep) -> FoundTemplate:
    """Trust what a template does without asking, on each host that has it so; refused if it has changed."""
    given = body.model_dump(exclude={"template"}) | {"name": body.template}
    return await files.ask(FoundTemplate, FileSubject.TRUST_TEMPLATE, **given)


@router.get("/{choice}")
async def template(
    choice: Annotated[str, Path(max_length=200)], files: HostFilesDep, repository: Repository = None
) -> TemplateView:
    """Get a template by name, optionally with its scope, like `user:default`."""
    return await files.ask(TemplateView, FileSubject.TEMPLATE, name=choice, repository=repository)
