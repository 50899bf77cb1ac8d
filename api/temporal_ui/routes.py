"""The way to Temporal's Web UI, and the codec server of Temporal's CLI."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from adapters.temporal import CodecRequestError, CodecServer
from api.core.bodies import Body
from api.core.browser_sessions import LINK_SECONDS
from api.core.dependencies import SettingsDep, from_app
from api.core.permissions import OF_PROJECTS, OPENS_TEMPORAL
from api.core.problems import RefusedError
from api.temporal_ui.host import TemporalUi
from api.temporal_ui.place import WebUi

router = APIRouter(tags=["temporal"], prefix="/temporal", dependencies=[OF_PROJECTS])
pages = APIRouter(include_in_schema=False, dependencies=[OPENS_TEMPORAL])

PlaceDep = Annotated[WebUi | None, from_app("web_ui")]
UiDep = Annotated[TemporalUi | None, from_app("temporal_ui")]
CodecDep = Annotated[CodecServer, from_app("codec")]

WORKFLOW = r"^[A-Za-z0-9][A-Za-z0-9_./:-]*$"
WorkflowId = Annotated[str, Field(max_length=400, pattern=WORKFLOW)]


class TemporalView(BaseModel):
    """Temporal's Web UI: its address, none where it is off or not known, and whether Treadle serves it.

    Where it does, what Temporal holds is shown in clear to who is signed in.
    """

    url: str | None
    is_served: bool
    namespace: str | None


class TemporalLinkBody(Body):
    """Which workflow to open; the list of all without one."""

    workflow_id: WorkflowId | None = None


class TemporalLink(BaseModel):
    """A link to Temporal's Web UI.

    One that Treadle serves signs in one browser, once, within so many `seconds`; without `seconds` it is
    the address of the cluster's own Web UI.
    """

    url: str
    seconds: int | None


@router.get("")
async def temporal(place: PlaceDep, settings: SettingsDep) -> TemporalView:
    """Get the address of Temporal's Web UI."""
    if place is None:
        return TemporalView(url=None, is_served=False, namespace=None)
    url = place.address(settings.api_port)
    return TemporalView(url=url, is_served=place.is_served, namespace=place.namespace)


@router.post("/links", status_code=201, dependencies=[OPENS_TEMPORAL])
async def new_link(body: TemporalLinkBody, place: PlaceDep, ui: UiDep) -> TemporalLink:
    """Create a link to Temporal's Web UI, or to one workflow in it."""
    return _link(place, ui, body.workflow_id)


@pages.get("/temporal")
async def open_in_temporal(
    place: PlaceDep,
    ui: UiDep,
    workflow: Annotated[str | None, Query(max_length=400, pattern=WORKFLOW)] = None,
) -> Response:
    """Redirect to Temporal's Web UI, and sign in there."""
    return RedirectResponse(_link(place, ui, workflow).url, status_code=303)


@router.post("/codec/decode", response_class=Response, dependencies=[OPENS_TEMPORAL])
async def decode(request: Request, codec: CodecDep) -> Response:
    """Decode payloads, for `temporal --codec-endpoint`: Temporal's remote codec protocol."""
    try:
        return Response(await codec.decode(await request.body()), media_type="application/json")
    except CodecRequestError as error:
        raise RefusedError(400, "bad_request", str(error)) from error


@router.post("/codec/encode", response_class=Response, dependencies=[OPENS_TEMPORAL])
async def encode(request: Request, codec: CodecDep) -> Response:
    """Return payloads as they are: what a person sends has a code in place of a seal."""
    try:
        return Response(codec.encode(await request.body()), media_type="application/json")
    except CodecRequestError as error:
        raise RefusedError(400, "bad_request", str(error)) from error


def _link(place: WebUi | None, ui: TemporalUi | None, workflow: str | None) -> TemporalLink:
    if place is None:
        detail = "Temporal's Web UI is off, or its address is not known"
        hint = "TREADLE_IS_TEMPORAL_UI_ON=true, or TREADLE_TEMPORAL_UI_URL for your own cluster"
        raise RefusedError(409, "temporal_ui_off", detail, hint=hint)
    if ui is None:
        return TemporalLink(url=f"{place.server}{place.screen(workflow)}", seconds=None)
    return TemporalLink(url=ui.new_link(workflow), seconds=LINK_SECONDS)
