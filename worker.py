"""The composition root of a worker: settings, adapters, activities, and the two task queues."""

import asyncio
import logging
import resource
import sys
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

from activities.threads import Holdings
from adapters.acp.runner import AcpAgents
from adapters.agent_programs.named_agents import HostNamedAgents
from adapters.build_id import build_id
from adapters.container import ContainerError
from adapters.current_rules import CurrentRules, begun_rules
from adapters.daily_prune import DailyPrune
from adapters.data_version import DataVersionError, check_data_version
from adapters.disk.budget import DiskBudget
from adapters.disk.pools import DiskPools
from adapters.egress.dialing import PROXY_ENVIRONMENT, Dialing, upstream_of
from adapters.egress.proxy import EgressProxy
from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.blocked_paths import PlaceTakenError, clear_places, refuse_folders
from adapters.files.key_ring import KeyRing, KeyRingError
from adapters.files.plan_files import PlanFileFolders
from adapters.files.secret_file import SecretFile
from adapters.files.trusted_files import TrustedFiles
from adapters.git.several.workspaces import SeveralWorkspaces
from adapters.host import HostTakenError, host_id, only_worker, until_stopped
from adapters.host_watch import HostWatch
from adapters.journal import Keys, Pool, open_journal
from adapters.observing import ObserveError, require_observe, tracing_to
from adapters.port_leases import FilePortLeases
from adapters.processes.host_spawner import (
    COMMON_VARIABLES,
    HostFolders,
    note_identity,
    with_users_path,
)
from adapters.processes.listeners import Listeners
from adapters.readings.projections import MoneyProjections
from adapters.redacted_ports import RedactedDoor, RedactedRunner
from adapters.root import root_refusal
from adapters.setup.service_launcher import ServiceLauncher
from adapters.setup.serving import Serving
from adapters.temporal import (
    Deployment,
    Draining,
    LostActivities,
    LostCharges,
    RetryingDoor,
    RoomForTurns,
    TemporalCommands,
    TemporalPurses,
    TemporalUnreachableError,
    Terminated,
    VersionRouting,
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
from adapters.verification.camera import PageCamera
from adapters.verification.pictures import KeptPictures
from adapters.verification.verifier import StepVerifier
from adapters.warnings import ThreadWarnings
from composition.adapters import (
    agents_of,
    configured_rules,
    ports_of,
    redactor_of,
    workspaces_of,
)
from composition.base import Base
from composition.hosts import drain_of_host, facts_of, failover_of
from composition.metrics import worker_metrics
from composition.news import news_of
from composition.ports import Ports
from composition.trackers import open_trackers, trackers_of
from domain.core.errors import JournalError
from queues import cut_turns, workers
from settings import (
    Settings,
    SettingsError,
    config_dir,
    environment,
    load_settings,
)

_LOG = logging.getLogger(__name__)

AT_ONCE = "--at-once"
"""The option of a worker that `treadle up` starts: it ends without draining, as whoever types Ctrl-C expects."""


async def run(settings: Settings, draining: Draining) -> None:
    """Work until cancelled or drained: reap what a dead worker left, then take tasks from both queues."""
    profiles = AgentFiles(config_dir(), trusted=TrustedFiles(settings.data_dir, TRUSTED_AGENTS))
    redactor = redactor_of(settings, profiles)
    folders = HostFolders(settings.data_dir, settings.programs, config_dir(), settings.own_writes)
    spawner = await with_users_path(folders, environment(COMMON_VARIABLES))
    sandboxes = begun_rules(settings.sandbox_rules, settings.fallback, spawner.confinement)
    await note_identity(spawner, folders.git_identity)
    keys = KeyRing(settings.payload_key_file)
    async with (
        tracing_to(settings.collector, "treadle-worker", redactor) as tracing,
        open_journal(settings.journal, Pool(*settings.journal_pool)) as journal,
    ):
        codes = SecretFile(settings.code_key_file)
        own = Keys(keys.every(), codes.read())
        await journal.keys.check(host_id(settings.data_dir), own, settings.journal_id)
        client = await connect(
            settings.temporal_port,
            keys,
            is_ours=journal.keys.is_known,
            metrics_at=settings.metrics_at("worker_sdk"),
            interceptors=tracing.interceptors,
        )
        base = Base(
            settings,
            profiles,
            redactor,
            spawner,
            client,
            RedactedDoor(RetryingDoor(TemporalCommands(client)), redactor),
            journal,
            rules := CurrentRules(sandboxes, configured_rules),
            StepVerifier(spawner, Listeners(settings.data_dir / "fences"), rules),
        )
        watch = await HostWatch.of(journal.hosts, lambda: facts_of(base))
        await journal.moves.start(watch.host)
        journal.fence(watch.host, watch.generation)
        async with worker_metrics(settings, base.slots, redactor):
            await _serve(base, watch, draining)


async def _serve(base: Base, watch: HostWatch, draining: Draining) -> None:
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
        launch, agents = agents_of(base, tools)
        draining.on_begin = agents.end_waits
        starting.gate_of = agents.hosts.gate_of
        base.verifier.camera = PageCamera(base.spawner)
        base.verifier.pictures = KeptPictures(base.journal.put_text)  # redacted, it would be none
        workspaces = workspaces_of(base)
        serving = _set_up(base, workspaces, agents, starting, terminals)
        hosted = HostedRunner(serving.runner(RedactedRunner(agents, base.redactor)), terminals)
        held = Holdings(hosted, FilePortLeases(data_dir), terminals)
        ports, deployment = ports_of(base, launch, held, lost, workspaces), _deployment(settings)
        tracked = replace(ports, trackers=trackers_of(base.settings, base.redactor.learn))
        kept, disk = _on_disk(base, tracked, workspaces)
        outside, host = replace(kept, services=serving.services), host_id(data_dir)
        shared, local = workers(
            client, outside, host, settings.max_turns, draining=draining, deployment=deployment
        )
        try:
            async with shared, draining.serving(local), base.journal.presence.beating(host):
                await terminals.reclaim()
                keeping = (*_keeping(base, held, outside, host, agents), disk.keep(), watch.keep())
                routing = VersionRouting(client, deployment).keep()
                work = asyncio.gather(*keeping, routing, tell_of_polls(client, data_dir))
                await draining.keep_until_drained(local, work)
        finally:
            await agents.close_all()
            await terminals.close_all()


def _set_up(
    base: Base,
    workspaces: SeveralWorkspaces,
    agents: AcpAgents,
    starting: TerminalLauncher,
    terminals: HostTerminals,
) -> Serving:
    """Let all that runs in a workspace have what it was set up with, services included."""
    known = workspaces.environments
    serving = Serving(
        base.settings.data_dir,
        base.clean,
        ServiceLauncher(base.spawner, base.rules, base.redactor, known),
    )
    base.verifier.environments, terminals.services = known, serving.services
    agents.environments = starting.environments = serving.environments
    return serving


def _keeping(
    base: Base, held: Holdings, outside: Ports, host: str, agents: AcpAgents
) -> tuple[Coroutine[Any, Any, None], ...]:
    """Return what cleans up after others, without end."""
    sweep = Terminated(base.client, base.journal, held, cut_turns(outside, host))
    sweeps = (sweep.keep_sweeping(), outside.workspaces.keep_sweeping())
    hosts = (failover_of(base).keep(), drain_of_host(base, agents).keep())
    daily = DailyPrune(base.journal.retained, base.client, base.settings.daily_prune)
    return (
        base.spawner.keep_reaping(),
        base.keep_repositories(),
        daily.keep(),
        _lost_charges(base).keep_settling(),
        news_of(base).keep(),
        open_trackers(base.client, base.settings),
        *hosts,
        *sweeps,
    )


def _lost_charges(base: Base) -> LostCharges:
    ledger = base.journal.ledger(base.settings.money)
    limits = MoneyProjections(base.journal).newest
    return LostCharges(base.client, base.journal, ledger, TemporalPurses(base.client), limits)


def _on_disk(base: Base, outside: Ports, workspaces: SeveralWorkspaces) -> tuple[Ports, DiskBudget]:
    """Return ports whose turns wait while the disk is short, and what keeps it within its limits."""
    data_dir, copies = base.settings.data_dir, workspaces.layers.copies
    pools = DiskPools(data_dir, workspaces.spares, copies, base.mirrors)
    disk = DiskBudget(data_dir, base.settings.disk_limits, pools)
    room = RoomForTurns(disk, workspaces.checkouts.worktree, ThreadWarnings(base.clean).tell)
    return replace(outside, between=(*outside.between, room)), disk


def _deployment(settings: Settings) -> Deployment | None:
    if settings.deployment is None:
        return None
    version = settings.build_id or build_id(Path(__file__).parent)
    return Deployment(settings.deployment, version, settings.deployment_ramp)


async def run_alone(settings: Settings, draining: Draining) -> None:
    """Work as the one worker of the data folder."""
    for moved in clear_places(settings.data_dir):
        _LOG.warning("%s", moved)
    refuse_folders(settings.data_dir)
    check_data_version(settings.data_dir)
    async with only_worker(settings.data_dir):
        await run(settings, draining)


def main() -> None:
    """Run a worker until it is told to stop; an error that people can mend ends it with one line."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold every key
    try:
        settings = load_settings()
        if refusal := root_refusal(settings.root):
            sys.exit(f"treadle worker: {refusal}")
        require_observe(settings.needs_observe)
        draining = Draining(0 if AT_ONCE in sys.argv else settings.drain_seconds)
        asyncio.run(until_stopped(run_alone(settings, draining), draining.begin))
    except (SettingsError, ContainerError, HostTakenError, TemporalUnreachableError) as error:
        sys.exit(f"treadle worker: {error}")
    except (JournalError, KeyRingError, PlaceTakenError, ObserveError, DataVersionError) as error:
        sys.exit(f"treadle worker: {error}")
