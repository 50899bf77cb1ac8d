"""Flow files: which there are, what each says, checking a text, trusting a flow's commands."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from api.core.dependencies import Person
from api.flows.bodies import FlowCheckBody, FlowTrustBody
from api.flows.files import FlowAgentsDep, FlowFilesDep, view_of
from domain.flows.views import FlowRow, FlowView

router = APIRouter(tags=["flows"], prefix="/flows")

Repository = Annotated[
    str | None,
    Query(min_length=1, max_length=4096, description="A folder of it; none lists no repository's"),
]
Flow = Annotated[str, Path(max_length=200, description="Its name, or scope and name: user:hello")]


class Flows(BaseModel):
    """The flows, those that go before others of their name first; broken ones with their error."""

    flows: list[FlowRow]


@router.get("")
def flows(files: FlowFilesDep, agents: FlowAgentsDep, repository: Repository = None) -> Flows:
    """List flows: the repository's, the user's, the built-in ones. Each file is read afresh."""
    found = files.found(repository)
    return Flows(flows=[each.row(agents.of(each.definition, repository)) for each in found])


@router.post("/check")
def check_flow(body: FlowCheckBody, files: FlowFilesDep, agents: FlowAgentsDep) -> FlowView:
    """Tell what a text would be as a flow file; nothing is kept, and nothing runs."""
    found = files.check(body.content, body.name, body.repository)
    return view_of(found, agents.of(found.definition, body.repository), body.content)


@router.post("/trust")
def trust_flow(
    body: FlowTrustBody, files: FlowFilesDep, agents: FlowAgentsDep, person: Person
) -> FlowRow:
    """Let a repository's flow run its commands; refused if its file changed since it was shown."""
    found = files.trust(body.flow, body.repository, body.content_hash, person)
    return found.row(agents.of(found.definition, body.repository))


@router.get("/{name}")
def flow(
    name: Flow, files: FlowFilesDep, agents: FlowAgentsDep, repository: Repository = None
) -> FlowView:
    """Show one flow by name, or by scope and name as `user:hello`; be it a broken one."""
    found, text = files.shown(name, repository)
    return view_of(found, agents.of(found.definition, repository), text)
