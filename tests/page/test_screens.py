"""Every screen in both themes: accessible, whole on a phone and at 200 %, reachable by keys."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from api.core.page import SCREENS as SCREEN_PATHS
from tests.page.browser import PHONE, WIDE
from tests.page.conftest import Door
from tests.page.looks import blank_panes, broken_rules, moving, overflowing, tab_stops
from tests.page.screens import SCREENS, Screen, address
from tests.page.stories.place import Place

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]  # the first fills an engine

ZOOMED = {"width": WIDE["width"] // 2, "height": WIDE["height"] // 2}
MOST_STOPS = 90
"""More Tab stops than this on a screen, and a list has no roving focus."""


def test_every_screen_of_the_page_has_an_example_here():
    addresses = {screen.address.partition("?")[0] for screen in SCREENS}
    paths: list[str] = json.loads(SCREEN_PATHS.read_text())
    patterns = [re.sub(r"/:\w+", "/[^/]+", re.sub(r"/:\w+\?", "(/[^/]+)?", path)) for path in paths]

    missing = [p for p in patterns if not any(re.fullmatch(p, address) for address in addresses)]
    assert missing == []


async def shown(gallery: Door, screen: Screen, place: Place, **options: object) -> Page:
    page = await gallery.page(address(screen, place), **options)
    await ready(page, screen)
    return page


async def ready(page: Page, screen: Screen) -> None:
    """Wait until a screen has come, and nothing of it is still being loaded."""
    main = page.get_by_role("main")
    await expect(main.get_by_role("heading").first).to_be_visible()
    if screen.shows:
        await expect(main.get_by_text(screen.shows).first).to_be_visible()
    await expect(main.get_by_label("Loading")).to_have_count(0)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
async def test_a_screen_is_accessible_and_whole(
    gallery: Door, place: Place, screen: Screen, pictures: Path | None
):
    page = await shown(gallery, screen, place)
    wrong: list[str] = []
    for theme in ("light", "dark"):
        await page.emulate_media(color_scheme=theme)
        await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", theme)
        wrong += [f"{theme}: {line}" for line in await broken_rules(page)]
        if pictures:
            await page.screenshot(path=pictures / f"{screen.name}-{theme}.png")
    wrong += [f"wide: {line}" for line in await overflowing(page)]
    wrong += [f"blank: {line}" for line in await blank_panes(page)]
    for name, size in (("200 %", ZOOMED), ("phone", PHONE)):
        await page.set_viewport_size(size)
        await ready(page, screen)
        wrong += [f"{name}: {line}" for line in await overflowing(page)]
    if pictures:
        await page.screenshot(path=pictures / f"{screen.name}-phone.png")

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
async def test_a_screen_is_walked_by_keys_and_moves_for_nobody_who_asked_it_not_to(
    gallery: Door, place: Place, screen: Screen
):
    page = await shown(gallery, screen, place, reduced_motion="reduce")
    stops = await tab_stops(page, MOST_STOPS + 1)

    wrong = [
        f"{lacks}: {stop['what']}"
        for stop in stops
        for lacks in ("isNamed", "isSeen", "isMarked")
        if not stop[lacks]
    ]
    assert 3 < len(stops) <= MOST_STOPS
    assert not wrong, "\n".join(wrong)
    assert await moving(page) == []
