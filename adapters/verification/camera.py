"""The `Camera` port: a headless Chromium of this host takes a picture of a page that a task serves."""

import asyncio
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from shutil import which

from adapters.files.removal import remove_tree
from adapters.files.safe_open import PathRefusedError, safe_read
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
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
SIZE = "1280,800"
LOADING_MS = 5_000
"""Of the page's own time, for what it loads and draws after it is there."""

FOLDER = "treadle-picture-"
LEFT_SECONDS = 600.0
"""A browser's folder that is older was left by a worker that was killed."""

_HOSTS = ("localhost", "127.0.0.1", "::1", "[::1]")
_FILE = "page.png"
_OUTPUT_BYTES = 1 << 16
_FLAGS = (
    "--headless=new",
    *("--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"),
    *("--no-first-run", "--disable-extensions", "--disable-sync", "--disable-component-update"),
    *("--disable-background-networking", "--force-device-scale-factor=1"),
    # names of other hosts are not asked for, whatever the page says
    f"--host-resolver-rules={' , '.join(('MAP * ~NOTFOUND', *(f'EXCLUDE {each}' for each in _HOSTS)))}",
    f"--window-size={SIZE}",
    f"--virtual-time-budget={LOADING_MS}",
    f"--screenshot={_FILE}",
)


class PageCamera:
    """Starts a browser for each picture, in a folder of its own and in the sandbox of steps.

    It reaches the task's ports and nothing else. In that sandbox the browser's own is off, which
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
            return await self._taken(
                (program, url),
                folder,
                _sandbox(ports) if is_confined else Sandbox(),
                limit_seconds,
                beat,
            )
        finally:
            await asyncio.to_thread(_remove, folder)

    async def _taken(
        self,
        asked: tuple[str, str],
        folder: Path,
        sandbox: Sandbox,
        limit_seconds: float,
        beat: Beat,
    ) -> bytes:
        program, url = asked
        is_bare = sandbox.level is not Level.OFF or os.geteuid() == 0
        argv = (
            *(program, *_FLAGS, f"--user-data-dir={folder / 'profile'}"),
            *(("--no-sandbox",) if is_bare else ()),
            url,
        )
        command = Command(argv, folder, {"HOME": str(folder)}, is_merged=True, sandbox=sandbox)
        limit = min(limit_seconds, LIMIT_SECONDS)
        try:
            done = await self._spawner.run(
                command, limit_seconds=limit, output_limit_bytes=_OUTPUT_BYTES, beat=beat
            )
        except OSError as error:
            raise NoPictureError(f"the browser could not start: {error}") from error
        if done.is_timed_out:
            raise NoPictureError(f"the browser made none within {limit:g} s")
        try:
            picture = await asyncio.to_thread(safe_read, folder, _FILE, LIMIT_BYTES)
        except PathRefusedError as error:
            last = (done.output.text().strip().splitlines() or ["it said nothing"])[-1]
            raise NoPictureError(f"the browser made none: {last[:200]}") from error
        if picture_type(picture) != "image/png":
            raise NoPictureError("the browser made no PNG")
        return picture


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
