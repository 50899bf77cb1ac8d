"""Metrics in Prometheus' exposition format; nothing outside imports its library."""

from adapters.metrics.registry import Meters
from adapters.metrics.serving import MetricsPage, serving_metrics
from adapters.metrics.token import read_metrics_token

__all__ = ["Meters", "MetricsPage", "read_metrics_token", "serving_metrics"]
