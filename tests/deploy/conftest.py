"""Images for all tests here, built once; skipped, with the reason, where no container can run."""

import pytest

from tests.deploy import tools
from tests.deploy.containers import UNITS, build_image, build_other
from tests.deploy.debian import debian

__all__ = ["debian"]


@pytest.fixture(scope="session")
def base(debian: str) -> str:
    """An image of Debian alone, of which podman runs containers."""
    if reason := tools.lack_of(debian):
        pytest.skip(reason)
    return debian


@pytest.fixture(scope="session")
def image(base: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Treadle's own image."""
    return build_image(base, tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="session")
def postgres(base: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An image of PostgreSQL that compose.yaml can name."""
    return build_other("postgres", base, tmp_path_factory.mktemp("postgres"))


@pytest.fixture(scope="session")
def server(image: str) -> str:
    """Treadle's image with systemd and the units."""
    return build_other("systemd", image, UNITS)
