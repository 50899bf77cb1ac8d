"""Steps with a picture of the page that answered: of the task's own, and never a reason to fail."""

import base64
from pathlib import Path

import pytest

from adapters.processes.listeners import Listeners
from adapters.verification.pictures import KeptPictures
from adapters.verification.verifier import StepVerifier
from domain.verification.ports import Camera, StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.task_specs import spec_of
from tests.adapters.test_camera import FakeCamera, shop
from tests.adapters.test_pictures import PNG, Texts


class Replaced(Listeners):
    """A port that another one holds after so many looks at it."""

    def __init__(self, looks: int) -> None:
        self._left = looks

    async def foreign(self, port: int, workspace_id: str) -> str:
        self._left -= 1
        return "" if self._left >= 0 else "nginx (7)"


def verifying(
    spawner, camera: Camera | None, texts: Texts, listeners: Listeners | None = None
) -> StepVerifier:
    verifier = StepVerifier(spawner, listeners)
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


@pytest.mark.parametrize("looks", [2, 3], ids=["before", "meanwhile"])
async def test_there_is_none_of_a_page_that_another_one_serves(spawner, tmp_path: Path, looks: int):
    camera, texts = FakeCamera(), Texts()
    verifier = verifying(spawner, camera, texts, Replaced(looks))  # the check itself looks twice
    async with shop() as port:
        result, output = await run(verifier, tmp_path, port)

    assert (result.passed, result.pictures, texts.kept) == (True, (), {})
    assert f"picture: port {port} is served by nginx (7)" in output
    assert len(camera.asked) == looks - 2


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
