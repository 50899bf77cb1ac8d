"""The containers of this host, made of what is known of it."""

import os

from adapters.agent_programs.commands import REGISTRY_ENVIRONMENT, InstallerCommands
from adapters.agent_programs.host import Host
from adapters.agent_programs.installer import Installer
from adapters.containers.containers import Containers
from adapters.containers.engine import ENGINE_ENVIRONMENT, Engine
from adapters.containers.images import DevcontainerImages
from adapters.processes.login_path import with_own_programs
from adapters.processes.spawner import Spawner


def host_containers(spawner: Spawner, host: Host) -> Containers:
    """Return the containers of a worker; nothing is looked for, or installed, before one is asked for."""
    programs, variables = host.programs, host.environment(ENGINE_ENVIRONMENT)
    engine = Engine(spawner, host.data_dir, variables, is_root=not os.geteuid())
    registries = host.environment(REGISTRY_ENVIRONMENT)
    commands = InstallerCommands(spawner, programs.folders.root, registries)
    installer = Installer(programs, commands, with_own_programs(host.path))
    return Containers(engine, DevcontainerImages(engine, programs, installer), host.data_dir)
