"""The composition root of a worker: settings, adapters, activities, and the two task queues."""

import asyncio
import random
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from temporalio.client import Client
from temporalio.worker import Worker

from activities.agents import AgentChecks
from activities.breakers import Breakers
from activities.codes import Codes
from activities.collisions import Collisions
from activities.conflicts import Conflicts
from activities.journal import Journaling
from activities.keeping import Keeping, Kept
from activities.merged_trees import MergedTrees
from activities.publishing import Publishing
from activities.threads import Opening, Settling
from activities.turns import Agents, Sessions, Turns
from activities.verification import Verification
from activities.watching import Watching
from adapters.acp.confining import AgentSandboxes
from adapters.acp.launch import Launch
from adapters.acp.limits import TurnLimits
from adapters.acp.questions import Desk
from adapters.acp.runner import AcpAgents, Patience
from adapters.agent_programs.bench import Host, HostBench
from adapters.agent_programs.programs import Programs
from adapters.files.agent_profiles import AgentFiles
from adapters.files.key_ring import KeyRing, KeyRingError
from adapters.files.plan_documents import PlanDocumentFiles
from adapters.files.secret_file import SecretFile
from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.files.trusted_templates import TrustedTemplates
from adapters.forge.github import GitHub
from adapters.git.keeping import GitKeeping
from adapters.git.pushes import GitPushes
from adapters.git.workspaces import GitWorkspaces
from adapters.host import HostTakenError, host_id, only_worker, until_stopped
from adapters.journal import open_journal
from adapters.known_secrets import known_secrets
from adapters.leftovers import Leftovers
from adapters.port_leases import FilePortLeases
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import HostFolders, host_spawner, note_identity
from adapters.processes.spawner import Spawner
from adapters.redacted_ports import RedactedDoor, RedactedJournal, RedactedRunner
from adapters.redaction import Redactor, keep_log_clean
from adapters.temporal import (
    JournalFirst,
    LostActivities,
    RedactedActivities,
    TaskResults,
    TemporalDoor,
    connect,
    register_search_attributes,
)
from adapters.tools.server import ToolServer
from adapters.verification.verifier import StepVerifier
from adapters.warnings import ThreadWarnings
from domain import ports
from domain.agent_checks import AgentBench
from domain.errors import JournalError
from domain.ids import SHARED_QUEUE, host_queue
from domain.publishing.ports import Forge, Remotes
from settings import (
    Settings,
    SettingsError,
    config_dir,
    environment,
    environment_of,
    home_dir,
    load_settings,
)
from workflows import WORKFLOWS

BASE_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL")
"""What every child process gets of the environment; secrets only by an agent's profile."""

PUSH_ENVIRONMENT = (
    "SSH_AUTH_SOCK",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
)
"""What a push gets beside it, for the person's ssh agent and credential helpers."""


@dataclass(frozen=True)
class Ports:
    """Everything that activities need of the outside world."""

    journal: ports.Journal
    workspaces: ports.Workspaces
    runner: ports.AgentRunner
    verifier: ports.Verifier
    leases: ports.PortLeases
    fences: ports.Fences
    templates: ports.Templates
    profiles: ports.AgentProfiles
    key: ports.CodeKey
    lost: LostActivities
    kept: Kept
    remotes: Remotes
    forge: Forge
    bench: AgentBench
    redactor: Redactor = field(default_factory=lambda: Redactor({}))


def workers(client: Client, outside: Ports, host: str, max_turns: int) -> tuple[Worker, Worker]:
    """Return the workers of the shared queue and of this host's queue."""
    o = outside
    opening = Opening(o.workspaces, o.templates, o.profiles, host)
    checks = AgentChecks(o.bench, o.profiles, o.runner, o.journal)
    checking = [checks.install_agent, checks.look_at_agent, checks.try_agent]
    anywhere = [
        *checking,
        Codes(o.key).check_code,
        Journaling().append_events,
        opening.open_thread,
        Watching(TaskResults(client)).await_task,
    ]
    here = [*checking, *_work(o, max_turns), *_merges(o)]
    shared = _worker(client, o, SHARED_QUEUE, anywhere, workflows=WORKFLOWS)
    return shared, _worker(client, o, host_queue(host), here)


def _work(o: Ports, max_turns: int) -> list[Callable[..., Any]]:
    """Return the activities of sessions and of verification."""
    agents = Agents(o.runner, o.profiles, Breakers(random.random), max_turns)
    keeping = Keeping(o.journal, o.workspaces, o.runner, o.fences, o.kept)
    return [
        Turns(o.journal, o.workspaces, agents, o.templates, o.fences).run_agent_turn,
        Sessions(o.workspaces, o.runner, o.fences).close_session,
        Verification(o.journal, o.workspaces, o.verifier, o.fences).run_verification_step,
        keeping.keep_changes,
        keeping.write_document,
        keeping.remove_thread,
    ]


def _merges(o: Ports) -> list[Callable[..., Any]]:
    """Return the activities of merges, of their conflicts, and of publishing."""
    trees = MergedTrees(o.journal, o.workspaces, o.verifier, o.leases)
    settling = Settling(o.workspaces, o.runner, o.leases, o.fences, trees)
    conflicts = Conflicts(o.journal, o.workspaces, o.fences)
    publishing = Publishing(o.remotes, o.forge)
    return [
        settling.settle_task,
        settling.lease_port,
        settling.release_port,
        conflicts.prepare_conflict,
        conflicts.commit_conflict,
        Collisions(o.workspaces).try_merges,
        publishing.push_branch,
        publishing.open_pull_request,
    ]


def _worker(
    client: Client,
    outside: Ports,
    queue: str,
    activities: Sequence[Any],
    workflows: Sequence[type] = (),
) -> Worker:
    return Worker(
        client,
        task_queue=queue,
        workflows=workflows,
        activities=activities,
        interceptors=[
            outside.lost,
            RedactedActivities(outside.redactor),
            JournalFirst(outside.journal),
        ],
        max_concurrent_activities=500,
        max_concurrent_workflow_tasks=100,
        # soon noticed when this process is gone, and soon told to cancel (facts measured: M6)
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        max_heartbeat_throttle_interval=timedelta(seconds=2),
        default_heartbeat_throttle_interval=timedelta(seconds=2),
        graceful_shutdown_timeout=timedelta(seconds=5),
    )


async def run(settings: Settings) -> None:
    """Work until cancelled: reap what a dead worker left, then take tasks from both queues."""
    profiles = AgentFiles(config_dir(), trusted=TrustedFiles(settings.data_dir, "agent"))
    redactor = _redactor(settings, profiles)
    folders = HostFolders(settings.data_dir, settings.programs, config_dir(), settings.own_writes)
    spawner = host_spawner(folders, environment(BASE_ENVIRONMENT))
    await spawner.reap_leftovers()
    await note_identity(spawner, folders.git_identity)
    client = await connect(settings.temporal_port, KeyRing(settings.payload_key_file))
    await register_search_attributes(client)
    lost = LostActivities(settings.data_dir / "activities")
    await lost.reclaim(client)
    door = RedactedDoor(TemporalDoor(client), redactor)
    async with open_journal(settings.journal) as journal, ToolServer(door) as tools:
        programs = Programs(settings.programs, environment(("PATH",)).get("PATH"))
        sandboxes = AgentSandboxes(settings.sandbox_rules, home_dir(), tools.url)
        launch = Launch(settings.data_dir, environment, programs=programs, sandboxes=sandboxes)
        clean = RedactedJournal(journal, redactor)
        desk = Desk(door, clean, settings.permissions, settings.question_wait_seconds)
        patience, limits = _limits(settings)
        agents = AcpAgents(profiles, spawner, tools, launch, desk, patience=patience, limits=limits)
        tell = ThreadWarnings(clean).tell
        outside = Ports(
            journal=clean,
            workspaces=GitWorkspaces(spawner, settings.data_dir, profiles.litter(), tell),
            runner=RedactedRunner(agents, redactor),
            verifier=StepVerifier(spawner),
            leases=FilePortLeases(settings.data_dir),
            fences=WorkspaceFences(settings.data_dir / "fences"),
            templates=_templates(settings),
            profiles=profiles,
            key=SecretFile(settings.code_key_file),
            lost=lost,
            remotes=GitPushes(spawner, settings.data_dir, environment(PUSH_ENVIRONMENT)),
            forge=_forge(settings),
            bench=HostBench.on(
                Host(settings.data_dir, home_dir(), environment), spawner, launch, programs
            ),
            kept=_kept(settings, spawner, Leftovers(journal, client, settings.data_dir)),
            redactor=redactor,
        )
        shared, local = workers(client, outside, host_id(settings.data_dir), settings.max_turns)
        try:
            async with shared, local:
                await asyncio.Event().wait()
        finally:
            await agents.close_all()


def _templates(settings: Settings) -> TemplateFiles:
    trusted = TrustedTemplates(settings.data_dir)
    return TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)


def _limits(settings: Settings) -> tuple[Patience, TurnLimits]:
    """Return how long agents may take, and may be silent."""
    patience = Patience(idle_process=settings.idle_agent_seconds)
    return patience, TurnLimits(idle_seconds=settings.turn_idle_seconds)


def _kept(settings: Settings, spawner: Spawner, removal: Leftovers) -> Kept:
    work = GitKeeping(spawner, settings.data_dir)
    return Kept(work=work, files=PlanDocumentFiles(), removal=removal)


def _forge(settings: Settings) -> GitHub:
    name = settings.forge_token_env
    return GitHub(environment((name,)).get(name), name, settings.forge_api_url)


def _redactor(settings: Settings, profiles: AgentFiles) -> Redactor:
    """Return what keeps the secrets of this host out of all that is kept; the log gets it too."""
    files = (settings.token_file, settings.code_key_file)
    keys = [*map(SecretFile, files), KeyRing(settings.payload_key_file)]
    redactor = Redactor(
        known_secrets(
            environment_of(settings), {*profiles.variables(), settings.forge_token_env}, keys
        )
    )
    keep_log_clean(redactor)
    return redactor


async def run_alone(settings: Settings) -> None:
    """Work as the one worker of the data folder."""
    async with only_worker(settings.data_dir):
        await run(settings)


def main() -> None:
    """Run a worker until it is told to stop; an error that people can mend ends it with one line."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold every key
    try:
        asyncio.run(until_stopped(run_alone(load_settings())))
    except (SettingsError, HostTakenError, JournalError, KeyRingError) as error:
        sys.exit(f"treadle worker: {error}")
