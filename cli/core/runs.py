"""Flow runs as commands name them: by id, or a part of it."""

import re

from cli.core.client import Client
from cli.core.works import one_called

MAX_LISTED = 100

WHOLE = re.compile(r"flow-.+-[0-9]+")
"""The whole id of a run: its flow and its number."""


def run_called(client: Client, wanted: str) -> str:
    """Return the id of the run that is meant; an unknown one as it is, which the API refuses in words."""
    whole = wanted if wanted.startswith("flow-") else f"flow-{wanted}"
    if WHOLE.fullmatch(whole):
        return whole
    rows = client.get("/v1/flow-runs", limit=MAX_LISTED)["runs"]
    return one_called(wanted, (row["run_id"] for row in rows), "flow runs") or whole
