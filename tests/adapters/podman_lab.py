"""Real podman for tests of containers: an image of Debian that no registry is needed for."""

import os
from pathlib import Path

from adapters.agent_programs.commands import InstallerCommands
from adapters.agent_programs.installer import Installer
from adapters.agent_programs.programs import Programs
from adapters.containers.containers import Containers
from adapters.containers.engine import Engine
from adapters.containers.images import DevcontainerImages
from adapters.processes.spawner import Spawner
from tests.adapters.conftest import BASE_ENVIRONMENT

DESCRIPTION = ".devcontainer/devcontainer.json"


def engine_of(spawner: Spawner, data_dir: Path) -> Engine:
    """Return this machine's engine, with the configuration that the fixture `debian` made."""
    own = ("CONTAINERS_CONF", "XDG_RUNTIME_DIR")
    variables = {name: os.environ[name] for name in own if name in os.environ}
    return Engine(spawner, data_dir, variables, is_root=not os.geteuid())


def containers_of(spawner: Spawner, data_dir: Path) -> Containers:
    """Return the containers of a data folder."""
    return Containers(engine_of(spawner, data_dir), images_of(spawner, data_dir), data_dir)


def images_of(spawner: Spawner, data_dir: Path) -> DevcontainerImages:
    """Return what builds images; the command line comes from npm, once for all tests of a run."""
    programs = Programs(data_dir.parent / "programs", BASE_ENVIRONMENT["PATH"])
    registry = {name: value for name, value in os.environ.items() if name in REGISTRY}
    commands = InstallerCommands(spawner, programs.folders.root, registry)
    installer = Installer(programs, commands, BASE_ENVIRONMENT["PATH"])
    return DevcontainerImages(engine_of(spawner, data_dir), programs, installer)


REGISTRY = ("NPM_CONFIG_REGISTRY", "npm_config_registry", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE")
