"""The runtime of Temporal's SDK in a process: where its records and its metrics go."""

import logging
from datetime import timedelta
from functools import cache

from temporalio.runtime import (
    LogForwardingConfig,
    LoggingConfig,
    PrometheusConfig,
    Runtime,
    TelemetryConfig,
    TelemetryFilter,
)

from adapters.observing import ObserveError

WORKER_HEARTBEAT = timedelta(seconds=10)
"""After it a new worker is listed in the Web UI; the SDK's minute looks as if none ran."""


@cache
def runtime(metrics_at: str | None = None) -> Runtime:
    """Return the runtime of this process, whose records go the way of all our log's.

    With an address the SDK serves its own metrics there, in a thread of its own.

    Raises:
        ObserveError: The address is in use.
    """
    forwarding = LogForwardingConfig(
        logging.getLogger("temporalio"), prepend_target_on_message=False
    )
    log_filter = TelemetryFilter(core_level="WARN", other_level="ERROR")
    logs = LoggingConfig(filter=log_filter, forwarding=forwarding)
    telemetry = TelemetryConfig(logging=logs, metrics=_metrics(metrics_at))
    try:
        return Runtime(telemetry=telemetry, worker_heartbeat_interval=WORKER_HEARTBEAT)
    except (RuntimeError, ValueError) as error:  # what the SDK raises where it cannot serve
        if metrics_at is None:
            raise
        raise ObserveError(
            f"the Temporal SDK cannot serve its metrics at {metrics_at} ({error}): "
            "choose another TREADLE_METRICS_PORT, of which the next three are used as well"
        ) from error


def _metrics(address: str | None) -> PrometheusConfig | None:
    if address is None:
        return None
    return PrometheusConfig(
        address, counters_total_suffix=True, unit_suffix=True, durations_as_seconds=True
    )
