"""Packages of Debian that tests need, installed by `make` where this user may.

`python3 -m tests.debian` installs all of them, and needs nothing that `make setup` brings.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

LOCK = Path(__file__).resolve().parents[1] / ".cache" / "debian.lock"

CHROMIUM = ("chromium", "fonts-dejavu-core")
TOOLS = (
    *("podman", "podman-compose", "mmdebstrap", "systemd", "git-lfs", "postgresql", "nginx"),
    *(
        "runc",
        "netavark",
        "aardvark-dns",
        "iptables",
        "uidmap",
    ),  # podman recommends, and needs, them
)
"""What the long tail of tests runs, and what podman runs."""


def install(packages: Iterable[str], purpose: str) -> bool:
    """Install packages, and say so; tells whether they are there now."""
    may = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if not shutil.which("apt-get") or (may and not shutil.which("sudo")):
        return False
    sys.stderr.write(f"Packages for {purpose} are being installed: {' '.join(packages)} ...\n")
    with alone():
        return _install(may, packages)


@contextmanager
def alone() -> Generator[None]:
    """Wait until no other process of these tests installs; apt-get fails where another is at work."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _install(may: list[str], packages: Iterable[str]) -> bool:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = [*may, "apt-get", "install", "--yes", "--no-install-recommends", *packages]
    subprocess.run([*may, "apt-get", "update", "--quiet"], env=quiet, check=False)
    return subprocess.run(command, env=quiet, check=False).returncode == 0


if __name__ == "__main__":
    install((*CHROMIUM, *TOOLS), "all tests")
