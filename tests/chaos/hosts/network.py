"""A network of hosts on one machine: a network namespace each, on a bridge, whose cables can be pulled."""

import subprocess
from contextlib import suppress

import psutil

SUBNET = "10.66.0"
GATEWAY = f"{SUBNET}.1"
"""Where the services of the team listen: Temporal, PostgreSQL and the repositories."""


def ip(*words: str) -> None:
    """Run `ip`, which has to work."""
    subprocess.run(["ip", *words], check=True)


class Network:
    """The bridge; make it in a network namespace of its own, with which it goes away."""

    def __init__(self) -> None:
        ip("link", "set", "lo", "up")
        ip("link", "add", "team", "type", "bridge")
        ip("address", "add", f"{GATEWAY}/24", "dev", "team")
        ip("link", "set", "team", "up")
        self._holders: dict[str, subprocess.Popen[bytes]] = {}

    def attach(self, name: str) -> None:
        """Make the namespace of a host, and its cable."""
        holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo; exec sleep infinity"], stdout=subprocess.PIPE
        )
        assert holder.stdout
        holder.stdout.readline()
        self._holders[name] = holder
        ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
        ip("link", "set", name, "master", "team", "up")
        address = f"{SUBNET}.{len(self._holders) + 1}/24"
        for words in f"link set lo up|address add {address} dev eth0|link set eth0 up".split("|"):
            subprocess.run([*self.inside(name), "ip", *words.split()], check=True)

    def inside(self, name: str) -> tuple[str, ...]:
        """Return what stands before a command that runs on a host."""
        return ("nsenter", "--net", "--target", str(self._holders[name].pid))

    def cut(self, name: str) -> None:
        """Pull the cable of a host: nothing is answered, nothing is refused."""
        ip("link", "set", name, "down")

    def join(self, name: str) -> None:
        """Put the cable back."""
        ip("link", "set", name, "up")

    def close(self) -> None:
        """End the namespaces, and remove the bridge."""
        for holder in self._holders.values():
            holder.kill()
            holder.wait()
        ip("link", "delete", "team")


def tree_of(pid: int) -> list[psutil.Process]:
    """Return a process and all below it."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []
