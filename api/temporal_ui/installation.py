"""Puts the Web UI's host before all else of the application."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from api.core.browser_sessions import BrowserSessions
from api.core.reach import Reach
from api.temporal_ui.host import TemporalHost, TemporalUi
from api.temporal_ui.place import NAME, find_web_ui
from api.temporal_ui.presets import preset_script
from api.temporal_ui.proxy import Upstream
from settings import Settings

PURPOSE = "temporal"
"""Of its cookie, which is good for nothing else."""


def put_before(app: FastAPI, token: bytes) -> None:
    """Serve the Web UI under its own host name, where there is one to serve: on loopback only."""
    settings: Settings = app.state.settings
    reach: Reach = app.state.reach
    app.state.web_ui = place = None if reach.is_team else find_web_ui(settings)
    app.state.temporal_ui = None
    if place is None or not place.is_served:
        return
    app.state.temporal_ui = ui = TemporalUi(
        place=place,
        sessions=BrowserSessions(token, settings.api_port, NAME, PURPOSE),
        upstream=Upstream(place.server, preset_script(place.namespace)),
        codec=app.state.codec,
        rates=app.state.rates,
        limits=app.state.limits,
    )
    app.add_middleware(TemporalHost, ui=ui)


@asynccontextmanager
async def opened(app: FastAPI) -> AsyncGenerator[None]:
    """End the connections to the Web UI's server at the end."""
    ui: TemporalUi | None = app.state.temporal_ui
    try:
        yield
    finally:
        if ui is not None:
            await ui.upstream.close()
