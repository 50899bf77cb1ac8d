"""Where Temporal's Web UI is: the embedded server's, or the one of a cluster that the settings name."""

from dataclasses import dataclass
from urllib.parse import quote

from adapters.cluster import configured_cluster
from api.core.browser_sessions import NAME as PAGE_NAME
from settings import Settings

NAME = f"temporal.{PAGE_NAME}"
"""The host name under which browsers have it: a name of its own, and so an origin of its own."""


@dataclass(frozen=True)
class WebUi:
    """The Web UI of the cluster that Treadle works on."""

    server: str
    """The address of its server."""

    namespace: str

    @property
    def is_served(self) -> bool:
        """Whether the API serves it, signed in and decoded; one with TLS has a sign-in of its own."""
        return self.server.startswith("http://")

    def address(self, api_port: int) -> str:
        """Return what a browser opens."""
        return f"http://{NAME}:{api_port}" if self.is_served else self.server

    def screen(self, workflow: str | None) -> str:
        """Return the path of a workflow's screen, or of the list of all workflows."""
        every = f"/namespaces/{quote(self.namespace, safe='')}/workflows"
        return f"{every}/{quote(workflow, safe='')}" if workflow else every


def find_web_ui(settings: Settings) -> WebUi | None:
    """Return the Web UI; None where it is off, or its address is not known."""
    cluster = configured_cluster()
    if cluster.address is not None:
        url = settings.temporal_ui_url
        return WebUi(url.rstrip("/"), cluster.namespace) if url else None
    if not settings.is_temporal_ui_on:
        return None
    return WebUi(f"http://127.0.0.1:{settings.temporal_ui_port}", cluster.namespace)
