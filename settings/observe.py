"""The settings of what an engine tells those who operate it: logs, metrics and traces."""

import os
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings


def _address(text: str) -> str:
    return str(ip_address(text))


def _standard_endpoint() -> str | None:
    names = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


class MetricsPorts(NamedTuple):
    """The ports of metrics: of each process, and of the Temporal SDK in it."""

    api: int
    worker: int
    worker_sdk: int
    api_sdk: int


class ObserveSettings(BaseSettings):
    """What a process writes for its operators; a part of the settings, never read alone."""

    log_format: Literal["text", "json"] = "text"
    """How the worker and the API write their logs: lines of `text`, or one `json` object a line."""

    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """The least severe records that the worker and the API log."""

    metrics_port: Annotated[int, Field(ge=1, le=65532)] | None = None
    """Port of the API's metrics for Prometheus; the next three are the worker's and the SDK's. Off without one."""

    metrics_host: Annotated[str, AfterValidator(_address)] = "127.0.0.1"
    """Address that metrics are served at: anything but loopback needs a network that is yours, or a token."""

    metrics_token_file: Path | None = None
    """File with a token of 20 characters or more that scrapers send as `Authorization: Bearer …`; none is asked for without."""

    traces_endpoint: Annotated[str, Field(pattern="^https?://[^@?#]+$")] | None = Field(
        default_factory=_standard_endpoint
    )
    """URL of a collector that speaks OTLP over HTTP; `OTEL_EXPORTER_OTLP_ENDPOINT` by default. No traces without one."""

    is_content_traced: bool = False
    """Whether spans of turns hold prompts and answers, without secrets; their names and numbers they always hold."""

    @property
    def needs_observe(self) -> str:
        """The name of a setting that needs the extra `observe`, empty where none is set."""
        if self.metrics_port:
            return "TREADLE_METRICS_PORT"
        return "TREADLE_TRACES_ENDPOINT" if self.traces_endpoint else ""

    @property
    def collector(self) -> tuple[str, bool] | None:
        """Where spans go, and whether those of turns hold prompts and answers; None where there are none."""
        return (self.traces_endpoint, self.is_content_traced) if self.traces_endpoint else None

    @property
    def metrics_ports(self) -> MetricsPorts | None:
        """The ports of metrics, None where they are off."""
        first = self.metrics_port
        return None if first is None else MetricsPorts(first, first + 1, first + 2, first + 3)

    def metrics_at(self, name: Literal["worker_sdk", "api_sdk"]) -> str | None:
        """Return the address at which the Temporal SDK of a process serves its metrics itself.

        It asks for no token: where one is wanted, the process passes them on from loopback.
        """
        if (ports := self.metrics_ports) is None:
            return None
        host = self.metrics_host if self.metrics_token_file is None else "127.0.0.1"
        return (
            f"[{host}]:{getattr(ports, name)}" if ":" in host else f"{host}:{getattr(ports, name)}"
        )
