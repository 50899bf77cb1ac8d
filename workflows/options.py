"""Timeouts and retry policies of everything that workflows start, in one table.

Activities retry without end: what fails there is infrastructure, and a person's work must not be
lost to it. What a person can fix is an error that says of itself that no retry helps
(activities/errors.py): so no history has a list of them with each activity.
"""

from datetime import timedelta

from temporalio.common import RetryPolicy
from temporalio.workflow import ActivityCancellationType, ActivityConfig, LocalActivityConfig

from domain.core.summaries import Summarized
from workflows.summaries import shown

HEARTBEAT = timedelta(seconds=10)
WORKFLOW_TASK = timedelta(seconds=10)
"""Longer than the replay of a history of HISTORY_EVENTS takes on a busy machine."""

HISTORY_EVENTS = 600
"""Where a run continues as new: about a second of replay on a quiet machine.

Most runs are replayed whole once, at their end: where a signal comes while they continue as new, Temporal
refuses that, and the SDK begins again from the history.
"""

EARLIER_HISTORY_EVENTS = 1200
"""The same of runs that were longer than that before they could end there."""

OVERDUE_EVENTS = 50
"""How many events longer a run becomes, waiting for a moment in which all of its own are journaled."""

FLUSH_PATIENCE = timedelta(seconds=1)

_ENDLESS = RetryPolicy(
    initial_interval=timedelta(milliseconds=100), maximum_interval=timedelta(seconds=30)
)

TURN = ActivityConfig(
    start_to_close_timeout=timedelta(days=1),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=_ENDLESS,
    cancellation_type=ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
)
STEP = ActivityConfig(
    start_to_close_timeout=timedelta(days=1, hours=1),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=_ENDLESS,
    cancellation_type=ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
)
GIT = ActivityConfig(
    start_to_close_timeout=timedelta(minutes=30), heartbeat_timeout=HEARTBEAT, retry_policy=_ENDLESS
)
GIT_BRIEFLY = ActivityConfig(
    start_to_close_timeout=timedelta(minutes=10),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=RetryPolicy(initial_interval=timedelta(milliseconds=100), maximum_attempts=5),
)
"""For what a person or a later merge comes back to: it gives up after five attempts."""

PUBLISH = ActivityConfig(
    start_to_close_timeout=timedelta(minutes=10),
    schedule_to_close_timeout=timedelta(hours=3),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=RetryPolicy(
        initial_interval=timedelta(seconds=1),
        maximum_interval=timedelta(minutes=1),
        maximum_attempts=8,
    ),
)
"""For what leaves this machine: it gives up, and a person publishes again when it can be reached."""

CHECK = ActivityConfig(
    start_to_close_timeout=timedelta(minutes=40),
    schedule_to_start_timeout=timedelta(seconds=30),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=RetryPolicy(maximum_attempts=2),
)
"""For a check of an agent: a person waits for it, and asks again where it came to nothing."""

LOOK = ActivityConfig(
    start_to_close_timeout=timedelta(seconds=20),
    schedule_to_close_timeout=timedelta(seconds=25),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=RetryPolicy(maximum_attempts=2),
)
"""For a look that a person who types waits for."""

SETTLE = ActivityConfig(
    start_to_close_timeout=timedelta(days=1, hours=1),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=_ENDLESS,
)
ON_HOST = ActivityConfig(
    start_to_close_timeout=timedelta(days=1, hours=1),
    schedule_to_start_timeout=timedelta(minutes=5),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=_ENDLESS,
)
"""For what a host that is away for long need not do: it is done another time."""

GONE_PATIENCE = timedelta(seconds=60)
"""How long what was aborted waits for its host to begin with releasing it: a host that is gone holds nobody up."""

REMOVAL_PATIENCE = timedelta(minutes=3)
"""The same of what is removed; people are told, and it is tried again."""

ARCHIVE = ActivityConfig(
    start_to_close_timeout=timedelta(hours=6),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=RetryPolicy(
        initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30)
    ),
)
"""For what goes to a store outside: the activity itself says when it gives up."""

SHORT = ActivityConfig(start_to_close_timeout=timedelta(seconds=30), retry_policy=_ENDLESS)
WATCH = ActivityConfig(
    start_to_close_timeout=timedelta(days=365), heartbeat_timeout=HEARTBEAT, retry_policy=_ENDLESS
)
OPEN = ActivityConfig(
    start_to_close_timeout=timedelta(minutes=2),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=_ENDLESS,
)
"""For the start of what waited in the queue: it is open when its repository was looked at."""

FOLLOW = ActivityConfig(
    start_to_close_timeout=timedelta(days=365),
    heartbeat_timeout=HEARTBEAT,
    retry_policy=_ENDLESS,
    cancellation_type=ActivityCancellationType.TRY_CANCEL,
)
"""For a look at the journal that lasts until something has changed."""

CODE = LocalActivityConfig(start_to_close_timeout=timedelta(seconds=10))


def named(config: ActivityConfig, activity_id: str, call: Summarized) -> ActivityConfig:
    """Return the options of an activity with its id, and with what Temporal shows of it."""
    return {**config, "activity_id": activity_id, "summary": shown(call.summary)}


def within(patience: timedelta, config: ActivityConfig) -> ActivityConfig:
    """Return the options of an activity that a worker must begin with in time."""
    return {**config, "schedule_to_start_timeout": patience}


def on(queue: str, config: ActivityConfig) -> ActivityConfig:
    """Return the options of an activity that must run where its workspace is."""
    return {**config, "task_queue": queue}
