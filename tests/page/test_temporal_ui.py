"""Temporal's real Web UI in a real browser: a thread read in clear, and acted on, behind our sign-in."""

import getpass
import re
import shlex
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from playwright.async_api import FrameLocator, Locator, Page, expect

from domain.core.listing import NEEDS_YOU
from domain.tasks.state import AT_GATE
from tests.e2e.engine import Engine
from tests.e2e.job import GOAL, TITLES, Job
from tests.page.conftest import Door
from tests.page.test_main_job import button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


async def linked(job: Job, under: str = "") -> str:
    workflow = f"{job.thread}/{under}".rstrip("/")
    link = await job.http.post("/v1/temporal/links", json={"workflow_id": workflow})
    return link.json()["url"]


async def opened(door: Door, job: Job, under: str = "") -> Page:
    """Open a workflow of a job in the Web UI, by the link that `treadle open --temporal` prints."""
    page = await (await door.context()).new_page()
    await page.goto(await linked(job, under))
    await page.wait_for_url(re.compile("/timeline$"))  # it looks up the newest run, and shows that
    await expect(input_of(page, "thread_id")).to_be_visible()
    return page


async def details_of(page: Page) -> FrameLocator:
    """Show a workflow's current details; returns them."""
    await page.get_by_role("tab", name="User Metadata").click()
    details = page.frame_locator("iframe[title*=arkdown], iframe").last
    await expect(details.get_by_role("row").filter(has_text="left").first).to_contain_text(AT_GATE)
    return details


async def line_of(job: Job, task: str, choice: str) -> str:
    """Return the line that `treadle show --signals` prints of what waits."""
    requests = (await job.view())["requests"]
    return next(r["signal_lines"] for r in requests if r["task_id"] == task)[choice]


async def elsewhere_of(job: Job) -> str:
    """Return that line, for another task."""
    return (await line_of(job, "left", "approve")).replace("/left --name", "/right --name")


async def form_of(page: Page, action: str) -> Locator:
    await button(page, "More Actions").click()
    await page.get_by_role("menuitem", name=action).click()
    return page.get_by_role("dialog")


async def signal_form(page: Page, name: str) -> Locator:
    form = await form_of(page, "Send a Signal")
    await form.get_by_test_id("signal-select-button").click()
    await form.get_by_role("option", name=name, exact=False).first.click()
    return form


async def test_a_link_of_the_page_leads_to_the_thread_in_clear(web_ui: Door, watched: Job):
    page = await web_ui.page(f"/threads/{watched.thread}")
    await button(page, "More thread actions").click()
    # a session of a plan has no workflow until it is spoken to
    await expect(page.get_by_role("menuitem", name="Open this session")).to_have_count(0)
    async with page.expect_popup() as popup:
        await page.get_by_role("menuitem", name="Open in Temporal", exact=True).click()
    shown = await popup.value

    await expect(input_of(shown, f'"goal": "{GOAL}"')).to_be_visible()
    await expect(shown).to_have_url(re.compile(f"/workflows/{watched.thread}/"))
    await expect((await details_of(shown)).get_by_text(f"left: {AT_GATE}")).to_be_visible()
    await page.goto(re.sub("/threads/.*", f"/threads/{watched.thread}/tasks/left", page.url))
    async with page.expect_popup() as popup:
        await page.get_by_role("link", name="Open in Temporal").click()
    await expect(await popup.value).to_have_url(re.compile(f"/workflows/{watched.thread}%2Fleft/"))


async def test_a_link_leads_to_a_session_that_was_spoken_to(
    web_engine: Engine, http: httpx.AsyncClient, web_ui: Door, tmp_path: Path
):
    job = Job(web_engine, http, tmp_path)
    await job.open()
    await job.seen("turn_ended", "session-1")
    page = await web_ui.page(f"/threads/{job.thread}")
    await button(page, "More thread actions").click()
    async with page.expect_popup() as popup:
        await page.get_by_role("menuitem", name="Open this session in Temporal").click()
    shown = await popup.value
    await expect(input_of(shown, "session_id")).to_be_visible()
    await expect(shown).to_have_url(re.compile(f"/workflows/{job.thread}%2Fsession-1/"))


async def test_the_events_of_a_task_are_in_clear(web_ui: Door, watched: Job):
    page = await opened(web_ui, watched, "right")
    await page.get_by_role("tab", name="Event History").click()
    await button(page, "JSON").click()
    await expect(input_of(page, '"eventType": "WorkflowExecutionStarted"')).to_be_visible()
    await button(page, "All").click()
    step = page.get_by_role("row").filter(has_text="run_verification_step").first
    await button(step, "Expand details").click()
    await expect(input_of(page, '"command": ')).to_be_visible()


async def test_a_signal_with_a_pasted_input_decides(web_ui: Door, job: Job):
    line = shlex.split(await line_of(job, "left", "approve"))
    page = await opened(web_ui, job, "left")
    form = await signal_form(page, "approve")
    await form.get_by_role("textbox", name="Data").fill(line[line.index("--input") + 1])
    await page.keyboard.press("Tab")  # it sets the input anew, and so moves its button
    await button(form, "Submit").click()
    await expect(form).to_be_hidden()

    decided = await job.seen("gate_decided", "left")
    assert (decided.outcome.choice, decided.outcome.by) == ("approve", getpass.getuser())


async def test_a_whole_line_is_pasted_as_a_signal_s_name(web_ui: Door, job: Job):
    page = await opened(web_ui, job, "left")
    form = await signal_form(page, "Custom")
    name = form.get_by_label("Signal name")
    await name.fill(await elsewhere_of(job))
    await button(form, "Submit").click()
    await expect(form.get_by_text("this line is for the workflow")).to_be_visible()
    await name.fill(await line_of(job, "left", "approve"))
    await button(form, "Submit").click()
    await expect(form).to_be_hidden()

    await job.seen("gate_decided", "left")


async def test_a_requested_cancellation_is_our_cancel(web_ui: Door, job: Job):
    page = await opened(web_ui, job)
    await button(page, "Request Cancellation").click()
    await button(page.get_by_role("dialog"), "Confirm").click()

    assert (await job.seen("plan_completed")).final_status == "cancelled"
    await job.seen("task_ended", "left")
    view = await job.view()
    assert (view["status"], view["requests"]) == ("cancelled", [])
    await expect(page.get_by_text(re.compile("^running$", re.IGNORECASE)).first).to_be_visible()


async def test_a_termination_ends_the_thread_and_is_cleaned_up(web_ui: Door, job: Job):
    page = await opened(web_ui, job)
    form = await form_of(page, "Terminate")
    await button(form, "Terminate").click()
    await expect(page.get_by_text(re.compile("^terminated$", re.IGNORECASE))).to_be_visible()

    await job.seen("workflow_terminated")
    view = await job.view()
    assert (view["status"], view["requests"]) == ("terminated", [])


SIZE = {"width": 1440, "height": 1080}
IMAGES = Path(__file__).parents[2] / "docs" / "images"
MAX_PICTURE_BYTES = 200_000


def of_thread(job: Job) -> str:
    return f'WorkflowId STARTS_WITH "{job.thread}"'


async def test_the_pictures_of_the_docs_are_small(
    web_ui: Door, watched: Job, pictures: Path | None
):
    page = await opened(web_ui, watched)
    await page.set_viewport_size(SIZE)
    await details_of(page)
    taken = {"temporal-details": await page.locator("#content").screenshot()}
    await page.set_viewport_size({**SIZE, "height": 560})
    await page.goto(
        f"{origin_of(page)}/namespaces/default/workflows?query={quote(of_thread(watched))}"
    )
    await expect(page.get_by_role("cell", name=AT_GATE)).to_be_visible()
    taken["temporal-list"] = await page.locator("#content").screenshot()
    await page.goto(await linked(watched, "left"))
    await expect(input_of(page, "thread_id")).to_be_visible()
    form = await signal_form(page, "Custom")
    await form.get_by_label("Signal name").fill(await elsewhere_of(watched))
    await button(form, "Submit").click()
    await expect(form.get_by_text("this line is for the workflow")).to_be_visible()
    taken["temporal-signal"] = await form.screenshot()
    for name, picture in taken.items():
        assert len(picture) <= MAX_PICTURE_BYTES
        if pictures:
            (IMAGES / f"{name}.png").write_bytes(picture)


async def test_what_treadle_does_not_support_is_not_offered(web_ui: Door, watched: Job):
    page = await opened(web_ui, watched)
    await button(page, "More Actions").click()
    for action in ("Reset", "Send an Update", "Start Workflow Like This One"):
        item = page.locator("[aria-disabled=true]:visible").filter(has_text=action)
        await expect(item.first).to_be_visible()
    await page.goto(f"{origin_of(page)}/namespaces/default/workflows")
    await expect(page.get_by_role("link", name=watched.thread, exact=True).first).to_be_visible()
    await expect(page.get_by_role("link", name="Start Workflow")).to_have_count(0)


async def test_the_list_tells_titles_and_what_waits_and_has_our_views(web_ui: Door, watched: Job):
    page = await opened(web_ui, watched)
    await page.goto(f"{origin_of(page)}/namespaces/default/workflows")
    left = page.get_by_role("row").filter(has_text=f"{watched.thread}/left")
    for words in (NEEDS_YOU, AT_GATE, TITLES["left"]):
        await expect(left.get_by_role("cell", name=words, exact=True)).to_be_visible()
    await button(page, "Saved Views").click()
    await page.get_by_text("Needs you", exact=True).click()
    await expect(page.get_by_role("row").filter(has_text=watched.thread)).to_have_count(1)
    await expect(left).to_be_visible()


async def test_a_schedule_made_there_is_refused_in_words(web_ui: Door, watched: Job):
    page = await opened(web_ui, watched)
    await page.goto(f"{origin_of(page)}/namespaces/default/schedules/create")
    for field in ("name", "workflowType", "workflowId", "taskQueue"):
        await page.locator(f"#{field}").fill("x")
    await page.get_by_role("textbox", name="Cron expression").fill("0 12 * * MON")
    await button(page, "Create Schedule").click()
    await expect(page.get_by_text("treadle schedule")).to_be_visible()


def origin_of(page: Page) -> str:
    return page.url.partition("/namespaces")[0]


def input_of(page: Page, words: str) -> Locator:
    return page.locator(".cm-content:visible").filter(has_text=words).first
