"""The trackers of a worker, as the settings and the secrets of this host say."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from temporalio.client import Client
from temporalio.service import RPCError

from adapters.forge.forges import tokens_of
from adapters.forge.tokens import FixedToken, Learn, Tokens
from adapters.temporal import Starter
from adapters.trackers.configured import ConfiguredTrackers, ThreadDefaults
from adapters.trackers.github import GitHubIssues
from adapters.trackers.gitlab import GitLabIssues
from adapters.trackers.jira import JiraIssues
from adapters.trackers.linear import LinearIssues
from adapters.trackers.understood import Understood
from domain.forges.hints import watch_of
from domain.forges.issues import TrackerKind
from domain.forges.ports import Tracker
from domain.forges.projects import ForgeProject
from settings import Settings, environment
from settings.trackers import TrackerTable

_LOG = logging.getLogger(__name__)
_AGAIN_SECONDS = 5.0
_SPOKEN: Mapping[TrackerKind, Callable[[str, str, Tokens], Tracker]] = {
    TrackerKind.GITHUB: GitHubIssues,
    TrackerKind.GITLAB: GitLabIssues,
    TrackerKind.LINEAR: LinearIssues,
    TrackerKind.JIRA: JiraIssues,
}
"""What speaks with each kind: made of the project, the API's address and where the token comes from."""


def trackers_of(settings: Settings, learn: Learn) -> ConfiguredTrackers:
    """Return the trackers of the settings; one without a token is refused by its server, which is told."""
    defaults = ThreadDefaults(settings.default_agent, settings.planner, settings.plan_files)
    known = {
        table.name: (table.source, _speaks(table, settings, learn)) for table in settings.trackers
    }
    return ConfiguredTrackers(known, defaults)


async def open_trackers(client: Client, settings: Settings) -> None:
    """Have the workflow of each tracker run; what runs is left as it is."""
    for table in settings.trackers:
        await _open(client, table)


async def _open(client: Client, table: TrackerTable) -> None:
    watches = _watched(table)
    while True:
        try:
            await Starter(client).open_tracker(table.name, watches)
        except RPCError as error:
            _LOG.warning("the tracker %s cannot be started yet: %s", table.name, error.message)
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            return


def _watched(table: TrackerTable) -> str:
    """Return how hints find it: by its project on a forge, else by its name."""
    if not table.is_of_forge:
        return table.name
    owner, _, name = table.project.rpartition("/")
    return watch_of(ForgeProject(host=table.server, owner=owner, name=name))


def _speaks(table: TrackerTable, settings: Settings, learn: Learn) -> Tracker:
    root, tokens = signed_in(table, settings, learn)
    return Understood(_SPOKEN[table.kind](table.project, root, tokens))


def signed_in(table: TrackerTable, settings: Settings, learn: Learn) -> tuple[str, Tokens]:
    """Return the address of a tracker's API, and where its token comes from: by itself, else that of its forge.

    A token of GitHub goes to no other kind. `learn` tells the redactor one that is fetched.
    """
    forges = settings.known_forges if table.is_of_forge else ()
    forge = next((each for each in forges if each.host == table.server), None)
    is_same = forge is not None and forge.kind.value == table.kind.value
    root = forge.root if forge and is_same and table.api_url is None else table.root
    if table.token_env is None and forge and is_same:
        return root, tokens_of(forge, environment(settings.forge_variables), learn)
    usual = settings.forge_token_env if table.kind is TrackerKind.GITHUB else ""
    if name := table.token_env or usual:
        return root, FixedToken(environment((name,)).get(name), name)
    return root, FixedToken(None, f"`token_env` of the tracker {table.name}")
