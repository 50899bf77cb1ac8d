"""Pictures of a screen for whoever asks for them by `--pictures`."""

from pathlib import Path

from playwright.async_api import Page

from tests.page.browser import PHONE, WIDE


async def kept(page: Page, folder: Path | None, name: str) -> None:
    """Keep pictures of a page, wide and on a phone; nothing where nobody wants them."""
    if folder is None:
        return
    for size, screen in (("phone", PHONE), ("wide", WIDE)):
        await page.set_viewport_size(screen)
        await page.screenshot(path=folder / f"{name}-{size}.png")
