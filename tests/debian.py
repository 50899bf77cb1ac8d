"""Packages of Debian that tests need, installed by `make` where this user may."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable


def install(packages: Iterable[str], purpose: str) -> bool:
    """Install packages, and say so; tells whether they are there now."""
    may = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if not shutil.which("apt-get") or (may and not shutil.which("sudo")):
        return False
    sys.stderr.write(f"Packages for {purpose} are being installed: {' '.join(packages)} ...\n")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = [*may, "apt-get", "install", "--yes", "--no-install-recommends", *packages]
    subprocess.run([*may, "apt-get", "update", "--quiet"], env=quiet, check=False)
    return subprocess.run(command, env=quiet, check=False).returncode == 0
