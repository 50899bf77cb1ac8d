"""The two task queues of a worker, and what it carries out from each."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from temporalio.client import Client
from temporalio.worker import Interceptor, Worker

from activities.agents import AgentChecks
from activities.bases import BaseUpdates
from activities.branches import BranchComparison, BranchMerges
from activities.breakers import Breakers
from activities.codes import DecisionCodes
from activities.collisions import Collisions
from activities.conflicts import Conflicts
from activities.cut_turns import CutTurns
from activities.edits import Edits
from activities.file_queries import FileQueries
from activities.flows import FlowCommands, FlowOpening
from activities.host_files import HostFileAnswers
from activities.journal import Journaling
from activities.lifecycle import ThreadLifecycle
from activities.limits import LimitChanges
from activities.merged_trees import MergedTrees
from activities.placement import Placement
from activities.plan_files import PlanFileChanges
from activities.publishing import Publishing
from activities.purse import Purse
from activities.queue_starts import QueueStarts
from activities.receipts import PublishedReceipts
from activities.recipes import KeptRecipes, RecipeChecks
from activities.retention import Pruning
from activities.schedules import DueSchedules
from activities.services import PersonsServices
from activities.session_imports import SessionImports
from activities.setting_up import SettingUp
from activities.stacking import Stacking
from activities.status_changes import StatusChanges
from activities.task_results import TaskCompletion
from activities.threads import Holdings, OpeningFiles, Settling, ThreadOpening
from activities.tracker_follows import TrackerFollows
from activities.tracker_looks import TrackerLooks
from activities.turns import Agents, Sessions, Turns
from activities.verification import Verification
from activities.watching import Watching
from adapters.temporal import (
    GRACE,
    WITHOUT_GRACE_OF_CORE,
    CarriedProgress,
    Deployment,
    Draining,
    JournalFirst,
    QueueEntries,
    QueueWork,
    RedactedActivities,
    Starter,
    TaskResults,
    TemporalCommands,
    TemporalPrunedWorkflows,
    TemporalPurses,
    TemporalSchedules,
    queue_worker,
)
from composition.ports import Ports
from domain.core.ids import SHARED_QUEUE, host_queue
from domain.evidence.issuing import Receipts
from domain.trackers.ports import Trackers
from workflows import WORKFLOWS
from workflows.removals import removal_of_ended


def workers(
    client: Client,
    outside: Ports,
    host: str,
    max_turns: int,
    *,
    draining: Draining | None = None,
    deployment: Deployment | None = None,
) -> tuple[Worker, Worker]:
    """Return the workers of the shared queue and of this host's queue.

    With `draining` the latter is to be served by it. A host's queue has no versions: it has one
    worker, which carries out what runs of every version ask for.
    """
    o = outside
    checking = _checks(o, host)
    everything = QueueWork(SHARED_QUEUE, [*checking, *_anywhere(o, client, host)], WORKFLOWS)
    here = QueueWork(host_queue(host), [*checking, *_work(o, client, max_turns), *_merges(o)])
    between: list[Interceptor] = [
        *(o.lost, RedactedActivities(o.redactor), JournalFirst(o.journal, *o.written)),
        *(CarriedProgress(client), *o.between),
    ]
    outermost = (draining, o.held)
    between[:0] = [each for each in outermost if each is not None]
    grace = GRACE if draining is None else WITHOUT_GRACE_OF_CORE
    shared = queue_worker(client, everything, between, deployment=deployment)
    return shared, queue_worker(client, here, between, grace=grace)


def _checks(o: Ports, host: str) -> list[Callable[..., Any]]:
    """Return the activities of both queues."""
    checks = AgentChecks(o.checker, o.profiles, o.runner, o.journal, o.past)
    looks = (checks.install_agent, checks.look_at_agent, checks.try_agent, checks.list_sessions)
    checking: list[Callable[..., Any]] = [*looks]
    if o.set_ups is not None:
        checking.append(RecipeChecks(o.journal, o.set_ups).check_recipe)
    return [*checking, *_looking(o, host)]


def _anywhere(o: Ports, client: Client, host: str) -> list[Callable[..., Any]]:
    """Return the activities of the shared queue alone."""
    return [
        Placement(o.placements, host, o.silent_seconds).choose_hosts,
        DecisionCodes(o.key, o.deciders, o.audit).check_code,
        Journaling().append_events,
        TaskCompletion(TaskResults(client)).await_task,
        QueueStarts(o.journal, Starter(client), o.placements).start_queued,
        StatusChanges(o.journal).follow_statuses,
        *_pruning(client, o),
        DueSchedules(TemporalSchedules(client, o.queue_limits), o.journal).enqueue_due,
        *(_tracking(client, o, o.trackers) if o.trackers else []),
        *_limits(client, o),
    ]


def _limits(client: Client, o: Ports) -> list[Callable[..., Any]]:
    """Return the activity by which what people say of spending limits holds."""
    if o.ledger is None:
        return []
    return [LimitChanges(o.ledger, TemporalPurses(client)).apply_limit_change]


def _tracking(client: Client, o: Ports, trackers: Trackers) -> list[Callable[..., Any]]:
    """Return the activities of trackers; the door gives codes to what allowed accounts decide."""
    looks = TrackerLooks(trackers, o.journal, QueueEntries(client, o.queue_limits))
    follows = TrackerFollows(trackers, o.journal, TemporalCommands(client, o.key), o.key)
    return [looks.look_for_issues, looks.enqueue_issue, follows.follow_issue]


def _looking(o: Ports, host: str) -> list[Callable[..., Any]]:
    """Return the activities that look at a repository, which every host does on its own queue."""
    kept = KeptRecipes(o.recipes, o.journal) if o.recipes else None
    imports = SessionImports(o.past, o.journal, o.fences)
    files = OpeningFiles(o.templates, o.profiles, kept, o.placements, o.approvals, o.bases, imports)
    return [
        ThreadOpening(o.workspaces, o.demos, files, host).open_thread,
        FlowOpening(o.workspaces, host, kept, o.placements).open_flow,
    ]


def _pruning(client: Client, o: Ports) -> list[Callable[..., Any]]:
    """Return the activities that remove threads for good."""
    removal_of = partial(removal_of_ended, is_forced=False)
    workflows = TemporalPrunedWorkflows(client, o.key)
    pruning = Pruning(o.journal, workflows, removal_of, o.archives)
    return [
        pruning.survey_thread,
        pruning.archive_thread,
        pruning.delete_pruned,
        pruning.erase_histories,
    ]


def cut_turns(outside: Ports, host: str) -> CutTurns:
    """Return what ends the turns of this host that were terminated."""
    return CutTurns(outside.journal, outside.workspaces, outside.fences, host_queue(host))


def _work(o: Ports, client: Client, max_turns: int) -> list[Callable[..., Any]]:
    """Return the activities of sessions and of verification."""
    agents = Agents(
        o.runner,
        o.profiles,
        Breakers(random.random),
        max_turns,
        leases=o.leases,
        credential=o.credential,
        named=o.named,
        slots=o.slots,
        offers=o.offers,
        costs=o.costs,
        purse=Purse(o.ledger, TemporalPurses(client)) if o.ledger else None,
    )
    turns = Turns(o.journal, o.workspaces, agents, o.templates, o.fences, copies=o.copies)
    lifecycle = ThreadLifecycle(o.journal, o.workspaces, o.runner, o.fences, o.kept)
    comparison = BranchComparison(o.journal, o.workspaces, o.branches)
    verification = Verification(o.journal, o.workspaces, o.verifier, o.fences, o.services)
    return [
        turns.run_agent_turn,
        Sessions(o.workspaces, o.runner, o.fences).close_session,
        verification.run_verification_step,
        FlowCommands(verification, o.workspaces, o.fences).run_flow_command,
        lifecycle.merge_session,
        lifecycle.write_document,
        lifecycle.remove_thread,
        FileQueries(o.workspaces).find_files,
        *([PersonsServices(o.workspaces, o.services).run_services] if o.services else []),
        *([HostFileAnswers(o.files).answer_file_call] if o.files else []),
        comparison.compare_branch,
        comparison.show_conflict,
        comparison.read_content,
        PlanFileChanges(o.kept.plan_files, o.journal).change_plan_file,
    ]


def _receipts(o: Ports) -> PublishedReceipts | None:
    if o.notes is None:
        return None
    return PublishedReceipts(Receipts(o.journal, o.key, o.redactor.model), o.notes)


def _merges(o: Ports) -> list[Callable[..., Any]]:
    """Return the activities of merges, of their conflicts, and of publishing."""
    trees = MergedTrees(o.journal, o.workspaces, o.verifier, o.leases, o.services)
    held = Holdings(o.runner, o.leases, o.terminals)
    settling = Settling(o.workspaces, o.fences, trees, held)
    conflicts = Conflicts(o.journal, o.workspaces, o.fences)
    edits = Edits(o.journal, o.workspaces, o.fences)
    collisions = Collisions(o.workspaces)
    publishing = Publishing(o.remotes, o.forge, receipts := _receipts(o))
    stacking = Stacking(o.stacks, o.forge, o.pull_requests)
    watching = Watching(o.pull_requests, receipts and receipts.statuses(o.pull_requests))
    return [
        settling.settle_task,
        settling.settle_tasks,
        settling.lease_port,
        settling.release_port,
        conflicts.prepare_conflict,
        conflicts.commit_conflict,
        edits.apply_suggestions,
        edits.take_back_suggestions,
        conflicts.compose_work,
        collisions.try_merges,
        collisions.try_all_merges,
        publishing.push_branch,
        publishing.open_pull_request,
        stacking.find_stack,
        stacking.replay_layer,
        stacking.publish_layer,
        *watching.activities,
        BranchMerges(o.landings).merge_branch,
        BaseUpdates(o.bases, o.workspaces, o.fences, trees).take_base,
        *([SettingUp(o.journal, o.set_ups).set_up_workspaces] if o.set_ups else []),
    ]
