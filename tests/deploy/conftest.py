"""Images for all tests here, built once; skipped, with the reason, where no container can run."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.deploy import tools
from tests.deploy.containers import UNITS, build_base, build_image, build_other
from tests.deploy.machine import configuration


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An image of Debian alone."""
    file = tmp_path_factory.mktemp("podman") / "containers.conf"
    file.write_text(configuration())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTAINERS_CONF", str(file))
        if reason := tools.lack():
            pytest.skip(reason)
        try:
            made = build_base(tmp_path_factory.mktemp("base"))
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no image of Debian can be made here: {error.stderr.strip()[-300:]}")
        if reason := tools.lack_of(made):
            pytest.skip(reason)
        yield made


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
