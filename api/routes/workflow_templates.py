"""Workflow templates: which there are, what each says, and starting one."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel

from adapters.files.workflow_templates import WorkflowTemplateFiles
from domain.workflow_templates.template import FoundWorkflow
from settings import config_dir

router = APIRouter(tags=["workflow templates"], prefix="/workflow-templates")

Repository = Annotated[
    str | None,
    Query(min_length=1, max_length=4096, description="A folder of it; none lists no repository's"),
]
Name = Annotated[str, Path(max_length=200)]


def _files() -> WorkflowTemplateFiles:
    return WorkflowTemplateFiles(config_dir())


Files = Annotated[WorkflowTemplateFiles, Depends(_files)]


class WorkflowTemplates(BaseModel):
    """The workflow templates, in the order in which a name is looked for."""

    workflow_templates: list[FoundWorkflow]


@router.get("")
def workflow_templates(files: Files, repository: Repository = None) -> WorkflowTemplates:
    """List workflow templates: the repository's, the user's, the built-in ones, with what is wrong."""
    return WorkflowTemplates(workflow_templates=files.found(repository))


@router.get("/{name}")
def workflow_template(name: Name, files: Files, repository: Repository = None) -> FoundWorkflow:
    """Show the workflow template that counts for a name, be it a broken one."""
    return files.one(name, repository)
