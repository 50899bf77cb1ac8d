"""Temporal: nothing else among the adapters imports the SDK."""

from adapters.temporal.carried_progress import CarriedProgress
from adapters.temporal.codec_server import CodecRequestError, CodecServer
from adapters.temporal.connection import (
    SEARCH_ATTRIBUTES,
    TemporalUnreachableError,
    connect,
    plugin,
    register_search_attributes,
)
from adapters.temporal.door import TaskResults, TemporalCommands, refusal
from adapters.temporal.ended_leases import reap_leases
from adapters.temporal.history_events import read_history_events
from adapters.temporal.journal_first import JournalFirst
from adapters.temporal.lost_activities import LostActivities
from adapters.temporal.polling import is_polled, tell_of_polls
from adapters.temporal.redacted_activities import RedactedActivities
from adapters.temporal.retrying_door import RetryingDoor
from adapters.temporal.schedules import TemporalSchedules
from adapters.temporal.starting import Starter
from adapters.temporal.terminated import Terminated
from adapters.temporal.workers import queue_worker

__all__ = [
    "SEARCH_ATTRIBUTES",
    "CarriedProgress",
    "CodecRequestError",
    "CodecServer",
    "JournalFirst",
    "LostActivities",
    "RedactedActivities",
    "RetryingDoor",
    "Starter",
    "TaskResults",
    "TemporalCommands",
    "TemporalSchedules",
    "TemporalUnreachableError",
    "Terminated",
    "connect",
    "is_polled",
    "plugin",
    "queue_worker",
    "read_history_events",
    "reap_leases",
    "refusal",
    "register_search_attributes",
    "tell_of_polls",
]
