"""The API's log: nothing that is secret gets into it, whoever writes there."""

import asyncio
import subprocess
import sys

import httpx

from settings import environment_of

SECRET = "canary-of-the-log-0123456789"
BROKEN_API = """
import os
from api import app, server

def broken_app(settings):
    made = app.create_app(settings)
    async def broken():
        raise RuntimeError(f"{os.environ['CANARY_TOKEN']} {settings.token_file.read_text()}")
    made.add_api_route("/v1/broken", broken)
    return made

server.create_app = broken_app
server.main()
"""
ENDED = """
import os
from adapters.logs import keep_log_clean
from adapters.redaction import Redactor

keep_log_clean(Redactor({"CANARY_TOKEN": os.environ["CANARY_TOKEN"]}))
raise RuntimeError(os.environ["CANARY_TOKEN"])
"""


async def test_a_failing_request_leaves_no_secret_in_the_log(settings):
    environment = {**environment_of(settings), "CANARY_TOKEN": SECRET}
    command = [sys.executable, "-c", BROKEN_API]
    process = started(command, environment)
    try:
        async with httpx.AsyncClient(
            base_url=settings.api_url, trust_env=False, timeout=60
        ) as http:
            await answered(http, process)
            token = settings.token_file.read_text().strip()
            answer = await http.get("/v1/broken", headers={"Authorization": f"Bearer {token}"})
    finally:
        process.terminate()
        _, log = process.communicate(timeout=60)
    assert answer.status_code == 500
    assert "RuntimeError: [redacted:CANARY_TOKEN] [redacted:token-1]" in log
    assert SECRET not in log
    assert token not in log


def started(command, environment):
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


async def answered(http, process):
    async with asyncio.timeout(60):
        while process.poll() is None:
            try:
                return await http.get("/v1/health")
            except httpx.TransportError:
                await asyncio.sleep(0.05)
    raise AssertionError(process.stderr.read())


def test_the_error_that_ends_a_process_is_redacted_too():
    environment = {"CANARY_TOKEN": SECRET, "PYTHONPATH": "."}
    command = [sys.executable, "-c", ENDED]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "RuntimeError: [redacted:CANARY_TOKEN]" in ended.stderr
    assert SECRET not in ended.stderr
