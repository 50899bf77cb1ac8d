"""How tests are grouped, how hard hypothesis tries, and what is printed of the time they take."""

import gc
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests import hypothesis_profiles  # noqa: F401  (registers them)
from tests.grouping import group
from tests.known_fields import guard
from tests.slowest_files import SlowestFiles

pytest_plugins = ("tests.temporal_server",)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-seconds", action="store_true", help="note how long each file takes, for its place"
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("full")
    config.pluginmanager.register(SlowestFiles(config), "slowest-files")
    guard()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if getattr(config.option, "loadgroup", False):
        group(items)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave out the garbage collector: what is imported stays, and looking at it takes seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Generator[None]:
    """Collect garbage after each file, so that what it left open is reported there and not in another one."""
    yield
    gc.collect()
