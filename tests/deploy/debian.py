"""The image of Debian that containers of tests begin with, made once a session."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.deploy import tools
from tests.deploy.containers import build_base
from tests.deploy.machine import configuration


@pytest.fixture(scope="session")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An image of Debian alone; skipped, with the reason, where podman makes no container."""
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
        yield made
