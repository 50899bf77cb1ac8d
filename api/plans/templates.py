"""Plan templates: which there are, what each says and does, trusting one, writing a new one."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel

from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_templates import TrustedTemplates
from api.core.dependencies import Person, SettingsDep
from api.plans.bodies import NewTemplateBody, TemplateTrustBody
from domain.plans.templates.views import FoundTemplate, TemplateView
from settings import config_dir, home_dir

router = APIRouter(tags=["templates"], prefix="/templates")

Repository = Annotated[
    str | None,
    Query(min_length=1, max_length=4096, description="A folder of it; none lists no repository's"),
]


def _files(settings: SettingsDep) -> TemplateFiles:
    trusted = TrustedTemplates(settings.data_dir)
    return TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)


Files = Annotated[TemplateFiles, Depends(_files)]


class Templates(BaseModel):
    """The templates that can be chosen, in the order in which a default is looked for."""

    templates: list[FoundTemplate]


@router.get("")
def templates(files: Files, repository: Repository = None) -> Templates:
    """List templates: the repository's, the user's, the built-in ones, broken ones with the reason."""
    return Templates(templates=files.found(repository))


@router.post("", status_code=201)
def create_template(body: NewTemplateBody, files: Files) -> FoundTemplate:
    """Write a commented template; one that is there is never replaced."""
    return files.create(body.name, body.repository)


@router.post("/trust")
def trust_template(body: TemplateTrustBody, files: Files, person: Person) -> FoundTemplate:
    """Let a template do what was shown; refused if it changed since."""
    files.trust(body.template, body.repository, body.content_hash, person)
    return files.view(body.template, body.repository).found


@router.get("/{choice}")
def template(
    choice: Annotated[str, Path(max_length=200)], files: Files, repository: Repository = None
) -> TemplateView:
    """Show one template by name, or by scope and name as `user:default`."""
    return files.view(choice, repository)
