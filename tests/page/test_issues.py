"""Issues of a tracker on the page: linked in the lists, asked about in the inbox, and named where they take no comment."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from domain.core.ids import issue_thread_id
from tests.e2e.forged import ForgedJob, forged_job
from tests.page.conftest import Door
from tests.page.looks import broken_rules, overflowing
from tests.page.pictures import kept

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

TITLE = "The links <b>of the footer</b> are broken, and those of every page that is printed, too"


@pytest.fixture
async def tracked(is_built: None, tmp_path: Path) -> AsyncIterator[ForgedJob]:
    """An engine that takes the issues of a forge double."""
    async with forged_job(tmp_path, is_tracked=True) as job:
        yield job


async def test_an_issue_is_linked_asked_about_and_named_where_it_is_locked(
    tracked: ForgedJob, browser: Browser, pictures: Path | None
):
    job, double = tracked, tracked.double
    made = double.open_issue(double.path, TITLE, "Mend them.", labels="treadle")
    job.thread = issue_thread_id(f"github {double.host}", str(made.id), 1)
    await job.post("/v1/trackers/work/look", {})
    await job.seen("plan_proposed")
    made.is_locked = True
    double.label(made, "bug")
    await job.post("/v1/trackers/work/look", {})

    door = Door(browser, job.http)
    inbox = await door.page("/")
    await expect(inbox.get_by_text("goes on, though").first).to_be_visible()
    key, address = f"{double.path}#{made.number}", f"https://{double.host}/{double.path}"
    page = await door.page("/threads")
    link = page.get_by_role("link", name=key, exact=True)
    await expect(link).to_have_attribute("href", f"{address}/issues/{made.number}")
    await looked_at(page, pictures, "issue-threads")

    page = await door.page(f"/threads/{job.thread}")
    await expect(page.get_by_role("link", name=key, exact=True)).to_be_visible()
    await looked_at(page, pictures, "issue-thread")

    page = await door.page("/settings")
    await expect(page.get_by_text("refused there: that its work goes on")).to_contain_text(key)
    await page.get_by_role("heading", name="Trackers").scroll_into_view_if_needed()
    await looked_at(page, pictures, "issue-settings")

    waiting = (await job.http.get("/v1/inbox")).json()["items"]
    [card] = [each for each in waiting if each["kind"] == "issue"]
    page = await door.page(f"/?item={card['item_id'].replace('#', '%23').replace('/', '%2F')}")
    asked = page.get_by_role("article").filter(has_text="goes on, though")
    await expect(asked).to_contain_text("the label 'treadle' was removed")
    await expect(asked.get_by_role("link", name=key, exact=True)).to_be_visible()
    await looked_at(page, pictures, "issue-card")
    await asked.get_by_role("button", name="Keep going").click()
    await expect(asked).to_have_count(0)
    assert await door.close() == []


async def looked_at(page: Page, pictures: Path | None, name: str) -> None:
    await kept(page, pictures, name)
    wrong = [*await broken_rules(page), *await overflowing(page)]
    assert not wrong, "\n".join(wrong)
