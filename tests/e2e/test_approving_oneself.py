"""An agent that tries to approve its own work: nothing it reaches closes its gate.

It is even told what it must never know: the API's token, and the printed line with its code. What
keeps it out is its sandbox, not its ignorance.
"""

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.engine import until
from tests.e2e.job import Job, git
from tests.e2e.test_signals import lines

pytestmark = pytest.mark.e2e

ROUTES = """
import http.client, json, os, pathlib, shlex, socket, subprocess, sys

told = json.loads(pathlib.Path(sys.argv[1]).read_text())
body = json.dumps({**told["request"], "choice": "approve", "is_acknowledged": True})
path = f"/v1/threads/{told['thread']}/approvals"
stolen = {"Authorization": f"Bearer {told['token']}", "X-Treadle": "1"}
said = {}


def tried(name):
    def run(route):
        try:
            said[name] = str(route())
        except Exception as error:
            said[name] = f"failed: {type(error).__name__}: {error}"
    return run


def post(host, port, path, headers):
    line = http.client.HTTPConnection(host, port, timeout=5)
    line.request("POST", path, body, {"Content-Type": "application/json", **headers})
    answer = line.getresponse()
    return f"HTTP {answer.status}"


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, env={**os.environ, **more})
    return f"exit code {done.returncode}: {done.stderr[-200:]}"


@tried("REST as a stranger")
def _():
    return post("127.0.0.1", told["api"], path, {"Origin": "http://evil.example"})


@tried("REST with the stolen token")
def _():
    return post("127.0.0.1", told["api"], path, stolen)


@tried("REST by IPv6 and by name")
def _():
    return post("localhost", told["api"], path, stolen)


@tried("the API's unix socket")
def _():
    line = socket.socket(socket.AF_UNIX)
    line.connect(told["socket"])
    return "HTTP: connected"


@tried("Temporal's gRPC port")
def _():
    socket.create_connection(("127.0.0.1", told["temporal"]), 5)
    return "HTTP: connected"


@tried("any other server of this host")
def _():
    rows = [line.split() for line in open("/proc/net/tcp").read().splitlines()[1:]]
    ports = {int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A"}
    reached = []
    for port in ports:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            reached.append(port)
        except OSError:
            pass
    said["reached"] = reached
    answers = [post("127.0.0.1", port, where, stolen) for port in reached for where in (path, "/mcp")]
    return f"failed: {answers}"


@tried("the printed line")
def _():
    return run(*shlex.split(told["line"]), PATH=told["path"])


@tried("treadle approve")
def _():
    return run(*told["treadle"], "approve", told["thread"], "--yes", TREADLE_API_PORT=str(told["api"]))


@tried("Treadle's files")
def _():
    found = [name for name in ("token", "decision.key", "journal.db", "temporal.db", "payload.keys")
             if os.path.exists(f"{told['data']}/{name}")]
    pathlib.Path(f"{told['data']}/approved").write_text("yes")
    return f"HTTP: wrote, and found {found}"


pathlib.Path(sys.argv[2]).write_text(json.dumps(said))
"""


async def test_an_agent_approves_nothing_of_its_own(job: Job):
    told, said = job.stage.folder / "told.json", job.stage.folder / "said.json"
    _have_it_try(job, told, said)

    await job.begin()
    gate = await job.to_the_gate()
    told.write_text(json.dumps(await _all_it_needs(job, gate)))
    await until(lambda: said.exists() and bool(said.read_text()))
    answers = json.loads(said.read_text())

    reached = answers.pop("reached")
    settings = job.engine.settings
    assert not {settings.api_port, settings.temporal_port} & {*reached}
    assert len(reached) <= 2, "the server of Treadle's tools, the proxy, and no other"
    assert len(answers) == 9
    got_through = {
        name: said for name, said in answers.items() if said.startswith(("HTTP", "exit code 0"))
    }
    assert got_through == {}
    view = await job.view()
    assert [asked["task_id"] for asked in view["requests"]] == ["left"]
    await job.finish()


def _have_it_try(job: Job, told: Path, said: Path) -> None:
    """Have the agent of `left` leave something behind that tries once it was told what it needs."""
    (job.repository / "routes.py").write_text(ROUTES)
    words = shlex.join([sys.executable, "routes.py", str(told), str(said)])
    wait = f"until [ -s {told} ]; do sleep 0.05; done; {words}"
    file = job.repository / ".treadle" / "scenario.yaml"
    script = yaml.safe_load(file.read_text())
    steps = next(r for r in script["rules"] if r["when"] == {"task": "left", "prompt": "task"})
    steps["steps"].insert(1, {"run": f"(setsid sh -c {shlex.quote(wait)} >/dev/null 2>&1 &)"})
    file.write_text(yaml.safe_dump(script, sort_keys=False))
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(job.repository, "add", "--all")
    git(job.repository, *author, "commit", "--quiet", "--message", "Try")


async def _all_it_needs(job: Job, gate: Any) -> dict[str, Any]:
    """Return what an agent must never know, and all else that an approval takes."""
    engine, settings = job.engine, job.engine.settings
    request = gate.model_dump(mode="json")["request"]
    printed = await lines(job, "left")
    temporal = await asyncio.to_thread(engine.run, "which", "temporal")
    return {
        "thread": job.thread,
        "request": {key: request[key] for key in ("request_id", "content_hash")},
        "line": printed["approve"],
        "token": settings.token_file.read_text().strip(),
        "api": settings.api_port,
        "temporal": settings.temporal_port,
        "socket": str(settings.api_socket),
        "data": str(settings.data_dir),
        "path": f"{Path(temporal.stdout.strip()).parent}:/usr/bin:/bin",
        "treadle": [sys.executable, "-m", "treadle"],
    }
