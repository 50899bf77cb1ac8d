"""The `Camera` port: a headless Chromium of this host takes a picture of a page that a task serves."""

import asyncio
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from shutil import which

from adapters.files.removal import remove_tree
from adapters.processes.command import Command
from adapters.processes.fences import refuse_stale
from adapters.processes.spawner import Spawner
from adapters.verification.devtools import MESSAGE_BYTES, OVER_PIPES, picture_of
from domain.agents.sandbox import Level, Sandbox
from domain.core.network import Network
from domain.core.ports import Beat
from domain.verification.pictures import LIMIT_BYTES, picture_type
from domain.verification.ports import NoPictureError

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"),
    *("microsoft-edge-stable", "microsoft-edge"),
)
"""Programs that are looked for in PATH, in this order."""

LIMIT_SECONDS = 30.0

FOLDER = "treadle-picture-"
LEFT_SECONDS = 600.0
"""A browser's folder that is older was left by a worker that was killed."""

_BEAT_SECONDS = 1.0
_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_FLAGS = (
    "--headless=new",
    *("--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"),
    *("--no-first-run", "--disable-extensions", "--disable-sync", "--disable-component-update"),
    *("--disable-background-networking", "--force-device-scale-factor=1"),
    "--remote-debugging-pipe",
)


class PageCamera:
    """Starts a browser for each picture, in a folder of its own and in the sandbox of steps.

    It reaches the task's ports and nothing else: names of other hosts and other ports of this one are not asked for,
    whatever the page says, and in the sandbox nothing else can be. In that sandbox the browser's own is off, which
    cannot be made there; so it is where the worker is root, who has none.
    """

    def __init__(self, spawner: Spawner, path: str | None = None) -> None:
        self._spawner = spawner
        self._path = path

    @property
    def program(self) -> str | None:
        """The browser's file; None where there is none."""
        found = (which(name, path=self._path) for name in BROWSERS)
        return next(filter(None, found), None)

    async def take(
        self,
        url: str,
        ports: tuple[int, ...],
        limit_seconds: float,
        beat: Beat,
        *,
        is_confined: bool,
    ) -> bytes:
        """Return a PNG of a page.

        Raises:
            NoPictureError: There is no browser, or it made none in time; says why.
        """
        program = await asyncio.to_thread(lambda: self.program)
        if program is None:
            raise NoPictureError(f"no browser on this host: install {BROWSERS[0]}")
        try:
            folder = await asyncio.to_thread(_new_folder)
        except OSError as error:
            raise NoPictureError(f"no folder for the browser: {error}") from error
        try:
            sandbox = _sandbox(ports) if is_confined else Sandbox()
            command = _browsing(program, folder, ports, sandbox)
            limit = min(limit_seconds, LIMIT_SECONDS)
            picture = await self._taken(command, url, limit, beat)
        finally:
            await asyncio.to_thread(_remove, folder)
        if picture_type(picture) != "image/png":
            raise NoPictureError("the browser made no PNG")
        if len(picture) > LIMIT_BYTES:
            raise NoPictureError(f"the picture is larger than {LIMIT_BYTES >> 20} MiB")
        return picture

    async def _taken(self, command: Command, url: str, limit: float, beat: Beat) -> bytes:
        """Start a browser, and end it when there is a picture, or no time left."""
        try:
            child = await self._spawner.start(command, line_limit_bytes=MESSAGE_BYTES)
        except OSError as error:
            raise NoPictureError(f"the browser could not start: {error}") from error
        work = asyncio.create_task(picture_of(child, url))
        deadline = time.monotonic() + limit
        try:
            while not work.done():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise NoPictureError(f"the browser made none within {limit:g} s")
                await asyncio.wait({work}, timeout=min(_BEAT_SECONDS, left))
                beat()
        finally:
            work.cancel()
            await child.stop()
            await asyncio.wait({work})
        refuse_stale()
        return work.result()


def _browsing(program: str, folder: Path, ports: tuple[int, ...], sandbox: Sandbox) -> Command:
    is_bare = sandbox.level is not Level.OFF or os.geteuid() == 0
    own = tuple(f"{host}:{port}" for host in _HOSTS for port in ports)
    rules = (*(f"MAP {each} {each}" for each in own), "MAP * ~NOTFOUND")
    argv = (
        *(*OVER_PIPES, program, *_FLAGS, f"--user-data-dir={folder / 'profile'}"),
        f"--host-resolver-rules={' , '.join(rules)}",
        *(("--no-sandbox",) if is_bare else ()),
        "about:blank",
    )
    return Command(argv, folder, {"HOME": str(folder)}, sandbox=sandbox)


def _sandbox(ports: tuple[int, ...]) -> Sandbox:
    return Sandbox(level=Level.WORKSPACE_WRITE, network=Network.PORTS, connect=ports, has_udp=False)


def _new_folder() -> Path:
    """Make a folder for one browser, after those are gone that dead workers left."""
    above, oldest = Path(tempfile.gettempdir()), time.time() - LEFT_SECONDS
    for left in above.glob(f"{FOLDER}*"):
        with suppress(OSError):
            found = left.lstat()
            if found.st_uid == os.geteuid() and found.st_mtime < oldest:
                remove_tree(left)
    return Path(tempfile.mkdtemp(prefix=FOLDER))


def _remove(folder: Path) -> None:
    with suppress(OSError):  # in use still: the next picture's camera removes it
        remove_tree(folder)
