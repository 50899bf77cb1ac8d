"""What all tests share: how hard hypothesis tries."""

import pytest
from hypothesis import settings

from tests import hypothesis_profiles  # noqa: F401  (registers them)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("full")
