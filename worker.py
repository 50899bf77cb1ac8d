"""The composition root of a worker: settings, adapters, activities, and the two task queues."""

import asyncio
import logging
import resource
import sys
from dataclasses import dataclass, replace

from temporalio.client import Client

from activities.lifecycle import ThreadResources
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
from adapters.container import ContainerError, check_sandbox
from adapters.current_rules import CurrentRules
from adapters.egress.dialing import PROXY_ENVIRONMENT, Dialing, upstream_of
from adapters.egress.proxy import EgressProxy
from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.blocked_paths import PlaceTakenError, clear_places, refuse_folders
from adapters.files.key_ring import KeyRing, KeyRingError
from adapters.files.plan_documents import PlanDocumentFiles
from adapters.files.plan_files import PlanFileFolders
from adapters.files.recipe_files import RecipeFiles
from adapters.files.secret_file import SecretFile
from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.files.trusted_templates import TrustedTemplates
from adapters.forge.github import GitHub
from adapters.git.branches import GitBranches
from adapters.git.demo_repositories import GitDemoRepositories
from adapters.git.several.landings import SeveralLandings
from adapters.git.several.pushes import SeveralPushes
from adapters.git.several.workspaces import SeveralWorkspaces
from adapters.git.thread_branches import GitThreadBranches
from adapters.host import HostTakenError, host_id, only_worker, until_stopped
from adapters.journal import Keys, SqlJournal, open_journal
from adapters.known_secrets import known_secrets
from adapters.leftovers import Leftovers
from adapters.port_leases import FilePortLeases
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import (
    COMMON_VARIABLES,
    PUSH_VARIABLES,
    HostFolders,
    note_identity,
    with_users_path,
)
from adapters.processes.listeners import Listeners
from adapters.processes.spawner import Spawner
from adapters.redacted_ports import RedactedDoor, RedactedJournal, RedactedRunner
from adapters.redaction import Redactor, keep_log_clean
from adapters.root import root_refusal
from adapters.setup.means import SetUpMeans
from adapters.setup.service_launcher import ServiceLauncher
from adapters.setup.serving import Serving
from adapters.temporal import (
    LostActivities,
    RetryingDoor,
    TemporalCommands,
    TemporalUnreachableError,
    Terminated,
    connect,
    register_search_attributes,
    tell_of_polls,
)
from adapters.terminals.hosted_runner import HostedRunner
from adapters.terminals.launcher import TerminalLauncher
from adapters.terminals.terminals import HostTerminals
from adapters.tools.host import Host as ToolHost
from adapters.tools.plan_files import PlanFileAccess
from adapters.tools.server import ToolServer
from adapters.tools.verification import Checks
from adapters.verification.verifier import StepVerifier
from adapters.warnings import ThreadWarnings
from domain.agents.hosting import Terminals
from domain.agents.sandbox import SandboxRules
from domain.core.errors import JournalError
from queues import Ports, cut_turns, workers
from settings import (
    Settings,
    SettingsError,
    config_dir,
    environment,
    environment_of,
    home_dir,
    load_settings,
)

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Base:
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

    @property
    def clean(self) -> RedactedJournal:
        """The journal, for all that writes to it."""
        return RedactedJournal(self.journal, self.redactor)

    @property
    def host(self) -> Host:
        """This host, as its agents see it."""
        return Host(self.settings.data_dir, self.settings.programs, home_dir(), environment)


async def run(settings: Settings) -> None:
    """Work until cancelled: reap what a dead worker left, then take tasks from both queues."""
    profiles = AgentFiles(config_dir(), trusted=TrustedFiles(settings.data_dir, TRUSTED_AGENTS))
    redactor = _redactor(settings, profiles)
    folders = HostFolders(settings.data_dir, settings.programs, config_dir(), settings.own_writes)
    spawner = await with_users_path(folders, environment(COMMON_VARIABLES))
    check_sandbox(spawner.confinement.lack_of(settings.sandbox_rules.of(None, None)))
    await note_identity(spawner, folders.git_identity)
    keys = KeyRing(settings.payload_key_file)
    async with open_journal(settings.journal) as journal:
        codes = SecretFile(settings.code_key_file)
        await journal.keys.check(host_id(settings.data_dir), Keys(keys.every(), codes.read()))
        client = await connect(settings.temporal_port, keys, is_ours=journal.keys.is_known)
        base = _Base(
            settings,
            profiles,
            redactor,
            spawner,
            client,
            RedactedDoor(RetryingDoor(TemporalCommands(client)), redactor),
            journal,
            rules := CurrentRules(settings.sandbox_rules, _configured_rules),
            StepVerifier(spawner, Listeners(settings.data_dir / "fences"), rules),
        )
        await _serve(base)


async def _serve(base: _Base) -> None:
    settings, client, door, data_dir = base.settings, base.client, base.door, base.settings.data_dir
    await register_search_attributes(client)
    await (lost := LostActivities(data_dir / "activities")).reclaim(client)
    dialing = Dialing(upstream_of(environment(PROXY_ENVIRONMENT)))  # the user's own, if any
    async with ToolServer(door) as tools, EgressProxy(dialing) as proxy:
        base.spawner.confinement.proxy = proxy
        starting = TerminalLauncher(base.spawner, base.rules, base.redactor)
        terminals = HostTerminals.on(data_dir / "terminals", base.clean, door, starting)
        desk = PlanFileAccess(PlanFileFolders(data_dir), base.clean, door)
        named = HostNamedAgents(base.profiles, base.host)
        tools.host = ToolHost(terminals, Checks(door, base.verifier, base.clean), door, desk, named)
        launch, agents = _agents(base, tools)
        starting.gate_of = agents.hosts.gate_of
        known = (workspaces := _workspaces(base)).environments
        launcher = ServiceLauncher(base.spawner, base.rules, base.redactor, known)
        serving = Serving(data_dir, base.clean, launcher)
        base.verifier.environments, terminals.services = known, serving.services
        agents.environments = starting.environments = serving.environments
        hosted = HostedRunner(serving.runner(RedactedRunner(agents, base.redactor)), terminals)
        held = Holdings(hosted, FilePortLeases(data_dir), terminals)
        kept = _outside(base, launch, held, lost, workspaces)
        outside, host = replace(kept, services=serving.services), host_id(data_dir)
        shared, local = workers(client, outside, host, settings.max_turns)
        try:
            async with shared, local, base.journal.presence.beating(host):
                await terminals.reclaim()
                sweep = Terminated(client, base.journal, held, cut_turns(outside, host))
                sweeps = (sweep.keep_sweeping(), outside.workspaces.keep_sweeping())
                keeping = (base.spawner.keep_reaping(), *sweeps)
                await asyncio.gather(*keeping, tell_of_polls(client, data_dir))
        finally:
            await agents.close_all()
            await terminals.close_all()


def _workspaces(base: _Base) -> SeveralWorkspaces:
    making = SetUpMeans.on(base.spawner, base.rules, base.clean.text, base.redactor, base.host)
    tell, litter = ThreadWarnings(base.clean).tell, base.profiles.litter()
    return SeveralWorkspaces.on(base.spawner, base.settings.data_dir, litter, tell, making)


def _outside(
    base: _Base, launch: Launch, held: Holdings, lost: LostActivities, workspaces: SeveralWorkspaces
) -> Ports:
    settings, spawner, clean = base.settings, base.spawner, base.clean
    trusted = TrustedTemplates(settings.data_dir)
    removal = Leftovers(base.journal, base.client, settings.data_dir)
    return Ports(
        journal=clean,
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
        lost=lost,
        remotes=SeveralPushes(spawner, settings.data_dir, environment(PUSH_VARIABLES)),
        forge=_forge(settings),
        checker=HostAgentChecker.on(base.host, spawner, launch),
        branches=GitBranches(spawner, settings.data_dir),
        landings=SeveralLandings(spawner, settings.data_dir, environment(PUSH_VARIABLES)),
        demos=GitDemoRepositories(spawner, settings.data_dir),
        kept=_kept(base, removal, held.terminals),
        redactor=base.redactor,
        queue_limits=settings.queue,
        credential=Credentials(home_dir(), environment).of,
        written=(settings.data_dir, settings.programs),
    )


def _agents(base: _Base, tools: ToolServer) -> tuple[Launch, AcpAgents]:
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


def _configured_rules() -> SandboxRules | None:
    """Return what the environment and config.toml say now; None where that cannot be read."""
    try:
        return load_settings().sandbox_rules
    except SettingsError:
        return None


def _kept(base: _Base, removal: Leftovers, terminals: Terminals) -> ThreadResources:
    data_dir = base.settings.data_dir
    return ThreadResources(
        work=GitThreadBranches(base.spawner, data_dir),
        files=PlanDocumentFiles(),
        removal=removal,
        terminals=terminals,
        plan_files=PlanFileFolders(data_dir),
    )


def _forge(settings: Settings) -> GitHub:
    name = settings.forge_token_env
    return GitHub(environment((name,)).get(name), name, settings.forge_api_url)


def _redactor(settings: Settings, profiles: AgentFiles) -> Redactor:
    """Return what keeps the secrets of this host out of all that is kept; the log gets it too."""
    files = (settings.token_file, settings.code_key_file)
    keys = [*map(SecretFile, files), KeyRing(settings.payload_key_file)]
    names = {*profiles.variables(), settings.forge_token_env}
    redactor = Redactor(known_secrets(environment_of(settings), names, keys))
    keep_log_clean(redactor)
    return redactor


async def run_alone(settings: Settings) -> None:
    """Work as the one worker of the data folder."""
    for moved in clear_places(settings.data_dir):
        _LOG.warning("%s", moved)
    refuse_folders(settings.data_dir)
    async with only_worker(settings.data_dir):
        await run(settings)


def main() -> None:
    """Run a worker until it is told to stop; an error that people can mend ends it with one line."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold every key
    try:
        settings = load_settings()
        if refusal := root_refusal(settings.root):
            sys.exit(f"treadle worker: {refusal}")
        asyncio.run(until_stopped(run_alone(settings)))
    except (SettingsError, ContainerError, HostTakenError, TemporalUnreachableError) as error:
        sys.exit(f"treadle worker: {error}")
    except (JournalError, KeyRingError, PlaceTakenError) as error:
        sys.exit(f"treadle worker: {error}")
