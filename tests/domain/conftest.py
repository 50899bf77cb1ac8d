"""Hypothesis profiles: `ci` is the default; `pytest tests/domain --hypothesis-profile=nightly` digs.

`ci` tries the same examples each time, so that a change fails by what it changed; `nightly` new ones,
where a failure prints the `@reproduce_failure` line that runs it again.
"""

import pytest
from hypothesis import HealthCheck, settings

import domain.reading.event_kinds  # noqa: F401  # pyright: ignore[reportUnusedImport]  (reads events by kind)

COMMON = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}
settings.register_profile(
    "ci", max_examples=100, stateful_step_count=40, derandomize=True, **COMMON
)
settings.register_profile("nightly", max_examples=20_000, stateful_step_count=80, **COMMON)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("ci")
