"""What the long tail of tests needs of a machine: `python -m tests.deploy.tools` installs it."""

import os
import shutil
import subprocess

from adapters.processes.landlock import has_port_rules
from tests.debian import install

_OTHERS = ("systemd-analyze", "git-lfs")
PROGRAMS = ("podman", "podman-compose", "mmdebstrap", *_OTHERS)
PACKAGES = (
    *("podman", "podman-compose", "mmdebstrap", "systemd", "git-lfs"),
    *(
        "runc",
        "netavark",
        "aardvark-dns",
        "iptables",
        "uidmap",
    ),  # podman recommends, and needs, them
)
"""Debian's names for those programs, and for what podman runs."""

NOBODY = "65534"
AS_NOBODY = ("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups") * (not os.geteuid())
"""Root may always do what the user of a container must be able to."""


def missing() -> list[str]:
    """Return the programs that are not here."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


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
    if missing():
        install(PACKAGES, "the long tail of tests")


if __name__ == "__main__":
    main()
