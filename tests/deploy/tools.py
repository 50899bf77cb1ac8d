"""What the long tail of tests needs of a machine: `python -m tests.deploy.tools` installs it."""

import os
import shutil
import subprocess

from adapters.processes.landlock import has_port_rules
from tests.debian import TOOLS, alone, install
from tests.postgresql.server import binaries

_OTHERS = ("systemd-analyze", "git-lfs", "postgresql", "nginx")
PROGRAMS = ("podman", "podman-compose", "mmdebstrap", "systemd-analyze", "git-lfs")
NGINX_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))
"""Where nginx is looked for: Debian has it where only root looks."""

NOBODY = "65534"
AS_NOBODY = ("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups") * (not os.geteuid())
"""Root may always do what the user of a container must be able to."""


def missing() -> list[str]:
    """Return the programs that are not here."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    absent += [] if shutil.which("nginx", path=NGINX_PATH) else ["nginx"]
    return [*absent, *(["postgresql"] if binaries() is None else [])]


def lack() -> str:
    """Say why no container of ours can be run here; nothing where one can."""
    if absent := [name for name in missing() if name not in _OTHERS]:
        return f"containers need {', '.join(absent)}: `make test-all` installs them on Debian"
    if not has_port_rules():
        return "sandboxes need Landlock rules for ports: Linux 6.7 or newer"
    if said := failure("podman", "info"):
        return f"podman does not work here: {said}"
    said = failure(*AS_NOBODY, "unshare", "--user", "--map-root-user", "true")
    return f"no unprivileged user namespaces here: {said}" if said else ""


def lack_of(base: str) -> str:
    """Say why no container of an image that has nothing of ours can be run here."""
    said = failure("podman", "run", "--rm", "--publish=127.0.0.1::80", base, "true")
    return f"podman runs no container here: {said}" if said else ""


def failure(*command: str) -> str:
    """Return the end of what a command printed, where it failed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{command[0]} {done.returncode} {done.stderr.strip()[-300:]}" if done.returncode else ""


def main() -> None:
    """Install what is missing; where that is not possible, the tests skip with the reason."""
    with alone():  # what is half installed counts as missing
        is_missing = bool(missing())
    if is_missing:
        install(TOOLS, "the long tail of tests")


if __name__ == "__main__":
    main()
