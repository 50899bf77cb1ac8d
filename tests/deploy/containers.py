"""Images and containers of the tests: built of Debian, as no registry of images may be reachable."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
COMPOSE = ROOT / "deploy" / "compose.yaml"
UNITS = ROOT / "deploy" / "systemd"
PREFIX = "localhost/treadle-test"
SANDBOX = tuple(
    word for option in ("apparmor=unconfined", "unmask=ALL") for word in ("--security-opt", option)
)
"""What docs/how-to/deploy.md starts a container with."""


def podman(*arguments: str | Path, is_checked: bool = True) -> subprocess.CompletedProcess[str]:
    """Run podman to its end."""
    done = subprocess.run(("podman", *arguments), capture_output=True, text=True, check=False)
    assert not is_checked or done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done


def build_base(folder: Path) -> str:
    """Make an image of Debian alone, the release of the Containerfile's own base."""
    suite = re.search(r"^ARG BASE=.*debian:(\w+)-slim$", CONTAINERFILE.read_text(), re.M)
    assert suite is not None
    image = f"{PREFIX}-{suite[1]}"
    if podman("image", "exists", image, is_checked=False).returncode:
        archive = folder / "base.tar"
        slim = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "locale", "man")]
        options = ("--quiet", "--variant=minbase", "--dpkgopt=force-unsafe-io", *slim)
        command = ("mmdebstrap", *options, suite[1], archive)
        subprocess.run(command, check=True, capture_output=True, text=True)
        podman("import", archive, image)
        archive.unlink()
    return image


def build_image(base: str, folder: Path) -> str:
    """Build Treadle's image, as the guide does; the stage that compiles is kept by a name, too."""
    options = ("--file", CONTAINERFILE, *trust(folder))
    build("build", base, ROOT, "--target=build", *options)
    return build("treadle", base, ROOT, *options)


def build_other(name: str, base: str, context: Path) -> str:
    """Build an image of the tests' own, from its Containerfile beside this file."""
    return build(name, base, context, "--file", Path(__file__).with_name(f"{name}.Containerfile"))


def build(name: str, base: str, context: Path, *options: str | Path) -> str:
    """Build an image, and remove the one that had its name."""
    image = f"{PREFIX}-{name}"
    old = id_of(image)
    general = ("--build-arg", f"BASE={base}", "--network=host", "--tag", image)
    podman("build", *general, *options, context)
    if old and old != id_of(image):
        podman("rmi", old, is_checked=False)  # stays while another image is built on it
    return image


def id_of(image: str) -> str:
    """Return the id of an image, empty where there is none; a list of all fails while another is removed."""
    return podman("image", "inspect", "--format={{.Id}}", image, is_checked=False).stdout.strip()


def trust(folder: Path) -> tuple[str, ...]:
    """Return the options that have a build trust the certificates that this machine trusts."""
    file = os.environ.get("SSL_CERT_FILE")
    if not file:
        return ()
    (folder / "pip.conf").write_text("[global]\ncert = /certificates.pem\n")
    (folder / "npmrc").write_text("cafile=/certificates.pem\n")
    mounts = {
        Path(file).resolve(): "/certificates.pem",
        folder / "pip.conf": "/etc/pip.conf",
        folder / "npmrc": "/root/.npmrc",
    }
    return tuple(f"--volume={here}:{there}:ro" for here, there in mounts.items())


class Container:
    """A container that a test started."""

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, *command: str, user: str = "treadle", **more: str) -> str:
        """Run a command in it, with more of an environment, and return what it printed."""
        options = [f"--env={name}={value}" for name, value in more.items()]
        done = podman("exec", f"--user={user}", *options, self.name, *command)
        return done.stdout or done.stderr

    def look(self, field: str) -> str:
        """Return a field of what podman knows of it."""
        return podman("inspect", "--format", f"{{{{.{field}}}}}", self.name).stdout.strip()

    def kill(self) -> None:
        """Kill its first process with -9, and with that all in it."""
        os.kill(int(self.look("State.Pid")), signal.SIGKILL)

    def log(self) -> str:
        """Return what it printed until now."""
        done = podman("logs", self.name, is_checked=False)
        return done.stdout + done.stderr


@contextmanager
def container(name: str, image: str, *options: str) -> Iterator[Container]:
    """Run an image in the background, with a volume of its own; both are removed in the end."""
    run = ("run", "--detach", "--name", name, "--volume", f"{name}:/home/treadle")
    try:
        podman(*run, *options, image)
        yield Container(name)
    finally:
        podman("rm", "--force", "--ignore", "--time=0", name)
        podman("volume", "rm", "--force", name)


@contextmanager
def composition(name: str, variables: dict[str, str]) -> Iterator[None]:
    """Start all of compose.yaml; containers, volumes and its network are removed in the end."""
    compose = ("podman-compose", "--file", COMPOSE, "--project-name", name)
    options = {"env": {**os.environ, **variables}, "capture_output": True, "text": True}
    done = subprocess.run((*compose, "up", "--detach"), check=False, **options)
    try:
        assert done.returncode == 0, done.stdout + done.stderr
        yield
    finally:
        subprocess.run((*compose, "down", "--volumes", "--timeout=0"), check=False, **options)
        podman("network", "rm", f"{name}_default", is_checked=False)  # Debian 12 leaves it
