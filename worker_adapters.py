"""The adapters of a worker, as its settings say; worker.py sets them going."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from temporalio.client import Client
from temporalio.worker import Interceptor

from activities.lifecycle import ThreadResources
from activities.slots import Slots
from activities.threads import Holdings
from adapters.acp.launch import Launch
from adapters.acp.limits import Patience, TurnLimits
from adapters.acp.questions import QuestionChannel
from adapters.acp.runner import AcpAgents
from adapters.acp.sandboxes import AgentSandboxes
from adapters.agent_programs.checker import HostAgentChecker
from adapters.agent_programs.credentials import Credentials
from adapters.agent_programs.host import Host
from adapters.agent_programs.named_agents import HostNamedAgents
from adapters.archives.bucket_store import CREDENTIALS, PLAIN
from adapters.archives.thread_archives import JournalArchives
from adapters.current_rules import CurrentRules
from adapters.deciders import JournalDeciders
from adapters.files.agent_profiles import AgentFiles
from adapters.files.key_ring import KeyRing
from adapters.files.people_file import NAME as PEOPLE
from adapters.files.people_file import PeopleFile
from adapters.files.plan_documents import PlanDocumentFiles
from adapters.files.plan_files import PlanFileFolders
from adapters.files.recipe_files import RecipeFiles
from adapters.files.secret_file import SecretFile
from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.files.trusted_templates import TrustedTemplates
from adapters.forge.forges import Forges
from adapters.forge.github import GitHub
from adapters.forge.tokens import FixedToken
from adapters.git.bases import GitBases
from adapters.git.branches import GitBranches
from adapters.git.demo_repositories import GitDemoRepositories
from adapters.git.notes import GitNotes
from adapters.git.remote.hub import Hub
from adapters.git.remote.hub_copies import HubChoice, HubCopies
from adapters.git.remote.lost_work import LostCommits
from adapters.git.remote.mirrors import Mirrors
from adapters.git.remote.network import NetworkGit
from adapters.git.several.landings import SeveralLandings
from adapters.git.several.pushes import SeveralPushes
from adapters.git.several.workspaces import SeveralWorkspaces
from adapters.git.thread_branches import GitThreadBranches
from adapters.host import host_id
from adapters.host_files import FilesOfHost
from adapters.journal import SqlJournal
from adapters.known_secrets import known_secrets
from adapters.leftovers import Leftovers
from adapters.logs import keep_log_clean
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import PUSH_VARIABLES
from adapters.processes.spawner import Spawner
from adapters.redacted_ports import RedactedDoor, RedactedJournal
from adapters.redaction import Redactor
from adapters.setup.means import SetUpMeans
from adapters.temporal import HeldTurns, LostActivities, NotedRepositories, RepositoriesHere
from adapters.tools.server import ToolServer
from adapters.verification.verifier import StepVerifier
from adapters.warnings import ThreadWarnings
from domain.agents.hosting import Terminals
from domain.agents.sandbox import SandboxRules
from domain.core.remote_repositories import SCHEMES
from queues import Ports
from repository_settings import ORIGIN
from settings import (
    Settings,
    SettingsError,
    config_dir,
    environment,
    environment_of,
    home_dir,
    load_settings,
)


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


def workspaces_of(base: Base) -> SeveralWorkspaces:
    """Return what makes worktrees and sets them up."""
    making = SetUpMeans.on(base.spawner, base.rules, base.clean.text, base.redactor, base.host)
    tell, litter = ThreadWarnings(base.clean).tell, base.profiles.litter()
    return SeveralWorkspaces.on(base.spawner, base.settings.data_dir, litter, tell, making)


def ports_of(
    base: Base, launch: Launch, held: Holdings, lost: LostActivities, workspaces: SeveralWorkspaces
) -> Ports:
    """Return all that activities reach outside."""
    settings, spawner, clean = base.settings, base.spawner, base.clean
    trusted = TrustedTemplates(settings.data_dir)
    removal = Leftovers(base.journal, base.client, settings.data_dir)
    people = JournalDeciders(PeopleFile(config_dir() / PEOPLE), base.journal.people)
    return Ports(
        journal=clean,
        slots=base.slots,
        held=base.turns,
        workspaces=workspaces,
        recipes=RecipeFiles(config_dir(), TrustedFiles(settings.data_dir, "recipe")),
        set_ups=workspaces.set_ups,
        runner=held.runner,
        verifier=base.verifier,
        leases=held.leases,
        terminals=held.terminals,
        fences=WorkspaceFences(settings.data_dir / "fences"),
        templates=TemplateFiles(config_dir(), home=home_dir(), trusted=trusted),
        profiles=base.profiles,
        named=HostNamedAgents(base.profiles, base.host),
        key=SecretFile(settings.code_key_file),
        deciders=people,
        approvals=people,
        audit=base.journal.people.audit,
        lost=lost,
        bases=GitBases(spawner, settings.data_dir, environment(PUSH_VARIABLES)),
        remotes=SeveralPushes(spawner, settings.data_dir, environment(PUSH_VARIABLES)),
        forge=base.forges,
        pull_requests=base.forges,
        notes=GitNotes(spawner, settings.data_dir),
        checker=HostAgentChecker.on(base.host, spawner, launch),
        branches=GitBranches(spawner, settings.data_dir),
        landings=SeveralLandings(spawner, settings.data_dir, environment(PUSH_VARIABLES)),
        demos=GitDemoRepositories(spawner, settings.data_dir),
        kept=_kept(base, removal, held.terminals),
        redactor=base.redactor,
        queue_limits=settings.queue,
        placements=base.journal.hosts,
        files=FilesOfHost(config_dir(), base.host),
        copies=base.copies,
        silent_seconds=settings.host.silent_seconds,
        credential=Credentials(home_dir(), environment).of,
        archives=JournalArchives(
            base.journal, settings.data_dir, environment((*CREDENTIALS, PLAIN))
        ),
        written=(settings.data_dir, settings.programs),
        between=base.between,
    )


def agents_of(base: Base, tools: ToolServer) -> tuple[Launch, AcpAgents]:
    """Return how agents are started, and what runs them."""
    settings = base.settings
    sandboxes = AgentSandboxes(base.rules, home_dir(), tools.url)
    launch = Launch(
        settings.data_dir, base.host.variables, programs=base.host.programs, sandboxes=sandboxes
    )
    desk = QuestionChannel(
        base.door, base.clean, settings.permissions, settings.question_wait_seconds
    )
    patience = Patience(idle_process=settings.idle_agent_seconds)
    limits = TurnLimits(idle_seconds=settings.turn_idle_seconds, circling=settings.circling)
    agents = AcpAgents(
        base.profiles, base.spawner, tools, launch, desk, patience=patience, limits=limits
    )
    return launch, agents


def configured_rules() -> SandboxRules | None:
    """Return what the environment and config.toml say now; None where that cannot be read."""
    try:
        return load_settings().sandbox_rules
    except SettingsError:
        return None


def _kept(base: Base, removal: Leftovers, terminals: Terminals) -> ThreadResources:
    data_dir = base.settings.data_dir
    return ThreadResources(
        work=GitThreadBranches(base.spawner, data_dir),
        files=PlanDocumentFiles(),
        removal=removal,
        terminals=terminals,
        plan_files=PlanFileFolders(data_dir),
    )


def redactor_of(settings: Settings, profiles: AgentFiles) -> Redactor:
    """Return what keeps the secrets of this host out of all that is kept; the log gets it too."""
    files = (settings.token_file, settings.code_key_file)
    keys = [*map(SecretFile, files), KeyRing(settings.payload_key_file)]
    names = {*profiles.variables(), *settings.forge_variables, *settings.tracker_variables}
    redactor = Redactor(known_secrets(environment_of(settings), names, keys))
    keep_log_clean(redactor, settings.log_format, settings.log_level)
    return redactor
