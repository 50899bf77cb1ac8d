"""Services of a task in the browser: started, opened, read and stopped beside the terminals."""

import re
import sys
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.page.asking import greets
from tests.page.conftest import Door
from tests.page.stories.place import Place, task, work

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

RECIPE = f"""
[services.web]
command = 'exec {sys.executable} -u -m http.server --bind 127.0.0.1 "$TREADLE_PORT_WEB"'
port = "web"
health = "/"
depends_on = ["worker"]
for = ["agent", "person"]

[services.worker]
command = "echo waiting for jobs; exec sleep 4646"
for = ["agent"]

[services.checks]
command = "echo no such database; exit 7"
port = "checks"
for = ["person"]
"""


async def test_a_service_is_started_opened_read_and_stopped(
    door: Door, ground: Place, tmp_path: Path
):
    working = work("greet", {"write": "docs/greeting.md", "text": "Hello\n"})
    asked = task("greet", "Greet customers", gate="ask", verification=[])
    files = {".treadle/workspace.toml": RECIPE}
    folder = ground.repository("served", [greets(asked), working], files)
    found = (await ground.get(f"/recipes?repository={folder}"))["found"]
    trusted = {"repository": folder, "content_hash": found["content_hash"]}
    await ground.post("/recipes/trust", trusted)
    thread = await ground.begin("served", folder, "Greet")
    await ground.seen(thread, "gate_opened", "greet")
    page = await door.page(f"/threads/{thread}/tasks/greet?tab=terminals")
    services = page.get_by_role("region", name="Services")
    await expect(services.get_by_text("healthy")).to_have_count(1)
    await expect(services.get_by_text("running", exact=True)).to_have_count(1)
    web = services.get_by_role("listitem").filter(has_text="http.server")

    await web.get_by_role("button", name="Start").click()
    await expect(web.get_by_text("for you")).to_be_visible()
    async with page.expect_popup() as opened:
        await web.get_by_role("link", name="Open web for you").click()
    await expect((await opened.value).get_by_text("Directory listing")).to_be_visible()
    await web.get_by_role("button", name="Log of web for you").click()
    await expect(web.get_by_label("Output of web")).to_contain_text("GET / HTTP/1.1")

    checks = services.get_by_role("listitem").filter(has_text="no such database")
    await checks.get_by_role("button", name="Start").click()
    await expect(checks.get_by_text(re.compile("exited with code 7"))).to_be_visible()
    await checks.get_by_role("button", name="Log of checks for you").click()
    await expect(checks.locator("pre")).to_contain_text("no such database")
    await page.screenshot(path=tmp_path / "services.png")

    await web.get_by_role("button", name="Stop").click()
    await expect(web.get_by_text("stopped by a person")).to_be_visible()
    await expect(web.get_by_role("button", name="Start")).to_be_visible()
