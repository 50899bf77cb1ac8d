"""The picture in the README is the real page; `make screenshots` takes it again."""

import base64
from pathlib import Path

from tests.page.conftest import Door
from tests.page.screens import SCREENS
from tests.page.stories.place import Place
from tests.page.test_screens import shown

PICTURE = Path(__file__).parents[2] / "docs/images/thread.webp"
WIDTH, HEIGHT = 1280, 800
MAX_BYTES = 200_000


async def test_the_picture_shows_a_running_plan_and_is_small(
    gallery: Door, place: Place, pictures: Path | None
):
    (screen,) = (screen for screen in SCREENS if screen.name == "graph")
    page = await shown(gallery, screen, place, viewport={"width": WIDTH, "height": HEIGHT})
    devtools = await page.context.new_cdp_session(page)
    taken = await devtools.send("Page.captureScreenshot", {"format": "webp", "quality": 80})
    picture = base64.b64decode(taken["data"])
    if pictures:
        PICTURE.write_bytes(picture)

    assert len(picture) <= MAX_BYTES
