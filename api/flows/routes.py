"""Flow files: list, show, check and trust them."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.dependencies import AnyRepository, Person
from api.core.permissions import OF_REPOSITORY, STARTS_IN_REPOSITORY
from api.flows.bodies import FlowCheckBody, FlowTrustBody
from api.flows.files import FlowAgentsDep, FlowFilesDep, view_of
from domain.core.remote_repositories import local_folder
from domain.flows.views import FlowRow, FlowView

router = APIRouter(tags=["flows"], prefix="/flows", dependencies=[STARTS_IN_REPOSITORY])

Flow = Annotated[
    str, Path(max_length=200, description="Flow name, optionally with its scope: user:hello")
]


class Flows(BaseModel):
    """All flows in order of precedence, including broken ones with their errors."""

    flows: list[FlowRow]


@router.get("")
def flows(files: FlowFilesDep, agents: FlowAgentsDep, repository: AnyRepository = None) -> Flows:
    """List flows of the repository, of the user, and built-in ones, including broken ones."""
    found = files.found(repository)
    return Flows(flows=[each.row(agents.of(each.definition, repository)) for each in found])


@router.post("/check")
def check_flow(body: FlowCheckBody, files: FlowFilesDep, agents: FlowAgentsDep) -> FlowView:
    """Check the text of a flow file; nothing is saved, and nothing runs."""
    folder = local_folder(body.repository)
    found = files.check(body.content, body.name, folder)
    return view_of(found, agents.of(found.definition, folder), body.content)


@router.post("/trust", dependencies=[OF_REPOSITORY])
def trust_flow(
    body: FlowTrustBody, files: FlowFilesDep, agents: FlowAgentsDep, person: Person
) -> FlowRow:
    """Trust the commands of a repository's flow; refused if its file has changed."""
    found = files.trust(body.flow, body.repository, body.content_hash, person)
    return found.row(agents.of(found.definition, body.repository))


@router.get("/{name}")
def flow(
    name: Flow, files: FlowFilesDep, agents: FlowAgentsDep, repository: AnyRepository = None
) -> FlowView:
    """Get a flow by name, optionally with its scope, like `user:hello`; even a broken one."""
    found, text = files.shown(name, repository)
    return view_of(found, agents.of(found.definition, repository), text)
