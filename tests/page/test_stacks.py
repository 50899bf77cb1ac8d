"""A thread that is published on the page as a stack of pull requests, and where each of them stands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.forged import ForgedJob, forged_job
from tests.e2e.test_stacks import scenario_of
from tests.page.browser import PHONE, WIDE
from tests.page.conftest import Door
from tests.page.looks import broken_rules, overflowing
from tests.page.pictures import kept

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

UNEVEN = """
() => [...document.querySelectorAll("[role=tabpanel] li")].flatMap((row) => {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const lines = new Map();
  while (walker.nextNode()) {
    const size = getComputedStyle(walker.currentNode.parentElement).fontSize;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const { bottom } of range.getClientRects()) {
      lines.set(size, [...(lines.get(size) ?? []), bottom]);
    }
  }
  return [...lines.values()].flatMap((bottoms) => bottoms.map((at) => at - Math.min(...bottoms)))
    .filter((apart) => apart > 0.5 && apart < 10)
    .map((apart) => `${row.innerText}: ${apart} px apart`);
})
"""
"""Returns the rows in which texts of one size on one line have not the same baseline."""


@pytest.fixture
async def forged(is_built: None, tmp_path: Path) -> AsyncIterator[ForgedJob]:
    """A thread that is one pull request unless somebody says otherwise."""
    async with forged_job(tmp_path, scenario_of()) as job:
        yield job


async def test_it_is_published_as_a_stack_and_what_is_merged_is_seen(
    forged: ForgedJob, browser: Browser, pictures: Path | None
):
    job, double = forged, forged.double
    await job.begin()
    await job.seen("plan_completed")
    door = Door(browser, job.http)
    page = await door.page(f"/threads/{job.thread}")
    await page.get_by_role("button", name="More thread actions").click()
    await page.get_by_role("menuitem", name="Publish branch…").click()
    dialog = page.get_by_role("dialog", name="Publish branch")
    choice = dialog.get_by_label("Pull requests")

    await expect(choice).to_have_value("thread")
    await choice.select_option("tasks")
    await expect(dialog.get_by_text("merged from the first to the last")).to_be_visible()
    await expect(dialog.get_by_text("3 files changed")).to_be_visible()
    await _check(page, pictures, "publish-as")
    await dialog.get_by_role("button", name="Publish", exact=True).click()
    await expect(dialog.get_by_text("Started: see the conversation")).to_be_visible()
    await job.seen("layer_noted", number=3)
    await expect(choice).to_have_count(0)  # it stays a stack
    await dialog.get_by_role("button", name="Close").last.click()

    await page.goto(f"{door.origin}/threads/{job.thread}?panel=request")
    panel = page.get_by_role("tabpanel", name="Pull request")
    await expect(panel.get_by_role("heading", name="Stack of 3, merged from the")).to_be_visible()
    rows = panel.get_by_role("listitem").filter(has_text="Write")
    pulls = [double.pulls[double.path, number] for number in sorted(n for _, n in double.pulls)]
    names = ("first", "second", "third")
    for at, (pull, name) in enumerate(zip(pulls, names, strict=True)):
        told = f"{at + 1}. #{pull.number} Write {name} open"
        await expect(rows.nth(at)).to_have_text(told)
    await expect(panel.locator("[aria-current=step]")).to_contain_text("Write first")

    double.merge_by_hand(pulls[0], "squash")
    await job.post(f"{job.place}/look", {})
    await expect(rows.first).to_contain_text("merged")
    await expect(panel.locator("[aria-current=step]")).to_contain_text("Write second")
    await _check(page, pictures, "stack")
    wrong = await broken_rules(page)
    assert not wrong, "\n".join(wrong)
    assert await door.close() == []


async def _check(page: Page, pictures: Path | None, name: str) -> None:
    """Check how it looks, wide and on a phone."""
    wrong: list[str] = []
    for screen in (PHONE, WIDE):
        await page.set_viewport_size(screen)
        wrong += [*await overflowing(page), *await page.evaluate(UNEVEN)]
    await kept(page, pictures, name)
    assert not wrong, "\n".join(wrong)
