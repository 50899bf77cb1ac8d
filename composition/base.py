"""What a worker has before it serves anything: its settings, its journal, and what follows from them."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from temporalio.client import Client
from temporalio.worker import Interceptor

from activities.slots import Slots
from adapters.agent_programs.host import Host
from adapters.current_rules import CurrentRules
from adapters.files.agent_profiles import AgentFiles
from adapters.forge.forges import Forges
from adapters.forge.github import GitHub
from adapters.forge.tokens import FixedToken
from adapters.git.remote.hub import Hub
from adapters.git.remote.hub_copies import HubChoice, HubCopies
from adapters.git.remote.lost_work import LostCommits
from adapters.git.remote.mirrors import Mirrors
from adapters.git.remote.network import NetworkGit
from adapters.host import host_id
from adapters.journal import SqlJournal
from adapters.processes.host_spawner import PUSH_VARIABLES
from adapters.processes.spawner import Spawner
from adapters.redacted_ports import RedactedDoor, RedactedJournal
from adapters.redaction import Redactor
from adapters.temporal import HeldTurns, NotedRepositories, RepositoriesHere
from adapters.verification.verifier import StepVerifier
from adapters.warnings import ThreadWarnings
from domain.core.remote_repositories import SCHEMES
from settings import (
    Settings,
    environment,
    home_dir,
)
from settings.repositories import ORIGIN


@dataclass(frozen=True)
class Base:
    """What is there before anything is served."""

    settings: Settings
    profiles: AgentFiles
    redactor: Redactor
    spawner: Spawner
    client: Client
    door: RedactedDoor
    journal: SqlJournal
    rules: CurrentRules
    verifier: StepVerifier

    @cached_property
    def slots(self) -> Slots:
        """The slots of this host's turns."""
        return Slots(self.settings.max_turns)

    @cached_property
    def turns(self) -> HeldTurns:
        """What holds turns back while this host drains."""
        return HeldTurns()

    @property
    def clean(self) -> RedactedJournal:
        """The journal, for all that writes to it."""
        return RedactedJournal(self.journal, self.redactor)

    @property
    def host(self) -> Host:
        """This host, as its agents see it."""
        return Host(self.settings.data_dir, self.settings.programs, home_dir(), environment)

    @cached_property
    def forges(self) -> Forges:
        """Where pull requests are; `forge_api_url` answers for hosts that are no other forge's."""
        settings = self.settings
        variables = environment(settings.forge_variables)
        name, url = settings.forge_token_env, settings.forge_api_url
        own = GitHub(url.rstrip("/"), FixedToken(variables.get(name), name)) if url else None
        return Forges(settings.known_forges, variables, self.redactor.learn, own)

    @cached_property
    def mirrors(self) -> Mirrors:
        """The repositories that are named by URLs."""
        return Mirrors(self.spawner, self.network, self.settings.data_dir)

    @cached_property
    def copies(self) -> HubCopies | None:
        """The copies of this host's threads on a hub; None where there is no hub."""
        settings, data_dir = self.settings, self.settings.data_dir
        if settings.hub_url is None:
            return None
        url = "" if settings.hub_url == ORIGIN else settings.hub_url
        choice = HubChoice(url, timedelta(minutes=settings.hub_warn_minutes))
        here = host_id(data_dir)
        return HubCopies(
            self.hub,
            self.mirrors,
            data_dir,
            choice,
            ThreadWarnings(self.clean).tell,
            moves_here=lambda thread_id: self.journal.moves.moves_to(thread_id, here),
        )

    @cached_property
    def hub(self) -> Hub:
        """What copies to the hub and from it."""
        data_dir = self.settings.data_dir
        return Hub(self.spawner, self.network, data_dir, host_id(data_dir))

    @cached_property
    def network(self) -> NetworkGit:
        """Git with other hosts."""
        hub = (self.settings.hub_url or "").partition("://")[0]
        schemes = (*self.settings.schemes, hub) if hub in SCHEMES else self.settings.schemes
        return NetworkGit(self.spawner, environment(PUSH_VARIABLES), schemes)

    @property
    def between(self) -> tuple[Interceptor, ...]:
        """What stands between Temporal and activities for their repositories."""
        here = RepositoriesHere(self.mirrors, self.settings.schemes)
        if self.copies is None:
            return (here,)
        name_of = self.journal.hosts.name_of
        lost = LostCommits(self.spawner, self.hub, self.copies, self.settings.data_dir, name_of)
        return (NotedRepositories(self.copies, lost), here)

    async def keep_repositories(self) -> None:
        """Prune mirrors and copy work to the hub, until it is cancelled."""
        copying = (self.copies.keep_copying(),) if self.copies else ()
        await asyncio.gather(self.mirrors.keep_pruning(), *copying)
