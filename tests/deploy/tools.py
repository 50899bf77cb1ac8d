"""What the tests of deploy/ need of a machine: `python -m tests.deploy.tools` installs it."""

import shutil
import subprocess

from tests.debian import install

PROGRAMS = ("podman", "podman-compose", "mmdebstrap", "systemd-analyze")
PACKAGES = (
    *("podman", "podman-compose", "mmdebstrap", "systemd"),
    *("runc", "netavark", "aardvark-dns", "iptables"),  # podman recommends, and needs, them
)
"""Debian's names for those programs, and for what podman runs."""


def missing() -> list[str]:
    """Return the programs that are not here."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def lack() -> str:
    """Say why no container can be run here; nothing where one can."""
    if absent := [name for name in missing() if name != "systemd-analyze"]:
        return f"containers need {', '.join(absent)}: `make test-all` installs them on Debian"
    looked = subprocess.run(("podman", "info"), capture_output=True, text=True, check=False)
    if looked.returncode:
        return f"podman does not work here: {looked.stderr.strip()[-300:]}"
    made = subprocess.run(
        ("unshare", "--user", "--map-root-user", "true"),
        capture_output=True,
        text=True,
        check=False,
    )
    return f"no user namespaces here: {made.stderr.strip()}" if made.returncode else ""


def main() -> None:
    """Install what is missing; where that is not possible, the tests skip with the reason."""
    if missing():
        install(PACKAGES, "the tests of deploy/")


if __name__ == "__main__":
    main()
