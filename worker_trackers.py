"""The trackers of a worker, as the settings and the secrets of this host say."""

import asyncio
import logging

from temporalio.client import Client
from temporalio.service import RPCError

from adapters.temporal import Starter
from adapters.trackers.configured import ConfiguredTrackers, ThreadDefaults
from adapters.trackers.github import GitHubIssues
from adapters.trackers.gitlab import GitLabIssues
from domain.forges.hints import watch_of
from domain.forges.issues import TrackerKind
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeProject
from settings import Settings, environment
from tracker_settings import TrackerTable

_LOG = logging.getLogger(__name__)
_AGAIN_SECONDS = 5.0


def trackers_of(settings: Settings) -> ConfiguredTrackers:
    """Return the trackers of the settings; one without a token is refused by its server, which is told."""
    defaults = ThreadDefaults(settings.default_agent, settings.planner, settings.plan_files)
    known = {table.name: (table.source, _speaks(table, settings)) for table in settings.trackers}
    return ConfiguredTrackers(known, defaults)


async def open_trackers(client: Client, settings: Settings) -> None:
    """Have the workflow of each tracker run; what runs is left as it is."""
    for table in settings.trackers:
        await _open(client, table)


async def _open(client: Client, table: TrackerTable) -> None:
    owner, _, name = table.project.rpartition("/")
    watches = watch_of(ForgeProject(host=table.server, owner=owner, name=name))
    while True:
        try:
            await Starter(client).open_tracker(table.name, watches)
        except RPCError as error:
            _LOG.warning("the tracker %s cannot be started yet: %s", table.name, error.message)
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            return


def _token_name(table: TrackerTable, settings: Settings) -> str:
    return table.token_env or settings.forge_token_env


def _speaks(table: TrackerTable, settings: Settings) -> Tracker:
    name = _token_name(table, settings)
    token = environment((name,)).get(name, "")
    kind = GitLabIssues if table.kind is TrackerKind.GITLAB else GitHubIssues
    return kind(table.project, table.root, token, name)
