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
from activities.threads import Holdings, Opening, Settling
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
from adapters.journal import SqlJournal, open_journal
from adapters.known_secrets import known_secrets
from adapters.leftovers import Leftovers
from adapters.port_leases import FilePortLeases
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import HostFolders, host_spawner, note_identity
from adapters.processes.listeners import Listeners
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
    queue_worker,
    reap_leases,
    register_search_attributes,
)
from adapters.terminals.hosted_runner import HostedRunner
from adapters.terminals.starting import Starting
from adapters.terminals.terminals import HostTerminals
from adapters.tools.server import ToolServer
from adapters.tools.checking import Checks
from adapters.tools.host import Host as ToolHost
from adapters.verification.verifier import StepVerifier
from adapters.warnings import ThreadWarnings
from domain import ports
from domain.agent_checks import AgentBench
from domain.errors import JournalError
from domain.ids import SHARED_QUEUE, host_queue
from domain.hosting import Terminals
from domain.publishing.ports import Forge, Remotes
from queues import Ports, workers
from settings import (
    Settings,
    SettingsError,
    config_dir,
    environment,
    environment_of,
    home_dir,
    load_settings,
)

BASE_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL")
"""What every child process gets of the environment; secrets only by an agent's profile."""

PUSH_ENVIRONMENT = (
    "SSH_AUTH_SOCK",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
)
"""What a push gets beside it, for the person's ssh agent and credential helpers."""


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
        leases = FilePortLeases(settings.data_dir)
        verifier = StepVerifier(spawner, Listeners(settings.data_dir / "fences"))
        starting = Starting(spawner, SandboxRules(level=Level.OFF), redactor)
        terminals = HostTerminals.on(settings.data_dir / "terminals", clean, door, starting)
        tools.host = ToolHost(terminals, Checks(door, verifier, clean), door)
        outside = Ports(
            journal=clean,
            workspaces=GitWorkspaces(spawner, settings.data_dir, profiles.litter(), tell),
            runner=HostedRunner(RedactedRunner(agents, redactor), terminals),
            verifier=verifier,
            leases=leases,
            terminals=terminals,
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
            kept=_kept(
                settings, spawner, Leftovers(journal, client, settings.data_dir), terminals
            ),
            redactor=redactor,
        )
        shared, local = workers(client, outside, host_id(settings.data_dir), settings.max_turns)
        try:
            async with shared, local:
                await terminals.reclaim()
                await reap_leases(client, leases)
                await asyncio.Event().wait()
        finally:
            await agents.close_all()
            await terminals.close_all()


def _templates(settings: Settings) -> TemplateFiles:
    trusted = TrustedTemplates(settings.data_dir)
    return TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)


def _limits(settings: Settings) -> tuple[Patience, TurnLimits]:
    """Return how long agents may take, and may be silent."""
    patience = Patience(idle_process=settings.idle_agent_seconds)
    return patience, TurnLimits(idle_seconds=settings.turn_idle_seconds)


def _kept(
    settings: Settings, spawner: Spawner, removal: Leftovers, terminals: Terminals
) -> Kept:
    work = GitKeeping(spawner, settings.data_dir)
    return Kept(work=work, files=PlanDocumentFiles(), removal=removal, terminals=terminals)


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
