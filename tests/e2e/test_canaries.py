"""No secret is left anywhere: databases, logs, events, arguments, environments.

Twelve canaries go in by every door there is; then everything that the engine keeps is searched.
Two are kept elsewhere by design and are looked for there alone: a file that the agent wrote is the
user's own and stays in git, and an agent's own home is the agent's.
"""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = pytest.mark.e2e

NUMBER = itertools.count(1)


def canary(form: str) -> str:
    """Return a secret of a form that nobody else has."""
    return form + f"Ca7{next(NUMBER):02}".ljust(36, "n")


MODEL_KEY = canary("canary-model-")
OTHER_KEY = canary("canary-other-")
TEXT = canary("gh" + "p_")
SPLIT = canary("gh" + "o_")
TOOL_INPUT = canary("gh" + "s_")
OUTPUT = canary("gh" + "u_")
FAILED = canary("gh" + "r_")
MESSAGE = canary("sk-" + "ant-")
REPORT = canary("glp" + "at-")
WRITTEN = canary("npm" + "_")[:40]
URL_PASSWORD = canary("pw")

PROFILE = """
title: Scripted, with a key
command: ["${treadle}", scripted-agent]
environment: [CANARY_MODEL_KEY]
is_scripted: true
"""


def scenario(folder: Path) -> dict[str, object]:
    """Return an agent that has a secret in all it says and does."""
    see = f'tr "\\0" "\\n" < /proc/self/environ > {folder}'
    steps = [
        {"say": f"The key is {TEXT}."},
        {"say": SPLIT[:10]},
        {"say": f"{SPLIT[10:]} was cut in two."},
        {"run": f"echo {OUTPUT}; {see}/agent.env"},
        {"write": "made.txt", "text": f"{WRITTEN}\n"},
        {"call": "report_done", "with": {"summary": f"done with {REPORT}"}},
    ]
    check = f"echo {FAILED} >&2; {see}/step.env; test -e {folder}/again || {{ touch {folder}/again; exit 3; }}"
    task = {
        "id": "one",
        "title": f"One {TOOL_INPUT}",
        "gate": "ask",
        "verification": [{"type": "command", "label": "check", "command": check}],
    }
    plan = {"goal": "Keep secrets", "summary": "One task.", "tasks": [task]}
    prompts = ["task", "verification-failed", "gate-rejected"]
    return {
        "name": "secrets",
        "rules": [
            {
                "when": {"prompt": ["planner", "planner-feedback"]},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            *({"when": {"task": "one", "prompt": prompt}, "steps": steps} for prompt in prompts),
        ],
    }


@pytest.fixture(scope="module")
async def guarded(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Engine]:
    """An engine of its own whose environment holds keys."""
    engine = Engine(tmp_path_factory.mktemp("guarded"))
    (engine.config / "agents" / "keyed.yaml").write_text(PROFILE)
    engine.environment |= {"CANARY_MODEL_KEY": MODEL_KEY, "CANARY_OTHER_TOKEN": OTHER_KEY}
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


async def arguments_of_children(engine: Engine, seen: set[str]) -> None:
    """Note the arguments of all processes below the engine's parts, again and again."""
    pids = [process.pid for process in engine._processes.values()]
    while True:
        for pid in pids:
            for child in _below(pid):
                seen.add(child)
        await asyncio.sleep(0.02)


def _below(pid: int) -> Iterator[str]:
    try:
        children = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return
    for child in children:
        try:
            yield " ".join(child.cmdline())
        except psutil.Error:
            continue


async def make_noise(engine: Engine) -> None:
    """Give all parts errors to write down: Temporal killed, and secrets said at every port."""
    engine.kill("temporal")
    await asyncio.gather(_say_secrets(engine), engine.repair())
    await _say_secrets(engine)


async def _say_secrets(engine: Engine) -> None:
    settings = engine.settings
    for port in (settings.api_port, settings.temporal_port):
        for start in (f"GET /{TEXT} HTTP/1.1", f"POST /v1/threads?x={TEXT} HTTP/9", TEXT):
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                with closing(writer):  # Temporal may cut it off
                    writer.write(f"{start}\r\nAuthorization: Bearer {TEXT}\r\n\r\n".encode())
                    writer.write_eof()
                    async with asyncio.timeout(10):
                        await reader.read()


def kept(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield all that an engine keeps, but agents' homes and the worktrees, which are the user's."""
    for place, folders, files in os.walk(folder):
        if Path(place) == folder:
            folders[:] = {*folders} - {"agents", "worktrees"}
        for file in (Path(place, name) for name in files):
            with suppress(FileNotFoundError):  # the engine runs: what goes meanwhile is not kept
                if file.is_file() and not file.is_symlink():
                    yield str(file.relative_to(folder)), file.read_bytes()


async def test_no_canary_is_left_in_anything_that_is_kept(guarded: Engine, tmp_path: Path):
    engine = guarded
    arguments: set[str] = set()
    watching = asyncio.create_task(arguments_of_children(engine, arguments))
    async with engine.http() as http:
        job = Job(engine, http, tmp_path)
        repository = make_repository(tmp_path / "guarded", scenario(guarded.outside))
        remote = f"https://me:{URL_PASSWORD}@git.example.com/x.git"
        git(repository, "remote", "add", "origin", remote)
        body = {
            "repository": str(repository),
            "goal": "Keep secrets",
            "agent": "keyed",
            "is_planned": True,
        }
        job.thread = (await job.post("/v1/threads", body))["thread_id"]
        await job.approve(await job.seen("plan_proposed"))
        gate = await job.seen("gate_opened", "one")
        request = gate.model_dump(mode="json")["request"]
        rejection = {key: request[key] for key in ("request_id", "content_hash")}
        rejection |= {"choice": "reject", "feedback": f"use {MESSAGE} and {remote}"}
        await job.post(f"/v1/threads/{job.thread}/approvals", rejection)
        gate = await job.seen("gate_opened", "one", number=2)
        await make_noise(engine)
        await job.approve(gate)
        await job.seen("plan_completed")
        view = (await http.get(f"/v1/threads/{job.thread}")).text
        events = "\n".join(journaled.model_dump_json() for journaled in job.events)
        watching.cancel()
    settings = engine.settings
    files = (settings.token_file, settings.code_key_file, settings.payload_key_file)
    keys = [word for file in files for word in file.read_text().split() if len(word) > 16]
    secrets = [MODEL_KEY, OTHER_KEY, TEXT, SPLIT, TOOL_INPUT, OUTPUT, FAILED, MESSAGE, REPORT]
    secrets += [WRITTEN, URL_PASSWORD, *keys]
    own = {str(file.relative_to(settings.data_dir)) for file in files}

    places = [(name, content) for name, content in kept(settings.data_dir) if name not in own]
    places += [("view", view.encode()), ("events", events.encode())]
    found = {(s, name) for name, content in places for s in secrets if s.encode() in content}
    assert found == set()
    hidden = [MODEL_KEY, OTHER_KEY, MESSAGE, URL_PASSWORD, *keys]
    assert {(s, line) for line in arguments for s in hidden if s in line} == set()
    agent, step = ((guarded.outside / f"{who}.env").read_text() for who in ("agent", "step"))
    assert MODEL_KEY in agent
    assert [s for s in (OTHER_KEY, URL_PASSWORD, *keys) if s in agent] == []
    assert [s for s in (MODEL_KEY, OTHER_KEY, URL_PASSWORD, *keys) if s in step] == []
    assert "[redacted:github-token]" in events, "the search would find them"
