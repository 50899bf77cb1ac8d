"""The adapters of a worker, as its settings say; worker.py sets them going."""

from activities.lifecycle import ThreadResources
from activities.threads import Holdings
from adapters.acp.launch import Launch
from adapters.acp.limits import Patience, TurnLimits
from adapters.acp.past_sessions import AgentPastSessions
from adapters.acp.questions import QuestionChannel
from adapters.acp.runner import AcpAgents
from adapters.acp.sandboxes import AgentSandboxes
from adapters.agent_programs.checker import HostAgentChecker
from adapters.agent_programs.credentials import Credentials
from adapters.agent_programs.named_agents import HostNamedAgents
from adapters.archives.bucket_store import CREDENTIALS, PLAIN
from adapters.archives.thread_archives import JournalArchives
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
from adapters.git.bases import GitBases
from adapters.git.branches import GitBranches
from adapters.git.demo_repositories import GitDemoRepositories
from adapters.git.notes import GitNotes
from adapters.git.pushes import GitPushes
from adapters.git.several.landings import SeveralLandings
from adapters.git.several.pushes import SeveralPushes
from adapters.git.several.workspaces import SeveralWorkspaces
from adapters.git.stacks import GitStacks
from adapters.git.thread_branches import GitThreadBranches
from adapters.host_files import FilesOfHost
from adapters.kept_learnings import KeptLearnings
from adapters.known_secrets import known_secrets
from adapters.leftovers import Leftovers
from adapters.list_prices import ListPrices
from adapters.logs import keep_log_clean
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import PUSH_VARIABLES
from adapters.redaction import Redactor
from adapters.setup.means import SetUpMeans
from adapters.temporal import LostActivities
from adapters.tools.server import ToolServer
from adapters.warnings import ThreadWarnings
from composition.base import Base
from composition.ports import Ports
from domain.agents.hosting import Terminals
from domain.agents.sandbox import SandboxRules
from settings import (
    Settings,
    SettingsError,
    config_dir,
    environment,
    environment_of,
    home_dir,
    load_settings,
)


def workspaces_of(base: Base) -> SeveralWorkspaces:
    """Return what makes worktrees and sets them up."""
    making = SetUpMeans.on(base.spawner, base.rules, base.clean.text, base.redactor, base.host)
    tell, litter = ThreadWarnings(base.clean).tell, base.profiles.litter()
    return SeveralWorkspaces.on(base.spawner, base.settings.data_dir, litter, tell, making)


def _notes_of(base: Base) -> GitNotes:
    """Return the notes that keep receipts, which are pushed unless a setting keeps them here."""
    spawner, data_dir = base.spawner, base.settings.data_dir
    if not base.settings.push_receipts:
        return GitNotes(spawner, data_dir)
    return GitNotes(spawner, data_dir, GitPushes(spawner, data_dir, environment(PUSH_VARIABLES)))


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
        ledger=base.journal.ledger(settings.money),
        costs=ListPrices(base.profiles, environment, settings.money.subscriptions),
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
        stacks=GitStacks(spawner, settings.data_dir, environment(PUSH_VARIABLES)),
        forge=base.forges,
        pull_requests=base.forges,
        notes=_notes_of(base),
        checker=HostAgentChecker.on(base.host, spawner, launch),
        past=AgentPastSessions(spawner, launch),
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
        offers=KeptLearnings(base.journal, settings.learnings_lifetime),
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
