"""Who is not signed in to Temporal's Web UI: a foreign page, an agent in its sandbox, and the command line."""

from pathlib import Path

import httpx
import pytest
import yaml

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git
from tests.page.conftest import Door
from tests.page.test_temporal_ui import opened, origin_of

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

ATTEMPT = """async ([url, body]) => {
  const headers = { "content-type": "text/plain" };
  const send = (more) => fetch(url, { method: "POST", body, headers, credentials: "include", ...more })
    .then((answer) => answer.text(), () => "failed");
  return [await send({}), await send({ mode: "no-cors" })];
}"""


@pytest.mark.parametrize("name", ["evil.example", "app.treadle.localhost:1"])
async def test_a_foreign_page_in_the_same_browser_gets_nothing(
    web_ui: Door, watched: Job, name: str
):
    """Also one of an agent's server under our name: its requests carry the cookie."""
    page = await opened(web_ui, watched)
    origin = origin_of(page)
    answer = await page.evaluate(
        ATTEMPT, [f"{origin}/v1/temporal/codec/decode", '{"payloads": []}']
    )
    assert answer == ["{}", "{}"]
    await page.route(
        f"http://{name}/", lambda route: route.fulfill(body="<p>", content_type="text/html")
    )
    await page.goto(f"http://{name}/")
    for path in (
        "/v1/temporal/codec/decode",
        f"/api/v1/namespaces/default/workflows/{watched.thread}/terminate",
    ):
        assert await page.evaluate(ATTEMPT, [origin + path, '{"payloads": []}']) == [
            "failed",
            "failed",
        ]
    assert (await watched.view())["status"] == "waiting"


PROBE = """python3 - <<'E'
import socket
for port in {ports}:
    try:
        socket.create_connection(("127.0.0.1", port), 3).close()
        print(port, "reached")
    except OSError as error:
        print(port, type(error).__name__)
E"""


async def test_an_agent_in_its_sandbox_reaches_neither(
    web_engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    settings = web_engine.settings
    ports = (settings.api_port, settings.temporal_port, settings.temporal_ui_port)
    job = Job(web_engine, http, tmp_path)
    found = job.stage.folder / "found"
    file = job.repository / ".treadle" / "scenario.yaml"
    script = yaml.safe_load(file.read_text())
    probe = f"({PROBE.format(ports=ports)}\n) > {found} 2>&1"
    script["rules"][0]["steps"].insert(0, {"run": probe})
    file.write_text(yaml.safe_dump(script, sort_keys=False))
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(job.repository, *author, "commit", "--quiet", "--all", "--message", "Probe")
    await job.open()
    await job.seen("plan_proposed")
    seen = found.read_text()
    assert (len(seen.splitlines()), "reached" in seen) == (len(ports), False), seen


async def test_temporal_s_command_line_shows_it_in_clear_with_the_token(watched: Job):
    settings = watched.engine.settings
    command = ("temporal", "workflow", "show", "--detailed", "--workflow-id", watched.thread)
    address = ("--address", f"127.0.0.1:{settings.temporal_port}")
    endpoint = ("--codec-endpoint", f"{settings.api_url}/v1/temporal/codec")
    token = settings.token_file.read_text().strip()
    sealed = watched.engine.run(*command, *address)
    shown = watched.engine.run(*command, *address, *endpoint, "--codec-auth", f"Bearer {token}")
    refused = watched.engine.run(*command, *address, *endpoint, "--codec-auth", "Bearer wrong")
    kept = str(watched.repository)  # its title and the folder's name are in clear
    assert (kept in sealed.stdout, kept in shown.stdout) == (False, True), shown.stderr
    assert (refused.returncode, kept in refused.stdout) == (1, False)
