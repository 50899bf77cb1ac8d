"""Plan templates: list, show, create and trust them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel

from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_templates import TrustedTemplates
from api.core.dependencies import Person, Repository, SettingsDep
from api.plans.bodies import NewTemplateBody, TemplateTrustBody
from domain.plans.templates.views import FoundTemplate, TemplateView
from settings import config_dir, home_dir

router = APIRouter(tags=["templates"], prefix="/templates")


def _files(settings: SettingsDep) -> TemplateFiles:
    trusted = TrustedTemplates(settings.data_dir)
    return TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)


Files = Annotated[TemplateFiles, Depends(_files)]


class Templates(BaseModel):
    """All templates, in order of precedence."""

    templates: list[FoundTemplate]


@router.get("")
def templates(files: Files, repository: Repository = None) -> Templates:
    """List templates of the repository, of the user, and built-in ones, including broken ones."""
    return Templates(templates=files.found(repository))


@router.post("", status_code=201)
def create_template(body: NewTemplateBody, files: Files) -> FoundTemplate:
    """Create a commented template; existing ones are never replaced."""
    return files.create(body.name, body.repository)


@router.post("/trust")
def trust_template(body: TemplateTrustBody, files: Files, person: Person) -> FoundTemplate:
    """Trust what a template does without asking; refused if it has changed."""
    files.trust(body.template, body.repository, body.content_hash, person)
    return files.view(body.template, body.repository).found


@router.get("/{choice}")
def template(
    choice: Annotated[str, Path(max_length=200)], files: Files, repository: Repository = None
) -> TemplateView:
    """Get a template by name, optionally with its scope, like `user:default`."""
    return files.view(choice, repository)
