"""Pictures of pages that a task serves: taken by a browser of the host, within bounds, and never a reason to fail."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.camera import PageCamera
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


async def test_without_a_browser_there_is_none(spawner, tmp_path: Path):
    camera = PageCamera(spawner, path=str(tmp_path))
    with pytest.raises(NoPictureError, match="no browser on this host"):
        await camera.take("http://127.0.0.1:1/", (1,), 5, lambda: None, is_confined=False)


def verifying(spawner, camera: Camera | None, texts: Texts) -> StepVerifier:
    verifier = StepVerifier(spawner)
    verifier.pictures, verifier.camera = KeptPictures(texts.put_text), camera
    return verifier


async def run(verifier: StepVerifier, folder: Path, port: int, limit_ms: int = 10_000):
    step = VerificationStep(
        id="s1",
        type=StepType.HTTP_HEALTH,
        label="Shop",
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
