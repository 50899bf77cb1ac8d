"""A container that this process runs in: how it is known, and what it must allow."""

import sys
from pathlib import Path

_MARKS = (Path("/run/.containerenv"), Path(sys.prefix) / "container")
"""What Podman puts into a container, and deploy/Containerfile into our image.

Not Docker's /.dockerenv, which stays in machines that were made of an image.
"""

SANDBOX_OPTIONS = (
    "`--security-opt apparmor=unconfined --security-opt unmask=ALL` (Podman) or `--security-opt "
    "apparmor=unconfined --security-opt seccomp=unconfined --security-opt systempaths=unconfined` "
    "(Docker)"
)


class ContainerError(Exception):
    """This container cannot run Treadle as it was started; the message says how to start it."""


def is_container() -> bool:
    """Tell whether this process runs in a container."""
    return any(mark.exists() for mark in _MARKS)


def check_sandbox(lack: str) -> None:
    """Refuse to work in a container that sandboxes lack something of; elsewhere agents are told.

    Nothing but a restart with other options helps it, so it is said at once, in the container's log.

    Raises:
        ContainerError: It lacks something.
    """
    if lack and is_container():
        raise ContainerError(lack)


def check_address(api_host: str, *, in_container: bool) -> None:
    """Refuse to serve the API to other machines: it speaks HTTP without encryption.

    Raises:
        ContainerError: It would be, outside of a container.
    """
    if api_host != "127.0.0.1" and not in_container:
        raise ContainerError(
            f"TREADLE_API_HOST={api_host} is for containers only, whose port is published on "
            "127.0.0.1: leave it out, and reach this machine through an SSH tunnel"
        )
