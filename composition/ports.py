"""What a worker needs of the outside world."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from temporalio.worker import Interceptor

from activities.lifecycle import ThreadResources
from activities.slots import Slots
from adapters.redaction import Redactor
from adapters.temporal import (
    HeldTurns,
    LostActivities,
)
from domain.agents.checks import AgentChecker
from domain.agents.hosting import Terminals
from domain.agents.ledger import Ledger
from domain.agents.past_sessions import PastSessions
from domain.agents.ports import AgentProfiles, AgentRunner, Costs, PortLeases
from domain.agents.profiles import AgentProfile
from domain.core import ports
from domain.core.changes import Branches
from domain.evidence.ports import ReceiptNotes
from domain.forges.ports import Forge, PullRequests
from domain.hosts.host import SILENT_SECONDS
from domain.hosts.ports import HostFiles, Placements
from domain.learnings.ports import LearningOffers
from domain.people.access import ApprovalRules, Audit, Deciders
from domain.plans.named_agents import NamedAgents
from domain.plans.ports import Templates
from domain.queue.entry import QueueLimits
from domain.recipes.ports import Recipes, SetUps
from domain.recipes.services import Services
from domain.retention.ports import ThreadArchives
from domain.threads.bases.ports import Bases
from domain.threads.demo import DemoRepositories
from domain.threads.landing.calls import Landings
from domain.threads.ports import WorkCopies, Workspaces
from domain.threads.publishing.ports import Remotes
from domain.threads.publishing.stack_ports import Stacks
from domain.trackers.ports import Trackers
from domain.verification.ports import Verifier


@dataclass(frozen=True)
class Ports:
    """Everything that activities need of the outside world."""

    journal: ports.Journal
    workspaces: Workspaces
    runner: AgentRunner
    verifier: Verifier
    leases: PortLeases
    fences: ports.Fences
    templates: Templates
    profiles: AgentProfiles
    key: ports.CodeKey
    lost: LostActivities
    kept: ThreadResources
    terminals: Terminals
    remotes: Remotes
    stacks: Stacks
    branches: Branches
    landings: Landings
    bases: Bases
    forge: Forge
    checker: AgentChecker
    past: PastSessions
    demos: DemoRepositories
    recipes: Recipes | None = None
    set_ups: SetUps | None = None
    services: Services | None = None
    deciders: Deciders | None = None
    audit: Audit | None = None
    approvals: ApprovalRules | None = None
    redactor: Redactor = field(default_factory=lambda: Redactor({}))
    queue_limits: QueueLimits = field(default_factory=QueueLimits)
    credential: Callable[[AgentProfile, str | None], str] | None = None
    named: NamedAgents | None = None
    between: tuple[Interceptor, ...] = ()
    """What stands between Temporal and the activities of this host, the last one next to them."""
    slots: Slots | None = None
    costs: Costs | None = None
    ledger: Ledger | None = None
    """What turns cost and reserve; without it no spending limit holds."""
    copies: WorkCopies | None = None
    placements: Placements | None = None
    held: HeldTurns | None = None
    silent_seconds: float = SILENT_SECONDS
    archives: ThreadArchives | None = None
    offers: LearningOffers | None = None
    notes: ReceiptNotes | None = None
    files: HostFiles | None = None
    pull_requests: PullRequests | None = None
    """Where what becomes of pull requests is known; without it none is watched."""
    trackers: Trackers | None = None
    written: tuple[Path, ...] = ()
    """Folders that work is written to."""
