"""Pictures of pages that a task serves: taken by a browser of the host, within bounds, and never a reason to fail."""

import asyncio
import base64
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import adapters.verification.camera as camera_module
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.camera import BROWSERS, FOLDER, PageCamera
from adapters.verification.pictures import KeptPictures
from adapters.verification.verifier import StepVerifier
from domain.verification.pictures import picture_type
from domain.verification.ports import Camera, NoPictureError, StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import spec_of
from tests.adapters.test_pictures import PNG, Texts
from tests.adapters.test_verification import answer, serve

PAGE = b"<!doctype html><title>Shop</title><h1 style='color:#f00'>Coffee</h1>"


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
                f"http://127.0.0.1:{port}/", (port,), 60, lambda: None, is_confined=False
            )
        assert picture_type(taken) == "image/png"


async def test_a_page_that_never_ends_has_no_picture_and_leaves_no_process(real: PageCamera):
    over = asyncio.Event()

    async def never(writer: asyncio.StreamWriter, _: int) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        await writer.drain()
        await over.wait()

    async with serve(never) as port, asyncio.timeout(30):
        with pytest.raises(NoPictureError, match="within 4 s"):
            await real.take(
                f"http://127.0.0.1:{port}/", (port,), 4, lambda: None, is_confined=False
            )
        over.set()


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
        await real.take(f"http://[::1]:{port}/", (port,), 60, lambda: None, is_confined=False)

    assert reached != []


async def test_without_a_browser_there_is_none(spawner, tmp_path: Path):
    camera = PageCamera(spawner, path=str(tmp_path))
    with pytest.raises(NoPictureError, match="no browser on this host"):
        await camera.take("http://127.0.0.1:1/", (1,), 5, lambda: None, is_confined=False)


async def test_without_room_for_the_browser_there_is_none(spawner, tmp_path: Path, monkeypatch):
    camera = PageCamera(spawner, path=str(browser_in(tmp_path)))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(NoPictureError, match="no folder for the browser"):
        await camera.take("http://127.0.0.1:1/", (1,), 5, lambda: None, is_confined=False)


async def test_what_cannot_be_removed_takes_no_picture_away(spawner, tmp_path: Path, monkeypatch):
    def refuse(_: Path) -> None:
        raise PermissionError("busy")

    monkeypatch.setattr(camera_module, "remove_tree", refuse)
    camera = PageCamera(spawner, path=str(browser_in(tmp_path)))
    taken = await camera.take("http://127.0.0.1:1/", (1,), 5, lambda: None, is_confined=False)
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
    await camera.take("http://127.0.0.1:1/", (1,), 5, lambda: None, is_confined=False)

    assert {each.name for each in places.iterdir()} == {busy.name, other.name}


def browser_in(folder: Path) -> Path:
    """Return a folder with a browser that makes a picture of nothing."""
    (folder / "page.png").write_bytes(PNG)
    program = folder / BROWSERS[0]
    program.write_text(f"#!/bin/sh\ncp {folder}/page.png page.png\n")
    program.chmod(0o755)
    return folder


def verifying(spawner, camera: Camera | None, texts: Texts) -> StepVerifier:
    verifier = StepVerifier(spawner)
    verifier.pictures, verifier.camera = KeptPictures(texts.put_text), camera
    return verifier


async def run(
    verifier: StepVerifier, folder: Path, port: int, limit_ms: int = 10_000, label: str = "Shop"
):
    step = VerificationStep(
        id="s1",
        type=StepType.HTTP_HEALTH,
        label=label,
        url="http://127.0.0.1:${ports.web}/",
        picture=True,
        timeout=limit_ms,
    )
    spec = spec_of(Path("/repository"), "task-1")
    return await verifier.run_step(step, StepPlace(folder, spec, {"web": port}), lambda: None)


async def test_the_picture_is_kept_with_the_step_that_asked(spawner, tmp_path: Path):
    texts, camera = Texts(), FakeCamera()
    async with shop() as port:
        result, output = await run(verifying(spawner, camera, texts), tmp_path, port)

    [picture] = result.pictures
    assert result.passed
    assert (picture.name, picture.mime_type) == ("Shop.png", "image/png")
    assert base64.b64decode(texts.kept[picture.content_ref]) == PNG
    assert camera.asked == [(f"http://127.0.0.1:{port}/", (port,))]
    assert "picture:" not in output


async def test_a_step_without_its_picture_has_passed_and_says_so(spawner, tmp_path: Path):
    verifier = verifying(spawner, FakeCamera("no browser on this host"), Texts())
    async with shop() as port:
        result, output = await run(verifier, tmp_path, port)

    assert (result.passed, result.pictures) == (True, ())
    assert "picture: no browser on this host" in output


async def test_a_picture_has_a_name_whatever_its_step_is_called(spawner, tmp_path: Path):
    label = "Shop\n" + "x" * 2_000
    async with shop() as port:
        verifier = verifying(spawner, FakeCamera(), Texts())
        result, _ = await run(verifier, tmp_path, port, label=label)

    [picture] = result.pictures
    assert picture.name == f"Shop⏎{'x' * 195}.png"


async def test_nothing_is_looked_at_where_nothing_answers(spawner, tmp_path: Path):
    camera = FakeCamera()
    async with shop() as port:
        pass
    result, _ = await run(verifying(spawner, camera, Texts()), tmp_path, port, limit_ms=500)

    assert not result.passed
    assert camera.asked == []


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
            taken = await camera.take(url, (port,), 60, lambda: None, is_confined=True)
            assert reached == []
            ports = (port, other)  # were the other one of the task, it would be reached
            await camera.take(url, ports, 60, lambda: None, is_confined=True)

    assert picture_type(taken) == "image/png"
    assert reached != []
