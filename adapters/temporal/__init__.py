"""Temporal: nothing else among the adapters imports the SDK."""

from adapters.temporal.answering import is_answering
from adapters.temporal.carried_progress import CarriedProgress
from adapters.temporal.cli_options import cli_options
from adapters.temporal.codec_server import CodecRequestError, CodecServer
from adapters.temporal.connection import (
    SEARCH_ATTRIBUTES,
    TemporalUnreachableError,
    connect,
    plugin,
    register_search_attributes,
)
from adapters.temporal.door import TaskResults, TemporalCommands, refusal
from adapters.temporal.draining import WITHOUT_GRACE_OF_CORE, Draining
from adapters.temporal.ended_leases import reap_leases
from adapters.temporal.held_turns import HeldTurns
from adapters.temporal.history_events import read_history_events
from adapters.temporal.journal_first import JournalFirst
from adapters.temporal.lost_activities import LostActivities
from adapters.temporal.lost_charges import LostCharges
from adapters.temporal.noted_repositories import NotedRepositories
from adapters.temporal.polling import is_polled, tell_of_polls
from adapters.temporal.pruned import TemporalPrunedWorkflows, start_prune
from adapters.temporal.purses import TemporalPurses
from adapters.temporal.queue_entries import QueueEntries
from adapters.temporal.redacted_activities import RedactedActivities
from adapters.temporal.repositories_here import RepositoriesHere
from adapters.temporal.retrying_door import RetryingDoor
from adapters.temporal.room_for_turns import RoomForTurns
from adapters.temporal.schedules import TemporalSchedules
from adapters.temporal.starting import FIRST, Starter
from adapters.temporal.terminated import Terminated
from adapters.temporal.version_routing import VersionRouting
from adapters.temporal.versions import Deployment
from adapters.temporal.watchers import Watchers
from adapters.temporal.workers import GRACE, QueueWork, queue_worker

__all__ = [
    "FIRST",
    "GRACE",
    "SEARCH_ATTRIBUTES",
    "WITHOUT_GRACE_OF_CORE",
    "CarriedProgress",
    "CodecRequestError",
    "CodecServer",
    "Deployment",
    "Draining",
    "HeldTurns",
    "JournalFirst",
    "LostActivities",
    "LostCharges",
    "NotedRepositories",
    "QueueEntries",
    "QueueWork",
    "RedactedActivities",
    "RepositoriesHere",
    "RetryingDoor",
    "RoomForTurns",
    "Starter",
    "TaskResults",
    "TemporalCommands",
    "TemporalPrunedWorkflows",
    "TemporalPurses",
    "TemporalSchedules",
    "TemporalUnreachableError",
    "Terminated",
    "VersionRouting",
    "Watchers",
    "cli_options",
    "connect",
    "is_answering",
    "is_polled",
    "plugin",
    "queue_worker",
    "read_history_events",
    "reap_leases",
    "refusal",
    "register_search_attributes",
    "start_prune",
    "tell_of_polls",
]
