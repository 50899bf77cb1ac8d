"""Pictures of pages that a task serves: taken by a browser of the host, within bounds, and never a reason to fail."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import adapters.verification.camera as camera_module
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification import devtools
from adapters.verification.camera import FOLDER, PageCamera
from domain.verification.pictures import picture_type
from domain.verification.ports import Camera, NoPictureError
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.paper_browser import browser_in
from tests.adapters.test_pictures import PNG
from tests.adapters.test_verification import answer, serve

PAGE = b"<!doctype html><title>Shop</title><h1 style='color:#f00'>Coffee</h1>"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser has the time that a test gives it, on a busy machine, too."""
    monkeypatch.setattr(camera_module, "LIMIT_SECONDS", 90.0)


class FakeCamera:
    """Takes the same picture of every page; of none where it is told why."""

    def __init__(self, refusal: str = "") -> None:
        self._refusal = refusal
        self.asked: list[tuple[str, tuple[int, ...]]] = []

    async def take(
        self,
        url: str,
        ports: tuple[int, ...],
        limit_seconds: float,
        beat: object,
        *,
        is_confined: bool,
    ) -> bytes:
        self.asked.append((url, ports))
        if self._refusal:
            raise NoPictureError(self._refusal)
        return PNG


@asynccontextmanager
async def shop(body: bytes = PAGE) -> AsyncIterator[int]:
    async def respond(writer: asyncio.StreamWriter, _: int) -> None:
        writer.write(answer("200 OK", body, "Content-Type: text/html\r\n"))

    async with serve(respond) as port:
        yield port


@pytest.fixture
def real(spawner) -> PageCamera:
    camera = PageCamera(spawner)
    if camera.program is None:
        pytest.skip("no Chromium on this machine")
    return camera


@pytest.fixture(params=["fake", "real"])
def camera(request: pytest.FixtureRequest) -> Camera:
    return FakeCamera() if request.param == "fake" else request.getfixturevalue("real")


class TestEveryCamera:
    """What holds of the port, whoever is behind it."""

    async def test_a_page_has_a_picture(self, camera: Camera):
        async with shop() as port:
            taken = await camera.take(
                f"http://127.0.0.1:{port}/", (port,), 90, lambda: None, is_confined=False
            )
        assert picture_type(taken) == "image/png"


async def test_a_page_that_never_ends_has_no_picture_and_leaves_no_process(real: PageCamera):
    over = asyncio.Event()

    async def never(writer: asyncio.StreamWriter, _: int) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        await writer.drain()
        await over.wait()

    async with serve(never) as port, asyncio.timeout(120):
        with pytest.raises(NoPictureError, match="within 4 s"):
            await real.take(
                f"http://127.0.0.1:{port}/", (port,), 4, lambda: None, is_confined=False
            )
        over.set()


@pytest.mark.parametrize(
    "script",
    [
        "alert(1)",
        "prompt('who?')",
        "print()",
        "onbeforeunload = () => 1; location = '/'",
        "while (true) {}",
    ],
)
async def test_a_script_that_waits_for_somebody_or_for_ever_takes_no_picture_away(
    real: PageCamera, monkeypatch, script: str
):
    monkeypatch.setattr(devtools, "SETTLING_SECONDS", 4.0)
    asked: list[int] = []

    async def respond(writer: asyncio.StreamWriter, number: int) -> None:
        asked.append(number)
        body = PAGE + (f"<script>{script}</script>".encode() if len(asked) == 1 else b"")
        writer.write(answer("200 OK", body, "Content-Type: text/html\r\n"))

    async with serve(respond) as port:
        url = f"http://127.0.0.1:{port}/"
        taken = await real.take(url, (port,), 90, lambda: None, is_confined=False)

    assert picture_type(taken) == "image/png"


async def test_of_a_download_there_is_none_at_once(real: PageCamera):
    async def respond(writer: asyncio.StreamWriter, _: int) -> None:
        kept = "Content-Type: application/zip\r\nContent-Disposition: attachment\r\n"
        writer.write(answer("200 OK", b"abc", kept))

    async with serve(respond) as port:
        url = f"http://127.0.0.1:{port}/"
        with pytest.raises(NoPictureError, match="a file to download"):
            await real.take(url, (port,), 90, lambda: None, is_confined=False)


async def test_without_a_sandbox_too_other_ports_are_not_asked(real: PageCamera):
    reached: list[int] = []

    async def secret(writer: asyncio.StreamWriter, number: int) -> None:
        reached.append(number)
        writer.write(answer("200 OK", PNG, "Content-Type: image/png\r\n"))

    async with serve(secret) as other:
        hosts = ("127.0.0.1", "localhost", "[::1]", "127.0.0.2")
        links = "".join(f"<img src='http://{host}:{other}/a.png'>" for host in hosts)
        async with shop(PAGE + links.encode()) as port:
            url = f"http://127.0.0.1:{port}/"
            await real.take(url, (port,), 90, lambda: None, is_confined=False)
            assert reached == []
            await real.take(url, (port, other), 90, lambda: None, is_confined=False)

    assert reached != []


async def test_a_page_that_is_served_on_ipv6_is_reached_too(real: PageCamera):
    reached: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append(await reader.readline())
        writer.write(answer("200 OK", PAGE, "Content-Type: text/html\r\n"))
        writer.close()

    try:
        server = await asyncio.start_server(respond, "::1", 0)
    except OSError:
        pytest.skip("no IPv6 on this machine")
    async with server:
        port = server.sockets[0].getsockname()[1]
        await real.take(f"http://[::1]:{port}/", (port,), 90, lambda: None, is_confined=False)

    assert reached != []


async def test_without_a_browser_there_is_none(spawner, tmp_path: Path):
    camera = PageCamera(spawner, path=str(tmp_path))
    with pytest.raises(NoPictureError, match="no browser on this host"):
        await camera.take("http://127.0.0.1:1/", (1,), 60, lambda: None, is_confined=False)


async def test_without_room_for_the_browser_there_is_none(spawner, tmp_path: Path, monkeypatch):
    camera = PageCamera(spawner, path=str(browser_in(tmp_path)))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(NoPictureError, match="no folder for the browser"):
        await camera.take("http://127.0.0.1:1/", (1,), 60, lambda: None, is_confined=False)


@pytest.mark.parametrize(
    ("said", "why", "seconds"),
    [
        (
            {"Page.navigate": {"errorText": "net::ERR_ABORTED", "isDownload": True}},
            "to download",
            60,
        ),
        ({"Page.navigate": {"errorText": "net::ERR_FAILED"}}, "open the page: net::ERR_FAILED", 60),
        ({"Target.getTargets": {"targetInfos": []}}, "opened no page", 60),
        ({"Page.captureScreenshot": {"data": "YWJj"}}, "no PNG", 60),
        ({"Page.captureScreenshot": None}, "made none: no such thing", 60),
        ({"Page.enable": "exit"}, "made none: out of memory", 60),
        ({"Page.enable": "silence"}, "made none within 2 s", 2),
    ],
)
async def test_a_browser_that_makes_none_is_no_failure_of_the_step(
    spawner, tmp_path: Path, said: dict[str, object], why: str, seconds: float
):
    camera = PageCamera(spawner, path=str(browser_in(tmp_path, said)))
    with pytest.raises(NoPictureError, match=why):
        await camera.take("http://127.0.0.1:1/", (1,), seconds, lambda: None, is_confined=False)


async def test_what_cannot_be_removed_takes_no_picture_away(spawner, tmp_path: Path, monkeypatch):
    def refuse(_: Path) -> None:
        raise PermissionError("busy")

    monkeypatch.setattr(camera_module, "remove_tree", refuse)
    camera = PageCamera(spawner, path=str(browser_in(tmp_path)))
    taken = await camera.take("http://127.0.0.1:1/", (1,), 60, lambda: None, is_confined=False)
    assert picture_type(taken) == "image/png"


async def test_folders_of_killed_workers_are_removed_and_no_others(
    spawner, tmp_path: Path, monkeypatch
):
    places = tmp_path / "tmp"
    left, busy, other = (
        places / name for name in (f"{FOLDER}left", f"{FOLDER}busy", "somebody-else")
    )
    for folder in (left, busy, other):
        (folder / "profile").mkdir(parents=True)
    for folder in (left, other):
        os.utime(folder, (0, 0))
    monkeypatch.setattr(tempfile, "tempdir", str(places))

    camera = PageCamera(spawner, path=str(browser_in(tmp_path)))
    await camera.take("http://127.0.0.1:1/", (1,), 60, lambda: None, is_confined=False)

    assert {each.name for each in places.iterdir()} == {busy.name, other.name}


async def test_in_the_sandbox_a_page_reaches_the_ports_of_its_task_alone(data_dir, tmp_path: Path):
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    (tmp_path / "home").mkdir()
    known = {"PATH": BASE_ENVIRONMENT["PATH"], "HOME": str(tmp_path / "home")}
    camera = PageCamera(host_spawner(folders, known))
    if camera.program is None:
        pytest.skip("no Chromium on this machine")
    reached: list[int] = []

    async def secret(writer: asyncio.StreamWriter, number: int) -> None:
        reached.append(number)
        writer.write(answer("200 OK", PNG, "Content-Type: image/png\r\n"))

    async with serve(secret) as other:
        links = f"<img src='http://127.0.0.1:{other}/a.png'><img src='http://localhost:{other}/b'>"
        async with shop(PAGE + links.encode()) as port:
            url = f"http://127.0.0.1:{port}/"
            taken = await camera.take(url, (port,), 90, lambda: None, is_confined=True)
            assert reached == []
            ports = (port, other)  # were the other one of the task, it would be reached
            await camera.take(url, ports, 90, lambda: None, is_confined=True)

    assert picture_type(taken) == "image/png"
    assert reached != []
